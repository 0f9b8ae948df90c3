"""The conditions of an archive that need no merge: names, places, links, git."""

from __future__ import annotations

import re
from pathlib import Path

from rasen.base.context import Context
from rasen.base.messages import NONE
from rasen.files.paths import canonical, is_plain_name
from rasen.planning import disk
from rasen.planning.archive import ship_log
from rasen.planning.archive.model import Request
from rasen.planning.archive.refusals import (
    ArchiveChangeNotFound,
    ChangeIsLink,
    DirtyChange,
    MergeConfirmationRequired,
    NameRequired,
    OutsideRoot,
)
from rasen.roots.model import Root

_SHOWN_FILES = 5
_SAFE = re.compile(r"[\w.\-+@]+")


def check_places(root: Root) -> None:
    """Refuse when a planning folder leads out of the root. Errors: archive_error."""
    base = canonical(root.path)
    for folder in (root.changes_dir, root.archive_dir, root.specs_dir):
        if not canonical(folder).is_relative_to(base):
            raise OutsideRoot(folder=str(folder), root=str(root.path))


def change_folder(root: Root, name: str | None) -> Path:
    """The folder of the open change `name`.

    Errors: archive_change_name_required, archive_change_not_found, archive_error for a link.
    """
    known = ", ".join(disk.change_names(root.changes_dir)) or NONE
    if not name:
        raise NameRequired(known=known)
    folder = root.changes_dir / name
    if not is_plain_name(name) or name == disk.ARCHIVE or not folder.is_dir():
        raise ArchiveChangeNotFound(change=name, known=known)
    if folder.is_symlink():
        raise ChangeIsLink(folder=str(folder))
    return folder


def check_timing(ctx: Context, root: Root, folder: Path, request: Request, *, timing: str) -> None:
    """Refuse to archive on merge what was shipped as a pull request, unless the caller says yes.

    Errors: archive_merge_confirmation_required.
    """
    if request.yes or timing != "on-merge":
        return
    from rasen.projects import ops as projects

    found = ship_log.mode([projects.work_dir(ctx, root.path, folder.name), folder])
    if found and found[0] == "pr":
        raise MergeConfirmationRequired(change=folder.name, log=str(found[1]))


def check_clean(folder: Path, *, destination: str) -> None:
    """Refuse to move a change out of git's reach while git could not bring it back.

    Errors: archive_dirty_change_dir.
    """
    from rasen.git import repo

    top = repo.root_of(folder)
    status = None if top is None else repo.status(top, folder)
    if status is not None and status.is_clean_and_tracked:
        return
    names = () if status is None else (*status.dirty, *status.untracked, *status.ignored)
    shown = ", ".join(names[:_SHOWN_FILES]) or NONE
    raise DirtyChange(folder=str(folder), files=shown, destination=destination)


def pasteable(name: str) -> str:
    """`name` if a shell takes it as one plain word, else a placeholder."""
    return name if _SAFE.fullmatch(name) else "<change>"
