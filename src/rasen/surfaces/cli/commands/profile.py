"""`rasen profile`: which workflows this machine wants, kept under names and handed on as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, Refused
from rasen.base.messages import N_
from rasen.packages.model import ENDING
from rasen.surfaces.cli.group import TableGroup
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.prompts import Cancelled
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.packages.importing import ImportedProfile
    from rasen.profiles.model import Profile

_FALLBACK = "profile_error"
_NULL: dict[str, object] = {"profile": None}
_force = click.option("--force", is_flag=True, help=N_("Replace what has the name"))


class DeletionUnconfirmed(Refused):
    code = "confirmation_required"
    text = N_("deleting the profile '{name}' needs a yes")
    fix = N_("run 'rasen profile delete {name} --yes'")


class NoEditorHere(Refused):
    code = "profile_editor_needs_terminal"
    text = N_("editing a profile needs a terminal, or the options --workflows and --retention")
    fix = N_("name them: --workflows propose,apply --retention off")


@guarded(fallback=_FALLBACK)
def bare(app: App) -> int:
    from rasen.profiles import ops
    from rasen.surfaces.cli.profile_editor import edited

    if not app.interactive:
        raise NoEditorHere
    made = edited(app, ops.current(app.ctx), rerun="use <name>")
    if made is None:
        raise Cancelled
    kept = ops.apply(app.ctx, made)
    app.line(
        N_("This machine uses {count} workflows, retention {retention}."),
        count=len(kept.workflows),
        retention=kept.retention.value,
    )
    app.line(N_("Run `rasen update` in a project to bring its skills up to date."))
    return EXIT_OK


def _entry(*args: Any, **params: Any) -> int:
    """Only the bare form answers here; a verb answers for itself."""
    if click.get_current_context().invoked_subcommand is not None:
        return EXIT_OK
    return bare(*args, **params)


profile = TableGroup("profile", callback=_entry, invoke_without_command=True, no_args_is_help=False)

_workflows = click.option(
    "--workflows", metavar="A,B", help=N_("The workflows, with commas between; asks nothing")
)
_retention = click.option(
    "--retention", metavar="MODE", help=N_("off, report or codify; asks nothing")
)


@click.command(
    name="new", help=N_("Save a profile under a name, and make it the selection of this machine.")
)
@click.argument("name", required=False)
@_workflows
@_retention
@json_option
@guarded(fallback=_FALLBACK, null=_NULL)
def new(
    app: App, *, name: str | None, workflows: str | None, retention: str | None, as_json: bool
) -> int:
    from rasen.profiles import ops

    if name is None:
        name = app.ask(N_("Name of the profile:"), rerun="<name> --workflows <ids>").strip()
    ops.check_name(name)
    made = _made(app, ops.current(app.ctx), workflows, retention)
    saved = ops.save(app.ctx, name, made)
    ops.use(app.ctx, name)
    _answer(app, name, saved.profile, as_json=as_json)
    if not as_json:
        app.line(N_("Saved the profile '{name}'; this machine uses it."), name=name)
        say_findings(app, saved.notices)
    return EXIT_OK


@click.command(
    name="update",
    help=N_("Change a saved profile. The selection of this machine stays as it is."),
)
@click.argument("name", required=False)
@_workflows
@_retention
@json_option
@guarded(fallback=_FALLBACK, null=_NULL)
def update(
    app: App, *, name: str | None, workflows: str | None, retention: str | None, as_json: bool
) -> int:
    from rasen.profiles import ops

    if name is None:
        name = _picked(app, rerun="<name>")
    ops.deletable(app.ctx, name)
    made = _made(app, ops.definition(app.ctx, name), workflows, retention)
    kept = ops.save(app.ctx, name, made, is_replacing=True)
    _answer(app, name, kept.profile, as_json=as_json)
    if not as_json:
        app.line(N_("Saved the profile '{name}'."), name=name)
        say_findings(app, kept.notices)
    return EXIT_OK


def _picked(app: App, *, rerun: str) -> str:
    """The saved profile that a person picks. Errors: cancelled, prompt_unanswered."""
    from rasen.profiles import ops

    saved = [row.name for row in ops.listing(app.ctx) if not row.is_built_in]
    name = app.choose(N_("Which profile?"), saved, rerun=rerun) if saved else None
    if name is None:
        raise Cancelled
    return name


def _made(app: App, before: Profile, workflows: str | None, retention: str | None) -> Profile:
    """The profile that the options describe, else what the person makes of `before`."""
    from rasen.profiles import ops

    if workflows is not None or retention is not None:
        ids = before.workflows
        if workflows is not None:
            ids = tuple(one.strip() for one in workflows.split(",") if one.strip())
        return ops.with_retention(before._replace(workflows=ids), retention)
    if not app.interactive:
        raise NoEditorHere
    from rasen.surfaces.cli.profile_editor import edited

    made = edited(app, before, rerun="--workflows <ids>")
    if made is None:
        raise Cancelled
    return made


@click.command(name="list", help=N_("List the profiles: full and core, then the saved ones."))
@json_option
@guarded(fallback=_FALLBACK, null={"current": None, "profiles": []})
def list_profiles(app: App, *, as_json: bool) -> None:
    from rasen.profiles import ops

    current, rows = ops.current(app.ctx), ops.listing(app.ctx)
    if as_json:
        profiles = [row.to_json(current) for row in rows]
        app.document({"current": current.to_json(), "profiles": profiles})
        return
    for row in rows:
        mark = "*" if row.profile == current else " "
        if row.profile is None:
            app.line("{mark} {name}: {problem}", mark="!", name=row.name, problem=row.problem)
        else:
            app.line(
                N_("{mark} {name}: {count} workflows, retention {retention}"),
                mark=mark,
                name=row.name,
                count=len(row.profile.workflows),
                retention=row.profile.retention.value,
            )
    if not any(row.profile == current for row in rows):
        app.line(
            N_("* custom: {count} workflows, retention {retention}"),
            count=len(current.workflows),
            retention=current.retention.value,
        )


@click.command(
    name="use",
    help=N_(
        "Make a profile the selection of this machine; `rasen update` then brings it to a project."
    ),
)
@click.argument("name", required=False)
@json_option
@guarded(fallback=_FALLBACK, null=_NULL)
def use(app: App, *, name: str | None, as_json: bool) -> int:
    from rasen.profiles import ops

    if name is None:
        name = app.choose(N_("Which profile?"), ops.known(app.ctx), rerun="<name>")
    if name is None:
        raise Cancelled
    profile = ops.use(app.ctx, name)
    _answer(app, name, profile, as_json=as_json)
    if not as_json:
        app.line(N_("This machine uses the profile '{name}'."), name=name)
        app.line(N_("Run `rasen update` in a project to bring its skills up to date."))
    return EXIT_OK


def _answer(app: App, name: str, profile: Profile, *, as_json: bool) -> None:
    if as_json:
        app.document({"profile": {"name": name, **profile.to_json()}, "status": []})


@click.command(
    name="delete", help=N_("Delete a saved profile. The selection of this machine stays as it is.")
)
@click.argument("name", required=False)
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@json_option
@guarded(fallback=_FALLBACK, null={"deleted": None})
def delete(app: App, *, name: str | None, yes: bool, as_json: bool) -> int:
    from rasen.profiles import ops

    if name is None:
        name = _picked(app, rerun="<name> --yes")
    ops.deletable(app.ctx, name)
    if not yes:
        if not app.interactive:
            raise DeletionUnconfirmed(name=name)
        if not app.confirm(N_("Delete the profile '{name}'?"), default=False, name=name):
            app.line(N_("Nothing was changed."))
            return EXIT_FAILED
    ops.delete(app.ctx, name)
    if as_json:
        app.document({"deleted": name, "status": []})
    else:
        app.line(N_("Deleted the profile '{name}'."), name=name)
    return EXIT_OK


@click.command(
    name="import",
    help=N_(
        "Save the profile in a file: YAML, JSON, or a package with the workflows in it.\n\n"
        "Nothing is installed unless everything can be."
    ),
)
@click.argument("path")
@click.option("--as", "name", metavar="NAME", help=N_("Save it under this name"))
@_force
@json_option
@guarded(fallback=_FALLBACK, null=_NULL)
def import_profile(app: App, *, path: str, name: str | None, force: bool, as_json: bool) -> None:
    from rasen.profiles import ops

    saved: ops.Saved | ImportedProfile
    if path.endswith(ENDING):
        from rasen.packages.ops import import_profile as from_package

        saved = from_package(app.ctx, path, name=name, is_replacing=force)
    else:
        saved = ops.import_plain(app.ctx, app.ctx.at(path), name=name, is_replacing=force)
    _answer(app, saved.name, saved.profile, as_json=as_json)
    if not as_json:
        app.line(N_("Saved the profile '{name}'."), name=saved.name)
        say_findings(app, saved.notices)


def _may_replace(app: App, target: Path) -> bool:
    """What the person says about a file that is there; nobody asked, no."""
    if not target.exists() or not app.interactive:
        return False
    return app.confirm(
        N_("{path} exists. Replace it?"), default=False, rerun="--force", path=target
    )


@click.command(
    name="export",
    help=N_(
        "Write a profile to a file: a package when it has workflows of your own, else YAML or JSON."
    ),
)
@click.argument("path")
@click.option("--profile", "name", metavar="NAME", help=N_("This profile instead of the selection"))
@click.option("--thin", is_flag=True, help=N_("Ids only, also of workflows of your own"))
@_force
@json_option
@guarded(fallback=_FALLBACK, null=_NULL)
def export_profile(
    app: App, *, path: str, name: str | None, thin: bool, force: bool, as_json: bool
) -> None:
    from rasen.profiles import ops

    target = app.ctx.at(path)
    profile = ops.current(app.ctx) if name is None else ops.definition(app.ctx, name)
    if path.endswith(ENDING) and thin:
        raise ops.PackageThin(file=path)
    replaces = force or _may_replace(app, target)
    if path.endswith(ENDING):
        from rasen.packages.ops import export_profile as to_package

        called = ops.package_name(name)
        to_package(app.ctx, called, profile, path, is_replacing=replaces)
    else:
        ops.export_plain(app.ctx, target, profile, is_thin=thin, is_replacing=replaces)
    if as_json:
        app.document({"profile": {"name": name, "path": str(Path(target))}, "status": []})
    else:
        app.line(N_("Wrote {path}"), path=target)
