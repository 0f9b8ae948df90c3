"""Three-way merge of one requirement: body and scenarios, each by what both sides did to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rasen.planning.merging.lines import merge_lines
from rasen.planning.merging.matching import keyed_theirs, keys_of_mine
from rasen.planning.merging.parts import Key, Part, Parts, put_together, take_apart
from rasen.syntax.markdown import Markdown

SAME, MINE, THEIRS, MERGED = "same", "mine", "theirs", "merged"
_FENCES = ("```", "~~~")
BODY, WHOLE, HEADING = "body", "requirement", "heading"


class Clash(NamedTuple):
    """A place that both sides changed differently; None stands for "not there"."""

    place: str
    base: str | None
    theirs: str | None
    mine: str | None


class Outcome(NamedTuple):
    """A merged requirement. lines: meaningless when there are clashes or losses.

    taken: what was done at each place: "body" or a scenario's name, and SAME, MINE, THEIRS or
    MERGED. lost: scenarios that the requirement has and mine leaves out without saying so. idle:
    names that an intent line gives and that mean nothing.
    """

    lines: tuple[str, ...]
    taken: tuple[tuple[str, str], ...]
    clashes: tuple[Clash, ...] = ()
    lost: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not self.clashes and not self.lost


def merge_blocks(base: Sequence[str], theirs: Sequence[str], mine: Sequence[str]) -> Outcome:
    """What `base` becomes when `theirs` and `mine` both apply; each is the lines of one block.

    Unchanged on one side takes the other; both alike count once; both differently is a conflict,
    except where their edits touch different lines. The heading is theirs.
    """
    seen = take_apart(base)
    now = keyed_theirs(seen, take_apart(theirs))
    return _Merge(seen, now, take_apart(mine, with_intents=True)).run()


def merge_blocks_of_specs(
    base: Sequence[str], theirs: Sequence[str], mine: Sequence[str]
) -> Outcome:
    """What `base` becomes when both sides edited a spec; each is the lines of one block.

    As `merge_blocks`, but mine is a spec and not a delta: what it leaves out was removed, and
    comments in it are text.
    """
    heading = _one(base[0], theirs[0], mine[0])
    common = heading or base[0]
    seen = take_apart([common, *base[1:]])
    now = keyed_theirs(seen, take_apart([common, *theirs[1:]]))
    own = keyed_theirs(seen, take_apart([common, *mine[1:]]))
    gone = tuple(key[0] for key in seen.keys if key not in own.keys)
    outcome = _Merge(seen, now, own._replace(removed=gone)).run()
    if heading is None:
        clash = Clash(HEADING, base[0], theirs[0], mine[0])
        return outcome._replace(clashes=(clash, *outcome.clashes))
    return outcome


def merged_block(base: Sequence[str] | None, theirs: Sequence[str], mine: Sequence[str]) -> Outcome:
    """What the requirement `theirs` becomes with `mine`; None for `base` means that nobody knows it.

    Where theirs is still the base, the lines of mine stand as they are written.
    """
    if base is None:
        return replace_block(theirs, mine)
    if tuple(theirs[1:]) == tuple(base[1:]):
        return replace_block(theirs, mine)
    return merge_blocks(base, theirs, mine)


def replace_block(theirs: Sequence[str], mine: Sequence[str]) -> Outcome:
    """`mine` in the place of `theirs`, where nobody knows the base: no scenario may go unsaid."""
    old, new = take_apart(theirs), take_apart(mine, with_intents=True)
    gone = [*new.removed, *(part.was for part in new.scenarios if part.was is not None)]
    kept = Counter([*(key[0] for key in new.keys), *gone])
    names = Counter(key[0] for key in old.keys)
    lost = tuple(name for name in names if names[name] > kept[name])
    idle = tuple(name for name in gone if name not in names)
    lines = tuple(put_together([new.body, *new.scenarios])) if new.has_intents else tuple(mine)
    return Outcome(lines, ((WHOLE, MINE),), lost=lost, idle=idle)


@dataclass(slots=True)
class _Merge:
    base: Parts
    theirs: Parts
    mine: Parts
    taken: list[tuple[str, str]] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def run(self) -> Outcome:
        body = self._text(BODY, self.base.body, self.theirs.body, self.mine.body)
        mine = keys_of_mine(self.base, self.mine)
        merged: dict[Key, Part] = {}
        for key in dict.fromkeys([*self.base.keys, *self.theirs.keys, *mine]):
            part = self._scenario(key, mine.get(key))
            if part is not None:
                merged[key] = part
        parts = [body._replace(heading=self.theirs.body.heading)]
        parts += [merged[key] for key in self._order(list(mine)) if key in merged]
        lines = put_together(parts)
        if not self.clashes and any(line.lstrip()[:3] in _FENCES for line in lines):
            self._fences(parts, lines)
        return Outcome(
            tuple(lines), tuple(self.taken), tuple(self.clashes), tuple(self.lost), self._idle()
        )

    def _fences(self, parts: Sequence[Part], lines: Sequence[str]) -> None:
        """Refuse what becomes another text by code fences of both sides together."""
        sides = [_whole(side) for side in (self.base, self.theirs, self.mine)]
        is_open = _is_open("\n".join(lines)) and not any(_is_open(side) for side in sides)
        if is_open or not _is_read_as(parts, lines):
            self.clashes.append(Clash(WHOLE, *sides))

    def _idle(self) -> tuple[str, ...]:
        known = {key[0] for key in (*self.base.keys, *self.theirs.keys)}
        former = [part.was for part in self.mine.scenarios if part.was is not None]
        return tuple(name for name in (*self.mine.removed, *former) if name not in known)

    def _scenario(self, key: Key, mine: Part | None) -> Part | None:
        base, theirs = self.base.find(key), self.theirs.find(key)
        name = mine.key[0] if mine is not None else key[0]
        if base is not None and theirs is not None and mine is not None:
            return self._text(name, base, theirs, mine)
        if mine is None and theirs is not None:
            return self._without_mine(key[0], base, theirs)
        if theirs is None and mine is not None:
            return self._without_theirs(name, base, mine)
        if theirs is not None and mine is not None:
            return self._both_new(name, theirs, mine)
        return None

    def _without_mine(self, name: str, base: Part | None, theirs: Part) -> Part | None:
        if base is None:
            return self._take(name, THEIRS, theirs)
        if name not in self.mine.removed:
            self.lost.append(name)
            return theirs
        if _same(base, theirs):
            self.taken.append((name, MINE))
            return None
        return self._conflict(name, base, theirs, None)

    def _without_theirs(self, name: str, base: Part | None, mine: Part) -> Part | None:
        if base is None:
            return self._take(name, MINE, mine)
        if _same(base, mine):
            self.taken.append((name, THEIRS))
            return None
        return self._conflict(name, base, None, mine)

    def _both_new(self, name: str, theirs: Part, mine: Part) -> Part | None:
        if _same(theirs, mine):
            return self._take(name, SAME, theirs)
        return self._conflict(name, None, theirs, mine)

    def _text(self, name: str, base: Part, theirs: Part, mine: Part) -> Part:
        heading = _one(base.heading, theirs.heading, mine.heading)
        if heading is None:
            self._conflict(name, base, theirs, mine)
            return theirs
        if theirs.lines == mine.lines:
            taken, lines = SAME, theirs.lines
        elif mine.lines == base.lines:
            taken, lines = THEIRS, theirs.lines
        elif theirs.lines == base.lines:
            taken, lines = MINE, mine.lines
        else:
            merged = merge_lines(base.lines, theirs.lines, mine.lines)
            if merged is None:
                self._conflict(name, base, theirs, mine)
                return theirs
            taken, lines = MERGED, tuple(merged)
        source = mine if taken == MINE else theirs
        return self._take(name, taken, source._replace(heading=heading, lines=lines))

    def _take(self, name: str, taken: str, part: Part) -> Part:
        self.taken.append((name, taken))
        return part

    def _conflict(
        self, name: str, base: Part | None, theirs: Part | None, mine: Part | None
    ) -> Part | None:
        self.clashes.append(Clash(name, _shown(base), _shown(theirs), _shown(mine)))
        return theirs

    def _order(self, mine: list[Key]) -> list[Key]:
        """Theirs, with what only mine has behind its neighbour; mine where theirs did not reorder."""
        if self.theirs.keys == self.base.keys:
            return [*mine, *(key for key in self.theirs.keys if key not in mine)]
        order = list(self.theirs.keys)
        for at, key in enumerate(mine):
            if key in order:
                continue
            before = next((one for one in reversed(mine[:at]) if one in order), None)
            order.insert(0 if before is None else _behind(order, before, mine), key)
        return order


def _behind(order: list[Key], before: Key, mine: list[Key]) -> int:
    """The place behind `before` and behind what only theirs put there."""
    at = order.index(before) + 1
    while at < len(order) and order[at] not in mine:
        at += 1
    return at


def _same(one: Part, other: Part) -> bool:
    return one.heading == other.heading and one.lines == other.lines


def _is_read_as(parts: Sequence[Part], lines: Sequence[str]) -> bool:
    """False when a code fence of one side takes in, or lays open, what the other side wrote."""
    read = take_apart(lines)
    wanted = [(part.heading, part.lines) for part in parts]
    return [(part.heading, part.lines) for part in (read.body, *read.scenarios)] == wanted


def _is_open(text: str) -> bool:
    """True when a code fence in `text` is never closed."""
    return Markdown(text).unclosed_fence is not None


def _whole(side: Parts) -> str:
    return "\n".join(put_together([side.body, *side.scenarios]))


def _one(base: str, theirs: str, mine: str) -> str | None:
    """The line that both sides agree on; None when both changed it, differently."""
    if theirs == mine or mine == base:
        return theirs
    return mine if theirs == base else None


def _shown(part: Part | None) -> str | None:
    if part is None:
        return None
    return "\n".join([part.heading, *part.lines] if part.key[0] else part.lines)
