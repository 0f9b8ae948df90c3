"""The operations of a delta, applied one by one to the requirements of a spec."""

from __future__ import annotations

from collections.abc import Sequence

from rasen.base.findings import Finding, Rule
from rasen.base.messages import NONE
from rasen.base.text import fold, nearest
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Rename
from rasen.planning.merging import rules
from rasen.planning.merging.compose import Composition, Piece
from rasen.planning.merging.model import Arrival, Conflict, Counts, Decision
from rasen.planning.merging.seen import Lines, Seen, likely_moved_to, moved_to
from rasen.planning.merging.threeway import MINE, SAME, THEIRS, Clash, merged_block
from rasen.planning.specs.model import Block
from rasen.syntax.markdown import Markdown

NOT_THERE = "(not there)"
_SHOWN = 2000


class Operations:
    """Applies a delta's entries to `parts` and keeps count.

    findings: lines are those of the delta. params: what every message may name beside its own
    values: `spec` and `change`. moves: what comes from other specs, and the names of what goes there.
    """

    def __init__(
        self,
        delta: Delta,
        parts: Composition,
        seen: Seen,
        params: dict[str, str],
        *,
        moves: tuple[Sequence[Arrival], Sequence[str]] = ((), ()),
    ) -> None:
        self._delta = delta
        self._parts = parts
        self._seen = seen
        self._params = params
        self._arrivals, self._departures = moves
        self.counts = Counts()
        self.findings: list[Finding] = []
        self.decisions: list[Decision] = []
        self.conflicts: list[Conflict] = []

    def on_existing(self) -> None:
        """Rename, remove, let move away and move here, modify and add, in this order."""
        self._rename()
        self._remove()
        self._move()
        self._modify()
        self.add()

    def say(self, rule: Rule, line: int, **params: object) -> None:
        """Note a finding at a zero-based line of the delta."""
        values = {"line": line + 1, **self._params, **params}
        self.findings.append(Finding(rule, "", values, line + 1))

    def _absent(self, section: str, name: str, line: int) -> None:
        """Object to a name that is not there, unless it is known to have gone.

        A requirement that differs only in case or spaces may be the one that is meant.
        """
        is_near = any(fold(piece.name) == fold(name) for piece in self._parts.pieces)
        if section != "MODIFIED" and not is_near and self._seen.has(name):
            self.say(rules.ALREADY_GONE, line, section=section, name=name)
            return
        names = nearest(name, [piece.name for piece in self._parts.pieces])
        close = f'"{names[0]}"' if names else NONE
        self.say(rules.REQUIREMENT_MISSING, line, section=section, name=name, nearest=close)

    def _rename(self) -> None:
        sources = {rename.old for rename in self._delta.renamed}
        pairs: list[tuple[Piece, str]] = []
        for rename in self._delta.renamed:
            piece = None if self._moved(rename.old) else self._parts.find(rename.old)
            taken = self._parts.find(rename.new)
            if piece is None:
                self._renamed_by_others(rename)
            elif rename.old == rename.new:
                continue
            elif taken is not None and rename.new not in sources:
                self.say(rules.NAME_TAKEN, rename.line, name=rename.new, at=_at(taken))
            else:
                pairs.append((piece, rename.new))
                self._decide(rename.new, "name", MINE)
        for piece, new in pairs:
            self._parts.rename(piece, new)
        self.counts += Counts(renamed=len(pairs))

    def _renamed_by_others(self, rename: Rename) -> None:
        """The requirement is not there under its old name: done already, or done otherwise."""
        moved = self._moved(rename.old) or self._likely(rename.old)
        if moved is None:
            self._absent("RENAMED", rename.old, rename.line)
        elif moved.name == rename.new:
            self._decide(rename.new, "name", SAME)
        else:
            self._clash(rename.old, rename.line, Clash("name", rename.old, moved.name, rename.new))

    def _remove(self) -> None:
        for removal in self._delta.removed:
            piece = self._moved(removal.name) or self._parts.find(removal.name)
            piece = piece or self._likely(removal.name)
            if piece is None:
                self._absent("REMOVED", removal.name, removal.line)
                continue
            base = self._seen.blocks.get(removal.name)
            lines = Markdown(piece.text).lines
            if base is not None and tuple(lines[1:]) != base[1:]:
                clash = Clash("requirement", "\n".join(base), "\n".join(lines), None)
                self._clash(removal.name, removal.line, clash)
                continue
            self._headings_lost(piece, removal.line, [])
            self._decide(piece.name, "requirement", MINE)
            self._parts.remove(piece)
            self.counts += Counts(removed=1)

    def _move(self) -> None:
        for name in self._departures:
            piece = self._parts.find(name)
            if piece is not None:
                self._parts.remove(piece)
                self.counts += Counts(removed=1)
        for arrival in self._arrivals:
            taken = self._parts.find(arrival.name)
            if taken is not None:
                self.say(rules.NAME_TAKEN, arrival.line, name=arrival.name, at=_at(taken))
                continue
            self._parts.append(arrival.name, arrival.lines)
            self._decide(arrival.name, "requirement", THEIRS)
            self.counts += Counts(added=1)

    def _modify(self) -> None:
        former = {rename.new: rename.old for rename in self._delta.renamed}
        for block in self._delta.modified:
            old = former.get(block.name, block.name)
            base = self._seen.blocks.get(old)
            piece = self._moved(old) or self._parts.find(block.name)
            lines = _lines(self._delta.markdown, block)
            if piece is not None:
                self._replace(piece, block, base)
            elif base is None:
                self._absent("MODIFIED", block.name, block.start)
            elif tuple(lines[1:]) == base[1:]:
                self.say(rules.ALREADY_GONE, block.start, section="MODIFIED", name=block.name)
            else:
                likely = self._likely(old)
                theirs = None if likely is None else "\n".join(Markdown(likely.text).lines)
                clash = Clash("requirement", "\n".join(base), theirs, "\n".join(lines))
                self._clash(block.name, block.start, clash)

    def _replace(self, piece: Piece, block: Block, base: Lines | None) -> None:
        """Let a modified block take effect on the requirement as it is now."""
        lines = _lines(self._delta.markdown, block)
        theirs = Markdown(piece.text).lines
        if block.name != piece.name:
            lines[0] = theirs[0]  # others renamed it since, and that stays
        if lines == theirs:
            self._decide(piece.name, "requirement", SAME)
            return
        outcome = merged_block(base, theirs, lines)
        for name in outcome.idle:
            self.say(rules.INTENT_IDLE, block.start, name=block.name, scenario=name)
        for clash in outcome.clashes:
            self._clash(block.name, block.start, clash)
        if outcome.lost:
            self._scenarios_lost(piece, block, outcome.lost)
        if not outcome.is_clean:
            return
        for place, taken in outcome.taken:
            self._decide(piece.name, place, taken)
        if list(outcome.lines) == theirs:
            return
        self._headings_lost(piece, block.start, outcome.lines)
        self._parts.replace(piece, outcome.lines)
        self.counts += Counts(modified=1)

    def _moved(self, name: str) -> Piece | None:
        """The piece that others gave another name since the base; None where there is none."""
        piece = self._parts.find(name)
        if not self._seen.has(name):
            return None
        if piece and not self._seen.is_another(name, tuple(Markdown(piece.text).lines)):
            return None
        new = moved_to(name, self._seen, self._current())
        return None if new is None else self._parts.find(new)

    def _likely(self, name: str) -> Piece | None:
        """The piece that others may have renamed and changed since the base: one to ask about."""
        new = likely_moved_to(name, self._seen, self._current()) if self._seen.has(name) else None
        return None if new is None else self._parts.find(new)

    def _current(self) -> dict[str, Lines]:
        return {piece.name: tuple(Markdown(piece.text).lines) for piece in self._parts.pieces}

    def _decide(self, requirement: str, place: str, taken: str) -> None:
        self.decisions.append(Decision(requirement, place, taken))

    def _clash(self, name: str, line: int, clash: Clash) -> None:
        """Record a conflict and refuse the merge for it."""
        self.conflicts.append(Conflict(name, clash.place, line, *clash[1:]))
        shown = {key: _bounded(getattr(clash, key)) for key in ("base", "theirs", "mine")}
        self.say(rules.CONFLICT, line, name=name, place=clash.place, **shown)

    def add(self) -> None:
        """Append what is new; what is there with the same text is done already."""
        for block in self._delta.added:
            piece = self._parts.find(block.name)
            lines = _lines(self._delta.markdown, block)
            if piece is None:
                self._parts.append(block.name, lines)
                self.counts += Counts(added=1)
            elif not _same(piece, lines):
                current = "\n".join(Markdown(piece.text).lines)
                wanted = "\n".join(lines)
                self.conflicts.append(
                    Conflict(block.name, "requirement", block.start, None, current, wanted)
                )
                self.say(
                    rules.REQUIREMENT_EXISTS,
                    block.start,
                    name=block.name,
                    at=_at(piece),
                    current=current[:_SHOWN],
                    wanted=wanted[:_SHOWN],
                )

    def _scenarios_lost(self, piece: Piece, block: Block, lost: Sequence[str]) -> None:
        scenarios = ", ".join(f'"{name}"' for name in lost)
        self.say(
            rules.SCENARIO_LOST, block.start, name=block.name, scenarios=scenarios, at=_at(piece)
        )

    def _headings_lost(self, piece: Piece, line: int, lines: Sequence[str]) -> None:
        inner = Markdown(piece.text).headings[1:]
        foreign = [heading for heading in inner if heading.level < 4 and heading.is_spaced]
        if not foreign:
            return
        kept = {heading.title for heading in Markdown("\n".join(lines)).headings}
        for heading in foreign:
            if heading.title not in kept:
                at = (piece.origin.start if piece.origin else 0) + heading.line + 1
                self.say(rules.HEADING_LOST, line, title=heading.title, name=piece.name, at=at)


def _lines(document: Markdown, block: Block) -> list[str]:
    return document.lines[block.start : block.end]


def _same(piece: Piece, lines: Sequence[str]) -> bool:
    return Markdown(piece.text).lines == list(lines)


def _bounded(text: str | None) -> str:
    """A side of a conflict as messages show it."""
    return NOT_THERE if text is None else text[:_SHOWN]


def _at(piece: Piece) -> int:
    return (piece.origin.start if piece.origin else 0) + 1
