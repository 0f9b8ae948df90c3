"""Taking a checkout off this machine's registry, and telling which projects are gone from it."""

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.projects import disk
from rasen.projects.homes import normal_id
from rasen.projects.model import ProjectRegistryBusy, Registry
from rasen.projects.ops import is_there


class Neighbours:
    """The other projects of this machine, by what tells them apart: an identity or a path.

    A registry that cannot be read knows nobody.
    """

    def __init__(self, ctx: Context) -> None:
        try:
            registry = disk.load(ctx)
        except ToolError:
            registry = Registry()
        self._places: dict[str, list[str]] = {}
        for path, entry in sorted(registry.entries.items()):
            self._places.setdefault(normal_id(entry.project_id), []).append(path)

    def places(self, project: str) -> list[str]:
        """Where its checkouts are, as far as they are known."""
        is_path = os.path.isabs(project)  # noqa: PTH117 - it is text from a ledger
        return [project] if is_path else self._places.get(normal_id(project), [])

    def is_gone(self, project: str) -> bool:
        """True when its checkouts are known and none of them is there any more."""
        places = self.places(project)
        return bool(places) and not any(is_there(one) for one in places)


def release(ctx: Context, root: Path) -> Path | None:
    """Make this machine forget the checkout at `root`, unless private files are kept for it.

    root: its canonical path. The answer is the home with these files, for which the row stays; else
    None. A home that nobody else uses and that is empty goes with the row, and
    the registry with its last row. A machine without a registry is left as it is.
    Errors: invalid_project_registry, project_registry_busy, file_not_writable.
    """
    from rasen.files.atomic import remove_file
    from rasen.files.lock import hold
    from rasen.files.removal import remove_if_empty

    if not os.path.lexists(disk.registry_path(ctx)):
        return None
    with hold(disk.lock_path(ctx), busy=ProjectRegistryBusy, tell=ctx.tell):
        registry = disk.load(ctx)
        entry = registry.entries.get(str(root))
        if entry is None:
            return None
        home = disk.folder(ctx) / entry.home
        others = {path: one for path, one in registry.entries.items() if path != str(root)}
        is_shared = any(one.home == entry.home for one in others.values())
        if not is_shared:
            _drop_empty(home)
            if os.path.lexists(home):
                return home
        if others:
            disk.save(ctx, Registry(others))
        else:
            remove_file(disk.registry_path(ctx))
    remove_if_empty(disk.folder(ctx))
    return None


def _drop_empty(home: Path) -> None:
    """Remove `home` as far as it holds nothing but folders."""
    from rasen.files.removal import remove_if_empty

    for folder, _, _ in os.walk(home, topdown=False):
        remove_if_empty(Path(folder))
