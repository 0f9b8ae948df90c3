"""`rasen init` and `rasen migrate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, ToolError
from rasen.base.messages import N_, Phrase
from rasen.surfaces.cli import agents
from rasen.surfaces.cli.run import App, guarded, json_option, no_interactive_option

if TYPE_CHECKING:
    from rasen.upkeep import init as making
    from rasen.upkeep import migrate as moving


@click.command(
    name="init",
    help=N_(
        "Make a workspace in PATH (here when left out), and skills for the agents you work with.\n\n"
        "Makes the folders, the configuration and the skills that are missing; what is yours is not"
        " changed. Running it again is safe."
    ),
)
@click.argument("path", required=False, default=".")
@click.option(
    "--tools",
    metavar="IDS",
    help=N_(
        "Agents to write skills for: ids with commas between them, all, or none;"
        " when left out, those found here"
    ),
)
@click.option("--force", is_flag=True, help=N_("Make a workspace even inside another one"))
@click.option("--profile", metavar="NAME", help=N_("Lock this profile in the configuration"))
@click.option(
    "--claude-agent-teams/--no-claude-agent-teams",
    "teams",
    default=None,
    help=N_("Switch an experimental setting of Claude Code on or off; left as it is otherwise"),
)
@click.option("--dry-run", is_flag=True, help=N_("Only say what would be made"))
@json_option
@guarded()
def init(
    app: App,
    *,
    path: str,
    tools: str | None,
    force: bool,
    profile: str | None,
    teams: bool | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    from rasen.upkeep import init as making

    plan = making.Plan(app.ctx.at(path), profile, is_forced=force, is_dry=dry_run, teams=teams)
    return _init(app, plan, tools, as_json=as_json)


@click.command(name="experimental", hidden=True, help=N_("The old name of init"))
@click.argument("path", required=False, default=".")
@click.option("--tool", "tools", metavar="IDS", help=N_("Agents to write skills for"))
@no_interactive_option
@json_option
@guarded()
def experimental(
    app: App,
    *,
    path: str,
    tools: str | None,
    no_interactive: bool,  # noqa: ARG001 - read by the frame
    as_json: bool,
) -> int:
    from rasen.upkeep import init as making

    app.say("'rasen experimental' is an old name and will go: use 'rasen init --tools <ids>'.")
    return _init(app, making.Plan(app.ctx.at(path)), tools, as_json=as_json)


@click.command(
    name="migrate",
    help=N_(
        "Copy the OpenSpec tree in PATH (here when left out) into a workspace.\n\n"
        "Only copies: openspec/ stays as it is, and what the workspace has already is never replaced."
    ),
)
@click.argument("path", required=False, default=".")
@no_interactive_option
@json_option
@guarded()
def migrate(app: App, *, path: str, no_interactive: bool, as_json: bool) -> int:  # noqa: ARG001
    from rasen.upkeep import migrate as moving

    report = moving.migrate(app.ctx, app.ctx.at(path))
    if as_json:
        app.document({**_migrate_document(report), "status": _migrate_status(app, report)})
    else:
        _report_migrate(app, report)
        if not report.is_in_place:
            _offer_to_strip(app, report.root)
    return EXIT_FAILED if report.failed else EXIT_OK


def _init(app: App, plan: making.Plan, tools: str | None, *, as_json: bool) -> int:
    """Make the workspace and the skills, and say what was made. tools: as given; None is a choice."""
    from rasen.upkeep import init as making

    named = None if tools is None else agents.wanted(app, plan.path, tools)
    root = making.prepare(app.ctx, plan)
    copied = None if plan.is_dry else _offered_migration(app, root)
    chosen = agents.wanted(app, root, None) if named is None else named
    if plan.teams is not None and all(one.id != "claude" for one in chosen):
        app.say("The setting for agent teams stays as it is: claude is not among the agents.")
    outcome = making.init(
        app.ctx,
        replace(plan, hosts=chosen),
        each=agents.tick_through(app, N_("Writing skills")),
    )
    if as_json:
        app.document(_init_document(app, outcome, copied, is_dry=plan.is_dry))
    else:
        _report_init(app, outcome, is_dry=plan.is_dry)
        if tools is None and not chosen:
            app.line("No agent was found here. Write skills with: rasen init --tools <ids>")
    return EXIT_FAILED if outcome.is_failed else EXIT_OK


def _offered_migration(app: App, root: Path) -> moving.Report | None:
    """Copy an older workspace first, if there is one and a person agrees. Source: planning §8.4, 4."""
    from rasen.upkeep import legacy

    older = legacy.folder(app.ctx, root)
    if older is None or (root / app.ctx.workspace).exists() or not app.interactive:
        return None
    question = N_("{legacy} holds a workspace of an older layout. Copy it into the new one?")
    if not app.confirm(question, default=True, legacy=older):
        return None
    from rasen.upkeep import migrate as moving

    report = moving.migrate(app.ctx, root)
    _report_migrate(app, report)
    return report


def _init_document(
    app: App, outcome: making.Outcome, copied: moving.Report | None, *, is_dry: bool
) -> dict[str, object]:
    answer: dict[str, object] = {
        "root": str(outcome.root),
        "workspace": str(outcome.workspace),
        "created": list(outcome.created),
        "config": {"path": str(outcome.config), "created": outcome.config_is_new},
    }
    if outcome.project_id is not None:
        answer["projectId"] = outcome.project_id
        answer["projectIdMinted"] = outcome.identity_is_new
    if outcome.home is not None:
        answer["home"] = str(outcome.home)
    if copied is not None:
        answer["migration"] = _migrate_document(copied)
    if is_dry:
        answer["dryRun"] = True
    told = [app.diagnostic(notice) for notice in outcome.notices]
    if outcome.skills is not None:
        answer |= agents.members(outcome.skills)
        told += agents.statuses(app, outcome.skills)
    answer["status"] = told
    return answer


def _report_init(app: App, outcome: making.Outcome, *, is_dry: bool) -> None:
    if outcome.created:
        ready, made = N_("Workspace ready in {path}"), N_("  created {path}")
        if is_dry:
            ready, made = N_("Workspace to be made in {path}"), N_("  would create {path}")
        app.line(ready, path=outcome.workspace)
        for path in outcome.created:
            app.line(made, path=path)
    else:
        app.line("Workspace in {path} is complete; nothing to make.", path=outcome.workspace)
    _report_identity(app, outcome)
    if outcome.skills is not None:
        agents.tell(app, outcome.skills)
    for notice in outcome.notices:
        agents.say(app, notice)
    app.line()
    app.line("Begin with: rasen new change <name>")


def _report_identity(app: App, outcome: making.Outcome) -> None:
    if outcome.project_id:
        key = N_("Config: {path} (new identity {id})")
        known = N_("Config: {path} (identity {id})")
        template = key if outcome.identity_is_new else known
        app.line(template, path=outcome.config, id=outcome.project_id)
    else:
        app.line("Config: {path}", path=outcome.config)
    if outcome.home is not None:
        app.line("Machine home: {path}", path=outcome.home)


def _migrate_document(report: moving.Report) -> dict[str, object]:
    answer: dict[str, object] = {"root": str(report.root), "target": str(report.target)}
    if report.source is not None:
        answer["source"] = str(report.source)
    answer["counts"] = {
        "copied": len(report.copied),
        "skipped": len(report.skipped),
        "failed": len(report.failed),
    }
    answer["copied"] = report.copied
    answer["skipped"] = report.skipped
    answer["failed"] = [{"path": item.path, "reason": item.reason} for item in report.failed]
    answer["notCopied"] = report.others
    return answer


def _migrate_status(app: App, report: moving.Report) -> list[dict[str, str]]:
    notice = report.notice()
    return [] if notice is None else [app.diagnostic(notice)]


def _report_migrate(app: App, report: moving.Report) -> None:
    notice = report.notice()
    if report.is_in_place and notice is not None:
        app.line("{told}", told=app.told(notice))
        return
    if report.source is None:
        app.line("Nothing to migrate: no openspec/ in {root} is waiting for it.", root=report.root)
        return
    app.line(
        "Copied {copied}, skipped {skipped}, failed {failed}: {source} to {target}",
        copied=len(report.copied),
        skipped=len(report.skipped),
        failed=len(report.failed),
        source=report.source,
        target=report.target,
    )
    for path in report.copied:
        app.line("  copied {path}", path=path)
    for path in report.skipped:
        app.line("  skipped {path}: it is there already", path=path)
    for path in report.others:
        app.line("  not copied {path}: it is no part of a workspace", path=path)
    for item in report.failed:
        app.say("  failed {path}: {reason}", path=item.path, reason=_reason(app, item.problem))


def _reason(app: App, problem: ToolError | Phrase) -> str:
    return app.told(problem) if isinstance(problem, ToolError) else app.t(problem)


def _offer_to_strip(app: App, root: Path) -> None:
    """Offer to take blocks of the older version out of shared files. Source: planning §8.9."""
    if not app.interactive:
        return
    from rasen.upkeep import legacy

    marked = legacy.marked_files(root)
    if not marked:
        return
    names = ", ".join(path.name for path in marked)
    question = N_("Remove the blocks that the older version wrote into {names}?")
    if app.confirm(question, default=False, names=names):
        legacy.strip(marked)
        app.line("Removed them from {names}.", names=names)
