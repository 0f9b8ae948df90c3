"""The difference of two texts in words; Han, kana and other scripts without spaces by character."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

SAME, GONE, NEW = "same", "gone", "new"
_CHARACTERS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"  # Han, kana
)
_TOKEN = re.compile(rf"[{_CHARACTERS}]|[^\W{_CHARACTERS}]+|\s+|.", re.DOTALL)
_MOST_TOKENS = 4000


class Span(NamedTuple):
    """A stretch of text. kind: SAME, GONE (only before) or NEW (only after)."""

    kind: str
    text: str


class Row(NamedTuple):
    """One line of a comparison, in spans.

    is_gap: unchanged lines were left out here; then there are no spans.
    """

    spans: tuple[Span, ...]
    is_gap: bool = False

    @property
    def kind(self) -> str | None:
        """The kind that the whole line has; None for a mixture."""
        kinds = {span.kind for span in self.spans}
        return kinds.pop() if len(kinds) == 1 else None if kinds else SAME


def words(before: str, after: str) -> tuple[Span, ...]:
    """The words of both texts in one sequence; leaving out GONE gives `after`, NEW gives `before`."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(old) + len(new) > _MOST_TOKENS:
        return _joined([Span(GONE, before), Span(NEW, after)])
    spans: list[Span] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            spans.append(Span(SAME, "".join(old[start:end])))
        else:
            spans.append(Span(GONE, "".join(old[start:end])))
            spans.append(Span(NEW, "".join(new[new_start:new_end])))
    return _joined(_without_islands(spans))


def rows(before: str | None, after: str | None, *, context: int) -> tuple[Row, ...]:
    """Two texts compared by lines, and inside changed lines by words.

    context: how many unchanged lines to keep around a changed one.
    """
    old, new = _lines(before), _lines(after)
    found: list[Row] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            found += [Row((Span(SAME, line),)) for line in old[start:end]]
        else:
            found += _changed(old[start:end], new[new_start:new_end])
    return tuple(_narrowed(found, context))


def _lines(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    """Lines that were replaced: pair by pair where they have most in common, else gone and new."""
    if len(old) == len(new):
        pairs = [words(*pair) for pair in zip(old, new, strict=True)]
        if all(map(_is_alike, pairs)):
            yield from map(Row, pairs)
            return
    yield from (Row((Span(GONE, line),)) for line in old)
    yield from (Row((Span(NEW, line),)) for line in new)


def _is_alike(spans: Sequence[Span]) -> bool:
    """True when at least a third of the text stays: else words would be a puzzle."""
    same = sum(len(span.text.strip()) for span in spans if span.kind == SAME)
    other = max(
        sum(len(span.text.strip()) for span in spans if span.kind == kind) for kind in (GONE, NEW)
    )
    return same * 2 >= other


def _without_islands(spans: Sequence[Span]) -> Iterator[Span]:
    """A lone space between two changed words belongs to both changes."""
    for at, span in enumerate(spans):
        is_inner = 0 < at < len(spans) - 1
        if span.kind == SAME and is_inner and not span.text.strip() and "\n" not in span.text:
            yield Span(GONE, span.text)
            yield Span(NEW, span.text)
        else:
            yield span


def _joined(spans: Sequence[Span] | Iterator[Span]) -> tuple[Span, ...]:
    """Neighbours of one kind as one; between two unchanged stretches what is gone comes first."""
    found: list[Span] = []
    gone = new = ""
    for span in spans:
        if span.kind == GONE:
            gone += span.text
        elif span.kind == NEW:
            new += span.text
        elif span.text:
            found += [Span(GONE, gone), Span(NEW, new), span]
            gone = new = ""
    found += [Span(GONE, gone), Span(NEW, new)]
    return tuple(span for span in found if span.text)


def _narrowed(found: Sequence[Row], context: int) -> Iterator[Row]:
    changed = [at for at, row in enumerate(found) if row.kind != SAME]
    shown = {
        near
        for at in changed
        for near in range(max(0, at - context), min(len(found), at + context + 1))
    }
    last = -1
    for at in sorted(shown):
        if at > last + 1:
            yield Row((), is_gap=True)
        yield found[at]
        last = at
    if shown and last < len(found) - 1:
        yield Row((), is_gap=True)
