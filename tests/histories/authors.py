"""People who write changes at random, each from a text of the spec as it was at some time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from tests.histories.texts import Requirement, Scenario, read

NAMES = ("Opening", "Toll: by length", "夜间通行", "A `quoted` name", "Café", "#1", "Boats & rafts")
CASES = ("By day", "By night", "Ice", "高水位", "Two boats")
COMMON = tuple(f"The office SHALL answer everybody alike, point {number}." for number in range(3))


@dataclass
class Hand:
    """Somebody who writes; every statement has a mark that nobody else writes."""

    rng: Random
    key: str
    count: int = 0

    def statement(self) -> str:
        """A new line, or now and then one that others may write too."""
        rng = self.rng
        if rng.random() < 0.06:
            return rng.choice(COMMON)
        kind = rng.random()
        if kind < 0.15:
            return f"船闸必须在十分钟内开启 {self._mark()}，MUST。"
        if kind < 0.2:
            return f"  - it SHALL hold | even with `marks` {self._mark()} *and* blanks  "
        return f"The office SHALL do {self._mark()}."

    def lines(self, least: int = 1, most: int = 4) -> tuple[str, ...]:
        found: list[str] = []
        for _ in range(self.rng.randint(least, most)):
            if found and self.rng.random() < 0.25:
                found.append("")
            found += self._fence() if self.rng.random() < 0.12 else [self.statement()]
        return tuple(found)

    def scenario(self) -> Scenario:
        name = self.rng.choice(CASES)
        if self.rng.random() < 0.4:
            name = f"{name} {self._mark()}"
        return Scenario(name, self.lines(1, 3))

    def requirement(self, name: str) -> Requirement:
        cases = [self.scenario() for _ in range(self.rng.randint(1, 3))]
        return Requirement(name, (self.statement(), *self.lines(0, 3)), tuple(cases))

    def _mark(self) -> str:
        self.count += 1
        return f"⟨{self.key}.{self.count}⟩"

    def _fence(self) -> list[str]:
        mark = self.rng.choice(["```", "~~~~"])
        inside = [
            f"### Requirement: sample {self._mark()}",
            "",
            "",
            f"#### Scenario: {self._mark()}",
        ]
        return [f"{mark}text", *self.rng.sample(inside, self.rng.randint(1, 4)), mark]


@dataclass
class Written:
    """A change as written.

    delta: its text. base: the text of the spec it was written from; None when there was none.
    touched: the names it speaks of. before, after: the lines of what it changes, as they were in the
    base and as they are to be.
    """

    author: str
    base: str | None
    delta: str = ""
    touched: set[str] = field(default_factory=set)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


def write_change(rng: Random, key: str, base: str | None, *, reuses: bool = True) -> Written:
    """A sound change to what `base` says: it touches at least one requirement.

    reuses: a new scenario may take over the name of one that gets another.
    """
    author = _Author(Hand(rng, key), base, reuses=reuses)
    while not author.written.delta:
        author.work()
    return author.written


class _Author:
    def __init__(self, hand: Hand, base: str | None, *, reuses: bool) -> None:
        self._hand, self._rng, self._reuses = hand, hand.rng, reuses
        self._spec = read(base) if base is not None else None
        self.written = Written(hand.key, base)

    def work(self) -> None:
        self._sections: dict[str, list[str]] = {}
        self._taken = {one.name for one in self._spec.requirements} if self._spec else set()
        for one in self._spec.requirements if self._spec else ():
            if self._rng.random() < 0.45:
                self._touch(one)
        if not self._spec or self._rng.random() < 0.35:
            self._add()
        self.written.delta = self._text()

    def _touch(self, one: Requirement) -> None:
        kind = self._rng.choices(["modify", "remove", "rename", "both"], [10, 2, 2, 2])[0]
        name = one.name
        if kind == "remove":
            self._note(one, None)
            self._put("REMOVED", f"### Requirement: {name}\n**Reason**: gone.\n")
            return
        if kind in ("rename", "both"):
            free = [other for other in NAMES if other not in self._taken]
            if not free:
                return
            name = self._rng.choice(free)
            self._taken.add(name)
            pair = f"- FROM: `### Requirement: {one.name}`\n- TO: `### Requirement: {name}`\n"
            self._put("RENAMED", pair)
            self.written.touched |= {one.name, name}
        if kind in ("modify", "both"):
            new = self._edited(replace(one, name=name))
            self._note(one, new)
            self._put("MODIFIED", "\n".join(new.render()) + "\n")

    def _add(self) -> None:
        free = [name for name in NAMES if name not in self._taken]
        for name in self._rng.sample(free, min(len(free), self._rng.randint(1, 2))):
            hand = self._hand
            if self._rng.random() < 0.15:
                hand = Hand(Random(name), f"all-{NAMES.index(name)}")
            new = hand.requirement(name)
            self._note(None, new)
            self._put("ADDED", "\n".join(new.render()) + "\n")

    def _note(self, old: Requirement | None, new: Requirement | None) -> None:
        for one, where in ((old, self.written.before), (new, self.written.after)):
            if one is not None:
                self.written.touched.add(one.name)
                where += one.settled().render()

    def _put(self, section: str, entry: str) -> None:
        self._sections.setdefault(section, []).append(entry)

    def _text(self) -> str:
        if not self._sections:
            return ""
        sections = list(self._sections.items())
        self._rng.shuffle(sections)
        parts = [f"## {title} Requirements\n\n" + "\n".join(rows) for title, rows in sections]
        text = "\n".join(parts)
        return text.replace("\n", "\r\n") if self._rng.random() < 0.15 else text

    # Editing one requirement -------------------------------------------------------------------

    def _edited(self, one: Requirement) -> Requirement:
        for _ in range(self._rng.randint(1, 3)):
            one = self._rng.choice(self._edits)(self, one)
        return one

    def _body(self, one: Requirement) -> Requirement:
        return replace(one, body=self._changed(one.body, keep_first=True))

    def _wrap(self, one: Requirement) -> Requirement:
        """Turn the end of the body, where it has no fence yet, into sample text."""
        if len(one.body) < 3 or any(_is_fence(line) for line in one.body):
            return self._body(one)
        at = self._rng.randint(1, len(one.body) - 1)
        return replace(one, body=(*one.body[:at], "```", *one.body[at:], "```"))

    def _case(self, one: Requirement) -> Requirement:
        at = self._rng.randrange(len(one.scenarios))
        old = one.scenarios[at]
        return _with(one, at, [replace(old, lines=self._changed(old.lines))])

    def _new_case(self, one: Requirement) -> Requirement:
        at = self._rng.randint(0, len(one.scenarios))
        cases = [*one.scenarios[:at], self._hand.scenario(), *one.scenarios[at:]]
        return replace(one, scenarios=tuple(cases))

    def _end_case(self, one: Requirement) -> Requirement:
        if len(one.scenarios) < 2:
            return one
        at = self._rng.randrange(len(one.scenarios))
        old = one.scenarios[at]
        if old.was is not None or old.name.split(" ⟨")[0] not in CASES:
            return one
        return replace(_with(one, at, []), removed=(*one.removed, old.name))

    def _rename_case(self, one: Requirement) -> Requirement:
        at = self._rng.randrange(len(one.scenarios))
        old = one.scenarios[at]
        gone = [case.was for case in one.scenarios]
        if old.was is not None or old.name in gone:
            return one
        name = self._hand.scenario().name
        if name == old.name:
            return one
        new = [Scenario(name, old.lines, old.name)]
        if self._reuses and old.name in CASES and self._rng.random() < 0.3:
            new.append(replace(self._hand.scenario(), name=old.name))
        return _with(one, at, new)

    def _reorder(self, one: Requirement) -> Requirement:
        cases = list(one.scenarios)
        self._rng.shuffle(cases)
        return replace(one, scenarios=tuple(cases))

    _edits: tuple[Callable[[_Author, Requirement], Requirement], ...] = (
        _body, _body, _wrap, _case, _case, _new_case, _new_case, _end_case, _rename_case, _reorder,
    )  # fmt: skip

    def _changed(self, lines: tuple[str, ...], *, keep_first: bool = False) -> tuple[str, ...]:
        """`lines` with one edit; the marks of fences stay."""
        found = list(lines)
        least = 1 if keep_first else 0
        kind = self._rng.choice(["insert", "insert", "replace", "replace", "delete"])
        at = self._rng.randint(least, len(found))
        if kind == "insert" or at >= len(found) or _is_fence(found[at]):
            new = self._hand.lines(1, 2) if not _is_inside(found, at) else [self._hand.statement()]
            found[at:at] = new
        elif kind == "replace":
            found[at] = self._hand.statement()
        elif len(found) > 1:
            del found[at]
        return tuple(found)


def _with(one: Requirement, at: int, cases: list[Scenario]) -> Requirement:
    return replace(one, scenarios=(*one.scenarios[:at], *cases, *one.scenarios[at + 1 :]))


def _is_fence(line: str) -> bool:
    return line.startswith(("```", "~~~"))


def _is_inside(lines: list[str], at: int) -> bool:
    return sum(_is_fence(line) for line in lines[:at]) % 2 == 1
