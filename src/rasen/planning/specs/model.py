"""What a spec holds: requirements, their scenarios, and a role for every line."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Role(Enum):
    """What a source line is for. Every line of a spec or delta has exactly one."""

    BLANK = "blank"
    TITLE = "title"
    PURPOSE = "purpose"
    SECTION = "section"
    PREAMBLE = "preamble"
    REQUIREMENT = "requirement"
    BODY = "body"
    SCENARIO = "scenario"
    SCENARIO_BODY = "scenario-body"
    ABSORBED = "absorbed"
    REMOVAL = "removal"
    REASON = "reason"
    RENAME_FROM = "rename-from"
    RENAME_TO = "rename-to"
    MOVE_FROM = "move-from"
    OTHER = "other"
    UNREAD = "unread"


class Block(NamedTuple):
    """One `### Requirement:` block: its heading and all that belongs to it.

    start: line of the heading; end: exclusive, past the last line that is not blank. Both zero-based.
    name: as written, trimmed; it is the key of all matching, case and inner spaces included.
    """

    name: str
    start: int
    end: int


class Scenario(NamedTuple):
    """A scenario as the section reader sees it: the text below its heading, heading excluded."""

    text: str

    def to_json(self) -> dict[str, object]:
        return {"rawText": self.text}


class Requirement(NamedTuple):
    """A requirement as the section reader sees it: any heading directly below `Requirements`.

    text: the body outside fences, or the heading's title where there is none; has_body tells which.
    line: zero-based.
    """

    title: str
    text: str
    scenarios: tuple[Scenario, ...]
    line: int
    has_body: bool

    def to_json(self) -> dict[str, object]:
        return {"text": self.text, "scenarios": [one.to_json() for one in self.scenarios]}
