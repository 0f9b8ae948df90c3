"""Three-way merge of lists of lines: what both sides did, or where they contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

Lines = Sequence[str]


@dataclass(frozen=True, slots=True)
class _Edit:
    """Lines `start` to `end` of the base become `new` on one side."""

    start: int
    end: int
    new: tuple[str, ...]


def merge_lines(base: Lines, theirs: Lines, mine: Lines) -> list[str] | None:
    """Both sides' edits of `base` together; None when they touch the same or adjoining lines.

    Edits that both sides made alike count once. Two different insertions at one place contradict
    each other, because nobody said which comes first.
    """
    return _merged(base, theirs, mine, _touch)


def merge_items(base: Lines, theirs: Lines, mine: Lines) -> list[str] | None:
    """As `merge_lines` for lists of lines that stand for themselves, such as tasks.

    Edits of adjoining lines go together, and so do insertions at one place: theirs come first.
    """
    return _merged(base, theirs, mine, _overlap)


def _merged(
    base: Lines, theirs: Lines, mine: Lines, contradict: Callable[[_Edit, _Edit], bool]
) -> list[str] | None:
    if theirs == mine:
        return list(theirs)
    left, right = list(_edits(base, theirs)), list(_edits(base, mine))
    merged: list[_Edit] = []
    for edit in left:
        if any(other != edit and contradict(edit, other) for other in right):
            return None
        merged.append(edit)
    merged += [edit for edit in right if edit not in left]
    return _applied(base, sorted(merged, key=lambda edit: (edit.start, edit.end)))


def _edits(base: Lines, side: Lines) -> Iterator[_Edit]:
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            yield _Edit(start, end, tuple(side[new_start:new_end]))


def _touch(one: _Edit, other: _Edit) -> bool:
    """True when the two leave no unchanged line of the base between them."""
    return one.start <= other.end and other.start <= one.end


def _overlap(one: _Edit, other: _Edit) -> bool:
    """True when both change one line, or one inserts within what the other changes."""
    return one.start < other.end and other.start < one.end


def _applied(base: Lines, edits: Sequence[_Edit]) -> list[str]:
    result: list[str] = []
    at = 0
    for edit in edits:
        result += base[at : edit.start]
        result += edit.new
        at = edit.end
    return result + list(base[at:])
