"""`rasen config` and its verbs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK, Refused
from rasen.base.messages import N_
from rasen.surfaces.cli.group import TableGroup
from rasen.surfaces.cli.run import App, guarded, json_option
from rasen.surfaces.cli.setting_text import quoted, raw, setting_line

if TYPE_CHECKING:
    from rasen.config.model import Setting

GLOBAL, PROJECT = "global", "project"

_SCOPES = click.Choice([GLOBAL, PROJECT])
_SCOPE_HELP = N_("Whose settings: this machine's (global) or this project's (project)")
_UNKNOWN_HELP = N_("Take a key that is not in the registry (global only)")


class NoSettingsPage(Refused):
    """There is no page in a browser for settings."""

    code = "config_ui_unavailable"
    text = N_("settings have no page in a browser")
    fix = N_("use 'rasen config' in a terminal, or 'rasen config list' and 'rasen config set'")


def _entry(*args: Any, **params: Any) -> int:
    """Only the bare form answers here; a verb answers for itself."""
    if click.get_current_context().invoked_subcommand is not None:
        return EXIT_OK
    return _bare(*args, **params)


config = TableGroup(
    "config",
    callback=_entry,
    invoke_without_command=True,
    no_args_is_help=False,
    params=[click.Option(["--scope"], type=_SCOPES, default=GLOBAL, help=_SCOPE_HELP)],
)


# The option is also taken behind the verb, where people type it.
_scope = click.option("--scope", type=_SCOPES, hidden=True, expose_value=True)


def _chosen(scope: str | None) -> str:
    parent = click.get_current_context().parent
    before = parent.params.get("scope") if parent is not None else None
    return scope or before or GLOBAL


def _workspace(app: App, scope: str) -> Path | None:
    """The planning folder whose settings are meant; None for this machine's.

    Without a workspace it is the one that would be made here.
    """
    if scope == GLOBAL:
        return None
    from rasen.roots import ops as roots

    root = roots.here(app.ctx)
    return app.ctx.cwd / app.ctx.workspace if root is None else root.workspace_dir


def _only_global(form: str, scope: str | None) -> None:
    if _chosen(scope) != GLOBAL:
        from rasen.config.model import ConfigScopeRefused

        raise ConfigScopeRefused(form=f"config {form}")


@guarded()
def _bare(app: App, *, scope: str) -> int:
    if app.interactive:
        from rasen.surfaces.cli.config_editor import run

        run(app, scope, _workspace(app, scope))
        return EXIT_OK
    for setting in _entries(app):
        app.line("{setting}", setting=setting_line(app, setting))
    app.line()
    app.line(N_("See 'rasen config --help' for what can be done with them"))
    return EXIT_OK


def _entries(app: App) -> list[Setting]:
    from rasen.config import ops
    from rasen.roots import ops as roots

    root = roots.here(app.ctx)
    if root is None:
        return ops.entries(app.ctx)
    project = ops.project_config(root.workspace_dir, tell=app.ctx.tell)
    store = roots.store_settings(app.ctx, root, project) if project is not None else None
    return ops.entries(app.ctx, project=project, store=store)


@click.command()
@_scope
@guarded()
def path(app: App, *, scope: str | None) -> None:
    """Print where the settings file is."""
    from rasen.config import ops

    folder = _workspace(app, _chosen(scope))
    if folder is None:
        app.raw(f"{ops.machine_path(app.ctx)}\n")
    else:
        app.raw(f"{ops.project_config_path(folder) or folder / 'config.yaml'}\n")


@click.command(name="list")
@_scope
@json_option
@guarded()
def list_settings(app: App, *, scope: str | None, as_json: bool) -> None:
    """Print all settings of the scope."""
    from rasen.config import ops

    folder = _workspace(app, _chosen(scope))
    if folder is None:
        values, given = ops.listing(app.ctx), ops.global_config(app.ctx).values
    else:
        config = ops.project_config(folder, tell=app.ctx.tell)
        values = given = dict(config.values) if config is not None else {}
    if as_json:
        app.document(values)
        return
    for key, value in values.items():
        app.line("{key} = {value}", key=key, value=raw(value))
    if folder is not None:
        if not values:
            app.say(N_("No settings in {folder}"), folder=folder)
        return
    app.line()
    app.line(N_("Profile:"))
    for key in ("profile", "workflows"):
        origin = app.t(N_("explicit")) if key in given else app.t(N_("default"))
        value = raw(values[key]) if key in values else app.t(N_("not set"))
        app.line("  {key} = {value} ({origin})", key=key, value=value, origin=origin)


@click.command()
@click.argument("key")
@_scope
@guarded()
def get(app: App, *, key: str, scope: str | None) -> int:
    """Print one setting; exit code 1 and nothing when it is not set."""
    from rasen.config import ops

    value = ops.get_value(app.ctx, key, _workspace(app, _chosen(scope)))
    if value is None:
        return EXIT_FAILED
    app.raw(raw(value) + "\n")
    return EXIT_OK


@click.command(name="set")
@click.argument("key")
@click.argument("value")
@click.option("--string", "is_string", is_flag=True, help=N_("Take the value as text as it is"))
@click.option("--allow-unknown", is_flag=True, help=_UNKNOWN_HELP)
@_scope
@guarded()
def set_value(
    app: App, *, key: str, value: str, is_string: bool, allow_unknown: bool, scope: str | None
) -> None:
    """Change one setting."""
    from rasen.config import ops
    from rasen.config.model import Change

    chosen = _chosen(scope)
    change = Change(key, chosen, allow_unknown)
    new = value if is_string else ops.coerce(value)
    saved = ops.set_value(app.ctx, change, new, _workspace(app, chosen))
    if saved.note is not None:
        app.line(saved.note, key=key)
    else:
        app.line(N_("Set {key} = {value}"), key=key, value=quoted(saved.value))


@click.command()
@click.argument("key")
@click.option("--allow-unknown", is_flag=True, help=_UNKNOWN_HELP)
@_scope
@guarded()
def unset(app: App, *, key: str, allow_unknown: bool, scope: str | None) -> None:
    """Remove one setting."""
    from rasen.config import ops
    from rasen.config.model import Change

    chosen = _chosen(scope)
    removed = ops.unset(app.ctx, Change(key, chosen, allow_unknown), _workspace(app, chosen))
    if not removed.was_set:
        app.line(N_("{key} was not set"), key=key)
    elif removed.value is None:
        app.line(N_("Unset {key}"), key=key)
    else:
        value = quoted(removed.value)
        app.line(N_("Unset {key}: its default is {value}"), key=key, value=value)


@click.command()
@click.option("--all", "is_all", is_flag=True, help=N_("Reset every global setting"))
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@_scope
@guarded()
def reset(app: App, *, is_all: bool, yes: bool, scope: str | None) -> int:
    """Put the global settings back to their defaults."""
    from rasen.config import ops

    _only_global("reset", scope)
    question = N_("Put every global setting back to its default?")
    if is_all and not yes and not app.confirm(question, default=False, rerun="-y"):
        app.say(N_("Nothing was changed"))
        return EXIT_OK
    done = ops.reset(app.ctx, is_all=is_all)
    if done.has_changed:
        app.line(N_("The global settings are back to their defaults"))
    else:
        app.line(N_("The global settings have their defaults already"))
    if done.kept:
        names = ", ".join(done.kept)
        app.line(N_("Left as they are, because no setting has such a name: {names}"), names=names)
    return EXIT_OK


@click.command()
@_scope
@guarded()
def edit(app: App, *, scope: str | None) -> None:
    """Open the global settings in your editor and check them afterwards."""
    from rasen.config import ops

    _only_global("edit", scope)
    app.say(N_("{file} can be used as it is"), file=ops.edit(app.ctx))


@click.command()
@click.argument("name", required=False)
@_scope
@guarded()
def profile(app: App, *, name: str | None, scope: str | None) -> None:  # noqa: ARG001
    """The same as `rasen profile`, or with a name `rasen profile use`; kept for older scripts."""
    from rasen.surfaces.cli.commands import profile as profiles

    context = click.get_current_context()
    if name is None:
        context.invoke(profiles.bare)
    else:
        context.invoke(profiles.use, name=name, as_json=False)


@click.command()
@_scope
@guarded()
def ui(app: App, *, scope: str | None) -> None:  # noqa: ARG001
    """Say which command shows the settings instead."""
    raise NoSettingsPage
