"""`rasen workset`: folders that are opened together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_OK, InvalidInput, Refused, UsageError
from rasen.base.messages import N_
from rasen.surfaces.cli.group import TableGroup
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.worksets.model import Launch, Workset

_FALLBACK = "workset_error"


class UnknownWorksetSubcommand(UsageError):
    code = "unknown_workset_subcommand"
    text = N_("'rasen workset' has no command '{word}'")
    fix = N_("use one of: {words}")


class OpenHasNoDocument(InvalidInput):
    code = "workset_open_json_unsupported"
    text = N_("'rasen workset open' starts a program and has no JSON answer")
    fix = N_("leave out --json; 'rasen workset list --json' shows the folders")


class RemovalUnconfirmed(Refused):
    code = "workset_remove_confirmation_required"
    text = N_("removing the workset '{name}' needs a yes")
    fix = N_("run 'rasen workset remove {name} --yes'")


class RemovalCancelled(Refused):
    code = "workset_remove_cancelled"
    text = N_("the workset '{name}' was kept")


class _Group(TableGroup):
    """The verbs of `rasen workset`; an unknown one has a code of its own. Source: planning §7.12."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        words = self.list_commands(ctx)
        if not args[0].startswith("-") and args[0] not in words:
            raise UnknownWorksetSubcommand(word=args[0], words=", ".join(words))
        return super().resolve_command(ctx, args)


workset = _Group("workset", no_args_is_help=True)


@click.command(
    name="create",
    help=N_(
        "Remember folders under a name, to open them together.\n\n"
        "The first folder is the primary one: programs start there."
    ),
)
@click.argument("name", required=False)
@click.option(
    "--member",
    "members",
    multiple=True,
    metavar="PATH",
    help=N_("A folder, or <name>=<folder>; may be given several times"),
)
@click.option("--tool", metavar="ID", help=N_("The program that opens it"))
@json_option
@guarded(fallback=_FALLBACK, null={"workset": None})
def create(
    app: App, *, name: str | None, members: tuple[str, ...], tool: str | None, as_json: bool
) -> None:
    from rasen.worksets import ops

    if name is None and app.interactive:
        name = app.ask("Name of the workset:").strip()
    ops.check_name(name)
    if not members and app.interactive:
        members = _asked_members(app)
    made = ops.create(app.ctx, name, members, tool=tool)
    if as_json:
        app.document({"workset": made.to_json(), "status": []})
        return
    app.line("Created the workset {name}", name=made.name)
    _tell_members(app, made)
    app.line("Open it with: rasen workset open {name}", name=made.name)


@click.command(name="list", help=N_("List the worksets of this machine"))
@json_option
@guarded(fallback=_FALLBACK, null={"worksets": []})
def list_worksets(app: App, *, as_json: bool) -> None:
    from rasen.worksets import ops

    found = ops.listing(app.ctx)
    if as_json:
        app.document({"worksets": [one.to_json() for one in found], "status": []})
        return
    if not found:
        app.line("No worksets")
        app.line("Make one with: rasen workset create <name> --member <path>")
    for one in found:
        if one.tool is None:
            app.line("{name}", name=one.name)
        else:
            app.line("{name} (opened with {tool})", name=one.name, tool=one.tool)
        _tell_members(app, one)


@click.command(
    name="open",
    help=N_(
        "Open a workset and wait for the program that does it.\n\n"
        "Ends with the program's own exit code. Folders that are gone are left out."
    ),
)
@click.argument("name")
@click.option("--tool", metavar="ID", help=N_("The program to open it with"))
@click.option("--json", "as_json", is_flag=True, hidden=True)
@guarded(fallback=_FALLBACK, null={"workset": None})
def open_workset(app: App, *, name: str, tool: str | None, as_json: bool) -> int:
    from rasen.worksets import ops
    from rasen.worksets.model import WorksetLaunchFailed

    if as_json:
        raise OpenHasNoDocument(target="workset.tool")
    if tool is None and app.interactive and ops.find(app.ctx, name).tool is None:
        tool = app.choose("Open it with:", ops.tools(app.ctx), rerun="--tool <id>")
    ready = ops.prepare(app.ctx, name, tool=tool)
    app.say("Opening {name} with {label}", name=name, label=ready.opener.label)
    try:
        return ops.launch(app.ctx, ready)
    except WorksetLaunchFailed:
        _tell_by_hand(app, ready)
        raise


@click.command(name="remove", help=N_("Forget a workset; its folders stay as they are"))
@click.argument("name")
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@json_option
@guarded(fallback=_FALLBACK, null={"removed": None})
def remove(app: App, *, name: str, yes: bool, as_json: bool) -> int:
    from rasen.worksets import ops

    ops.find(app.ctx, name)
    if not yes:
        if not app.interactive:
            raise RemovalUnconfirmed(target="workset.name", name=name)
        if not app.confirm("Forget the workset {name}?", default=False, rerun="--yes", name=name):
            raise RemovalCancelled(target="workset.name", name=name)
    ops.remove(app.ctx, name)
    if as_json:
        app.document({"removed": {"name": name}, "status": []})
    else:
        app.line("Removed the workset {name}; its folders were not touched", name=name)
    return EXIT_OK


def _asked_members(app: App) -> tuple[str, ...]:
    found: list[str] = []
    while said := app.ask("Folder (empty when there are no more):").strip():
        found.append(said)
    return tuple(found)


def _tell_members(app: App, one: Workset) -> None:
    for member in one.members:
        app.line("  {name}: {path}", name=member.name, path=member.path)


def _tell_by_hand(app: App, ready: Launch) -> None:
    app.say("To open it by hand, open these folders, the first one being the primary:")
    for member in ready.members:
        app.say("  {name}: {path}", name=member.name, path=member.path)
