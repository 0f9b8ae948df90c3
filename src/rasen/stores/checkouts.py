"""Where the checkouts of a project lie on this machine."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.paths import canonical
from rasen.projects import disk as projects_disk
from rasen.stores import ops, project
from rasen.stores.membership_file import normal_project_id
from rasen.stores.model import PROJECT


def live(ctx: Context, wanted: str) -> list[Path]:
    """The registered checkouts of a project that are there and carry its identity, sorted.

    wanted: its identity. A registry that cannot be read has none.
    """
    identity = normal_project_id(wanted)
    found = {path for path in _candidates(ctx) if project.identity_of(path) == identity}
    return sorted(found)


def named(ctx: Context, alias: str) -> Path | None:
    """The checkout registered under a name in the project namespace; None without a live one."""
    try:
        rows = list(ops.registry(ctx).of(PROJECT))
    except ToolError:
        return None
    paths = (canonical(Path(row.path)) for row in rows if row.id == alias)
    return next((path for path in paths if path.is_dir()), None)


def _candidates(ctx: Context) -> set[Path]:
    paths: set[Path] = set()
    with suppress(ToolError):
        paths |= {canonical(Path(path)) for path in projects_disk.load(ctx).entries}
    with suppress(ToolError):
        paths |= {canonical(Path(row.path)) for row in ops.registry(ctx).of(PROJECT)}
    return {path for path in paths if path.is_dir()}
