"""`new change` and `status`: starting a change and seeing how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.planning.guidance import StatusReport
    from rasen.planning.new_change import NewChange
    from rasen.planning.schemas.graph import State
    from rasen.roots.model import Root, RootRequest

_NO_CHANGES = N_("There are no open changes. Start one with: {command}")
_MARKS = {"done": ("[x]", "green"), "ready": ("[ ]", "yellow"), "blocked": ("[-]", "red")}


@click.command(name="status")
@click.option("--change", metavar="NAME", help=N_("The change to look at"))
@click.option("--schema", metavar="NAME", help=N_("Measure by this schema"))
@json_option
@root_options
@guarded(fallback="change_error")
def status(
    app: App, *, selector: RootRequest, as_json: bool, change: str | None, schema: str | None
) -> None:
    """Show how far the artifacts of a change are."""
    from rasen.planning import guidance

    root = app.root(selector)
    if not change and not guidance.open_changes(root):
        _nothing(app, root)
        return
    report = guidance.status(app.ctx, root, change, schema)
    if as_json:
        app.document(report.to_json())
    else:
        _show_status(app, report)


def _nothing(app: App, root: Root) -> None:
    command = " ".join(["rasen new change <name>", *root.selector])
    if app.as_json:
        message = _NO_CHANGES.format(command=command)
        app.document({"changes": [], "message": message, "root": root.to_json()})
    else:
        app.line(_NO_CHANGES, command=command)


def _show_status(app: App, report: StatusReport) -> None:
    progress = report.progress
    app.line("Change: {name}", name=progress.name)
    app.line("Schema: {name}", name=progress.schema.name)
    if progress.schema.lane:
        app.line("Lane: {lane}", lane=progress.schema.lane)
    app.line("Change root: {path}", path=progress.directory)
    if report.work_dir:
        app.line("Work dir: {path}", path=report.work_dir)
    app.line("Archive timing: {timing}", timing=report.timing)
    app.line("Archive destination: {destination}", destination=report.destination)
    needed = [one for one in progress.schema.artifacts if not one.is_optional]
    done = sum(progress.is_done(one.id) for one in needed)
    total = len(needed)
    app.line("Progress: {done}/{total} artifacts complete", done=done, total=total)
    if report.targets:
        from rasen.surfaces.cli.commands.task import tell_targets

        app.line("Tasks for other repositories:")
        tell_targets(app, report.targets)
    app.line()
    for state in progress.states.values():
        _show_artifact(app, state)
    for finding in progress.misplaced:
        app.line()
        app.line("{problem}", problem=app.told(finding))
        app.line("Fix: {step}", step=present.fix(finding, app.translate))
    if progress.is_complete:
        told = app.t(N_("All artifacts complete!"))
        app.line()
        app.line("{text}", text=app.color(told, "green"))


def _show_artifact(app: App, state: State) -> None:
    mark, color = _MARKS[state.status]
    if state.missing:
        missing = ", ".join(state.missing)
        app.line(
            "{mark} {id} (blocked by: {missing})",
            mark=app.color(mark, color),
            id=state.id,
            missing=missing,
        )
    else:
        app.line("{mark} {id}", mark=app.color(mark, color), id=state.id)


@click.command(name="change")
@click.argument("name")
@click.option("--description", metavar="TEXT", help=N_("Write this text into a README.md"))
@click.option("--goal", metavar="TEXT", help=N_("Note what the change is meant to reach"))
@click.option("--schema", metavar="NAME", help=N_("Follow this schema"))
@click.option("--proposal", metavar="TEXT", help=N_("Begin the proposal with this reason"))
@click.option(
    "--touches",
    metavar="A,B",
    help=N_("Record the specs of these capabilities as they are now, for merging later"),
)
@click.option(
    "--lane",
    metavar="LANE",
    help=N_("How much of the schema to go through: note, light or full (all of it)"),
)
@click.option("--initiative", hidden=True)
@click.option("--areas", hidden=True)
@json_option
@root_options
@guarded(fallback="change_error", null={"change": None})
def new_change(
    app: App,
    *,
    name: str,
    selector: RootRequest,
    as_json: bool,
    description: str | None,
    goal: str | None,
    schema: str | None,
    proposal: str | None,
    touches: str | None,
    lane: str | None,
    initiative: str | None,
    areas: str | None,
) -> None:
    """Start a change."""
    from rasen.planning import new_change as changes

    request = changes.ChangeRequest(name, schema, description, goal, proposal, touches, lane)
    changes.check(request)
    changes.refuse_removed(initiative=initiative, areas=areas)
    root = app.root(selector)
    made = changes.create(app.ctx, root, request)
    if as_json:
        extra: dict[str, object] = {"recorded": list(made.recorded)} if made.recorded else {}
        if made.suggestion is not None:
            extra["suggestedLane"] = made.suggestion.to_json()
        app.document({"change": made.to_json(), **extra, "root": root.to_json()})
    else:
        _show_new(app, root, made)


def _show_new(app: App, root: Root, made: NewChange) -> None:
    from rasen.planning.changes.status import command

    is_here = root.path == app.ctx.cwd and root.store_id is None
    place = made.path.relative_to(root.path).as_posix() if is_here else made.path
    app.line("Created change '{name}' at {place}/", name=made.id, place=place)
    app.line("Schema: {name}", name=made.schema)
    if made.lane is not None:
        app.line("Lane: {lane}", lane=made.lane)
    if made.suggestion is not None:
        from rasen.surfaces.cli.commands.lane import tell_suggestion

        tell_suggestion(app, made.suggestion)
        move = " ".join(["rasen change lane", made.id, made.suggestion.lane, *root.selector])
        app.line("  To go that way: {command}", command=move)
    if made.recorded:
        app.line("Specs recorded as they are now: {names}", names=", ".join(made.recorded))
    call = command("status", "--change", made.id, *root.selector)
    app.line("Next: {command}", command=call)
