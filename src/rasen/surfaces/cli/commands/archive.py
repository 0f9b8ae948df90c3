"""`rasen archive`: ask what has to be asked, archive, and say what was done."""

from __future__ import annotations

import click

from rasen.base.clock import iso_millis
from rasen.base.errors import EXIT_OK
from rasen.base.messages import N_, NONE
from rasen.planning import ops as planning
from rasen.planning.archive import ops
from rasen.planning.archive.model import IN_REPO, Archived, Request
from rasen.planning.archive.refusals import NameRequired, WithIssues
from rasen.roots.model import Root, RootRequest
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.merge_answers import (
    ask_until_done,
    decisions,
    refuse,
    sentences,
    tell_updates,
    without_answer,
)
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

_null = without_answer("archive")


@click.command(name="archive")
@click.argument("change", required=False)
@click.option("-y", "--yes", is_flag=True, help=N_("Agree to everything but deleting"))
@click.option("--confirm-prune", is_flag=True, help=N_("Agree to deleting the change's folder"))
@click.option("--skip-specs", is_flag=True, help=N_("File the change away without merging"))
@click.option("--no-validate", is_flag=True, help=N_("Do not judge the wording of requirements"))
@click.option("--dry-run", is_flag=True, help=N_("Say what would be done, and do nothing"))
@json_option
@root_options
@guarded(fallback="archive_error", null=_null, has_targets=False)
def archive(
    app: App,
    *,
    selector: RootRequest,
    change: str | None,
    yes: bool,
    confirm_prune: bool,
    skip_specs: bool,
    no_validate: bool,
    dry_run: bool,
    **_: object,
) -> int:
    root = app.root(selector)
    name = change or _picked(app, root)
    if name is None:
        return EXIT_OK
    request = Request(
        name,
        yes=yes,
        confirm_prune=confirm_prune,
        skip_specs=skip_specs,
        skip_validation=no_validate,
        is_rehearsal=dry_run,
    )
    try:
        result = _archived(app, root, request)
    except WithIssues as refusal:
        return refuse(app, refusal, _null(app, {}))
    if result is None:
        app.line(N_("Archive cancelled; nothing was changed."))
        return EXIT_OK
    if app.as_json:
        app.document(_document(root, result))
    else:
        _tell(app, root, request, result)
    return EXIT_OK


def _picked(app: App, root: Root) -> str | None:
    """The change that the person chooses; None when there is none, or none was chosen."""
    rows = planning.list_changes(app.ctx, root)
    if not app.interactive:
        known = ", ".join(sorted(row.name for row in rows)) or NONE
        raise NameRequired(known=known)
    if not rows:
        app.line(N_("There are no changes to archive."))
        return None
    options = [(row.name, f"{row.name}  {row.progress.done}/{row.progress.total}") for row in rows]
    chosen = app.choose(N_("Which change?"), options, rerun="<change>")
    if chosen is None:
        app.line(N_("Archive cancelled; nothing was changed."))
    return chosen


def _archived(app: App, root: Root, request: Request) -> Archived | None:
    """The finished archive, after as many questions as it takes; None when one was answered no."""
    if not app.as_json:
        _advise(app, root, request)
    return ask_until_done(app, request, lambda asked: ops.archive(app.ctx, root, asked))


def _advise(app: App, root: Root, request: Request) -> None:
    findings = ops.advice(app.ctx, root, request.change)
    if findings:
        app.say(N_("About the proposal (this does not stop the archive):"))
        say_findings(app, findings)


def _document(root: Root, result: Archived) -> dict[str, object]:
    archived: dict[str, object] = {"change": result.change}
    if result.name is not None:
        archived |= {"archivedAs": result.name, "path": str(result.path)}
    archived["specsUpdated"] = bool(result.updates)
    if result.updates is not None:
        archived["totals"] = result.totals.to_json()
    archived["destination"] = result.destination
    if result.name is None:
        archived["pruned"] = True
    if result.fallback is not None:
        archived["destinationFallback"] = result.fallback
    if result.warnings:
        archived["warnings"] = sentences(result.warnings)
    if result.decisions:
        archived["decisions"] = decisions(result.decisions)
    if result.is_rehearsal:
        archived["dryRun"] = True
    return {"archive": archived, "root": root.to_json()}


def _tell(app: App, root: Root, request: Request, result: Archived) -> None:
    if request.skip_validation:
        moment = iso_millis(app.ctx.clock.now())
        app.say(N_("{moment}: archived without checking the wording"), moment=moment)
    if result.open_tasks:
        app.say(N_("Warning: {open} tasks are not done."), open=result.open_tasks)
    say_findings(app, result.warnings)
    tell_updates(app, result.updates or ())
    for update in result.updates or ():
        if update.is_retired:
            place = update.path.relative_to(root.path).as_posix()
            app.say(
                N_("{place} is gone with its last requirement; bring it back with: {call}"),
                place=place,
                call=f"git checkout HEAD -- {place}",
            )
    if result.updates is None:
        app.line(N_("The specs were not touched."))
    else:
        app.line(
            N_("Specs: {added} added, {modified} modified, {removed} removed, {renamed} renamed."),
            **result.totals.to_json(),
        )
    if result.fallback is not None:
        app.say(
            N_("Kept in the repository, because the external archive cannot be used: {reason}"),
            reason=result.fallback,
        )
    if result.is_rehearsal:
        app.line(N_("This was a rehearsal; nothing was changed."))
        return
    if result.name is None:
        app.line(N_("Change '{change}' was merged and its folder deleted."), change=result.change)
        return
    app.line(N_("Change '{change}' archived as '{name}'."), change=result.change, name=result.name)
    if root.store_id is not None or result.destination != IN_REPO:
        app.line("{path}", path=result.path)
