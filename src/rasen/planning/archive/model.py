"""What an archive is asked for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.findings import Finding
from rasen.planning.archive.refusals import Point
from rasen.planning.change_plan import ChangePlan
from rasen.planning.merging.model import Counts, Decision

IN_REPO, EXTERNAL, PRUNE = "in-repo", "external", "prune"


@dataclass(frozen=True, slots=True)
class Request:
    """The words of the call.

    yes: consent to everything but pruning. consents: points that were agreed to one by one.
    skip_specs: file the change away without merging. skip_validation: do not judge wording.
    is_sync: merge only; the change stays open. is_rehearsal: nothing will be written, so that no
    consent is needed.
    """

    change: str
    yes: bool = False
    confirm_prune: bool = False
    skip_specs: bool = False
    skip_validation: bool = False
    consents: frozenset[Point] = frozenset()
    is_sync: bool = False
    is_rehearsal: bool = False

    def agrees(self, point: Point) -> bool:
        """True when the caller said yes to `point`."""
        if self.is_rehearsal or point in self.consents:
            return True
        return self.confirm_prune if point is Point.PRUNE else self.yes


@dataclass(frozen=True, slots=True)
class SpecUpdate:
    """What happened to one spec. path: of the spec file, which is gone when retired."""

    capability: str
    path: Path
    counts: Counts
    is_new: bool
    is_retired: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a change goes. path: None when it is pruned. fallback: why not where settings say."""

    destination: str
    name: str
    path: Path | None
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A checked archive, ready to be written. updates: as in `Archived`. metrics: of its reports."""

    folder: Path
    plan: ChangePlan
    place: Place
    updates: tuple[SpecUpdate, ...] | None
    metrics: dict[str, int]
    open_tasks: int


@dataclass(frozen=True, slots=True)
class Archived:
    """A finished archive.

    name, path: of the archived folder; None when pruned. updates: None when specs were not looked
    at, [] when nothing in them changes. fallback: why the external destination was not used.
    quality: findings per report file, None without such files. decisions: what the merge took from
    where, each with its capability. is_rehearsal: it was only worked out, nothing was written.
    """

    change: str
    destination: str
    name: str | None
    path: Path | None
    updates: tuple[SpecUpdate, ...] | None
    warnings: tuple[Finding, ...]
    open_tasks: int
    fallback: str | None = None
    quality: dict[str, int] | None = None
    decisions: tuple[tuple[str, Decision], ...] = ()
    is_rehearsal: bool = False

    @property
    def totals(self) -> Counts:
        return sum((update.counts for update in self.updates or ()), Counts())


@dataclass(frozen=True, slots=True)
class Synced:
    """A finished sync. updates: empty when the specs had everything already."""

    change: str
    updates: tuple[SpecUpdate, ...]
    warnings: tuple[Finding, ...]
    decisions: tuple[tuple[str, Decision], ...] = ()

    @property
    def totals(self) -> Counts:
        return sum((update.counts for update in self.updates), Counts())
