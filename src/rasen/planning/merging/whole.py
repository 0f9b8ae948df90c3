"""What merging a whole file comes to, and what all kinds of files have in common."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeVar

from rasen.planning.merging.threeway import Clash

K = TypeVar("K", bound=Hashable)


class FileMerge(NamedTuple):
    """A merged file. text: None when there are clashes, which show both sides."""

    text: str | None
    clashes: tuple[Clash, ...] = ()


def one_sided(base: str, theirs: str, mine: str) -> FileMerge | None:
    """The merge where both sides agree or one did nothing; None where both edited."""
    if theirs == mine or base == mine:
        return FileMerge(theirs)
    return FileMerge(mine) if base == theirs else None


def clashed(place: str, base: str, theirs: str, mine: str) -> FileMerge:
    """No merge, because of one place."""
    return FileMerge(None, (Clash(place, base, theirs, mine),))


def merged_order(base: Sequence[K], theirs: Sequence[K], mine: Sequence[K]) -> list[K]:
    """All keys of both sides, each once: in the order of the side that reordered, theirs for two.

    What only one side has stands behind the neighbour it has there, theirs first.
    """
    if _common(base, theirs) == _common(theirs, base):
        leading, other = mine, theirs
    else:
        leading, other = theirs, mine
    order = list(leading)
    known = set(base)
    for at, key in enumerate(other):
        if key in order:
            continue
        before = next((one for one in reversed(other[:at]) if one in order), None)
        place = 0 if before is None else order.index(before) + 1
        if other is mine:
            while place < len(order) and order[place] not in known and order[place] not in mine:
                place += 1
        order.insert(place, key)
    return order


def _common(one: Sequence[K], other: Sequence[K]) -> list[K]:
    """The keys of `one` that `other` has too, in the order of `one`."""
    return [key for key in one if key in other]
