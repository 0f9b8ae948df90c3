"""Markdown seen as lines: exact bytes, code fences, and the headings outside them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

BOM = "\ufeff"

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|\Z)")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})(?P<info>.*)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


# A fence begins with its mark or with white space; asking a set is half the time of a scan.
_FENCE_STARTS = frozenset(
    "`~\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


class Heading(NamedTuple):
    """One `#` line outside fences, at column 0.

    line: zero-based. title: what follows the hashes, trimmed; closing hashes are kept.
    is_spaced: white space stands between hashes and a title, so that it is a heading to
    CommonMark too and not only one of the tighter forms that some readers accept.
    """

    line: int
    level: int
    title: str
    is_spaced: bool


class Markdown:
    """A text as lines, with its endings, fences and headings; nothing of the text is lost.

    lines: without endings. A byte-order mark is kept apart. `start`/`end` arguments are zero-based
    line numbers, the end exclusive.
    """

    __slots__ = (
        "_commented",
        "_endings",
        "_fence_starts",
        "_has_comment",
        "_heading_lines",
        "bom",
        "fences",
        "headings",
        "lines",
        "unclosed_fence",
    )

    def __init__(self, text: str) -> None:
        self.bom = text.startswith(BOM)
        if self.bom:
            text = text[1:]
        self.lines, self._endings = _split(text)
        self.headings, self.fences, self.unclosed_fence = _scan(self.lines)
        self._fence_starts = [start for start, _ in self.fences]
        self._heading_lines = [heading.line for heading in self.headings]
        self._has_comment = "<!--" in text
        self._commented: frozenset[int] | None = None

    def headings_between(self, start: int, end: int) -> tuple[Heading, ...]:
        """The headings on lines `start` to `end`, in order."""
        lines = self._heading_lines
        return self.headings[bisect_left(lines, start) : bisect_left(lines, end)]

    def is_fenced(self, line: int) -> bool:
        """True when `line` is inside a code fence, or one of its two marks."""
        at = bisect_right(self._fence_starts, line) - 1
        return at >= 0 and line < self.fences[at][1]

    def ending(self, line: int) -> str:
        """The bytes that end `line`: "\\n", "\\r\\n", "\\r", or "" for a last line without one."""
        if self._endings is None:
            return "\n"
        return self._endings[line]

    def raw(self, start: int, end: int) -> str:
        """Lines `start` to `end` exactly as they stood, endings included."""
        if self._endings is None:
            part = self.lines[start:end]
            return "\n".join(part) + "\n" if part else ""
        return "".join(
            line + ending
            for line, ending in zip(self.lines[start:end], self._endings[start:end], strict=True)
        )

    def text(self) -> str:
        """The whole text, byte-order mark included: what was given to the constructor."""
        return (BOM if self.bom else "") + self.raw(0, len(self.lines))

    def dominant_ending(self) -> str:
        """The ending most lines have; "\\n" for ties and for a text without any."""
        if self._endings is None:
            return "\n"
        counts = {ending: self._endings.count(ending) for ending in ("\n", "\r\n", "\r")}
        return max(counts, key=lambda ending: counts[ending])

    def last_filled(self, start: int, end: int) -> int:
        """`end` moved up past blank lines, never above `start`."""
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        return end

    def prose(self, start: int, end: int) -> list[str]:
        """The lines `start` to `end` that stand outside fences."""
        if not self.fences:
            return self.lines[start:end]
        return [self.lines[i] for i in range(start, end) if not self.is_fenced(i)]

    def commented_lines(self) -> frozenset[int]:
        """The lines that lie wholly or partly inside an HTML comment, outside fences."""
        if self._commented is None:
            self._commented = frozenset(self._comments())
        return self._commented

    def _comments(self) -> Iterator[int]:
        if not self._has_comment:
            return
        flat = "\n".join(
            "" if self.is_fenced(number) else line for number, line in enumerate(self.lines)
        )
        line = seen = 0
        for match in _COMMENT.finditer(flat):
            first = line + flat.count("\n", seen, match.start())
            line = first + flat.count("\n", match.start(), match.end())
            seen = match.end()
            yield from range(first, line + 1)


@dataclass(slots=True)
class Section:
    """A heading and what stands below it, up to the next heading of its level or higher.

    line: of the heading. end: exclusive. children: the headings directly below, in order.
    """

    title: str
    level: int
    line: int
    end: int
    children: list[Section]

    @property
    def body_end(self) -> int:
        """Where the section's own text ends and its first child begins."""
        return self.children[0].line if self.children else self.end


def sections(document: Markdown) -> list[Section]:
    """The tree of headings of `document`; headings without a space or a title do not count.

    Source: planning §3.2.
    """
    roots: list[Section] = []
    open_ones: list[Section] = []
    for heading in document.headings:
        if not (heading.is_spaced and heading.title):
            continue
        while open_ones and open_ones[-1].level >= heading.level:
            open_ones.pop().end = heading.line
        section = Section(heading.title, heading.level, heading.line, len(document.lines), [])
        (open_ones[-1].children if open_ones else roots).append(section)
        open_ones.append(section)
    return roots


def find_section(tree: Sequence[Section], title: str) -> Section | None:
    """The first section called `title` in any case, at any depth, depth first; None without one."""
    for section in tree:
        if section.title.lower() == title:
            return section
        found = find_section(section.children, title)
        if found is not None:
            return found
    return None


def with_ending(lines: Iterable[str], ending: str) -> str:
    """`lines` as text, each ended by `ending`."""
    return "".join(line + ending for line in lines)


def _split(text: str) -> tuple[list[str], list[str] | None]:
    if "\r" not in text and (text.endswith("\n") or not text):
        return text.split("\n")[:-1], None
    lines, endings = [], []
    for match in _LINE.finditer(text):
        if match.start() == len(text):
            break
        lines.append(match.group(1))
        endings.append(match.group(2))
    return lines, endings


def _scan(
    lines: Sequence[str],
) -> tuple[tuple[Heading, ...], tuple[tuple[int, int], ...], int | None]:
    headings: list[Heading] = []
    fences: list[tuple[int, int]] = []
    mark, opened = "", 0
    for number, line in enumerate(lines):
        if not line:
            continue
        first = line[0]
        if first == "#":
            if not mark and (heading := _heading(line, number)) is not None:
                headings.append(heading)
        elif first in _FENCE_STARTS and (match := _FENCE.match(line)):
            fence = match["mark"]
            if not mark:
                mark, opened = fence, number
            elif fence[0] == mark[0] and len(fence) >= len(mark) and not match["info"].strip():
                fences.append((opened, number + 1))
                mark = ""
    if mark:
        fences.append((opened, len(lines)))
    return tuple(headings), tuple(fences), opened if mark else None


def _heading(line: str, number: int) -> Heading | None:
    rest = line.lstrip("#")
    level = len(line) - len(rest)
    if level > 6:
        return None
    title = rest.strip()
    return Heading(number, level, title, bool(title) and rest[0].isspace())
