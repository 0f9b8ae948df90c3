"""The specs after a change minus the specs before it, as values."""

from __future__ import annotations

from typing import NamedTuple


class RequirementDiff(NamedTuple):
    """One requirement that becomes another. name: None for text outside of requirements.

    operation: ADDED, MODIFIED, REMOVED, RENAMED, or OTHER for text outside. before, after: its lines
    as text; None where it is not there. former: its name before, where that is another one.
    """

    name: str | None
    operation: str
    before: str | None
    after: str | None
    former: str | None = None

    def to_json(self) -> dict[str, object]:
        answer: dict[str, object] = {
            "name": self.name,
            "operation": self.operation,
            "before": self.before,
            "after": self.after,
        }
        if self.former is not None:
            answer["renamedFrom"] = self.former
        return answer


class SpecDiff(NamedTuple):
    """One spec that becomes another. path: relative to the root, with `/`.

    before, after: the whole texts; None where there is no such file.
    """

    capability: str
    path: str
    before: str | None
    after: str | None
    requirements: tuple[RequirementDiff, ...]

    @property
    def is_new(self) -> bool:
        return self.before is None

    @property
    def is_retired(self) -> bool:
        return self.after is None
