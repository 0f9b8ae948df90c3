"""The open changes of a root, by the names they have on disk."""

from __future__ import annotations

from pathlib import Path

from rasen.base.errors import InvalidInput, NotFound
from rasen.base.messages import N_
from rasen.files.paths import canonical
from rasen.planning import disk
from rasen.roots.model import Root


class ChangeNotNamed(InvalidInput):
    """Which change is meant was not said. It has no code of its own: the command's applies."""

    text = N_("say which change is meant; there are:\n{known}")
    fix = N_("add --change <name>")


class ChangeMissing(NotFound):
    """There is no such open change. It has no code of its own: the command's applies."""

    text = N_("there is no change '{change}'; there are:\n{known}")
    fix = N_("name one of them, or start it with `rasen new change`")


def open_changes(root: Root) -> list[str]:
    """The names of the open changes, sorted."""
    return disk.change_names(root.changes_dir)


def find_change(root: Root, name: str | None) -> Path:
    """The folder of an open change. Source: planning §4.5: any safe name that is there will do."""
    if not name:
        raise ChangeNotNamed(known=_listed(root))
    folder = root.changes_dir / name
    is_safe = name not in (".", "..", disk.ARCHIVE) and not set(name) & set("/\\\0")
    if not is_safe or not folder.is_dir() or canonical(folder).parent != canonical(folder.parent):
        raise ChangeMissing(change=name, known=_listed(root))
    return folder


def _listed(root: Root) -> str:
    return "\n".join(f"  {name}" for name in open_changes(root)) or "  (none)"
