"""Where the journals of a root lie, and reading them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.files.atomic import read_text
from rasen.files.errors import FileMissing
from rasen.planning import disk
from rasen.planning.journal import journal_file, order
from rasen.planning.journal.journal_file import ARCHIVE_FILE, SYNC_FILE
from rasen.planning.journal.model import ARCHIVE, Entry, Record
from rasen.roots.model import Root

TELLS_NOTHING = N_("the journal of {name} tells nothing: {problem}")
LIMIT_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True)
class Found:
    """What the journals of a root tell, oldest first.

    unjournalled: archived folders without one. unreadable: what is wrong with journals that tell
    nothing, by the name of their change.
    """

    entries: tuple[Entry, ...]
    unjournalled: tuple[Path, ...]
    unreadable: tuple[tuple[str, ToolError], ...]


def text_of(path: Path) -> str | None:
    """The text of a journal; None without one. Errors: journal_invalid, file_*."""
    try:
        return read_text(path, limit_bytes=LIMIT_BYTES)
    except FileMissing:
        return None


def archive_of(folder: Path) -> Record | None:
    """The archive that filed `folder` away, by the journal in it; None without one.

    Errors: journal_invalid, file_*.
    """
    path = folder / ARCHIVE_FILE
    text = text_of(path)
    return None if text is None else journal_file.parse(text, file=str(path))


def syncs_of(folder: Path) -> tuple[Record, ...]:
    """The syncs of the change in `folder`, oldest first. Errors: journal_invalid, file_*."""
    path = folder / SYNC_FILE
    text = text_of(path)
    return () if text is None else journal_file.parse_syncs(text, file=str(path))


def home_journals(ctx: Context, root: Root) -> Path | None:
    """Where the journals of archives that left the repository lie; None without a home."""
    from rasen.projects import ops as projects

    home = projects.home_of(ctx, root.path)
    return None if home is None else home / "journals"


def free_name(folder: Path, name: str) -> Path:
    """A journal file in `folder` that is not there yet: one change may be pruned several times."""
    path, count = folder / f"{name}.json", 1
    while path.exists() or path.is_symlink():
        count += 1
        path = folder / f"{name}-{count}.json"
    return path


def find(ctx: Context, root: Root) -> Found:
    """Every archive and sync that this checkout or the machine's home has a journal of."""
    return _Search(ctx, root).run()


class _Search:
    def __init__(self, ctx: Context, root: Root) -> None:
        self._root = root
        self._home = home_journals(ctx, root)
        self._entries: list[Entry] = []
        self._bare: list[Path] = []
        self._unreadable: list[tuple[str, ToolError]] = []

    def run(self) -> Found:
        for folder in self._folders(self._root.archive_dir):
            self._archived(folder)
        outside = self._outside()
        for folder in outside:
            self._syncs(folder, is_open=False)
        for name in disk.change_names(self._root.changes_dir):
            self._syncs(self._root.changes_dir / name, is_open=True)
        self._machine()
        told = {one.folder for one in self._entries if one.record.kind == ARCHIVE}
        self._bare += [folder for folder in outside if folder not in told]
        entries = order.ordered(self._entries)
        return Found(tuple(entries), tuple(self._bare), tuple(self._unreadable))

    def _folders(self, parent: Path) -> Iterator[Path]:
        for name in disk.archived_names(parent):
            yield parent / name

    def _outside(self) -> list[Path]:
        """The archived folders that left the repository."""
        return [] if self._home is None else list(self._folders(self._home.with_name("archive")))

    def _archived(self, folder: Path) -> None:
        self._syncs(folder, is_open=False)
        try:
            record = archive_of(folder)
        except ToolError as problem:
            self._unreadable.append((folder.name, problem))
            return
        if record is None:
            self._bare.append(folder)
        else:
            self._entries.append(Entry(folder.name, record, folder / ARCHIVE_FILE, folder))

    def _syncs(self, folder: Path, *, is_open: bool) -> None:
        try:
            records = syncs_of(folder)
        except ToolError as problem:
            self._unreadable.append((folder.name, problem))
            return
        journal = folder / SYNC_FILE
        for record in records:
            self._entries.append(Entry(folder.name, record, journal, folder, is_open=is_open))

    def _machine(self) -> None:
        """Archives whose folder left the repository, or was deleted."""
        if self._home is None or not self._home.is_dir():
            return
        for path in sorted(self._home.glob("*.json")):
            try:
                record = journal_file.parse(text_of(path) or "", file=str(path))
            except ToolError as problem:
                self._unreadable.append((path.stem, problem))
                continue
            folder = None
            if record.deleted_at is None:
                folder = self._home.with_name("archive") / record.name
            self._entries.append(Entry(record.name, record, path, folder))
