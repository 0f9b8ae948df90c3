"""`rasen sync`: merge a change into the specs now, and keep it open."""

from __future__ import annotations

import click

from rasen.base.errors import EXIT_OK
from rasen.base.messages import N_, NONE
from rasen.planning import ops as planning
from rasen.planning.archive import sync as use_case
from rasen.planning.archive.model import Request, Synced
from rasen.planning.archive.refusals import SyncNameRequired, WithIssues
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

_null = without_answer("sync")


@click.command(
    name="sync",
    help=N_(
        "Merge a change into the specs now, and keep it open.\n\n"
        "Archiving it later leaves alone what is there already; `rasen undo` takes a sync back."
    ),
)
@click.argument("change", required=False)
@click.option("-y", "--yes", is_flag=True, help=N_("Agree to changing the specs"))
@click.option("--no-validate", is_flag=True, help=N_("Do not judge the wording of requirements"))
@json_option
@root_options
@guarded(fallback="archive_error", null=_null, has_targets=False)
def sync(
    app: App,
    *,
    selector: RootRequest,
    change: str | None,
    yes: bool,
    no_validate: bool,
    **_: object,
) -> int:
    root = app.root(selector)
    if change is None:
        known = ", ".join(planning.item_names(root)[0]) or NONE
        raise SyncNameRequired(known=known)
    request = Request(change, yes=yes, skip_validation=no_validate, is_sync=True)
    try:
        result = ask_until_done(app, request, lambda asked: use_case.sync(app.ctx, root, asked))
    except WithIssues as refusal:
        return refuse(app, refusal, _null(app, {}))
    if result is None:
        app.line(N_("Sync cancelled; nothing was changed."))
    elif app.as_json:
        app.document(_document(root, result))
    else:
        _tell(app, result)
    return EXIT_OK


def _document(root: Root, result: Synced) -> dict[str, object]:
    synced: dict[str, object] = {
        "change": result.change,
        "specsUpdated": bool(result.updates),
        "totals": result.totals.to_json(),
        "specs": [
            {
                "capability": update.capability,
                **update.counts.to_json(),
                "isNew": update.is_new,
                "isRetired": update.is_retired,
            }
            for update in result.updates
        ],
    }
    if result.warnings:
        synced["warnings"] = sentences(result.warnings)
    if result.decisions:
        synced["decisions"] = decisions(result.decisions)
    return {"sync": synced, "root": root.to_json()}


def _tell(app: App, result: Synced) -> None:
    say_findings(app, result.warnings)
    tell_updates(app, result.updates)
    if not result.updates:
        app.line(N_("The specs have all of '{change}' already."), change=result.change)
        return
    app.line(N_("Change '{change}' is merged into the specs and stays open."), change=result.change)
