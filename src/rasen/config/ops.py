"""The use cases of settings: which hold, changing one, and what a project's file says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context, Note
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.config import disk
from rasen.config.model import (
    GLOBAL,
    Change,
    ConfigFileMissing,
    ConfigResetRefused,
    GlobalConfig,
    ProjectConfig,
    Removed,
    Reset,
    Saved,
    Setting,
    StoreDeclaration,
    StorePointer,
)

if TYPE_CHECKING:
    from rasen.config.resolve import Layers

# What a file that nobody can read is taken to say: nothing, and no to every report.
_MOST_PRIVATE: dict[str, object] = {"telemetry": {"enabled": False}}

_TELEMETRY = N_("Nothing is ever reported, so there is nothing to switch: {key} is not stored")
_DELIVERY = N_("Only skills are delivered now: {key} is not stored")
_NO_OPS = {"telemetry.enabled": _TELEMETRY, "delivery": _DELIVERY}


def project_config_path(workspace_dir: Path) -> Path | None:
    """The project's settings file; None when there is none."""
    return disk.project_path(workspace_dir)


def project_config(workspace_dir: Path, *, tell: Callable[[Note], None]) -> ProjectConfig | None:
    """The fields of the project's settings that can be used; None when there are none.

    What cannot be used is told. Never raises. Source: planning §1.3.
    """
    path = disk.project_path(workspace_dir)
    if path is None:
        return None
    from rasen.config.project_file import parse
    from rasen.files.atomic import read_text

    try:
        text = read_text(path)
    except ToolError as error:
        tell(Note(N_("the project settings are ignored: {problem}"), {"problem": error}))
        return None
    return parse(text, path=path, tell=tell)


def store_declaration(workspace_dir: Path) -> StoreDeclaration:
    """What the project's settings say about its store; tells nobody, never raises.

    A file that cannot be read counts as malformed. Source: planning §2.4.
    """
    path = disk.project_path(workspace_dir)
    if path is None:
        return StoreDeclaration()
    from rasen.config.pointer_field import pointer
    from rasen.files.atomic import read_text
    from rasen.syntax.yaml import load

    try:
        value = load(read_text(path), file=str(path))
    except ToolError as error:
        return StoreDeclaration(path, None, str(error))
    if not isinstance(value, dict) or "store" not in value:
        return StoreDeclaration(path)
    found = pointer(value["store"])
    if isinstance(found, StorePointer):
        return StoreDeclaration(path, found)
    return StoreDeclaration(path, None, found)


def global_config(ctx: Context) -> GlobalConfig:
    """This machine's settings; what cannot be used is told and does not count. Never raises.

    A file that cannot be read at all counts as its most private reading, and stays as it is.
    Source: planning §1.6.
    """
    try:
        fields, path = disk.load_machine(ctx)
    except ToolError as error:
        text = N_("the global settings are ignored and left as they are: {problem}")
        ctx.note(text, problem=error)
        return GlobalConfig(_MOST_PRIVATE, is_broken=True)
    if path is None:
        return GlobalConfig({})
    from rasen.config.machine_file import valid

    return GlobalConfig(valid(fields, path=path, tell=ctx.tell))


def language(ctx: Context) -> str | None:
    """The `language` setting of this machine; None when it is not set."""
    value = global_config(ctx).values.get("language")
    return value if isinstance(value, str) else None


def effective(
    ctx: Context,
    key: str,
    *,
    project: ProjectConfig | None = None,
    store: ProjectConfig | None = None,
) -> Setting:
    """The value of `key` that counts, and its source. Source: planning §1.7.

    project, store: what those layers say; None: they are not there.
    """
    from rasen.config.resolve import effective as decide

    return decide(key, _layers(ctx, project, store))


def entries(
    ctx: Context, *, project: ProjectConfig | None = None, store: ProjectConfig | None = None
) -> list[Setting]:
    """Every setting there is, with the value that counts and its source."""
    from rasen.config.resolve import all_settings

    return all_settings(_layers(ctx, project, store))


def machine_path(ctx: Context) -> Path:
    """Where this machine's settings are kept; the file may not exist."""
    return disk.machine_path(ctx)


def listing(ctx: Context) -> dict[str, object]:
    """This machine's settings with the defaults of what they leave open."""
    from rasen.config.resolve import with_defaults

    return with_defaults(global_config(ctx).values)


def get_value(ctx: Context, key: str, workspace_dir: Path | None = None) -> object:
    """The value of `key` in one scope; None when nothing sets it there.

    workspace_dir: of the project whose settings are meant; None means this machine's, which fall
    back on the defaults.
    """
    from rasen.config.reading import get

    path = tuple(key.split("."))
    if workspace_dir is None:
        found = get(listing(ctx), path)
        return effective(ctx, key).value if found is None and key == "telemetry.enabled" else found
    config = project_config(workspace_dir, tell=ctx.tell)
    return None if config is None else get(config.values, path)


def coerce(text: str) -> object:
    """The value that a typed word means: true, false, a number, a JSON list or object, else text."""
    from rasen.config.change import coerce as meant

    return meant(text)


def is_in_scope(key: str, scope: str) -> bool:
    """True when the settings of `scope` may hold `key`."""
    from rasen.config.keys import find

    found = find(key)
    return found is not None and scope in found.scopes


def taken(change: Change) -> tuple[str, tuple[str, ...]]:
    """What a setting takes, in words, and the words to choose from when they are few.

    Errors: config_key_unknown, config_key_scope.
    """
    from rasen.config.change import kind_for

    kind = kind_for(change)
    return kind.wanted, kind.choices


def set_value(
    ctx: Context, change: Change, value: object, workspace_dir: Path | None = None
) -> Saved:
    """Make `value` the value of a setting, leaving everything else in its file as it is.

    workspace_dir: of the project, when the change is meant for one.
    Errors: config_key_unknown, config_key_scope, config_value_invalid, config_file_missing,
    json_invalid, yaml_invalid, yaml_edit_refused, file_changed, file_not_writable.
    """
    from rasen.config.change import check, path_of
    from rasen.config.reading import put

    if change.scope == GLOBAL and change.key in _NO_OPS:
        return Saved(change.key, value, _NO_OPS[change.key])
    path = path_of(change)
    check(change, value)
    if change.scope != GLOBAL:
        from rasen.syntax import yaml

        _edit_project(
            workspace_dir, lambda text, file: yaml.set_value(text, path, value, file=file)
        )
    else:
        with disk.changing_machine(ctx) as fields:
            put(fields, path, value)
    return Saved(change.key, value)


def set_machine(ctx: Context, values: Mapping[str, object]) -> None:
    """Set several top-level settings of this machine in one write; None takes a setting out.

    Errors: json_invalid, config_shape_invalid, file_changed, file_not_writable.
    """
    with disk.changing_machine(ctx) as fields:
        for key, value in values.items():
            if value is None:
                fields.pop(key, None)
            else:
                fields[key] = value


def unset(ctx: Context, change: Change, workspace_dir: Path | None = None) -> Removed:
    """Take a setting out of its file, with the maps that this leaves empty.

    Errors: as for set_value, without config_value_invalid.
    """
    from rasen.config.change import path_of
    from rasen.config.reading import get, remove

    path = path_of(change)
    if change.scope != GLOBAL:
        from rasen.syntax import yaml

        was_set = _edit_project(workspace_dir, lambda text, file: yaml.unset(text, path, file=file))
        return Removed(change.key, was_set)
    fields, _ = disk.load_machine(ctx)
    if not remove(fields, path):
        return Removed(change.key, was_set=False)
    with disk.changing_machine(ctx) as fields:
        remove(fields, path)
    return Removed(change.key, was_set=True, value=get(listing(ctx), path))


def reset(ctx: Context, *, is_all: bool) -> Reset:
    """Put every setting of this machine that we know back to its default; others stay.

    Errors: config_reset_refused without `is_all`; as for set_value.
    """
    from rasen.config.keys import KEYS

    if not is_all:
        raise ConfigResetRefused
    fields, _ = disk.load_machine(ctx)
    known = {key.name.split(".")[0] for key in KEYS if GLOBAL in key.scopes}
    kept = tuple(sorted(str(name) for name in set(fields) - known))
    if not known.intersection(fields):
        return Reset(kept, has_changed=False)
    with disk.changing_machine(ctx) as fields:
        for name in known.intersection(fields):
            del fields[name]
    return Reset(kept)


def edit(ctx: Context) -> Path:
    """Open this machine's settings in the user's editor, wait, and check what it left.

    Errors: editor_not_set, editor_failed, program_missing; json_invalid and config_shape_invalid
    for a file that cannot be used afterwards (it stays as it is).
    """
    from rasen.config.editor import run

    path = disk.machine_path(ctx)
    run(ctx, path)
    disk.load_machine(ctx)
    global_config(ctx)
    return path


def _layers(ctx: Context, project: ProjectConfig | None, store: ProjectConfig | None) -> Layers:
    from rasen.config.resolve import Layers

    def values(config: ProjectConfig | None) -> Mapping[str, object]:
        return config.values if config is not None else {}

    return Layers(ctx.env, values(project), values(store), global_config(ctx).values)


def _edit_project(workspace_dir: Path | None, edit: Callable[[str, str], str]) -> bool:
    """Rewrite the project's settings file by `edit`; False when that changes nothing."""
    from rasen.config.places import PROJECT_FILES
    from rasen.files.atomic import read_text

    path = None if workspace_dir is None else disk.project_path(workspace_dir)
    if path is None:
        folder = workspace_dir if workspace_dir is not None else Path("rasen")
        raise ConfigFileMissing(file=str(folder / PROJECT_FILES[0]))
    text = read_text(path)
    changed = edit(text, str(path))
    if changed != text:
        disk.save_project(path, changed, read=text.encode("utf-8"))
    return changed != text
