"""Where saved profiles lie: `<config>/profiles/<name>.yaml`."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files import atomic
from rasen.profiles.model import Profile
from rasen.profiles.profile_file import LIMIT_BYTES, parse
from rasen.syntax.portable_path import is_profile_name
from rasen.workflows import registry

ENDING = ".yaml"


def folder(ctx: Context) -> Path:
    """The folder of saved profiles, which may not exist."""
    return ctx.config_dir / "profiles"


def path_of(ctx: Context, name: str) -> Path:
    """The file of the saved profile `name`."""
    return folder(ctx) / f"{name}{ENDING}"


def names(ctx: Context) -> list[str]:
    """The names of the saved profiles, usable or not, sorted. Errors: busy, recovery_needed.

    An import that was interrupted is settled first: a profile may have come with it.
    """
    registry.settle(ctx)
    try:
        found = [one.name for one in folder(ctx).iterdir() if one.suffix == ENDING]
    except OSError:
        return []  # none were saved, or nobody can see them
    stems = (one.removesuffix(ENDING) for one in found)
    return sorted(one for one in stems if is_profile_name(one))


def load(ctx: Context, name: str) -> Profile:
    """The saved profile `name`. Errors: file_*, invalid_file, yaml_invalid."""
    path = path_of(ctx, name)
    return parse(atomic.read_text(path, limit_bytes=LIMIT_BYTES), file=str(path))


def saved(ctx: Context, wanted: Container[object] | None = None) -> dict[str, Profile | ToolError]:
    """The saved profiles by name; in place of one that cannot be used, the reason.

    wanted: the names that are anybody's business; None means all.
    """
    found: dict[str, Profile | ToolError] = {}
    for name in names(ctx):
        if wanted is not None and name not in wanted:
            continue
        try:
            found[name] = load(ctx, name)
        except ToolError as problem:
            found[name] = problem
    return found
