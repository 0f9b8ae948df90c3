"""Doing one step of a batch, so that dying at any moment leaves enough to undo it.

What tells a done step from one not begun: a write has used up its staged bytes, a removal has left
what it removed aside, a move has left a note.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rasen.files import atomic, fsio, journal_file, transfer
from rasen.files.errors import FileChanged, FileMissing, NotAFile, TargetExists
from rasen.files.journal_file import Layout
from rasen.files.tree import tree_digest

_CANNOT_SET_ASIDE = transfer.CANNOT_RENAME | {errno.EACCES, errno.EBUSY}


def perform(layout: Layout, number: int) -> None:
    """Do one step. Raises OSError, or a refusal of the step.

    Errors: file_changed, file_missing, target_exists, not_a_file, special_file.
    """
    step = layout.journal.steps[number]
    match step.kind:
        case "write":
            _write(layout, number)
        case "new_tree":
            if os.path.lexists(step.path):
                raise TargetExists(file=str(step.path))
            _put_in_place(layout, number)
        case "remove":
            _remove(layout, number)
        case "remove_tree":
            if os.path.lexists(step.path):
                _set_aside(layout, number)
        case "make_dir":
            _make_dir(step.path)
        case "remove_dir":
            _remove_dir(layout, number)
        case "move":
            _move(layout, number)


def _write(layout: Layout, number: int) -> None:
    step = layout.journal.steps[number]
    former = atomic.read_optional(step.path, limit_bytes=1 << 40)
    if atomic.digest_or_absent(former) != step.old:
        raise FileChanged(file=str(step.path))
    if step.old == step.new:
        return
    staged = layout.staged(number)
    if former is not None:
        status = step.path.stat()
        backup = layout.former(number)
        atomic.write_new(backup, former, mode=status.st_mode & 0o7777)
        fsio.utime(backup, status.st_mtime_ns)
        fsio.chmod(staged, status.st_mode & 0o7777)
        fsio.fsync_dir(layout.folder)
    _put_in_place(layout, number)


def _put_in_place(layout: Layout, number: int) -> None:
    """Give what was staged its place; the folder's entry is on the disk when this returns."""
    step, staged = layout.journal.steps[number], layout.staged(number)
    try:
        fsio.replace(staged, step.path)
    except OSError as error:
        if error.errno not in transfer.CANNOT_RENAME:
            raise
        beside = layout.beside(number)
        transfer.delete(beside)
        transfer.copy(staged, beside)
        fsio.rename(staged, layout.used(number))
        fsio.replace(beside, step.path)
    fsio.fsync_dir(step.path.parent)


def _remove(layout: Layout, number: int) -> None:
    step = layout.journal.steps[number]
    if not step.path.is_symlink() or step.old == atomic.ABSENT:
        atomic.require(step.path, step.old)
    if step.old != atomic.ABSENT:
        _set_aside(layout, number)


def _set_aside(layout: Layout, number: int) -> Path:
    """Take what stands at a step's path out of the way in one rename; where it is now."""
    path = layout.journal.steps[number].path
    for place in (layout.former(number), layout.beside(number)):
        try:
            fsio.rename(path, place)
        except OSError as error:
            if error.errno not in _CANNOT_SET_ASIDE or place == layout.beside(number):
                raise
            continue
        fsio.fsync_dir(layout.folder)
        fsio.fsync_dir(path.parent)
        return place
    raise AssertionError("unreachable: the last place raises")


def _make_dir(path: Path) -> None:
    if path.is_dir():
        return
    if os.path.lexists(path):
        raise NotAFile(file=str(path))
    fsio.mkdir(path)
    fsio.fsync_dir(path.parent)


def _remove_dir(layout: Layout, number: int) -> None:
    path = layout.journal.steps[number].path
    if path.is_symlink() or not path.is_dir() or not _is_as_good_as_empty(layout, path):
        return
    aside = _set_aside(layout, number)
    if not _is_as_good_as_empty(layout, aside):  # someone put a file into it in this very moment
        fsio.rename(aside, path)


def _is_as_good_as_empty(layout: Layout, folder: Path) -> bool:
    """True when all that is in it was laid there by this batch, to be removed in the end."""
    return all(layout.is_ours(entry.name) for entry in folder.iterdir())


def _move(layout: Layout, number: int) -> None:
    step = layout.journal.steps[number]
    source = layout.source(number)
    if not os.path.lexists(source):
        raise FileMissing(file=str(source))
    if os.path.lexists(step.path):
        raise TargetExists(file=str(step.path))
    journal_file.write_note(layout.begun(number), str(source.lstat().st_ino))
    try:
        fsio.rename(source, step.path)
    except OSError as error:
        if error.errno not in transfer.CANNOT_RENAME:
            raise
        _move_by_copy(layout, number, source)
    fsio.fsync_dir(step.path.parent)
    fsio.fsync_dir(source.parent)


def _move_by_copy(layout: Layout, number: int, source: Path) -> None:
    """Copy beside the target, compare, rename in; the source is removed only after the commit."""
    seen = tree_digest(source)
    journal_file.write_note(layout.copied(number), seen)
    beside = layout.beside(number)
    transfer.copy(source, beside)
    if tree_digest(beside) != seen or tree_digest(source) != seen:
        raise FileChanged(file=str(source))
    fsio.rename(beside, layout.journal.steps[number].path)
    try:
        fsio.rename(source, layout.source_beside(number))
    except OSError as error:
        if error.errno not in _CANNOT_SET_ASIDE:
            raise
        journal_file.write_note(layout.lingers(number), "1")
