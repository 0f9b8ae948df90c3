"""`rasen workflow init|import|export|delete`: workflows begun, taken in, handed on and taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, Refused, UsageError
from rasen.base.messages import N_, Phrase
from rasen.surfaces.cli.commands.workflow import FALLBACK, root_here
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.prompts import Cancelled
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rasen.workflows.ops import Converted


class DeletionUnconfirmed(Refused):
    code = "confirmation_required"
    text = N_("deleting the workflow {id} needs a yes")
    fix = N_("run `rasen workflow delete {id} --yes`")


def _null_of_init(_app: App, params: Mapping[str, object]) -> Mapping[str, object]:
    return {"workflows": []} if params.get("source") else {"workflow": None}


@click.command(
    name="init",
    help=N_(
        "Begin a workflow in a folder of yours, outside the library.\n\n"
        "With --from, make workflows of skills that you have: of the one in the folder, or of all in "
        "the folders in it. What can be mended is mended and told; what cannot is left out and told."
    ),
)
@click.argument("id", required=False)
@click.option(
    "--output", required=True, metavar="DIR", help=N_("The folder to write, new or empty")
)
@click.option("--from", "source", metavar="DIR", help=N_("A skill, or a folder of skills"))
@json_option
@guarded(fallback=FALLBACK, null=_null_of_init, has_details=True)
def init(app: App, *, id: str | None, output: str, source: str | None, as_json: bool) -> int:
    from rasen.workflows import ops

    if (id is None) == (source is None):
        problem = N_("name the id of a new workflow, or skills with --from; one of the two")
        raise UsageError(problem=Phrase(problem))
    if source is not None:
        return _tell_converted(app, ops.convert(app.ctx, source, output), as_json=as_json)
    assert id is not None
    place = ops.draft(app.ctx, id, output)
    if as_json:
        app.document({"workflow": {"id": id, "output": str(place)}, "status": []})
        return EXIT_OK
    app.line(N_("Wrote {path}"), path=place)
    app.line(N_("Edit SKILL.md, then run: rasen workflow validate {path}"), path=place)
    return EXIT_OK


def _tell_converted(app: App, found: Sequence[Converted], *, as_json: bool) -> int:
    from dataclasses import replace

    made = [one for one in found if one.output is not None]
    if as_json:
        app.document({"workflows": [one.to_json() for one in found], "status": []})
        return EXIT_OK if len(made) == len(found) else EXIT_FAILED
    for one in found:
        if one.output is None:
            app.say(N_("Left out: {source}"), source=one.source)
        else:
            app.line(N_("Wrote {path}"), path=one.output)
        name = one.source.name
        say_findings(app, [replace(found, path=f"{name}/{found.path}") for found in one.found])
    app.line(N_("{made} of {count} skills became workflows."), made=len(made), count=len(found))
    return EXIT_OK if len(made) == len(found) else EXIT_FAILED


@click.command(
    name="import",
    help=N_(
        "Install the workflows of a package, or the one in a folder. No script is run.\n\n"
        "What is imported becomes instructions for your agents as soon as a profile selects it: look "
        "at it as you would look at a stranger's pull request."
    ),
)
@click.argument("path")
@json_option
@guarded(fallback=FALLBACK, null={"imported": [], "reused": [], "roots": []}, has_details=True)
def import_workflow(app: App, *, path: str, as_json: bool) -> None:
    from rasen.packages import ops
    from rasen.upkeep import library

    done = ops.import_workflows(app.ctx, path, library.known(app.ctx, root_here(app)))
    if as_json:
        app.document({**done.to_json(), "status": []})
        return
    for id in done.imported:
        app.line(N_("Installed {id}"), id=id)
    for id in done.reused:
        app.line(N_("{id} was installed already"), id=id)
    app.line(N_("Select it in a profile, then run `rasen update`."))


@click.command(
    name="export",
    help=N_(
        "Write a workflow of yours, with all of yours that it requires, to a package. "
        "The same workflows always give the same bytes."
    ),
)
@click.argument("id")
@click.argument("path")
@click.option("--force", is_flag=True, help=N_("Replace the file that is there"))
@json_option
@guarded(fallback=FALLBACK, null={"workflow": None}, has_details=True)
def export_workflow(app: App, *, id: str, path: str, force: bool, as_json: bool) -> int:
    from rasen.packages import ops

    place = app.ctx.at(path)
    if app.interactive and not force and place.is_file():
        if not app.confirm(N_("Replace {path}?"), default=False, rerun="--force", path=place):
            raise Cancelled
        force = True
    ops.export_workflow(app.ctx, id, path, is_replacing=force)
    if as_json:
        app.document({"workflow": {"id": id, "path": str(place)}, "status": []})
    else:
        app.line(N_("Wrote {path}"), path=place)
    return EXIT_OK


@click.command(
    name="delete",
    help=N_(
        "Take a workflow of yours out of the library. What agents have of it stays until they are "
        "updated. A workflow that something uses stays, unless --force is given."
    ),
)
@click.argument("id")
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@click.option("--force", is_flag=True, help=N_("Delete it although something uses it"))
@json_option
@guarded(fallback=FALLBACK, null={"deleted": None, "forcedReferrers": []}, has_details=True)
def delete(app: App, *, id: str, yes: bool, force: bool, as_json: bool) -> int:
    from rasen.upkeep import workflow_library as library

    root = root_here(app)
    library.removable(app.ctx, root, id, is_forced=force)
    if not yes:
        if not app.interactive:
            raise DeletionUnconfirmed(id=id)
        if not app.confirm(N_("Delete the workflow {id}?"), default=False, rerun="--yes", id=id):
            raise Cancelled
    uses = library.delete(app.ctx, root, id, is_forced=force)
    forced = [f"{one.kind}:{one.consumer}" for one in uses]
    app.say(N_("Projects that this machine does not look at may still use {id}."), id=id)
    if forced and not as_json:
        app.say(N_("Still used by: {names}"), names=", ".join(forced))
    if as_json:
        app.document({"deleted": id, "forcedReferrers": forced, "status": []})
    else:
        app.line(N_("Deleted the workflow {id}."), id=id)
    return EXIT_OK
