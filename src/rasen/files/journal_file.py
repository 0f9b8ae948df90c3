"""The format of `journal.json`: what a write of many files is about to do, and whether it is done."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from rasen.files import atomic, fsio

NAME: Final = "journal.json"
VERSION: Final = 1
_LIMIT_BYTES: Final = 16 * 1024 * 1024
_KINDS: Final = frozenset(
    {"write", "remove", "make_dir", "remove_dir", "move", "remove_tree", "new_tree"}
)
_SEAL_EPOCH_S: Final = 1_000_000_000


class JournalInvalid(Exception):
    """The text is not a journal of ours. Its argument is the reason; for use inside `files`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change.

    kind: write, remove, make_dir, remove_dir, move, remove_tree, new_tree. path: what changes; of a
    move the new place. old, new: digests of bytes (of a new tree, of the tree) before and after. source: of a move. inode: of a new
    folder's path, that of the folder which stood there when the write began, or 0.
    """

    kind: str
    path: Path
    old: str = atomic.ABSENT
    new: str = atomic.ABSENT
    source: Path | None = None
    inode: int = 0


@dataclass(frozen=True, slots=True)
class Journal:
    """A whole write. id: its own, part of the names of files it lays beside others."""

    id: str
    purpose: str
    steps: tuple[Step, ...]
    is_committed: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a write keeps its things; `number` is that of a step."""

    folder: Path
    journal: Journal

    def staged(self, number: int) -> Path:
        """The new bytes of a write, or the folder of a new tree, until they are in place."""
        return self.folder / f"{number}.new"

    def used(self, number: int) -> Path:
        """The same, once a copy of them was taken to another file system."""
        return self.folder / f"{number}.used"

    def former(self, number: int) -> Path:
        """What stood there before."""
        return self.folder / f"{number}.old"

    def begun(self, number: int) -> Path:
        """A note that a move begins, with the inode of what is moved."""
        return self.folder / f"{number}.move"

    def copied(self, number: int) -> Path:
        """A note that a move has to copy, with the digest of what is copied."""
        return self.folder / f"{number}.copy"

    def beside(self, number: int) -> Path:
        """For what cannot lie in the journal's folder, being on another file system."""
        return self._near(number, "~")

    def beside_undo(self, number: int) -> Path:
        """The same while a step is undone."""
        return self._near(number, "-undo~")

    def lingers(self, number: int) -> Path:
        """A note that a copied source could not be renamed, and stays until everything is done."""
        return self.folder / f"{number}.lingers"

    def source(self, number: int) -> Path:
        """Where a move starts; of other steps, their path."""
        return self.journal.steps[number].source or self.journal.steps[number].path

    def source_beside(self, number: int) -> Path:
        """A copied source on its way out."""
        return self.source(number).with_name(f"{self._prefix}{number}-source~")

    def is_ours(self, name: str) -> bool:
        """True for the name of something that this batch laid beside another thing."""
        return name.startswith(self._prefix)

    def kept(self, number: int) -> Path:
        """For what stood there before, when someone else's work stands there now."""
        path = self.source(number)
        return path.with_name(f"{path.name}.kept-{self.journal.id}")

    def _near(self, number: int, ending: str) -> Path:
        path = self.journal.steps[number].path
        return path.with_name(f"{self._prefix}{number}{ending}")

    @property
    def _prefix(self) -> str:
        return f".rasen-{self.journal.id}-"


def render(journal: Journal, base: Path) -> bytes:
    """The text of a journal; paths below `base` are written relative to it."""
    import json

    steps = [_step_fields(step, base) for step in journal.steps]
    fields = {
        "version": VERSION,
        "id": journal.id,
        "purpose": journal.purpose,
        "state": "committed" if journal.is_committed else "applying",
        "steps": steps,
    }
    return json.dumps(fields, ensure_ascii=True, indent=1).encode() + b"\n"


def parse(data: bytes, base: Path) -> Journal:
    """The journal that `render` wrote. Raises JournalInvalid."""
    import json

    try:
        fields = json.loads(data)
        if fields["version"] != VERSION:
            raise JournalInvalid("another version of the program wrote it")
        steps = tuple(_parse_step(step, base) for step in fields["steps"])
        state = fields["state"]
        name, purpose = fields["id"], fields["purpose"]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise JournalInvalid("its text is damaged") from error
    if state not in ("applying", "committed") or not isinstance(purpose, str):
        raise JournalInvalid("its text is damaged")
    if not isinstance(name, str) or not name.isalnum():
        raise JournalInvalid("its text is damaged")
    return Journal(name, purpose, steps, state == "committed")


def save(folder: Path, journal: Journal) -> None:
    """Put the journal into its folder at once and for good; raises OSError.

    When this returns or raises, the folder holds the former journal or this one.
    """
    data = render(journal, folder.parent)
    draft = folder / f"{NAME}.new"
    if draft.exists():
        fsio.unlink(draft)
    descriptor = fsio.open_excl(draft)
    try:
        fsio.write(descriptor, data)
        fsio.utime(draft, _seal(data) * 1_000_000_000)
        fsio.fsync(descriptor)
    finally:
        os.close(descriptor)
    fsio.replace(draft, folder / NAME)
    fsio.fsync_dir(folder)


def load(folder: Path) -> Journal | None:
    """The journal in a folder; None when there is none. Raises JournalInvalid, or a read's errors.

    A journal can change any file, and a folder may come from a stranger's repository. So ours carry
    a seal that no checkout reproduces: a time of last change that follows from the bytes.
    """
    path = folder / NAME
    data = atomic.read_optional(path, limit_bytes=_LIMIT_BYTES)
    if data is None:
        return None
    if int(path.lstat().st_mtime) != _seal(data):
        raise JournalInvalid("the journal in it was not written here")
    return parse(data, folder.parent)


def write_note(path: Path, text: str) -> None:
    """Leave a note in a journal's folder, on the disk when this returns; raises OSError."""
    atomic.write_new(path, f"{text}\n".encode())
    fsio.fsync_dir(path.parent)


def read_note(path: Path) -> str:
    """A whole note; empty when there is none, or when its writer died over it."""
    data = (atomic.read_optional(path) or b"").decode("ascii", "replace")
    return data[:-1] if data.endswith("\n") else ""


def _seal(data: bytes) -> int:
    """A time in whole, even seconds (the coarsest file systems keep no finer), all in the past."""
    return _SEAL_EPOCH_S + 2 * int(sha256(data).hexdigest()[:6], 16)


def _step_fields(step: Step, base: Path) -> dict[str, object]:
    return {
        "kind": step.kind,
        "path": _name(step.path, base),
        "old": step.old,
        "new": step.new,
        "source": None if step.source is None else _name(step.source, base),
        "inode": step.inode,
    }


def _parse_step(fields: dict[str, object], base: Path) -> Step:
    kind, path, source = fields["kind"], fields["path"], fields["source"]
    old, new, inode = fields["old"], fields["new"], fields["inode"]
    texts = (kind, path, old, new)
    if not all(isinstance(text, str) for text in texts) or kind not in _KINDS:
        raise JournalInvalid("its text is damaged")
    if not isinstance(inode, int) or (kind == "move") != isinstance(source, str):
        raise JournalInvalid("its text is damaged")
    place = base / str(path)
    origin = base / source if isinstance(source, str) else None
    return Step(str(kind), place, str(old), str(new), origin, inode)


def _name(path: Path, base: Path) -> str:
    return str(path.relative_to(base)) if path.is_relative_to(base) else str(path)
