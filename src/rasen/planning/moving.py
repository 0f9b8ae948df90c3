"""Requirements and whole capabilities that a change moves from one spec to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, NONE
from rasen.base.text import nearest
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Move
from rasen.planning.merging import rules
from rasen.planning.merging.model import Arrival
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown

SOURCE_MISSING = Rule(
    "move_source_missing",
    Level.ERROR,
    N_("Line {line}: there is no capability {capability} to move from"),
    N_("Write the capability's id as `rasen list --specs` shows it"),
)
SOURCE_IS_TARGET = Rule(
    "move_source_is_target",
    Level.ERROR,
    N_("Line {line}: {capability} cannot be moved to itself"),
    N_("Use RENAMED to give a requirement another name"),
)
TARGET_EXISTS = Rule(
    "move_target_exists",
    Level.ERROR,
    N_("Line {line}: {capability} cannot become {spec}, which exists"),
    N_("Move its requirements one by one with `## MOVED Requirements`"),
)
SOURCE_CHANGED = Rule(
    "move_source_changed",
    Level.ERROR,
    N_("Line {line}: {capability} moves as a whole, but the change has a delta for it too"),
    N_("Put that delta into the one of the new capability"),
)
ALREADY_MOVED = Rule(
    "move_done",
    Level.INFO,
    N_('Line {line}: "{name}" has been moved from {capability} already; nothing to do'),
)


class Place(NamedTuple):
    """A capability of a plan. spec: as it is now, None without one. shown: its file in messages."""

    capability: str
    spec: SpecDocument | None
    shown: str


class Moves(NamedTuple):
    """All that moves in one change.

    arrivals, departures: by capability. renamed: new capability to old, for those that move whole.
    findings: by capability of the delta, paths empty.
    """

    arrivals: dict[str, list[Arrival]]
    departures: dict[str, list[str]]
    renamed: dict[str, str]
    findings: dict[str, list[Finding]]

    def sources(self) -> list[str]:
        """The capabilities that lose something, sorted."""
        return sorted({*self.departures, *self.renamed.values()})


NO_MOVES = Moves({}, {}, {}, {})


def find_moves(deltas: Mapping[str, Delta], places: Mapping[str, Place]) -> Moves:
    """What the deltas of a change (by capability) move, and what stands against it.

    places: of every capability that a delta is for or names as a source.
    """
    moves = Moves({}, {}, {}, {capability: [] for capability in deltas})
    for capability, delta in deltas.items():
        finder = _Finder(capability, deltas, places, moves)
        if delta.moved_capability is not None:
            finder.whole(delta.moved_capability)
        for move in delta.moved:
            finder.one(move)
    return moves


def sources_of(deltas: Iterable[Delta]) -> set[str]:
    """The capabilities that the deltas name as sources."""
    return {
        move.capability
        for delta in deltas
        for move in (*delta.moved, *((delta.moved_capability,) if delta.moved_capability else ()))
    }


def retitled(spec: SpecDocument, old: str, new: str) -> SpecDocument:
    """`spec` with a title that names the new capability, where the title was the usual one."""
    document = Markdown(spec.markdown.text())
    for number, line in enumerate(document.lines):
        if line.strip() == f"# {old} Specification":
            document.lines[number] = f"# {new} Specification"
            return SpecDocument(document.text())
    return spec


class _Finder:
    def __init__(
        self,
        capability: str,
        deltas: Mapping[str, Delta],
        places: Mapping[str, Place],
        moves: Moves,
    ) -> None:
        self._own = places[capability]
        self._deltas = deltas
        self._places = places
        self._moves = moves

    def whole(self, move: Move) -> None:
        source = self._places[move.capability]
        if move.capability == self._own.capability:
            self._say(SOURCE_IS_TARGET, move)
        elif source.spec is None and self._own.spec is not None:
            self._say(ALREADY_MOVED, move, name=move.capability)
        elif source.spec is None:
            self._say(SOURCE_MISSING, move)
        elif self._own.spec is not None:
            self._say(TARGET_EXISTS, move)
        elif move.capability in self._deltas:
            self._say(SOURCE_CHANGED, move)
        else:
            self._moves.renamed[self._own.capability] = move.capability

    def one(self, move: Move) -> None:
        source = self._places[move.capability]
        if move.capability == self._own.capability:
            self._say(SOURCE_IS_TARGET, move)
            return
        blocks = {block.name: block for block in source.spec.blocks} if source.spec else {}
        block = blocks.get(move.old or "")
        if block is None or source.spec is None:
            self._absent(move, source, list(blocks))
        elif self._is_touched(move):
            params = {"name": move.old, "one": "MOVED", "other": f"the delta of {move.capability}"}
            self._say(rules.CONTRADICTION, move, **params)
        elif move.old in self._moves.departures.get(move.capability, ()):
            self._say(rules.CONTRADICTION, move, name=move.old, one="MOVED", other="MOVED")
        else:
            lines = source.spec.markdown.lines[block.start : block.end]
            if move.new != move.old:
                lines = [f"### Requirement: {move.new}", *lines[1:]]
            arrival = Arrival(move.capability, str(move.old), move.new, tuple(lines), move.line)
            self._moves.arrivals.setdefault(self._own.capability, []).append(arrival)
            self._moves.departures.setdefault(move.capability, []).append(str(move.old))

    def _absent(self, move: Move, source: Place, names: list[str]) -> None:
        own = {block.name for block in self._own.spec.blocks} if self._own.spec else set()
        if move.new in own:
            self._say(ALREADY_MOVED, move, name=move.old)
        elif source.spec is None:
            self._say(SOURCE_MISSING, move)
        else:
            close = nearest(str(move.old), names)
            self._say(
                rules.REQUIREMENT_MISSING,
                move,
                section="MOVED",
                name=move.old,
                spec=source.shown,
                nearest=f'"{close[0]}"' if close else NONE,
            )

    def _is_touched(self, move: Move) -> bool:
        """True when the source's own delta removes, renames or modifies what moves away."""
        delta = self._deltas.get(move.capability)
        if delta is None:
            return False
        touched = {removal.name for removal in delta.removed}
        touched |= {block.name for block in delta.modified}
        touched |= {rename.old for rename in delta.renamed}
        return move.old in touched

    def _say(self, rule: Rule, move: Move, **params: object) -> None:
        line = move.line + 1
        values = {"line": line, "capability": move.capability, "spec": self._own.shown, **params}
        self._moves.findings[self._own.capability].append(Finding(rule, "", values, line))
