"""`rasen undo`: take back an archive or a sync."""

from __future__ import annotations

from dataclasses import replace

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.planning.archive import undo as use_case
from rasen.planning.archive.undo import Undone, UndoRequest
from rasen.planning.journal.model import ARCHIVE
from rasen.planning.journal.refusals import UndoBlocked, UndoNeedsConsent, UndoSyncNeedsConsent
from rasen.roots.model import Root, RootRequest
from rasen.surfaces import present
from rasen.surfaces.cli.merge_answers import without_answer
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

_OUTCOMES = {
    "restored": N_("as it was before"),
    "recreated": N_("there again"),
    "removed": N_("gone again"),
    "unchanged": N_("was so already"),
}


_null = without_answer("undo")


@click.command(
    name="undo",
    help=N_(
        "Take back an archive or a sync.\n\n"
        "Without a name, the last one. The specs are as they were before, and the change is open "
        "again with its tasks. Refused when later work stands on it."
    ),
)
@click.argument("archived", required=False)
@click.option("-y", "--yes", is_flag=True, help=N_("Agree to it"))
@click.option("--dry-run", is_flag=True, help=N_("Say what would be done, and write nothing"))
@json_option
@root_options
@guarded(fallback="undo_error", null=_null)
def undo(
    app: App,
    *,
    selector: RootRequest,
    archived: str | None,
    yes: bool,
    dry_run: bool,
    **_: object,
) -> int:
    root = app.root(selector)
    request = UndoRequest(archived, yes=yes, is_dry_run=dry_run)
    try:
        result = _undone(app, root, request)
    except UndoBlocked as refusal:
        return _blocked(app, refusal)
    if result is None:
        app.line(N_("Nothing was undone."))
    elif app.as_json:
        app.document(_document(root, result, is_dry_run=dry_run))
    else:
        _tell(app, result, is_dry_run=dry_run)
    return EXIT_OK


def _undone(app: App, root: Root, request: UndoRequest) -> Undone | None:
    """What was undone, after a question where one is needed; None when it was answered no."""
    try:
        return use_case.undo(app.ctx, root, request)
    except (UndoNeedsConsent, UndoSyncNeedsConsent) as need:
        if not app.interactive:
            raise
        app.say("{message}", message=app.told(need))
        if not app.confirm(N_("Undo it?"), default=True, rerun="--yes"):
            return None
    return use_case.undo(app.ctx, root, replace(request, yes=True))


def _blocked(app: App, refusal: UndoBlocked) -> int:
    """Answer with a refusal that names what stands on the specs."""
    if app.as_json:
        status = [present.diagnostic(refusal)]
        blockers = [one.to_json() for one in refusal.blockers]
        app.document({**_null(app, {}), "status": status, "blockers": blockers})
    else:
        app.refuse(refusal)
    return EXIT_FAILED


def _document(root: Root, result: Undone, *, is_dry_run: bool) -> dict[str, object]:
    undone: dict[str, object] = {
        "kind": result.kind,
        "name": result.name,
        "change": result.change,
        "path": str(result.path),
        "specs": [{"capability": one.capability, "outcome": one.outcome} for one in result.specs],
    }
    if is_dry_run:
        undone["dryRun"] = True
    return {"undo": undone, "root": root.to_json()}


def _tell(app: App, result: Undone, *, is_dry_run: bool) -> None:
    if is_dry_run:
        app.line(N_("Nothing was written. This would be done:"))
    for one in result.specs:
        app.line(
            "  {capability}: {what}", capability=one.capability, what=app.t(_OUTCOMES[one.outcome])
        )
    if result.kind == ARCHIVE:
        app.line(
            N_("'{name}' is open again as '{change}'."), name=result.name, change=result.change
        )
    else:
        app.line(N_("The last sync of '{change}' is taken back."), change=result.change)
