"""A requirement block in parts: heading, body, and scenarios that can be told apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rasen.planning.specs.blocks import scenario_headings, scenario_name
from rasen.planning.specs.model import Block
from rasen.syntax.markdown import Markdown

Key = tuple[str, int]
"""A scenario's name, and which of its namesakes it is, counted from 0."""

_REMEMBERED = 512
_WAS = re.compile(r"\s*<!--\s*was:\s*(?P<name>\S.*?)\s*-->\s*")
_REMOVED = re.compile(r"\s*<!--\s*removed:\s*(?P<name>\S.*?)\s*-->\s*")


class Part(NamedTuple):
    """A heading (or none, for the body) and the lines below it, blank ends apart.

    key: of a scenario; the body has an empty name. gap: how many blank lines follow. was: the
    former name that a delta gives, None without one.
    """

    key: Key
    heading: str
    lines: tuple[str, ...]
    gap: int
    was: str | None = None


class Parts(NamedTuple):
    """One requirement block, taken apart; nothing of it is left out.

    removed: names of scenarios that the block says go.
    """

    body: Part
    scenarios: tuple[Part, ...]
    removed: tuple[str, ...] = ()

    @property
    def has_intents(self) -> bool:
        """True when the block says more than its text: then its text is not all of its lines."""
        return bool(self.removed) or any(part.was is not None for part in self.scenarios)

    @property
    def keys(self) -> list[Key]:
        return [part.key for part in self.scenarios]

    def find(self, key: Key) -> Part | None:
        """The scenario of that key; None without one."""
        return next((part for part in self.scenarios if part.key == key), None)


def take_apart(lines: Sequence[str], *, with_intents: bool = False) -> Parts:
    """The block that `lines` hold; the first is the requirement's heading.

    with_intents: lines `<!-- was: name -->` and `<!-- removed: name -->` outside fences say what
    the author means and are not text. Only deltas have them.
    """
    return _apart(tuple(lines), with_intents)


@lru_cache(maxsize=_REMEMBERED)
def _apart(lines: tuple[str, ...], with_intents: bool) -> Parts:
    """Taken apart once: trying changes in pairs meets the same blocks again and again."""
    document = Markdown("\n".join(lines) + "\n")
    removed: tuple[str, ...] = ()
    former: dict[int, str] = {}
    if with_intents:
        document, removed, former = _intents(document)
    headings = list(scenario_headings(document, Block("", 0, len(document.lines))))
    starts = [0, *(heading.line for heading in headings)]
    ends = [*starts[1:], len(document.lines)]
    names = ["", *(scenario_name(heading) for heading in headings)]
    seen: Counter[str] = Counter()
    parts = []
    for name, start, end in zip(names, starts, ends, strict=True):
        parts.append(_part(document, (name, seen[name]), start, end, former.get(start)))
        seen[name] += start > 0
    return Parts(parts[0], tuple(parts[1:]), removed)


def put_together(parts: Sequence[Part]) -> list[str]:
    """The lines of a block again: body first, one blank line at least between parts, none at the end."""
    lines: list[str] = []
    for part in parts:
        lines += [part.heading, *part.lines, *[""] * max(part.gap, 1)]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _part(document: Markdown, key: Key, start: int, end: int, was: str | None) -> Part:
    filled = document.last_filled(start + 1, end)
    return Part(
        key, document.lines[start], tuple(document.lines[start + 1 : filled]), end - filled, was
    )


def _intents(document: Markdown) -> tuple[Markdown, tuple[str, ...], dict[int, str]]:
    """The text without its intent lines, the names to remove, and former names by heading line."""
    if not any("<!--" in line for line in document.lines):
        return document, (), {}
    kept: list[str] = []
    removed: list[str] = []
    former: dict[int, str] = {}
    headings = {heading.line for heading in document.headings if heading.level == 4}
    last_heading: int | None = None
    for number, line in enumerate(document.lines):
        if not document.is_fenced(number):
            if match := _REMOVED.fullmatch(line):
                removed.append(match["name"])
                continue
            if (match := _WAS.fullmatch(line)) and last_heading is not None:
                former.setdefault(last_heading, match["name"])
                continue
        if number in headings:
            last_heading = len(kept)
        kept.append(line)
    return Markdown("\n".join(kept) + "\n"), tuple(removed), former
