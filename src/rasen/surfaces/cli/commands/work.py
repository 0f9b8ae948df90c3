"""`rasen work`: files of running changes that do not belong in the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App, guarded, json_option, root_options
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.roots.model import RootRequest
    from rasen.upkeep.work_migrate import Plan


@click.command(
    name="migrate",
    help=N_(
        "Move run states, hand-offs and ship logs of open changes out of the repository.\n\n"
        "They go to the home that this machine has for the project. Files that git keeps stay, unless"
        " --include-tracked is given."
    ),
)
@click.option("--change", metavar="NAME", help=N_("Only the files of this change"))
@click.option("--dry-run", is_flag=True, help=N_("Only say what would move"))
@click.option("--include-tracked", is_flag=True, help=N_("Move files that git keeps, too"))
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@json_option
@root_options
@guarded(null={"moved": []})
def migrate(
    app: App,
    *,
    selector: RootRequest,
    change: str | None,
    dry_run: bool,
    include_tracked: bool,
    yes: bool,
    as_json: bool,
) -> None:
    from rasen.upkeep import work_migrate as use_case

    root = app.root(selector, allow_implicit=False)
    request = use_case.Request(change, include_tracked)
    plan = use_case.prepare(app.ctx, root, request)
    if plan.moves and not dry_run:
        _agree(app, plan, is_agreed=yes)
        plan = use_case.migrate(app.ctx, plan, request)
    if as_json:
        app.document(
            {
                "moved": [move.to_json() for move in plan.moves],
                "dry_run": dry_run,
                "root": root.to_json(),
                "status": statuses(plan.findings),
            }
        )
    else:
        _tell(app, plan, is_done=not dry_run)


def _agree(app: App, plan: Plan, *, is_agreed: bool) -> None:
    from rasen.upkeep.work_migrate import Cancelled, Unconfirmed

    count = len(plan.moves)
    if is_agreed:
        return
    if not app.interactive:
        raise Unconfirmed(target="work.files", count=count)
    for move in plan.moves:
        app.say("  {path}", path=move.source)
    question = N_("Move these files out of the repository ({count})?")
    if not app.confirm(question, default=True, rerun="--yes", count=count):
        raise Cancelled(target="work.files")


def _tell(app: App, plan: Plan, *, is_done: bool) -> None:
    for move in plan.moves:
        if move.target is None:
            app.line("  {source}", source=move.source)
        else:
            app.line("  {source} -> {target}", source=move.source, target=move.target)
    if not plan.moves:
        app.line("Nothing to move")
    elif is_done:
        app.line("Files moved: {count}", count=len(plan.moves))
    else:
        app.line("Files that would move: {count}", count=len(plan.moves))
    for finding in plan.findings:
        app.say("{message}", message=app.told(finding))
        app.say("Fix: {step}", step=present.fix(finding, app.translate))
