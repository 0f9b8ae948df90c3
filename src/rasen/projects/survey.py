"""What this machine keeps of projects that are gone, and clearing it away."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.projects import disk
from rasen.projects.homes import normal_id
from rasen.projects.model import Entry, ProjectRegistryBusy, Registry
from rasen.projects.ops import is_there


class Dangling(NamedTuple):
    """A registered checkout that is gone. home: the folder kept for it. project_id: its identity."""

    path: str
    home: Path
    project_id: str = ""

    def to_json(self) -> dict[str, str]:
        """The row in documents."""
        return {"path": self.path, "home": str(self.home)}


class Survey(NamedTuple):
    """What the machine knows of the project at one place, and of projects that are gone.

    path: this project's checkout. entry: None when it is not registered. orphans: homes that nothing registered uses.
    problem: why the registry cannot be read; then nothing is known.
    """

    path: Path
    entry: Entry | None
    dangling: tuple[Dangling, ...] = ()
    orphans: tuple[Path, ...] = ()
    problem: ToolError | None = None


class Collected(NamedTuple):
    """What was cleared away. archives: how many archived changes were in the removed homes."""

    entries: tuple[Dangling, ...]
    homes: tuple[Path, ...]
    archives: int = 0

    def to_json(self) -> dict[str, object]:
        """The `gc` member. Source: planning §7.7."""
        return {
            "removed_entries": [row.to_json() for row in self.entries],
            "removed_homes": [str(home) for home in self.homes],
        }


def survey(ctx: Context, root: Path) -> Survey:
    """What the machine keeps about projects; `root`: the canonical path of this one. A look only."""
    try:
        registry = disk.load(ctx)
    except ToolError as error:
        return Survey(root, None, problem=error)
    return Survey(
        root, registry.entries.get(str(root)), _dangling(ctx, registry), _orphans(ctx, registry)
    )


def collect(ctx: Context, *, keep: str | None = None) -> Collected:
    """Forget checkouts that are gone and remove the homes that nothing registered uses any more.

    keep: an identity whose rows stay, because its checkout moved and will take its home up again.
    Archived changes that lie in such a home go with it. All or nothing.
    Errors: invalid_project_registry, project_registry_busy, busy, recovery_needed, special_file and
    those of writing files. Source: planning §7.7.
    """
    if not os.path.lexists(disk.folder(ctx)):
        return Collected((), ())
    from rasen.files.batch import recover
    from rasen.files.lock import hold

    with hold(disk.lock_path(ctx), busy=ProjectRegistryBusy, tell=ctx.tell):
        recover(_journal(ctx), tell=ctx.tell)
        registry = disk.load(ctx)
        spared = None if keep is None else normal_id(keep)
        gone = tuple(
            row
            for row in _dangling(ctx, registry)
            if normal_id(registry.entries[row.path].project_id) != spared
        )
        lost = {row.path for row in gone}
        kept = Registry({path: row for path, row in registry.entries.items() if path not in lost})
        homes = _orphans(ctx, kept)
        archives = sum(len(_archived(home)) for home in homes)
        _clear(ctx, kept if gone else None, homes)
    return Collected(gone, homes, archives)


def _clear(ctx: Context, kept: Registry | None, homes: tuple[Path, ...]) -> None:
    from rasen.files.atomic import digest, read_optional
    from rasen.files.batch import Batch
    from rasen.projects import registry_file

    batch = Batch(
        _journal(ctx), purpose="clear away homes of projects that are gone", tell=ctx.tell
    )
    if kept is not None:
        path = disk.registry_path(ctx)
        before = read_optional(path) or b""
        batch.write(path, registry_file.render(kept).encode(), expect=digest(before))
    for home in homes:
        batch.remove_tree(home)
    batch.commit()


def _dangling(ctx: Context, registry: Registry) -> tuple[Dangling, ...]:
    folder = disk.folder(ctx)
    return tuple(
        Dangling(
            path, folder / registry.entries[path].home, normal_id(registry.entries[path].project_id)
        )
        for path in sorted(registry.entries)
        if not is_there(path)
    )


def _orphans(ctx: Context, registry: Registry) -> tuple[Path, ...]:
    used = {entry.home for entry in registry.entries.values()}
    try:
        with os.scandir(disk.folder(ctx)) as entries:
            names = [
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
            ]
    except OSError:
        return ()
    return tuple(disk.folder(ctx) / name for name in sorted(names) if name not in used)


def _archived(home: Path) -> list[str]:
    try:
        return [entry.name for entry in os.scandir(home / "archive") if entry.is_dir()]
    except OSError:
        return []


def _journal(ctx: Context) -> Path:
    return disk.folder(ctx) / ".journal"
