"""Which archives and syncs came before which, even where the clocks of machines differ."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rasen.planning.journal.model import ARCHIVE, Entry, SpecStep


def ordered(entries: Iterable[Entry]) -> list[Entry]:
    """`entries`, oldest first.

    What found a spec as another one left it came later; so did an archive after the syncs of its
    change, and a sync after those above it in the file. Where these say nothing, or contradict
    themselves, times and then names decide.
    """
    found = sorted(entries, key=_by_time)
    return [found[at] for at in _sorted(len(found), set(_edges(found)))]


def _by_time(entry: Entry) -> tuple[str, str]:
    return entry.record.at, entry.name


def _edges(found: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    """Pairs of numbers: the first came before the second."""
    yield from _within_changes(found)
    links = set(_chains(found))
    yield from ((one, other) for one, other in links if (other, one) not in links)


def _within_changes(found: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    rows: dict[object, list[int]] = {}
    for at, entry in enumerate(found):
        if entry.folder is not None:
            rows.setdefault(entry.folder, []).append(at)
    for numbers in rows.values():
        syncs = [at for at in numbers if found[at].record.kind != ARCHIVE]
        last = [at for at in numbers if found[at].record.kind == ARCHIVE]
        yield from pairwise([*syncs, *last])


def _chains(found: Sequence[Entry]) -> Iterator[tuple[int, int]]:
    steps = [(at, step) for at, entry in enumerate(found) for step in entry.record.specs]
    finds: dict[tuple[str, str | None], list[int]] = {}
    for at, step in steps:
        finds.setdefault((step.capability, step.before), []).append(at)
    for at, step in steps:
        for later in finds.get(_left(step), ()):
            if later != at:
                yield at, later


def _left(step: SpecStep) -> tuple[str, str | None]:
    return step.capability, step.after


def _sorted(count: int, edges: set[tuple[int, int]]) -> Iterator[int]:
    """Numbers 0 … count-1 so that edges point forward; in a circle the lowest number goes first."""
    waits = [0] * count
    follows: dict[int, list[int]] = {}
    for one, other in edges:
        waits[other] += 1
        follows.setdefault(one, []).append(other)
    ready = [at for at in range(count) if not waits[at]]
    done: set[int] = set()
    while len(done) < count:
        at = heapq.heappop(ready) if ready else min(set(range(count)) - done)
        if at in done:
            continue
        done.add(at)
        yield at
        for other in follows.get(at, ()):
            waits[other] -= 1
            if not waits[other]:
                heapq.heappush(ready, other)
