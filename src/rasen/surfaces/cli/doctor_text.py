"""What `rasen doctor` tells a person, section by section."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level
from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App

if TYPE_CHECKING:
    from rasen.projects.survey import Collected, Dangling
    from rasen.upkeep.doctor import Report
    from rasen.upkeep.doctor_fixes import Fix

_MARKS = {Level.ERROR: N_("Error"), Level.WARNING: N_("Warning"), Level.INFO: N_("Note")}


def tell(app: App, report: Report, fixes: list[Fix] | None, cleared: Collected | None) -> None:
    """The whole report on stdout."""
    app.line("Doctor")
    _root(app, report)
    _references(app, report)
    _memberships(app, report)
    _machine(app, report)
    if fixes is not None:
        _fixes(app, fixes)
    if cleared is not None:
        _cleared(app, cleared)
    if report.problems:
        app.line()
        app.line("Notes")
        _problems(app, report.problems)


def _root(app: App, report: Report) -> None:
    app.line()
    app.line("Root")
    app.line("  Location: {path}", path=report.root.path)
    if report.health.is_healthy:
        app.line("  Health: ok")
    else:
        app.line("  Health: unhealthy")
        _problems(app, report.health.findings)
    if report.store is not None:
        app.line("  Store: {id}", id=report.root.store_id)
        _problems(app, report.store.problems)


def _references(app: App, report: Report) -> None:
    app.line()
    app.line("References")
    for one in report.references:
        if one.root is not None:
            app.line("  {id}: ok ({path})", id=one.store_id, path=one.root)
        for finding in one.status:
            app.line("  {id}: {message}", id=one.store_id, message=app.told(finding))
            _step(app, finding)
    if not report.references:
        if report.declared:
            app.line("  all declared references lead to this root itself")
        else:
            app.line("  none declared")


def _memberships(app: App, report: Report) -> None:
    if not report.survey.stores:
        return
    app.line()
    app.line("Memberships")
    for one in report.survey.stores:
        label = one.id or one.uid
        if one.unavailable is not None:
            message = app.told(one.unavailable.error)
            app.line("  {id}: not available here ({problem})", id=label, problem=message)
        elif one.roles is None:
            app.line("  {id}: no record that can be used", id=label)
        else:
            app.line(
                "  {id}: plans there: {planning}; shares knowledge: {knowledge}",
                id=label,
                planning=app.t(N_("yes") if one.roles.planning else N_("no")),
                knowledge=app.t(N_("yes") if one.roles.knowledge else N_("no")),
            )


def _machine(app: App, report: Report) -> None:
    app.line()
    app.line("Machine home")
    found = report.machine
    if found.problem is not None:
        app.line("  {message}", message=app.told(found.problem))
        _step(app, found.problem)
    elif found.entry is None:
        app.line("  this checkout is not registered")
    else:
        app.line("  Home: {home}", home=found.entry.home)
    for row in found.dangling:
        app.line("  gone: {path} (home {home})", path=row.path, home=row.home.name)
    for home in found.orphans:
        app.line("  a home that nothing uses: {home}", home=home)
    if found.entry is None and any(_has_moved(report, row) for row in found.dangling):
        app.line("  Fix: {step}", step="rasen doctor --fix")
    elif found.dangling or found.orphans:
        app.line("  Fix: {step}", step="rasen doctor --gc")
    if report.ephemera:
        app.line("  files of running changes in the repository: {count}", count=report.ephemera)
        app.line("  Fix: {step}", step="rasen work migrate")


def _has_moved(report: Report, row: Dangling) -> bool:
    """Whether the checkout that is gone is the one we are in, at its old place."""
    own = report.survey.subject.project_id
    return own is not None and row.project_id == own.strip().lower()


def _fixes(app: App, fixes: list[Fix]) -> None:
    app.line()
    app.line("Fixed")
    for fix in fixes:
        done = app.t(fix.text, **fix.params)
        if fix.problem is None:
            app.line("  {done}", done=done)
        else:
            app.line("  not done: {done}: {problem}", done=done, problem=app.told(fix.problem))
            _step(app, fix.problem)
    if not fixes:
        app.line("  nothing to mend")


def _cleared(app: App, cleared: Collected) -> None:
    app.line()
    app.line("Cleared away")
    for row in cleared.entries:
        app.line("  forgot {path}", path=row.path)
    for home in cleared.homes:
        app.line("  deleted {home}", home=home)
    if cleared.archives:
        app.line("  archived changes that went with them: {count}", count=cleared.archives)
    if not cleared.entries and not cleared.homes:
        app.line("  nothing to clear away")


def _problems(app: App, problems: Iterable[Finding | ToolError]) -> None:
    for problem in problems:
        level = problem.level if isinstance(problem, Finding) else Level.ERROR
        app.line("  {mark}: {message}", mark=app.t(_MARKS[level]), message=app.told(problem))
        _step(app, problem)


def _step(app: App, problem: Finding | ToolError) -> None:
    step = present.fix(problem, app.translate)
    if step:
        app.line("  Fix: {step}", step=step)
