"""The fate of each line of a change's delta files, as values."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rasen.base.findings import Finding
from rasen.planning.merging.model import Conflict
from rasen.planning.specs.model import Role


class Fate(Enum):
    """What an archive does with one line. Every line of a delta file has exactly one.

    MERGED: it takes effect. UNCHANGED: the spec has it so already. KEPT: the spec's newer text stays,
    since the change left this part as it was. DIRECTIVE: it says what happens to something else.
    HELD: nothing stands against it, but the change is refused for other lines. IGNORED: it has no
    effect. REMARK: it is for readers, and meant to have none. UNREAD: it was meant to have one.
    """

    MERGED = "merged"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    DIRECTIVE = "directive"
    CONFLICT = "conflict"
    REFUSED = "refused"
    HELD = "held"
    UNREAD = "unread"
    IGNORED = "ignored"
    REMARK = "remark"
    STRUCTURE = "structure"
    BLANK = "blank"


class Landing(NamedTuple):
    """Where a line stands after the merge. spec: as messages name it. line: one-based.

    behind: for a new requirement's heading, the requirement before it; None for the first.
    """

    spec: str
    line: int
    is_new: bool = False
    behind: str | None = None

    def to_json(self) -> dict[str, object]:
        answer: dict[str, object] = {"spec": self.spec, "line": self.line}
        if self.is_new:
            answer["after"] = self.behind
        return answer


class Why(NamedTuple):
    """The finding that explains a fate. told_at: the line it speaks of, where that is another one."""

    finding: Finding
    told_at: int | None = None

    def to_json(self) -> dict[str, object]:
        if self.told_at is not None:
            return {"code": self.finding.code, "line": self.told_at}
        return {"code": self.finding.code, "message": self.finding.message}


class Line(NamedTuple):
    """One line of a file of the change. number: one-based. operation, requirement: of its entry."""

    number: int
    text: str
    role: Role
    fate: Fate
    operation: str | None = None
    requirement: str | None = None
    lands: Landing | None = None
    why: Why | None = None

    def to_json(self) -> dict[str, object]:
        answer: dict[str, object] = {
            "line": self.number,
            "text": self.text,
            "role": self.role.value,
            "fate": self.fate.value,
        }
        if self.operation is not None:
            answer["operation"] = self.operation
        if self.requirement is not None:
            answer["requirement"] = self.requirement
        if self.lands is not None:
            answer["lands"] = self.lands.to_json()
        if self.why is not None:
            answer["why"] = self.why.to_json()
        return answer


class FileFate(NamedTuple):
    """One file below the change's `specs/`. path: relative to the change's folder.

    capability: None for a file that is not read as a delta.
    """

    path: str
    capability: str | None
    lines: tuple[Line, ...]
    conflicts: tuple[Conflict, ...] = ()

    def to_json(self) -> dict[str, object]:
        answer: dict[str, object] = {
            "path": self.path,
            "capability": self.capability,
            "lines": [line.to_json() for line in self.lines],
        }
        if self.conflicts:
            answer["conflicts"] = [one.to_json() for one in self.conflicts]
        return answer


class Explanation(NamedTuple):
    """What an archive would do with each line of a change. findings: all that `validate` reports."""

    change: str
    files: tuple[FileFate, ...]
    findings: tuple[Finding, ...]
