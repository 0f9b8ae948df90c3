"""Overlaps of open changes, as values."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rasen.planning.change_plan import ChangePlan, LoadedChange

NEW, RETIRED = "NEW", "RETIRED"
"""What a change does to a whole spec; beside the operations on requirements."""


class Where(NamedTuple):
    """A place outside of the root's own folder. kind: `branch` or `worktree`; name: its name or path."""

    kind: str
    name: str

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "name": self.name}


class Candidate(NamedTuple):
    """An open change and its plan on the specs of this root. where: empty for a change of this root."""

    loaded: LoadedChange
    plan: ChangePlan
    where: tuple[Where, ...] = ()

    @property
    def name(self) -> str:
        return self.plan.name

    def to_json(self) -> dict[str, object]:
        answer: dict[str, object] = {"name": self.name}
        if self.where:
            answer["where"] = [one.to_json() for one in self.where]
        return answer


class Place(NamedTuple):
    """What two changes both touch. requirement: None for a spec as a whole.

    first, second: what each does there: ADDED, MODIFIED, REMOVED, RENAMED, NEW, RETIRED.
    """

    capability: str
    requirement: str | None
    first: tuple[str, ...]
    second: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "capability": self.capability,
            "requirement": self.requirement,
            "operations": [list(self.first), list(self.second)],
        }


class Contest(NamedTuple):
    """A place where one change, archived after the other, would be refused or undo it.

    earlier, later: 0 or 1, which of the two goes first. code: of the refusal. base, theirs, mine: as
    in a conflict of the merge; None for "not there", or where texts have no part in it.
    """

    earlier: int
    later: int
    capability: str
    requirement: str | None
    place: str
    code: str
    base: str | None = None
    theirs: str | None = None
    mine: str | None = None

    def to_json(self) -> dict[str, object]:
        return self._asdict()


class Result(Enum):
    """CLEAN: both orders merge, to the same requirements. UNTRIED: one of them is refused by itself."""

    CLEAN = "clean"
    CONFLICT = "conflict"
    UNTRIED = "untried"


class Overlap(NamedTuple):
    """Two open changes that touch the same. places: at least one. contests: empty unless in conflict."""

    first: Candidate
    second: Candidate
    places: tuple[Place, ...]
    result: Result
    contests: tuple[Contest, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "changes": [self.first.to_json(), self.second.to_json()],
            "result": self.result.value,
            "places": [place.to_json() for place in self.places],
            "conflicts": [contest.to_json() for contest in self.contests],
        }


class Overlaps(NamedTuple):
    """All overlaps found. considered: how many open changes were looked at."""

    found: tuple[Overlap, ...]
    considered: int
