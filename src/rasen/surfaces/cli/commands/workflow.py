"""`rasen workflow list|show|which|validate`: which workflows there are, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rasen.base.findings import Finding
    from rasen.roots.model import Root
    from rasen.upkeep.usage import Use
    from rasen.upkeep.workflow_library import Listing, Row, View
    from rasen.workflows.model import Definition

FALLBACK = "workflow_command_error"
_HEADINGS = {
    "task": N_("Workflows"),
    "driver": N_("Drivers, which lead through other workflows"),
    "expert": N_("Experts, which are always installed"),
    "internal": N_("Parts of other workflows"),
}
_LATER = N_("{text} (comes with a later version)")
_KINDS = {
    "global-selection": N_("the selection of this machine"),
    "profile": N_("the profile {consumer}"),
    "dependency": N_("the workflow {consumer}"),
    "pipeline": N_("the pipeline {consumer}"),
    "ledger": N_("the files of this project's agents"),
}


def root_here(app: App) -> Root | None:
    """The project at hand; None outside of any."""
    from rasen.roots import ops

    return ops.here(app.ctx)


@click.command(
    name="list",
    help=N_("List the workflows that a profile can select, yours too, and the experts."),
)
@click.option("--unused", is_flag=True, help=N_("Only workflows of yours that nobody seems to use"))
@click.option("--all", "show_all", is_flag=True, help=N_("Also the parts of other workflows"))
@json_option
@guarded(fallback=FALLBACK, null={"workflows": [], "diagnostics": []}, has_details=True)
def list_workflows(app: App, *, unused: bool, show_all: bool, as_json: bool) -> None:
    from rasen.upkeep import workflow_library as library

    found = library.listing(app.ctx, root_here(app), only_unused=unused)
    if as_json:
        app.document(found.to_json())
        return
    _list(app, found, show_all=show_all)
    say_findings(app, found.diagnostics)
    if unused:
        app.say(
            N_("Other projects may use them; only this machine and this project were looked at.")
        )


def _list(app: App, found: Listing, *, show_all: bool) -> None:
    from rasen.surfaces.cli.columns import column
    from rasen.upkeep.workflow_library import ORDER

    kinds = [kind.value for kind in ORDER if kind.value != "internal" or show_all]
    shown = [row for row in found.rows if row.definition.kind.value in kinds]
    ids = [row.definition.id for row in shown] + [one.id for one in found.invalid]
    width = column(ids) if ids else 0
    is_first = True
    for kind in kinds:
        rows = [row for row in shown if row.definition.kind.value == kind]
        if not rows:
            continue
        if not is_first:
            app.line()
        is_first = False
        app.line(_HEADINGS[kind])
        for row in rows:
            _row(app, row, width)
    if found.invalid:
        if not is_first:
            app.line()
        app.line(N_("Invalid; `rasen workflow validate <id>` says more"))
    for one in found.invalid:
        errors = [finding for finding in one.diagnostics if finding.level.value == "ERROR"]
        _columns(app, one.id, width, app.told(errors[0]) if errors else "")


def _row(app: App, row: Row, width: int) -> None:
    one = row.definition
    is_users = one.source.value == "user"
    text = one.title or one.purpose if is_users else app.t(one.purpose)
    if not one.is_available:
        text = app.t(_LATER, text=text)
    elif row.is_unused:
        text = app.t(N_("{text} (unused)"), text=text)
    elif is_users:
        text = app.t(N_("{text} (yours)"), text=text)
    _columns(app, one.id, width, text)


def _columns(app: App, id: str, width: int, text: str) -> None:
    from rasen.surfaces.cli.columns import padded, row

    app.raw(row(f"  {padded(id, width)}", text))


@click.command(
    name="show", help=N_("Show a workflow: what it needs, its files, and who uses it here.")
)
@click.argument("id")
@json_option
@guarded(fallback=FALLBACK, null={"workflow": None, "usage": []}, has_details=True)
def show(app: App, *, id: str, as_json: bool) -> None:
    from rasen.upkeep import workflow_library as library

    view = library.show(app.ctx, root_here(app), id)
    if as_json:
        app.document(view.to_json())
        return
    _tell(app, view)


def _purpose(app: App, one: Definition) -> str:
    if one.source.value == "user":
        return one.purpose
    text = app.t(one.purpose)
    return text if one.is_available else app.t(_LATER, text=text)


def _tell(app: App, view: View) -> None:
    one = view.definition
    app.line(N_("Workflow: {id} ({source})"), id=one.id, source=one.source.value)
    rows = [
        (N_("Title: {text}"), one.title or ""),
        (N_("Kind: {text}"), one.kind.value),
        (N_("Category: {text}"), one.category or ""),
        (N_("Tags: {text}"), ", ".join(one.tags)),
        (N_("Skill: {text}"), one.folder),
        (N_("Purpose: {text}"), _purpose(app, one)),
        (N_("Requires workflows: {text}"), ", ".join(one.requires.workflows)),
        (N_("Requires skills: {text}"), ", ".join(one.requires.skills)),
        (N_("Requires pipelines: {text}"), ", ".join(one.requires.pipelines)),
        (N_("Requires schemas: {text}"), ", ".join(one.requires.schemas)),
        (N_("Recommends: {text}"), ", ".join(one.recommends)),
        (N_("Digest: {text}"), one.digest or ""),
        (N_("Folder: {text}"), str(one.place) if one.place else ""),
    ]
    for template, text in rows:
        if text:
            app.line(template, text=text)
    if one.files:
        app.line(N_("Files:"))
    for path, _ in one.files:
        app.line("  {path}", path=path)
    say_uses(app, view.uses)


def say_uses(app: App, uses: Sequence[Use]) -> None:
    """List who uses a workflow on stdout."""
    if uses:
        app.line(N_("Used by:"))
    for use in uses:
        app.line("  {who}", who=app.t(_KINDS[use.kind], consumer=use.consumer))


@click.command(name="which", help=N_("Say where a workflow comes from."))
@click.argument("id")
@json_option
@guarded(fallback=FALLBACK, null={"workflow": None}, has_details=True)
def which(app: App, *, id: str, as_json: bool) -> None:
    from rasen.upkeep import workflow_library as library

    view = library.which(app.ctx, root_here(app), id)
    if as_json:
        app.document(view.head())
        return
    one = view.definition
    place = str(one.place) if one.place else "built-in:" + one.id
    app.line("{place}", place=place)


def _placed(found: Finding) -> Finding:
    """The same with its file and line before its field, where they are known."""
    from dataclasses import replace

    from rasen.workflows.model import Diagnostic

    if not isinstance(found, Diagnostic) or found.line is None or not found.source:
        return found
    file = Path(found.source).name
    place = f"{file}:{found.line}"
    is_said = found.path.endswith(file) or found.message.startswith(f"{found.path}:")
    return replace(found, path=place if is_said else f"{place}: {found.path}")


@click.command(
    name="validate",
    help=N_(
        "Check a workflow: an installed one by its id, one in a folder, or those in a package. "
        "Nothing is installed and nothing is run."
    ),
)
@click.argument("target", metavar="ID-OR-PATH")
@json_option
@guarded(fallback=FALLBACK, null={"validation": None}, has_details=True)
def validate(app: App, *, target: str, as_json: bool) -> int:
    from rasen.upkeep import workflow_library as library

    check = library.validate(app.ctx, root_here(app), target)
    if as_json:
        app.document(check.to_json())
    elif check.is_valid:
        app.line(N_("{target} is valid"), target=target)
        say_findings(app, [_placed(one) for one in check.found])
    else:
        app.say(N_("{target} has issues"), target=target)
        say_findings(app, [_placed(one) for one in check.found])
    return EXIT_OK if check.is_valid else EXIT_FAILED
