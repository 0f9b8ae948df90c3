"""Small text measures: nearest names, control characters, letters of a script."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def without_controls(text: str) -> str:
    """`text` with control and direction-changing characters replaced, safe to show in a terminal.

    Tabs and line feeds stay.
    """
    return _CONTROL.sub("�", text)


def fold(name: str) -> str:
    """`name` in lower case with runs of white space collapsed; only for spotting near misses."""
    return " ".join(name.lower().split())


def distance(left: str, right: str) -> int:
    """Edit distance (insert, delete, replace) between two short strings."""
    previous = list(range(len(right) + 1))
    for row, a in enumerate(left, start=1):
        current = [row]
        for column, b in enumerate(right, start=1):
            current.append(
                min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (a != b))
            )
        previous = current
    return previous[-1]


def nearest(
    wanted: str, names: Iterable[str], *, most: int = 1, within: int | None = None
) -> list[str]:
    """The `most` names closest to `wanted`, nearest first, ties by name; `within` bounds the distance."""
    folded = fold(wanted)
    ranked = sorted((distance(folded, fold(name)), name) for name in set(names))
    return [name for far, name in ranked if within is None or far <= within][:most]
