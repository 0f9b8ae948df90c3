"""Which scenarios of a side are which of the base: by name, by former name, namesakes by text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from rasen.planning.merging.parts import Key, Part, Parts


class _Match(NamedTuple):
    """The keys given so far, by the place of the part in its side."""

    base: Parts
    side: Parts
    keys: dict[int, Key]

    def give(self, name: Callable[[Part], str | None], *, is_alike: bool) -> None:
        """Match parts with free scenarios of the base called `name`; is_alike: of the same text."""
        for at, part in self._open():
            wanted, taken = name(part), self.keys.values()
            for old in self.base.scenarios:
                is_free = old.key[0] == wanted and old.key not in taken
                if is_free and (not is_alike or old.lines == part.lines):
                    self.keys[at] = old.key
                    break

    def number(self) -> None:
        """Give the rest keys that the base does not have."""
        for at, part in self._open():
            name, number = part.key[0], 0
            while (name, number) in self.keys.values() or self.base.find((name, number)):
                number += 1
            self.keys[at] = name, number

    def follow(self, *, is_surplus: bool = False) -> None:
        """Match parts with scenarios that are gone and have their text, where one alone has it.

        is_surplus: only parts of a name that the base has too, but not as often.
        """
        gone = [old for old in self.base.scenarios if old.key not in self.keys.values()]
        often = Counter(old.key[0] for old in self.base.scenarios)
        more = Counter(part.key[0] for part in self.side.scenarios) - often
        for at, part in self._open():
            name = part.key[0]
            if is_surplus and not (often[name] and more[name]):
                continue
            alike = [old.key for old in gone if old.lines and old.lines == part.lines]
            if len(alike) == 1 and alike[0] not in self.keys.values():
                self.keys[at] = alike[0]

    def _open(self) -> list[tuple[int, Part]]:
        return [(at, part) for at, part in enumerate(self.side.scenarios) if at not in self.keys]


def keys_of_mine(base: Parts, mine: Parts) -> dict[Key, Part]:
    """The scenarios of a delta, in order, by the keys of what they were in the base.

    One that gives a former name stands for it, even if another takes that name over.
    """
    match = _Match(base, mine, {})
    match.give(_former, is_alike=True)
    match.give(_own, is_alike=True)
    match.give(_former, is_alike=False)
    match.give(_own, is_alike=False)
    match.number()
    return {match.keys[at]: part for at, part in enumerate(mine.scenarios)}


def keyed_theirs(base: Parts, theirs: Parts) -> Parts:
    """`theirs` under the keys of the base; one that only got another name keeps its old key."""
    match = _Match(base, theirs, {})
    match.give(_own, is_alike=True)
    match.follow(is_surplus=True)
    match.give(_own, is_alike=False)
    match.follow()
    match.number()
    scenarios = (one._replace(key=match.keys[at]) for at, one in enumerate(theirs.scenarios))
    return theirs._replace(scenarios=tuple(scenarios))


def _own(part: Part) -> str | None:
    return part.key[0] if part.was is None else None


def _former(part: Part) -> str | None:
    return part.was
