"""`rasen store add-project` and `migrate-membership`: which projects belong to a store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.findings import Level
from rasen.base.messages import N_
from rasen.surfaces.cli.membership_text import tell_commits, tell_findings, tell_writes
from rasen.surfaces.cli.run import App, guarded, json_option
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.base.findings import Finding
    from rasen.stores import add_project as adding
    from rasen.stores import migrate as moving

_FALLBACK = "store_error"
_NO_MEMBER: dict[str, object] = {
    "project": None,
    "target": None,
    "membership": None,
    "planning_binding": None,
}
_NO_MIGRATION: dict[str, object] = {
    "store": None,
    "applied": False,
    "converted": [],
    "unresolved": [],
    "store_writes": [],
    "legacy_manifest_removed": False,
    "legacy_manifest_path": None,
    "suggested_commits": [],
}


@click.command(
    name="add-project",
    help=N_(
        "Make the project in PATH a member of a store.\n\n"
        "The store gets a record of it, the project a note that says where the store is. Nothing is"
        " committed; the commits to make are printed. A role that the project has is never taken away."
    ),
)
@click.argument("path", required=False)
@click.option("--to", metavar="STORE", help=N_("The store, by name or identity"))
@click.option("--as", "alias", metavar="ID", help=N_("The name of the project; else its folder's"))
@click.option("--project", metavar="ID", hidden=True)
@click.option(
    "--set-primary", is_flag=True, help=N_("Let the project plan there, if it plans nowhere yet")
)
@click.option(
    "--rebind-from",
    metavar="STORE",
    help=N_("With --set-primary: the store that the project may be taken from"),
)
@click.option("--dry-run", is_flag=True, help=N_("Only say what would be written"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_MEMBER)
def add_project(app: App, *, as_json: bool, **said: object) -> int:
    from rasen.stores import add_project as use_case

    outcome = use_case.add_project(app.ctx, use_case.Request(**said))  # type: ignore[arg-type]
    if as_json:
        app.document({**outcome.to_json(), "status": statuses(outcome.findings)})
    else:
        _tell_member(app, outcome)
    return exit_code(outcome.findings)


@click.command(
    name="migrate-membership",
    help=N_(
        "Give the projects that older data of a store names a record each.\n\n"
        "Shows what it would do; --apply writes it. Nothing is committed."
    ),
)
@click.argument("store")
@click.option("--dry-run", is_flag=True, help=N_("Only say what would be written (the default)"))
@click.option("--apply", "is_applied", is_flag=True, help=N_("Write the records"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_MIGRATION)
def migrate_membership(
    app: App, *, store: str, dry_run: bool, is_applied: bool, as_json: bool
) -> None:
    from rasen.stores import migrate as use_case

    outcome = use_case.migrate(app.ctx, store, is_applied=is_applied and not dry_run)
    if as_json:
        app.document({**outcome.to_json(), "status": statuses(outcome.findings)})
    else:
        _tell_migration(app, outcome)


def exit_code(findings: Iterable[Finding]) -> int:
    """The exit code of a command that got to its end but may have something left to do."""
    return EXIT_FAILED if any(item.level is Level.ERROR for item in findings) else EXIT_OK


def _tell_member(app: App, outcome: adding.Outcome) -> None:
    plan = outcome.plan
    told = {"project": plan.alias, "store": plan.store.id}
    if outcome.is_dry_run:
        app.line("{project} would be a member of {store}. Nothing was written.", **told)
    elif outcome.written.is_repair_needed:
        app.line("{store} has a record of {project}; one step is left.", **told)
    else:
        app.line("{project} is a member of {store}.", **told)
    member = outcome.written.membership
    if member is not None:
        planning = N_("yes") if member.roles.planning else N_("no")
        knowledge = N_("yes") if member.roles.knowledge else N_("no")
        app.line(
            "Plans there: {planning}; shares knowledge: {knowledge}",
            planning=app.t(planning),
            knowledge=app.t(knowledge),
        )
    tell_writes(app, outcome.written, is_dry_run=outcome.is_dry_run)
    tell_findings(app, outcome.findings)
    tell_commits(app, outcome.written.commits)


def _tell_migration(app: App, outcome: moving.Outcome) -> None:
    plan = outcome.plan
    if not plan.converted and plan.manifest is None and not plan.unresolved:
        app.line("{store} has no older data to turn into records.", store=plan.store.id)
        return
    for item in plan.converted:
        name = item.wanted.id or item.wanted.project_id
        app.line("  {name} ({source}): {path}", name=name, source=item.source, path=item.path)
    count = len(plan.converted)
    if outcome.is_applied:
        app.line("Records written: {count}", count=count)
    else:
        app.line("Records that --apply would write: {count}", count=count)
    if outcome.is_manifest_removed:
        app.line("Removed {path}: everything in it is in the records.", path=plan.manifest_path)
    tell_findings(app, outcome.findings)
    tell_commits(app, outcome.commits)
