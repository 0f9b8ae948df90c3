"""`rasen update`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen import __version__
from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli import agents
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.upkeep import update as updating


@click.command(
    name="update",
    help=N_(
        "Bring the skills of your agents up to date, in the project at PATH (here when left out).\n\n"
        "What you edited stays: the new version is laid beside it. What is not ours is never touched."
    ),
)
@click.argument("path", required=False, default=".")
@click.option("--force", is_flag=True, help=N_("Replace skills that were edited, too"))
@click.option(
    "--adopt", is_flag=True, help=N_("Take over, or remove, what earlier versions left unrecorded")
)
@click.option("--dry-run", is_flag=True, help=N_("Only say what would be written and removed"))
@json_option
@guarded()
def update(app: App, *, path: str, force: bool, adopt: bool, dry_run: bool, as_json: bool) -> int:
    from rasen.upkeep import update as updating

    plan = updating.Plan(app.ctx.at(path), is_forced=force, adopts=adopt, is_dry=dry_run)
    outcome = updating.update(app.ctx, plan, each=agents.tick_through(app, N_("Looking at skills")))
    if as_json:
        app.document(_document(app, outcome, is_dry=dry_run))
    else:
        _report(app, outcome)
    return EXIT_FAILED if outcome.is_failed else EXIT_OK


def _document(app: App, outcome: updating.Outcome, *, is_dry: bool) -> dict[str, object]:
    report = outcome.skills
    answer: dict[str, object] = {
        "root": str(outcome.root),
        "version": __version__,
        "dryRun": is_dry,
        "upToDate": report is not None and report.is_unchanged,
        **({"tools": []} if report is None else agents.members(report)),
    }
    told = [app.diagnostic(one) for one in outcome.notices]
    answer["status"] = told + (agents.statuses(app, report) if report is not None else [])
    return answer


def _report(app: App, outcome: updating.Outcome) -> None:
    report = outcome.skills
    if report is None:
        app.line("No agent has skills of ours in {root}.", root=outcome.root)
        app.line("Give it some with: rasen init --tools <ids>")
    elif report.is_unchanged:
        app.line(
            "Up to date: agents {tools}, skills {count}, version {version}.",
            count=report.skills,
            tools=len(report.tools),
            version=__version__,
        )
        app.line("Skills that you edited are replaced by: rasen update --force")
        agents.tell_problems(app, report)
    else:
        agents.tell(app, report)
    if report is not None and report.unselected:
        app.line(
            "Not in the profile {profile}: {ids}. To choose: rasen profile",
            profile=report.selection.name,
            ids=", ".join(report.unselected),
        )
    for notice in outcome.notices:
        agents.say(app, notice)
