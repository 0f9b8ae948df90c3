"""`rasen lock` and `rasen outdated`: the library of a project, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, UsageError
from rasen.base.messages import N_, Phrase
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.roots.model import RootRequest

_FALLBACK = "library_lock_error"


@click.command(
    name="lock",
    help=N_(
        "Write rasen/library.lock.json: which workflows and profiles this project wants, exactly, and "
        "where they come from.\n\n"
        "A source is a package, or the folder of a workflow, in the project or in a registered store. "
        "Without sources, what is locked is renewed from its sources; nothing is added."
    ),
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option(
    "--remove", "removed", multiple=True, metavar="ID", help=N_("Take this out of the lock")
)
@json_option
@root_options
@guarded(fallback=_FALLBACK, null={"lock": None})
def lock(
    app: App,
    *,
    selector: RootRequest,
    sources: tuple[str, ...],
    removed: tuple[str, ...],
    as_json: bool,
) -> None:
    from rasen.packages import ops

    if sources and removed:
        raise UsageError(problem=Phrase(N_("name sources to add, or --remove, not both")))
    root = app.root(selector, allow_implicit=False)
    made = ops.lock(app.ctx, root, sources, removed)
    if as_json:
        entries = [one._asdict() for one in made.entries]
        changed = [{"kind": one.kind, "id": one.id} for one in made.changed]
        locked = {"path": str(made.path), "entries": entries, "changed": changed}
        app.document({"lock": locked, "root": root.to_json(), "status": []})
        return
    for one in made.changed:
        gone = app.t(N_("taken out")) if one not in made.entries else one.digest[:19]
        app.line("  {kind} {id}  {digest}", kind=one.kind, id=one.id, digest=gone)
    app.line(
        N_("{count} locked, {changed} changed: {path}"),
        count=len(made.entries),
        changed=len(made.changed),
        path=made.path,
    )


@click.command(
    name="install",
    help=N_(
        "Install what is locked: exactly that, all of it, or nothing. Nothing is fetched, and no script "
        "is run."
    ),
)
@json_option
@root_options
@guarded(fallback=_FALLBACK, null={"imported": [], "reused": []})
def install(app: App, *, selector: RootRequest, as_json: bool) -> None:
    from rasen.packages import ops

    root = app.root(selector, allow_implicit=False)
    done = ops.lock_install(app.ctx, root)
    if as_json:
        imported, reused = list(done.imported), list(done.reused)
        app.document({"imported": imported, "reused": reused, "root": root.to_json(), "status": []})
        return
    app.line(
        N_("{imported} installed, {reused} were there already."),
        imported=len(done.imported),
        reused=len(done.reused),
    )


@click.command(
    name="outdated",
    help=N_(
        "Compare what is locked with its sources and with what is installed. Exit code 1 when anything "
        "differs."
    ),
)
@json_option
@root_options
@guarded(fallback=_FALLBACK, null={"entries": []})
def outdated(app: App, *, selector: RootRequest, as_json: bool) -> int:
    from rasen.packages import ops

    root = app.root(selector, allow_implicit=False)
    found = ops.outdated(app.ctx, root)
    differs = any(one.state.value != "current" for one in found)
    if as_json:
        entries = [one.to_json() for one in found]
        app.document({"entries": entries, "root": root.to_json(), "status": []})
        return EXIT_FAILED if differs else EXIT_OK
    from rasen.surfaces.cli.columns import column, padded, row

    width = column(one.entry.id for one in found)
    for one in found:
        app.raw(row(padded(one.entry.id, width), one.state.value, one.entry.source))
    if not differs:
        app.line(N_("Everything is as it is locked."))
    return EXIT_FAILED if differs else EXIT_OK
