"""Where the lines of a delta stand in a spec."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rasen.planning.merging.parts import put_together, take_apart
from rasen.planning.specs.spec_file import SpecDocument


class Place(NamedTuple):
    """A requirement of a spec: its first line, zero-based, and its lines."""

    start: int
    lines: list[str]


class Places:
    """The requirements of a spec by name; none where there is no spec. Of namesakes the first counts."""

    def __init__(self, spec: SpecDocument | None) -> None:
        self.found: dict[str, Place] = {}
        self.head: list[str] = []
        if spec is not None:
            lines = spec.markdown.lines
            for block in reversed(spec.blocks):
                self.found[block.name] = Place(block.start, lines[block.start : block.end])
            self.head = lines[: spec.section_start]

    def find(self, *names: str | None) -> Place | None:
        """The requirement that has the first of `names` that is there; None without one."""
        return next((self.found[name] for name in names if name in self.found), None)

    def before(self, line: int) -> str | None:
        """The requirement that stands before the one at `line`; None for the first."""
        starts = [(place.start, name) for name, place in self.found.items() if place.start < line]
        return max(starts)[1] if starts else None


def landings(mine: Sequence[str], theirs: Sequence[str]) -> dict[int, int]:
    """Which line of `theirs` each line of `mine` is; lines that are not there are left out."""
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    return {
        match.a + offset: match.b + offset
        for match in matcher.get_matching_blocks()
        for offset in range(match.size)
    }


def directives(lines: Sequence[str]) -> frozenset[int]:
    """The lines of a modified block that say what becomes of a scenario and are no text themselves."""
    parts = take_apart(lines, with_intents=True)
    if not parts.has_intents:
        return frozenset()
    kept = landings(lines, put_together([parts.body, *parts.scenarios]))
    return frozenset(n for n, line in enumerate(lines) if n not in kept and line.strip())
