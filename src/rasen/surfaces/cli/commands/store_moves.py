"""`rasen store adopt` and `rasen store eject`: moving the planning of a project in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, ToolError
from rasen.base.messages import N_
from rasen.surfaces.cli.membership_text import tell_commits, tell_findings, tell_writes
from rasen.surfaces.cli.run import App, guarded, json_option
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.base.findings import Finding
    from rasen.stores import eject as leaving

_FALLBACK = "store_error"
_NO_ADOPTION: dict[str, object] = {"adoption": None, "membership": None}
_NO_EJECTION: dict[str, object] = {"ejection": None, "membership": None}


@click.command(
    name="adopt",
    help=N_(
        "Move the planning of the project in PATH (here when left out) into a store.\n\n"
        "Specs and changes move, the project then plans in the store. All or nothing; when it was"
        " interrupted, run it again. Nothing is committed."
    ),
)
@click.argument("path", required=False, default=".")
@click.option("--to", metavar="STORE", help=N_("The store, by name or identity"))
@click.option(
    "--archive",
    type=click.Choice(("move", "leave", "external")),
    default="move",
    help=N_("Archived changes: into the store, kept in the project, or in the machine's home"),
)
@click.option("--verify-hash", is_flag=True, help=N_("Compare contents too, not only sizes"))
@click.option("--dry-run", is_flag=True, help=N_("Only say what would move"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_ADOPTION)
def adopt(app: App, *, as_json: bool, **said: object) -> int | None:
    from rasen.stores import adopt as use_case

    try:
        outcome = use_case.adopt(app.ctx, use_case.Request(**said))  # type: ignore[arg-type]
    except use_case.AdoptPrecheckFailed as refusal:
        return _refused(app, refusal, refusal.findings, as_json=as_json)
    if as_json:
        app.document({**outcome.to_json(), "status": statuses(outcome.plan.findings)})
        return None
    plan = outcome.plan
    told = {"root": plan.project.root, "store": plan.store.id}
    if plan.is_finished:
        app.line("{root} plans in {store} already; nothing was moved.", **told)
    elif outcome.is_dry_run:
        app.line("{root} would plan in {store}. Nothing was moved.", **told)
    else:
        app.line("{root} plans in {store} now.", **told)
    tell_writes(app, outcome.written, is_dry_run=outcome.is_dry_run)
    tell_findings(app, plan.findings)
    tell_commits(app, outcome.written.commits)
    return None


@click.command(
    name="eject",
    help=N_(
        "Move what a project brought into a store back into the project.\n\n"
        "PROJECT is its name in the store or its identity. It then plans by itself again; that it"
        " shares knowledge stays. Nothing is committed."
    ),
)
@click.argument("project")
@click.option("--from", "store", metavar="STORE", required=True, help=N_("The store it leaves"))
@click.option("--into", metavar="PATH", help=N_("The checkout that takes it"))
@click.option("--all", "all", is_flag=True, help=N_("Take everything that the store holds"))
@click.option("--force", is_flag=True, help=N_("Go on without what is missing"))
@click.option("-y", "--yes", is_flag=True, help=N_("With --all: do not ask"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_EJECTION)
def eject(app: App, *, as_json: bool, **said: object) -> None:
    from rasen.stores import eject as use_case

    outcome = _ejected(app, use_case.Request(**said))  # type: ignore[arg-type]
    if as_json:
        app.document({**outcome.to_json(), "status": statuses(outcome.findings)})
        return
    if outcome.plan.is_finished:
        app.line("{root} plans by itself already.", root=outcome.plan.project.root)
    else:
        app.line("{root} plans by itself again.", root=outcome.plan.project.root)
    tell_writes(app, outcome.written, is_dry_run=False)
    tell_findings(app, outcome.findings)
    tell_commits(app, outcome.written.commits)


def _ejected(app: App, request: leaving.Request) -> leaving.Outcome:
    from rasen.stores import eject as use_case

    try:
        return use_case.eject(app.ctx, request)
    except use_case.EjectAllNeedsConsent as need:
        if not app.interactive:
            raise
        question = N_("Move everything that is planned in {store} ({count} entries)?")
        if not app.confirm(question, default=False, rerun="--yes", **need.params):
            raise use_case.EjectCancelled(target="store.membership") from None
        return use_case.eject(app.ctx, request._replace(yes=True))


def _refused(app: App, refusal: ToolError, findings: tuple[Finding, ...], *, as_json: bool) -> int:
    """Answer with everything that stands in the way."""
    if not as_json:
        app.refuse(refusal)
        tell_findings(app, findings)
        return EXIT_FAILED
    document = {**_NO_ADOPTION, "status": [app.diagnostic(refusal), *statuses(findings)]}
    app.document(document)
    return EXIT_FAILED
