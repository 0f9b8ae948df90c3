"""`rasen footprint`, `budget` and `uninstall`: what is ours in a project, its cost, its removal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, NotFound
from rasen.base.messages import N_
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.run import App, guarded, json_option, no_interactive_option

if TYPE_CHECKING:
    from rasen.upkeep.budget import HostBudget
    from rasen.upkeep.remove import Removed


class NothingHere(NotFound):
    code = "uninstall_no_workspace"
    text = N_("there is no {workspace}/ folder at {path}, and none above it")
    fix = N_("go to a project, or name its folder")


@click.command(
    name="footprint",
    help=N_(
        "List every file of ours in a project: which agent it is for, why it is there, which version "
        "wrote it, and whether it was edited since."
    ),
)
@click.argument("path", required=False)
@json_option
@guarded(fallback="footprint_error", null={"files": []})
def footprint(app: App, *, path: str | None, as_json: bool) -> None:
    from rasen.upkeep.footprint import footprint as traced

    root = _root(app, path)
    found = traced(app.ctx, root)
    if as_json:
        files = [one.to_json() for one in found]
        app.document({"files": files, "root": {"path": str(root)}, "status": []})
        return
    if not found:
        app.line(N_("Nothing of ours is recorded here."))
        return
    from rasen.surfaces.cli.columns import column, padded, row

    names = [_named(app, root, one.path, one.part) for one in found]
    width = column(names)
    for name, one in zip(names, found, strict=True):
        why = ", ".join(dict.fromkeys(f"{owner.tool} {owner.source}" for owner in one.owners))
        state = "" if one.state.value == "unchanged" else one.state.value
        app.raw(row(padded(name, width), one.version, why, state))


@click.command(
    name="budget",
    help=N_(
        "Show what the skills of each agent cost: what it loads always and on demand, what exceeds its "
        "documented limits, and what to drop first. Tokens are an estimate (four bytes each)."
    ),
)
@click.argument("path", required=False)
@click.option("--tools", metavar="A,B", help=N_("For these agents, also before they are set up"))
@click.option("-v", "--verbose", is_flag=True, help=N_("Show each skill"))
@json_option
@guarded(fallback="budget_error", null={"hosts": []})
def budget(app: App, *, path: str | None, tools: str | None, verbose: bool, as_json: bool) -> None:
    from rasen.hosts.ops import chosen
    from rasen.upkeep import budget as costs

    root = _root(app, path)
    found = costs.budget(app.ctx, root, None if tools is None else chosen(tools))
    if as_json:
        rows = [one.to_json() for one in found]
        app.document({"hosts": rows, "root": {"path": str(root)}, "status": []})
        return
    if not found:
        app.line(N_("No agent is set up here. Name some with --tools, or run `rasen init`."))
    for one in found:
        _tell_budget(app, one, is_verbose=verbose)


def _tell_budget(app: App, one: HostBudget, *, is_verbose: bool) -> None:
    from rasen.surfaces.cli.columns import column, padded, row
    from rasen.upkeep.budget import tokens

    app.line("{name}", name=app.color(one.host.name, "bold"))
    for label, size in (
        (N_("always: {size} bytes, about {tokens} tokens"), one.always),
        (N_("on demand: {size} bytes, about {tokens} tokens"), one.on_demand),
    ):
        app.line("  {text}", text=app.t(label, size=size, tokens=tokens(size)))
    if is_verbose:
        width = column(cost.skill for cost in one.costs)
        for cost in one.costs:
            sizes = (f"{cost.always:>5}", f"{cost.on_demand:>6}")
            app.raw(row(f"    {padded(cost.skill, width)}", *sizes, cost.source))
    if one.exceeds or is_verbose:
        for drop in one.drops:
            app.line(
                N_("  drop first: {skill} ({size} bytes): {how}"),
                skill=drop.skill,
                size=drop.saves,
                how=app.t(drop.how),
            )
    say_findings(app, one.exceeds)


@click.command(
    name="uninstall",
    help=N_(
        "Remove what we generated in a project, and exactly that.\n\n"
        "Files that were edited since stay and are named; specs and changes stay. With --tools only "
        "the files of these agents go."
    ),
)
@click.argument("path", required=False)
@click.option("--tools", metavar="A,B", help=N_("Only what was made for these agents"))
@click.option("--dry-run", is_flag=True, help=N_("Show what would go, remove nothing"))
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@json_option
@no_interactive_option
@guarded(fallback="uninstall_error", null={"removed": None, "kept": []})
def uninstall(
    app: App,
    *,
    path: str | None,
    tools: str | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
    no_interactive: bool,  # noqa: ARG001 - read by the frame
) -> int:
    from rasen.hosts.ops import chosen
    from rasen.upkeep import remove as removing

    root = _root(app, path)
    removal = removing.plan_removal(app.ctx, root, None if tools is None else chosen(tools))
    outcome = removing.Removed(removal.paths, removal.kept, [])
    if not dry_run:
        if not yes and not _agreed(app, root, outcome, path, tools):
            app.line(N_("Nothing was changed."))
            return EXIT_OK
        outcome = removing.remove(app.ctx, removal)
    if as_json:
        app.document(_document(outcome, root, is_rehearsal=dry_run))
    else:
        _tell(app, root, outcome, is_rehearsal=dry_run)
    return EXIT_FAILED if outcome.is_failed and not dry_run else EXIT_OK


def _agreed(app: App, root: Path, plan: Removed, path: str | None, tools: str | None) -> bool:
    import shlex

    from rasen.upkeep.remove import UninstallNeedsConsent

    words = [
        "rasen",
        "uninstall",
        *([path] if path else []),
        *(["--tools", tools] if tools else []),
    ]
    if app.as_json or not app.interactive:
        again = " ".join([*map(shlex.quote, words), "--yes"])
        raise UninstallNeedsConsent(count=len(plan.paths), path=root, again=again)
    _tell(app, root, plan, is_rehearsal=True)
    return app.confirm(N_("Remove these?"), default=False, rerun="--yes")


def _document(outcome: Removed, root: Path, *, is_rehearsal: bool) -> dict[str, object]:
    kept = [{"path": one.path, "code": one.code, "message": one.message} for one in outcome.kept]
    kept += [
        {"path": str(one.params.get("file", "")), "code": one.code, "message": str(one)}
        for one in outcome.problems
    ]
    return {
        "removed": [str(one) for one in outcome.paths],
        "kept": kept,
        "dryRun": is_rehearsal,
        "root": {"path": str(root)},
        "status": [],
    }


def _tell(app: App, root: Path, outcome: Removed, *, is_rehearsal: bool) -> None:
    for path in outcome.paths:
        app.line("  {path}", path=_named(app, root, path, ""))
    count = len(outcome.paths)
    if is_rehearsal:
        app.line(N_("{count} files would go."), count=count)
    else:
        app.line(N_("{count} files are gone."), count=count)
    causes = {(one.code, one.params.get("detail") or one.path): one for one in outcome.kept[::-1]}
    say_findings(app, [*list(causes.values())[::-1], *outcome.problems])


def _named(app: App, root: Path, path: Path, part: str) -> str:
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return app.t("{path} ({part})", path=shown, part=part) if part else shown


def _root(app: App, path: str | None) -> Path:
    """The project at `path`, or the nearest above where we are. Errors: uninstall_no_workspace."""
    from rasen.upkeep.remove import project_at

    start = app.ctx.cwd if path is None else app.ctx.cwd / path
    found = project_at(app.ctx, start, is_exact=path is not None)
    if found is None:
        raise NothingHere(workspace=app.ctx.workspace, path=start)
    return found
