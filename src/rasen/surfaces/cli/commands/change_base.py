"""`rasen change base`: what the author of a change saw, shown, recorded and moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, UsageError
from rasen.base.messages import N_, Phrase
from rasen.surfaces import present
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rasen.planning.bases.compare import Difference
    from rasen.planning.change_base import BaseReport, BaseState, RebaseNeedsConsent
    from rasen.roots.model import Root, RootRequest

_SOURCES = {
    "recorded": N_("recorded"),
    "commit": N_("noted commit"),
    "introduced": N_("history"),
    "journal": N_("archive journals"),
    "unknown": N_("unknown"),
    "current": N_("the spec as it is"),
}
_CHANGES = {"added": N_("added"), "removed": N_("removed"), "changed": N_("changed")}


@click.command(
    name="base",
    help=N_(
        "Show what the author of a change saw of each spec, and what has changed since.\n\n"
        "Merging compares three texts: this base, the spec as it is, and the delta. "
        "Without options nothing is written."
    ),
)
@click.argument("change")
@click.option("--record", is_flag=True, help=N_("Keep the bases in the change's folder, `.base/`"))
@click.option(
    "--rebase",
    is_flag=True,
    help=N_("Take the specs as they are now as the bases, after showing what has changed"),
)
@click.option("--touches", metavar="A,B", help=N_("These capabilities only"))
@click.option("-y", "--yes", is_flag=True, help=N_("With --rebase: what has changed was seen"))
@json_option
@root_options
@guarded(fallback="change_error")
def base(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    change: str,
    record: bool,
    rebase: bool,
    touches: str | None,
    yes: bool,
) -> int:
    from rasen.planning import change_base

    if record and rebase:
        raise UsageError(problem=Phrase(N_("--record and --rebase exclude each other")))
    root = app.root(selector)
    if rebase:
        return _rebase(app, root, change, touches, yes=yes)
    use_case = change_base.record if record else change_base.show
    report = use_case(app.ctx, root, change, touches)
    if as_json:
        app.document({**report.to_json(), "root": root.to_json()})
    else:
        _tell(app, report)
    return EXIT_OK


def _rebase(app: App, root: Root, change: str, touches: str | None, *, yes: bool) -> int:
    from rasen.planning.change_base import RebaseNeedsConsent, rebase, show

    if yes and not app.as_json:
        _tell_differences(app, show(app.ctx, root, change, touches))
    agreed: BaseReport | None = None
    while True:
        try:
            report = rebase(app.ctx, root, change, touches, yes=yes, agreed=agreed)
        except RebaseNeedsConsent as need:
            if app.as_json:
                return _refused(app, root, need)
            _tell_differences(app, need.report)
            if not app.interactive:
                raise
            app.say("{message}", message=app.told(need))
            if not app.confirm(N_("Move the base?"), default=False, rerun="--yes"):
                app.line(N_("Nothing was changed."))
                return EXIT_OK
            agreed = need.report
        else:
            break
    if app.as_json:
        app.document({**report.to_json(), "root": root.to_json()})
    else:
        _tell(app, report)
    return EXIT_OK


def _refused(app: App, root: Root, need: RebaseNeedsConsent) -> int:
    """Answer with the refusal and all that there is to look at."""
    document = need.report.to_json(with_texts=True)
    app.document({**document, "root": root.to_json(), "status": [present.diagnostic(need)]})
    return EXIT_FAILED


def _tell(app: App, report: BaseReport) -> None:
    if not report.states:
        app.line(N_("The change names no capability yet."))
    for state in report.states:
        _tell_state(app, state)
        for one in state.moved:
            app.line("    {difference}", difference=_named(app, one))
    if report.recorded is None:
        return
    if not report.recorded:
        app.line(N_("Everything was recorded already."))
    for recording in report.recorded:
        app.line(
            N_("Recorded {capability}, from: {source}"),
            capability=recording.capability,
            source=Phrase(_SOURCES[recording.source]),
        )


def _tell_state(app: App, state: BaseState) -> None:
    base = state.base
    app.line(
        "{capability}: {source}",
        capability=base.capability,
        source=Phrase(_SOURCES[base.source.value]),
    )
    app.line("  {why}", why=app.t(base.why, **base.params))
    for reason in base.passed:
        app.line("  {why}", why=app.t(reason))
    if base.problem is not None:
        app.line("  {problem}", problem=app.told(base.problem))
    if base.is_known:
        app.line(N_("  changed since:") if state.moved else N_("  the spec is the same today"))


def _tell_differences(app: App, report: BaseReport) -> None:
    for state in report.states:
        if not state.needs_a_look:
            continue
        _tell_state(app, state)
        for one in state.moved:
            app.line("    {difference}", difference=_named(app, one))
            for line in _unified(one):
                color = {"+": "green", "-": "red"}.get(line[:1], "")
                app.line("      {line}", line=app.color(line, color) if color else line)


def _named(app: App, one: Difference) -> str:
    change = app.t(_CHANGES[one.change])
    if one.requirement is None:
        return app.t(N_("{change}: text outside of requirements"), change=change)
    return f"{change}: {one.requirement}"


def _unified(one: Difference) -> Iterator[str]:
    """The lines of one requirement that differ, with two around them."""
    from difflib import unified_diff

    before, after = ((text or "").splitlines() for text in (one.before, one.after))
    for number, line in enumerate(unified_diff(before, after, lineterm="", n=2)):
        if number > 1:  # the two lines before are names of files
            yield line
