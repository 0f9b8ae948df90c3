"""The journals `.archive.json` (one archive) and `.sync.json` (the syncs of an open change), version 1.

They travel through git with the change, so they hold no path of a machine. A text after is written as
the part that differs from the text before. `journal_file.v1.schema.json` states the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rasen.base.messages import N_, Phrase, fill
from rasen.files.atomic import ABSENT, digest
from rasen.planning.journal.model import (
    ARCHIVE,
    SYNC,
    ArchiveJournalInvalid,
    Commit,
    Record,
    RequirementStep,
    SpecStep,
)
from rasen.planning.merging.model import Counts
from rasen.syntax import json

FORMAT = "archive-journal"
VERSION: Final = 1
ARCHIVE_FILE, SYNC_FILE = ".archive.json", ".sync.json"
_OPERATIONS = ("ADDED", "MODIFIED", "REMOVED", "RENAMED")


def parse(text: str, *, file: str) -> Record:
    """The archive in the text of an `.archive.json`. Errors: journal_invalid."""
    top = _document(text, file)
    return _Reader(file).record(top, ARCHIVE)


def render(record: Record) -> str:
    """The text of an `.archive.json`; a record that was read keeps keys it does not know."""
    return json.dump({"version": VERSION, **_record(record)})


def parse_syncs(text: str, *, file: str) -> tuple[Record, ...]:
    """The syncs in the text of a `.sync.json`, oldest first. Errors: journal_invalid."""
    reader = _Reader(file)
    rows = reader.rows(_document(text, file), "syncs")
    return tuple(reader.record(row, SYNC) for row in rows)


def render_syncs(records: Iterable[Record], *, former: str | None = None) -> str:
    """The text of a `.sync.json`; unknown top-level keys of `former`, its older text, are kept."""
    kept = {} if former is None else dict(_document(former, SYNC_FILE))
    return json.dump({**kept, "version": VERSION, "syncs": [_record(one) for one in records]})


def _document(text: str, file: str) -> Mapping[str, object]:
    try:
        value = json.load(text, file=file)
    except json.JsonInvalid as error:
        raise ArchiveJournalInvalid(file=file, problem=error) from error
    if not isinstance(value, dict):
        raise ArchiveJournalInvalid(file=file, problem=Phrase(N_("it is not a mapping")))
    version = value.get("version")
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        raise ArchiveJournalInvalid(file=file, problem=Phrase(N_("a newer program wrote it")))
    if isinstance(version, bool) or version != VERSION:
        raise ArchiveJournalInvalid(file=file, problem=Phrase(N_("it has no version we know")))
    return value


class _Reader:
    """Reads the parts of a record, and says which one is wrong."""

    def __init__(self, file: str) -> None:
        self._file = file

    def record(self, row: Mapping[str, object], kind: str) -> Record:
        if row.get("kind") != kind:
            raise self._wrong("kind")
        is_archive = kind == ARCHIVE
        return Record(
            kind=kind,
            id=self._text(row, "id"),
            change=self._text(row, "change"),
            at=self._text(row, "at"),
            program=self._text(row, "program"),
            specs=tuple(self._spec(one) for one in self.rows(row, "specs")),
            archived_as=self._text(row, "archivedAs") if is_archive else None,
            destination=self._text(row, "destination") if is_archive else None,
            metadata=self._metadata(row),
            deleted_at=self._commit(row),
            source=row,
        )

    def rows(self, row: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
        value = row.get(key)
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._wrong(key)
        return value

    def _spec(self, row: Mapping[str, object]) -> SpecStep:
        before, after = self._texts(row)
        counts = self._map(row, "counts")
        names = ("added", "modified", "removed", "renamed")
        return SpecStep(
            self._text(row, "capability"),
            before,
            after,
            Counts(*(self._number(counts, name) for name in names)),
            tuple(self._requirement(one) for one in self.rows(row, "requirements")),
            self._optional(row, "delta"),
        )

    def _requirement(self, row: Mapping[str, object]) -> RequirementStep:
        operation = self._text(row, "operation")
        if operation not in _OPERATIONS:
            raise self._wrong("operation")
        former = self._text(row, "from") if "from" in row else None
        return RequirementStep(operation, self._text(row, "name"), former)

    def _metadata(self, row: Mapping[str, object]) -> tuple[str, str] | None:
        if "metadata" not in row:
            return None
        before, after = self._texts(self._map(row, "metadata"))
        if before is None or after is None:
            raise self._wrong("metadata")
        return before, after

    def _commit(self, row: Mapping[str, object]) -> Commit | None:
        if "git" not in row:
            return None
        value = self._map(row, "git")
        return Commit(self._text(value, "commit"), self._text(value, "path"))

    def _texts(self, row: Mapping[str, object]) -> tuple[str | None, str | None]:
        """The text before and the text after, each held against its digest."""
        old, new = self._map(row, "before"), self._map(row, "after")
        before, after = self._optional(old, "text"), self._optional(new, "text")
        if before is not None and after is not None:
            head, tail = self._number(new, "head"), self._number(new, "tail")
            if head + tail > len(before):
                raise self._wrong("after")
            after = before[:head] + after + before[len(before) - tail :]
        for text, side, key in ((before, old, "before"), (after, new, "after")):
            if digest_of(text) != side.get("digest"):
                raise self._wrong(key)
        return before, after

    def _optional(self, row: Mapping[str, object], key: str) -> str | None:
        value = row.get(key)
        if value is not None and not isinstance(value, str):
            raise self._wrong(key)
        return value

    def _map(self, row: Mapping[str, object], key: str) -> Mapping[str, object]:
        value = row.get(key)
        if not isinstance(value, dict):
            raise self._wrong(key)
        return value

    def _text(self, row: Mapping[str, object], key: str) -> str:
        value = row.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key)
        return value

    def _number(self, row: Mapping[str, object], key: str) -> int:
        value = row.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self._wrong(key)
        return value

    def _wrong(self, key: str) -> ArchiveJournalInvalid:
        problem = fill(N_("'{key}' is missing or wrong"), {"key": key})
        return ArchiveJournalInvalid(file=self._file, problem=problem)


def digest_of(text: str | None) -> str:
    """The digest of a file with this text; ABSENT for no file."""
    return ABSENT if text is None else digest(text.encode("utf-8"))


def _record(record: Record) -> dict[str, object]:
    if record.source is not None:
        return {key: value for key, value in record.source.items() if key != "version"}
    row: dict[str, object] = {"kind": record.kind, "id": record.id, "change": record.change}
    if record.archived_as is not None:
        row["archivedAs"] = record.archived_as
    row |= {"at": record.at, "program": record.program}
    if record.destination is not None:
        row["destination"] = record.destination
    row["specs"] = [_spec(one) for one in record.specs]
    if record.metadata is not None:
        row["metadata"] = _texts(*record.metadata)
    if record.deleted_at is not None:
        row["git"] = {"commit": record.deleted_at.revision, "path": record.deleted_at.path}
    return row


def _spec(step: SpecStep) -> dict[str, object]:
    row: dict[str, object] = {
        "capability": step.capability,
        **_texts(step.before, step.after),
        "counts": step.counts.to_json(),
        "requirements": [_requirement(one) for one in step.requirements],
    }
    if step.delta is not None:
        row["delta"] = step.delta
    return row


def _requirement(step: RequirementStep) -> dict[str, str]:
    row = {"operation": step.operation, "name": step.name}
    return row if step.former is None else {**row, "from": step.former}


def _texts(before: str | None, after: str | None) -> dict[str, object]:
    new: dict[str, object] = {"digest": digest_of(after), "text": after}
    if before is not None and after is not None:
        head, tail = _kept(before, after)
        new |= {"head": head, "text": after[head : len(after) - tail], "tail": tail}
    return {"before": {"digest": digest_of(before), "text": before}, "after": new}


def _kept(before: str, after: str) -> tuple[int, int]:
    """How many characters both texts share at the beginning, and at the end of the rest."""
    head = _shared(before, after)
    return head, _shared(before[head:][::-1], after[head:][::-1])


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
