"""`rasen store`: planning repositories that several projects share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, UsageError
from rasen.base.messages import N_, Phrase
from rasen.surfaces.cli.group import TableGroup
from rasen.surfaces.cli.run import App, guarded, json_option
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.stores import register as registering
    from rasen.stores import remove as removing
    from rasen.stores import setup as setting_up
    from rasen.stores.outcome import Outcome

_FALLBACK = "store_error"
_NO_STORE: dict[str, object] = {"store": None, "registry": None, "git": None, "created_files": []}
_NO_REMOVAL: dict[str, object] = {"store": None, "registry": None, "files": None}
_NO_UPGRADE: dict[str, object] = {
    "store": None,
    "applied": False,
    "steps": [],
    "filesToCommit": [],
    "repairNeeded": False,
    "diagnostics": [],
}


class UnknownStoreSubcommand(UsageError):
    code = "unknown_store_subcommand"
    text = N_("'rasen store' has no command '{word}'")
    fix = N_("use one of: {words}")


class _Group(TableGroup):
    """The verbs of `rasen store`; an unknown one has a code of its own. Source: planning §7.4."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            words = ", ".join(self.list_commands(ctx))
            raise UnknownStoreSubcommand(word=args[0], words=words)
        return super().resolve_command(ctx, args)


store = _Group("store", no_args_is_help=True)

_project_namespace = click.option("--project-namespace", "is_project", is_flag=True, hidden=True)


@click.command(
    name="setup",
    help=N_(
        "Make a store: a folder with a workspace, in a git repository of its own, registered here.\n\n"
        "Makes one commit with the files it created; nothing is sent anywhere. Without a name or a "
        "folder it asks for them."
    ),
)
@click.argument("name", metavar="[ID]", required=False)
@click.option("--path", metavar="FOLDER", help=N_("Where the store is to be; `~` is your home"))
@click.option("--remote", metavar="URL", help=N_("Where others clone it from, for its metadata"))
@click.option(
    "--init-git/--no-init-git",
    "has_git",
    default=True,
    help=N_("Make a repository and a commit (the default), or leave git alone"),
)
@json_option
@guarded(fallback=_FALLBACK, null=_NO_STORE)
def setup(
    app: App,
    *,
    name: str | None,
    path: str | None,
    remote: str | None,
    has_git: bool,
    as_json: bool,
) -> None:
    from rasen.stores.setup import Request

    outcome = _set_up(app, Request(name, path, remote, has_git))
    _answer(app, outcome, as_json=as_json)


def _set_up(app: App, request: setting_up.Request) -> Outcome:
    """The finished setup, after as many questions as it takes."""
    from rasen.stores import setup as use_case

    while True:
        try:
            return use_case.setup(app.ctx, request)
        except use_case.StoreSetupIdRequired:
            if not app.interactive:
                raise
            answer = app.ask(N_("Name of the store:"), rerun="<id>").strip()
            if not answer:
                raise use_case.StoreSetupCancelled(target="store.id") from None
            request = replace(request, id=answer, asks=True)
        except use_case.StoreSetupPathRequired as need:
            if not app.interactive:
                raise
            suggested = str(need.params["suggested"])
            answer = app.ask(N_("Folder of the store:"), default=suggested, rerun="--path <folder>")
            request = replace(request, path=answer, asks=True)
        except use_case.StoreSetupNeedsConsent as need:
            root = need.plan.picture.root
            if not app.confirm(N_("Make the store in {root}?"), default=True, root=root):
                raise use_case.StoreSetupCancelled(target="store.root") from None
            request = replace(request, agreed=need.plan.picture)


@click.command(
    name="register",
    help=N_(
        "Register a checkout of a store on this machine.\n\n"
        "Its name is the one in its .rasen-store/store.yaml. Nothing is committed or fetched."
    ),
)
@click.argument("path", required=False)
@click.option("--id", "name", metavar="ID", help=N_("Its name, when it has no metadata yet"))
@click.option("-y", "--yes", is_flag=True, help=N_("Write the metadata that is missing"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_STORE)
def register(app: App, *, path: str | None, name: str | None, yes: bool, as_json: bool) -> None:
    from rasen.stores.register import Request

    outcome = _registered(app, Request(path, name, yes))
    _answer(app, outcome, as_json=as_json)


def _registered(app: App, request: registering.Request) -> Outcome:
    from rasen.stores import register as use_case

    while True:
        try:
            return use_case.register(app.ctx, request)
        except use_case.StorePathRequired:
            if not app.interactive:
                raise
            answer = app.ask(N_("Folder of the checkout:"), default=".", rerun="<path>")
            request = replace(request, path=answer)
        except use_case.StoreRegisterNeedsIdentity as need:
            if not app.interactive:
                raise
            question = N_("{root} has no metadata. Write it, as the store '{id}'?")
            if not app.confirm(question, default=False, rerun="--yes", **need.params):
                raise use_case.StoreRegisterCancelled(target="store.metadata") from None
            request = replace(request, yes=True)


def _answer(app: App, outcome: Outcome, *, as_json: bool) -> None:
    if as_json:
        app.document({**outcome.to_json(), "status": statuses(outcome.findings)})
        return
    from rasen.surfaces.cli.store_text import tell_outcome

    tell_outcome(app, outcome)


@click.command(name="unregister", help=N_("Forget a store on this machine; its files stay"))
@click.argument("name", metavar="ID")
@_project_namespace
@json_option
@guarded(fallback=_FALLBACK, null=_NO_REMOVAL)
def unregister(app: App, *, name: str, is_project: bool, as_json: bool) -> None:
    from rasen.stores import remove as use_case

    removed = use_case.unregister(app.ctx, _removal(name, is_project=is_project))
    _answer_removal(app, removed, as_json=as_json)


@click.command(
    name="remove",
    help=N_(
        "Forget a store and delete its folder.\n\n"
        "Refuses while the folder holds what is nowhere else (work that is not committed, commits that "
        "are not pushed) or what is not the store's (another registered root, another repository, "
        "links that lead out)."
    ),
)
@click.argument("name", metavar="ID")
@click.option("-y", "--yes", is_flag=True, help=N_("Delete the folder without a question"))
@_project_namespace
@json_option
@guarded(fallback=_FALLBACK, null=_NO_REMOVAL)
def remove(app: App, *, name: str, yes: bool, is_project: bool, as_json: bool) -> None:
    from rasen.stores import remove as use_case

    request = replace(_removal(name, is_project=is_project), yes=yes)
    try:
        removed = use_case.remove(app.ctx, request)
    except use_case.StoreRemoveNeedsConsent as need:
        if not app.interactive:
            raise
        question = N_("Delete the folder {root} of '{id}' with everything in it?")
        if not app.confirm(question, default=False, rerun="--yes", **need.params):
            raise use_case.StoreRemoveCancelled(target="store.root") from None
        removed = use_case.remove(app.ctx, replace(request, yes=True))
    _answer_removal(app, removed, as_json=as_json)


def _removal(name: str, *, is_project: bool) -> removing.Request:
    from rasen.stores.model import PROJECT, STORE
    from rasen.stores.remove import Request

    return Request(name, PROJECT if is_project else STORE)


def _answer_removal(app: App, removed: removing.Removed, *, as_json: bool) -> None:
    if as_json:
        app.document({**removed.to_json(), "status": statuses(removed.findings)})
        return
    from rasen.surfaces.cli.store_text import tell_removal

    tell_removal(app, removed)


@click.command(name="list")
@json_option
@guarded(fallback=_FALLBACK, null={"stores": []})
def list_stores(app: App, *, as_json: bool) -> None:
    from rasen.stores import listing

    rows = listing.registered(app.ctx)
    if as_json:
        app.document({"stores": [listing.to_json(row) for row in rows], "status": []})
        return
    from rasen.surfaces.cli.store_text import tell_list

    tell_list(app, rows)


@click.command(
    name="doctor",
    help=N_(
        "Look at every registered store, or at one, and say what is wrong with it.\n\n"
        "Nothing is changed and nothing is fetched; whatever it finds, the exit code is 0."
    ),
)
@click.argument("name", metavar="[ID]", required=False)
@json_option
@guarded(fallback=_FALLBACK, null={"stores": []})
def doctor(app: App, *, name: str | None, as_json: bool) -> None:
    from rasen.stores.inspect import doctor as use_case
    from rasen.surfaces.cli import store_text

    report = use_case(app.ctx, name)
    if as_json:
        app.document(store_text.doctor_document(report))
    else:
        store_text.tell_doctor(app, report)


@click.command(
    name="upgrade-identity",
    help=N_(
        "Give a store its permanent identity; without --apply, say what that would change.\n\n"
        "Changes the store's metadata, the registry of this machine and, in a project that names the "
        "store, its pointer. Nothing is committed."
    ),
)
@click.argument("name", metavar="ID")
@click.option("--uid", is_flag=True, hidden=True, help=N_("The identity; there is nothing else"))
@click.option("--dry-run", is_flag=True, help=N_("Say what would be done (the default)"))
@click.option("--apply", "is_applied", is_flag=True, help=N_("Do it"))
@json_option
@guarded(fallback=_FALLBACK, null=_NO_UPGRADE)
def upgrade_identity(
    app: App, *, name: str, dry_run: bool, is_applied: bool, as_json: bool, **_: object
) -> int:
    from rasen.roots import ops as roots
    from rasen.stores.identity import upgrade_identity as use_case
    from rasen.surfaces.cli import store_text

    if dry_run and is_applied:
        raise UsageError(problem=Phrase(N_("--dry-run and --apply exclude each other")))
    here = roots.here(app.ctx)
    project = None if here is None else here.workspace_dir
    upgrade = use_case(app.ctx, name, project=project, is_applied=is_applied)
    if as_json:
        app.document(store_text.upgrade_document(upgrade))
    else:
        store_text.tell_upgrade(app, upgrade)
    return EXIT_OK if upgrade.problem is None else EXIT_FAILED
