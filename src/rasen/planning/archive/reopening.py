"""What undoing needs besides the specs: the change's folder back in its place, the journal gone."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.base.messages import N_, Phrase
from rasen.files.atomic import ABSENT, digest, read_bytes, read_text
from rasen.files.batch import Batch
from rasen.files.errors import FileMissing
from rasen.files.paths import inside, is_plain_name
from rasen.planning import disk
from rasen.planning.changes.metadata_file import FORMAT
from rasen.planning.journal import disk as journals
from rasen.planning.journal import journal_file
from rasen.planning.journal.model import ArchiveJournalInvalid, Commit, Entry, Record
from rasen.planning.journal.refusals import UndoFolderMissing, UndoPruned, UndoTargetExists
from rasen.planning.journal.reverse import same_text, with_endings_of
from rasen.roots.model import Root

_REVISION = re.compile(r"[0-9a-f]{40,64}")
_PLAIN_FILE = "100644"


@dataclass(frozen=True)
class Reopening:
    """How the folder of an archived change comes back, found without writing.

    target: where it will lie. source: the folder to move; None when git has it. files: from git, by
    path in the change; empty when they are there already.
    """

    target: Path
    source: Path | None
    files: dict[str, bytes] = field(default_factory=dict)


def prepare(root: Root, entry: Entry) -> Reopening:
    """How the archived change of `entry` comes back.

    Errors: undo_blocked, undo_target_exists, journal_invalid for a name that is none.
    """
    name = entry.record.change
    is_name = is_plain_name(name) and name != disk.ARCHIVE and not name.startswith(".")
    if not is_name or not is_plain_name(entry.name):
        problem = Phrase(N_("its change has no name of a folder"))
        raise ArchiveJournalInvalid(file=str(entry.journal), problem=problem)
    target = root.changes_dir / name
    is_taken = target.exists() or target.is_symlink()
    if entry.folder is None:
        files = _from_git(root, entry)
        if is_taken and not _is_same(target, files):
            raise UndoTargetExists(place=str(target), name=entry.name)
        return Reopening(target, None, {} if is_taken else files)
    if is_taken:
        raise UndoTargetExists(place=str(target), name=entry.name)
    if not entry.folder.is_dir():
        raise UndoFolderMissing(name=entry.name, folder=str(entry.folder))
    return Reopening(target, entry.folder)


def reopen(batch: Batch, entry: Entry, plan: Reopening) -> None:
    """Add to `batch` what brings the change back and takes the journal away."""
    _remove(batch, entry.journal)
    if plan.source is None:
        for relative, data in sorted(plan.files.items()):
            batch.write(inside(plan.target, relative), data, expect=ABSENT)
        return
    _metadata(batch, plan.source / FORMAT, entry.record)
    batch.move(plan.source, plan.target)


def forget_sync(batch: Batch, entry: Entry) -> None:
    """Add to `batch` the journal of a change without its last sync. Errors: journal_invalid, file_*."""
    folder = entry.journal.parent
    left = journals.syncs_of(folder)[:-1]
    if not left:
        _remove(batch, entry.journal)
        return
    former = read_text(entry.journal, limit_bytes=journals.LIMIT_BYTES)
    text = journal_file.render_syncs(left, former=former)
    batch.write(entry.journal, text.encode("utf-8"), expect=digest(former.encode("utf-8")))


def _remove(batch: Batch, path: Path) -> None:
    data = read_bytes(path, limit_bytes=journals.LIMIT_BYTES)
    batch.remove(path, expect=digest(data))


def _metadata(batch: Batch, path: Path, record: Record) -> None:
    """Take out of the metadata what the archive put in; where it was edited since, only that."""
    if record.metadata is None or path.is_symlink():
        return
    try:
        now = read_text(path)
    except FileMissing:
        return
    before, after = record.metadata
    text = now
    if now == after:
        text = before
    elif same_text(now, after):
        text = with_endings_of(before, now) or ""
    else:
        from rasen.syntax import yaml

        with suppress(ToolError):
            text = yaml.unset(now, ("quality",), file=str(path))
    if text != now:
        batch.write(path, text.encode("utf-8"), expect=digest(now.encode("utf-8")))


def _from_git(root: Root, entry: Entry) -> dict[str, bytes]:
    """The files of a deleted change, by path in it. Errors: undo_blocked."""
    from rasen.git import repo

    at = entry.record.deleted_at
    if at is None or not _REVISION.fullmatch(at.revision):
        at = Commit("<commit>", f"{root.workspace}/changes/{entry.record.change}")
        raise UndoPruned(name=entry.name, commit=at.revision, folder=at.path)
    refusal = UndoPruned(name=entry.name, commit=at.revision, folder=at.path)
    top = repo.root_of(root.path)
    listed = None if top is None else repo.files_at(top, at.revision, at.path)
    if top is None or not listed:
        raise refusal
    files: dict[str, bytes] = {}
    for one in listed:
        data = repo.show(top, at.revision, one.path)
        place = root.changes_dir / entry.record.change / one.path.removeprefix(at.path + "/")
        # A link or an executable is made by git itself; once it is there, only sameness counts.
        if data is None or (one.mode != _PLAIN_FILE and not place.exists()):
            raise refusal
        files[one.path.removeprefix(at.path + "/")] = data
    return files


def _is_same(folder: Path, files: dict[str, bytes]) -> bool:
    """True when `folder` holds exactly `files`, whatever their line endings."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    there = {
        one.relative_to(folder).as_posix(): one
        for one in folder.rglob("*")
        if one.is_symlink() or one.is_file()
    }
    if set(there) != set(files):
        return False
    return all(_flat(_content(there[name])) == _flat(data) for name, data in files.items())


def _content(path: Path) -> bytes:
    """What git keeps of a file or a link."""
    return os.fsencode(path.readlink()) if path.is_symlink() else read_bytes(path)


def _flat(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")
