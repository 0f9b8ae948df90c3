"""The outcome of merging one capability, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rasen.base.findings import Finding, has_errors


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations that really change something."""

    added: int = 0
    modified: int = 0
    removed: int = 0
    renamed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.added + other.added,
            self.modified + other.modified,
            self.removed + other.removed,
            self.renamed + other.renamed,
        )

    def __bool__(self) -> bool:
        return bool(self.added or self.modified or self.removed or self.renamed)

    def to_json(self) -> dict[str, int]:
        return {
            "added": self.added,
            "modified": self.modified,
            "removed": self.removed,
            "renamed": self.renamed,
        }


class Decision(NamedTuple):
    """What was done at one place of a requirement. place: "requirement", "body" or a scenario's name.

    taken: `same` (nothing to do), `mine` (the change's text), `theirs` (the spec's), `merged`.
    """

    requirement: str
    place: str
    taken: str

    def to_json(self) -> dict[str, str]:
        return {"requirement": self.requirement, "place": self.place, "taken": self.taken}


class Conflict(NamedTuple):
    """A place that the spec and the change altered differently since the base.

    line: of the entry in the delta, zero-based. base, theirs, mine: the texts; None for "not there".
    """

    requirement: str
    place: str
    line: int
    base: str | None
    theirs: str | None
    mine: str | None

    def to_json(self) -> dict[str, object]:
        return {
            "requirement": self.requirement,
            "place": self.place,
            "line": self.line + 1,
            "base": self.base,
            "theirs": self.theirs,
            "mine": self.mine,
        }


class Arrival(NamedTuple):
    """A requirement that comes from another capability. lines: its block under its new name.

    line: of the entry in the delta, zero-based.
    """

    capability: str
    old: str
    name: str
    lines: tuple[str, ...]
    line: int


class Merged(NamedTuple):
    """What merging one delta file into one spec would do.

    text: the whole new spec; None when the spec stays as it is, is retired, or the merge is refused.
    is_retired: the last requirement goes, and the spec with it. is_new: there was no spec.
    findings: paths are empty, lines are those of the delta file; any error refuses the merge.
    decisions: where each text of the requirements that are named comes from.
    """

    capability: str
    text: str | None
    counts: Counts
    findings: tuple[Finding, ...]
    is_new: bool = False
    is_retired: bool = False
    decisions: tuple[Decision, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def changes(self) -> bool:
        """True when the spec becomes another, comes or goes."""
        return self.text is not None or self.is_retired

    @property
    def is_refused(self) -> bool:
        return has_errors(self.findings)
