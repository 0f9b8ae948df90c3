"""Bringing a begun batch to its end: finishing a committed one, undoing any other.

Everything here can be killed and begun again: what is done is told from the disk, not remembered.
The journal's folder is locked by the caller.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.files import atomic, fsio, journal_file, transfer
from rasen.files.journal_file import Journal, Layout
from rasen.files.tree import tree_digest, walk

LOCK = "lock"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a batch ended. left: places that were not restored, as someone else changed them since."""

    purpose: str
    is_committed: bool
    left: tuple[Path, ...]


def settle(folder: Path) -> Outcome | None:
    """Finish or undo what the folder's journal says, and empty the folder up to its lock.

    None when no batch had begun. Raises OSError, JournalInvalid.
    """
    journal = journal_file.load(folder)
    if journal is None:
        sweep(folder)
        return None
    left = _finish(folder, journal) if journal.is_committed else _undo(folder, journal)
    _clear_beside(folder, journal)
    fsio.unlink(folder / journal_file.NAME)
    fsio.fsync_dir(folder)
    sweep(folder)
    return Outcome(journal.purpose, journal.is_committed, tuple(left))


def sweep(folder: Path) -> None:
    """Remove everything from a journal's folder except its lock; there is no journal in it."""
    for entry in sorted(folder.iterdir()):
        if entry.name != LOCK:
            with suppress(FileNotFoundError):  # a waiter's draft of a lock comes and goes
                transfer.delete(entry)


def _finish(folder: Path, journal: Journal) -> list[Path]:
    """Remove the sources of copied moves."""
    left: list[Path] = []
    layout = Layout(folder, journal)
    for number, step in enumerate(journal.steps):
        transfer.delete(layout.source_beside(number))
        if journal_file.read_note(layout.lingers(number)):
            source = layout.source(number)
            if _tree_digest(source) == journal_file.read_note(layout.copied(number)):
                transfer.delete(source)
            left += transfer.delete_copied(source, step.path)
            fsio.fsync_dir(source.parent)
    _clear_beside(folder, journal)
    _clear_carried(layout)
    return left


def _clear_carried(layout: Layout) -> None:
    """Remove what lay beside something in a folder that was moved afterwards, and went along."""
    for step in layout.journal.steps:
        if step.kind == "move" and os.path.lexists(step.path):
            paths = [node.path for node in walk(step.path) if layout.is_ours(node.path.name)]
            for path in paths:
                transfer.delete(path)


def _clear_beside(folder: Path, journal: Journal) -> None:
    layout = Layout(folder, journal)
    for number in range(len(journal.steps)):
        transfer.delete(layout.beside(number))
        transfer.delete(layout.beside_undo(number))


def _undo(folder: Path, journal: Journal) -> list[Path]:
    left: list[Path] = []
    layout = Layout(folder, journal)
    for number in range(len(journal.steps) - 1, -1, -1):
        match journal.steps[number].kind:
            case "write":
                left += _undo_write(layout, number)
            case "new_tree":
                left += _undo_tree(layout, number)
            case "remove" | "remove_tree" | "remove_dir":
                left += _undo_removal(layout, number)
            case "make_dir":
                _undo_make_dir(layout, number)
            case "move":
                left += _undo_move(layout, number)
    return left


def _undo_write(layout: Layout, number: int) -> list[Path]:
    step = layout.journal.steps[number]
    beside = layout.beside(number)
    if beside.exists():  # died before it was in place
        _stage_again(layout, number)
        transfer.delete(beside)
    if step.old == step.new or layout.staged(number).exists():
        return []
    if step.old == atomic.ABSENT:
        return _take_back(layout, number)
    backup = layout.former(number)
    if _digest(backup) != step.old:
        return []
    now = _digest(step.path)
    if now == step.old:
        transfer.delete(backup)  # left when it had to be copied back; the place may yet be emptied
        return []
    if now not in (step.new, atomic.ABSENT):
        transfer.relocate(backup, layout.kept(number), beside=layout.beside_undo(number))
        return [step.path]
    atomic.make_dirs(step.path.parent)
    transfer.relocate(backup, step.path, beside=layout.beside_undo(number))
    return []


def _undo_tree(layout: Layout, number: int) -> list[Path]:
    """Undo a new folder by having it staged again; one that someone has changed since is left."""
    step = layout.journal.steps[number]
    beside = layout.beside(number)
    if os.path.lexists(beside):  # died before it was in place
        _stage_again(layout, number)
        transfer.delete(beside)
    if layout.staged(number).exists() or not os.path.lexists(step.path):
        return []
    if _tree_digest(step.path) != step.new:
        return [step.path]
    if layout.used(number).exists():
        transfer.delete(step.path)
        _stage_again(layout, number)
    else:
        fsio.rename(step.path, layout.staged(number))
    fsio.fsync_dir(step.path.parent)
    return []


def _take_back(layout: Layout, number: int) -> list[Path]:
    """Undo a new file by having it staged again, which tells later that it is undone.

    Its absence would not: undoing earlier steps may bring an equal file back to the same place.
    """
    step = layout.journal.steps[number]
    now = _digest(step.path)
    if now not in (step.new, atomic.ABSENT):
        return [step.path]
    if layout.used(number).exists():
        if now == step.new:
            fsio.unlink(step.path)
        _stage_again(layout, number)
    elif now == step.new:
        fsio.rename(step.path, layout.staged(number))
    with suppress(FileNotFoundError):
        fsio.fsync_dir(step.path.parent)
    return []


def _stage_again(layout: Layout, number: int) -> None:
    with suppress(FileNotFoundError):
        fsio.rename(layout.used(number), layout.staged(number))


def _undo_removal(layout: Layout, number: int) -> list[Path]:
    step = layout.journal.steps[number]
    places = (layout.former(number), layout.beside(number))
    aside = next((place for place in places if os.path.lexists(place)), None)
    if aside is None:
        return []
    if not os.path.lexists(step.path):
        atomic.make_dirs(step.path.parent)
        transfer.relocate(aside, step.path, beside=layout.beside_undo(number))
        return []
    if step.kind == "remove_dir":
        return []
    transfer.relocate(aside, layout.kept(number), beside=layout.beside_undo(number))
    return [step.path]


def _undo_make_dir(layout: Layout, number: int) -> None:
    step = layout.journal.steps[number]
    with suppress(FileNotFoundError, NotADirectoryError):
        if step.path.lstat().st_ino != step.inode and not any(step.path.iterdir()):
            fsio.rmdir(step.path)
            fsio.fsync_dir(step.path.parent)


def _undo_move(layout: Layout, number: int) -> list[Path]:
    left: list[Path] = []
    inode = journal_file.read_note(layout.begun(number))
    if inode:
        is_copied = journal_file.read_note(layout.copied(number))
        left = _take_copy(layout, number) if is_copied else _move_back(layout, number, inode)
        fsio.unlink(layout.begun(number))
        fsio.fsync_dir(layout.folder)
    transfer.delete(layout.beside(number))
    return left


def _move_back(layout: Layout, number: int, inode: str) -> list[Path]:
    step = layout.journal.steps[number]
    if step.source is None or not os.path.lexists(step.path):
        return []
    if os.path.lexists(step.source):
        return [step.path] if str(step.path.lstat().st_ino) == inode else []
    atomic.make_dirs(step.source.parent)
    fsio.rename(step.path, step.source)
    fsio.fsync_dir(step.source.parent)
    fsio.fsync_dir(step.path.parent)
    return []


def _take_copy(layout: Layout, number: int) -> list[Path]:
    """Put the source back in its place; the copy goes, unless someone has changed it."""
    left: list[Path] = []
    source, aside = layout.source(number), layout.source_beside(number)
    if os.path.lexists(aside):
        if os.path.lexists(source):
            left.append(source)
            fsio.rename(aside, layout.kept(number))
        else:
            atomic.make_dirs(source.parent)
            fsio.rename(aside, source)
        fsio.fsync_dir(source.parent)
    path, beside = layout.journal.steps[number].path, layout.beside(number)
    if os.path.lexists(beside) or not os.path.lexists(path):
        return left
    if _tree_digest(path) != journal_file.read_note(layout.copied(number)):
        return [*left, path]
    fsio.rename(path, beside)
    fsio.fsync_dir(path.parent)
    return left


def _tree_digest(path: Path) -> str:
    """The digest of what is there; empty when it has none."""
    try:
        return tree_digest(path)
    except (OSError, ToolError):
        return ""


def _digest(path: Path) -> str:
    """The digest of a file's bytes, ABSENT, or empty for anything that is not a readable file."""
    try:
        return atomic.digest_of(path)
    except ToolError:
        return ""
