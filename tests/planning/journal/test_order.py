"""The order of archives and syncs: by what they found, then by time."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from rasen.planning.journal.model import ARCHIVE, SYNC, Entry, Record, SpecStep
from rasen.planning.journal.order import ordered
from rasen.planning.merging.model import Counts

Texts = tuple[str | None, str | None]


def entry(
    name: str, at: int, *texts: Texts, kind: str = ARCHIVE, folder: str = "", capability: str = "a"
) -> Entry:
    steps = tuple(SpecStep(capability, *pair, Counts(1), ()) for pair in texts)
    record = Record(kind, name, name, f"2026-01-01T00:00:{at:02}.000Z", "0.2.0", steps)
    return Entry(name, record, Path(name), Path(folder or name))


CASES = {
    "by time": ([entry("b", 1), entry("a", 2), entry("c", 3)], "b a c"),
    "by name at one moment": ([entry("a", 1), entry("b", 1)], "a b"),
    "a chain beats clocks": (
        [entry("last", 1, ("y", "z")), entry("first", 9, ("x", "y"))],
        "first last",
    ),
    "a chain of three": (
        [entry("c", 1, ("2", "3")), entry("b", 1, ("1", "2")), entry("a", 1, (None, "1"))],
        "a b c",
    ),
    "there and back goes by time": (
        [entry("on", 1, ("x", "y")), entry("off", 2, ("y", "x"))],
        "on off",
    ),
    "a circle goes by time": (
        [entry("a", 1, ("x", "y")), entry("b", 2, ("y", "z")), entry("c", 3, ("z", "x"))],
        "a b c",
    ),
    "other specs do not chain": (
        [entry("a", 1, ("y", "z")), entry("b", 2, ("x", "y"), capability="b")],
        "a b",
    ),
    "an archive comes after the syncs of its change": (
        [
            entry("z-sync", 5, kind=SYNC, folder="f"),
            entry("archive", 1, folder="f"),
        ],
        "z-sync archive",
    ),
}


@pytest.mark.parametrize(("entries", "names"), CASES.values(), ids=CASES)
def test_the_order_does_not_depend_on_how_they_were_found(entries: list[Entry], names: str) -> None:
    for found in permutations(entries):
        assert [one.name for one in ordered(found)] == names.split()


def test_nothing_gets_lost_among_many() -> None:
    texts = [str(number) for number in range(300)]
    found = [entry(f"n{at:03}", 59 - at % 60, (texts[at], texts[at + 1])) for at in range(299)]

    assert [one.name for one in ordered(reversed(found))] == [one.name for one in found]
