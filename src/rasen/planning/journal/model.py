"""One archive or sync as its journal remembers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rasen.base.errors import Damaged
from rasen.base.messages import N_
from rasen.planning.merging.model import Counts

ARCHIVE, SYNC = "archive", "sync"


class ArchiveJournalInvalid(Damaged):
    """A journal of an archive or sync that cannot be read, or that a newer program wrote."""

    code = "journal_invalid"
    text = N_("{file} is no journal that this program can read: {problem}")
    fix = N_("bring the file back from git, or use the program that wrote it")


@dataclass(frozen=True, slots=True)
class RequirementStep:
    """What happened to one requirement. former: the name it had before, where it got another."""

    operation: str
    name: str
    former: str | None = None


@dataclass(frozen=True, slots=True)
class SpecStep:
    """What happened to one spec. before, after: its exact text; None where there was none.

    delta: the text of the delta file that was merged; only syncs keep it, because the file may be
    edited afterwards.
    """

    capability: str
    before: str | None
    after: str | None
    counts: Counts
    requirements: tuple[RequirementStep, ...]
    delta: str | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """Where git has a deleted folder. path: relative to the repository, with `/`."""

    revision: str
    path: str


@dataclass(frozen=True)
class Record:
    """One archive or sync.

    archived_as: the name of the archived folder; None for a sync. at: ISO 8601 in UTC, milliseconds.
    program: the version that wrote it. destination: in-repo, external or prune; None for a sync.
    metadata: the change's metadata before and after, when the archive wrote into it.
    deleted_at: where git has the folder of a pruned change.
    source: the document it was read from, with keys that this version does not know.
    """

    kind: str
    id: str
    change: str
    at: str
    program: str
    specs: tuple[SpecStep, ...]
    archived_as: str | None = None
    destination: str | None = None
    metadata: tuple[str, str] | None = None
    deleted_at: Commit | None = None
    source: Mapping[str, object] | None = None

    @property
    def name(self) -> str:
        """What people call it: the archived folder, or the change that was synced."""
        return self.archived_as or self.change

    def step(self, capability: str) -> SpecStep | None:
        """What it did to the spec of `capability`; None when nothing."""
        return next((one for one in self.specs if one.capability == capability), None)


@dataclass(frozen=True)
class Entry:
    """A record, and where it was found.

    name: of the folder it stands for. journal: its file. folder: of the change, archived or open;
    None where it was deleted. is_open: a sync of a change that is still open.
    """

    name: str
    record: Record
    journal: Path
    folder: Path | None
    is_open: bool = False
