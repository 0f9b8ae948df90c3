"""What a change's delta holds: operations on requirements, and where each was written."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from rasen.planning.specs.model import Block


class Operation(Enum):
    """What a delta does to a requirement; members are in the order in which deltas are shown."""

    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    REMOVED = "REMOVED"
    RENAMED = "RENAMED"
    MOVED = "MOVED"

    @property
    def heading(self) -> str:
        """The section heading that announces it."""
        return f"## {self.value} Requirements"


class Removal(NamedTuple):
    """One requirement to remove. block: None when it was written as a bullet. line: zero-based."""

    name: str
    line: int
    block: Block | None


class Rename(NamedTuple):
    """One requirement that gets another name. line: of its FROM, zero-based."""

    old: str
    new: str
    line: int


class Move(NamedTuple):
    """One requirement that comes from another capability. line: of its FROM, zero-based.

    old: None when the whole capability moves; then `new` says nothing.
    """

    capability: str
    old: str | None
    new: str
    line: int


class DeltaSection(NamedTuple):
    """A recognised `## … Requirements` section. line: of its heading, zero-based; end exclusive."""

    operation: Operation
    line: int
    end: int
