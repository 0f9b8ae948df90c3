"""Says of every line of a change's delta files what an archive does with it; pure over the plan."""

from __future__ import annotations

from collections.abc import Mapping

from rasen.base.findings import Finding, has_errors
from rasen.planning import disk
from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.changes.delta_file import Delta
from rasen.planning.explaining.landings import Places, directives, landings
from rasen.planning.explaining.marked import WAITING, Marked
from rasen.planning.explaining.model import Explanation, Fate, FileFate, Landing, Line, Why
from rasen.planning.explaining.objections import object_to
from rasen.planning.merging.seen import UNSEEN, moved_to, seen_of
from rasen.planning.merging.threeway import MINE
from rasen.planning.specs.model import Block, Role
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown

MISPLACED = frozenset(
    rule.code
    for rule in (
        disk.MISPLACED,
        disk.ROOT_DELTA,
        disk.LINK_OUTSIDE,
        disk.LINK_SKIPPED,
        disk.DELTA_NO_FILE,
        disk.SPECS_NO_FOLDER,
    )
)
"""Codes of findings about files that are not read; their `file` is relative to the change."""


def explain(plan: ChangePlan, unread: Mapping[str, str]) -> Explanation:
    """The fate of every line of the change's delta files, and of files that lie among them unread.

    unread: texts of files that the plan does not hold, by path relative to the change.
    """
    is_refused = has_errors(plan.findings)
    files = [_explained(plan, planned, unread, is_refused=is_refused) for planned in plan.deltas]
    for finding in plan.general:
        if finding.code in MISPLACED:
            path = str(finding.params["file"])
            files.append(_unread(path, None, unread.get(path, ""), finding))
    files.sort(key=lambda file: file.path)
    return Explanation(plan.name, tuple(files), tuple(plan.findings))


def _explained(
    plan: ChangePlan, planned: PlannedDelta, unread: Mapping[str, str], *, is_refused: bool
) -> FileFate:
    path = f"specs/{planned.file.relative}"
    about = [*(one for one in plan.general if one.path == planned.file.relative), *planned.findings]
    if planned.delta is None:
        return _unread(path, planned.file.capability, unread.get(path, ""), planned.findings[0])
    marked = _Effects(planned, planned.delta).found()
    conflicts = () if planned.merged is None else planned.merged.conflicts
    object_to(marked, about, conflicts)
    if is_refused:
        for number, line in enumerate(marked.lines):
            if line.fate in WAITING:
                marked.set([number], fate=Fate.HELD)
    return FileFate(path, planned.file.capability, tuple(marked.lines), conflicts)


def _unread(path: str, capability: str | None, text: str, finding: Finding) -> FileFate:
    """A file that nothing is read from."""
    lines: list[Line] = []
    first: int | None = None
    for number, line in enumerate(Markdown(text).lines, start=1):
        if line.strip():
            lines.append(Line(number, line, Role.UNREAD, Fate.UNREAD, why=Why(finding, first)))
            first = first or number
        else:
            lines.append(Line(number, line, Role.BLANK, Fate.BLANK))
    return FileFate(path, capability, tuple(lines))


class _Effects:
    """What the entries of one delta do to the spec, told by comparing the spec before and after."""

    def __init__(self, planned: PlannedDelta, delta: Delta) -> None:
        self._planned, self._delta = planned, delta
        self._marked = Marked(delta)
        merged = planned.merged
        self._is_merged = merged is not None and not merged.is_refused
        before = after = planned.target.spec
        if merged is not None and self._is_merged:
            after = None if merged.is_retired else before
            after = after if merged.text is None else SpecDocument(merged.text)
        self._before, self._after = Places(before), Places(after)
        self._current = {one: tuple(it.lines) for one, it in self._before.found.items()}
        base = planned.base
        self._seen = seen_of(base.text) if base is not None and base.is_known else UNSEEN

    def found(self) -> Marked:
        self._purpose()
        for block in self._delta.added:
            self._block("ADDED", block, block.name)
        former = {rename.new: rename.old for rename in self._delta.renamed}
        for block in self._delta.modified:
            self._block("MODIFIED", block, former.get(block.name, block.name))
        for removal in self._delta.removed:
            names = removal.name, self._moved(removal.name)
            is_gone = bool(self._before.find(*names)) and not self._after.find(*names)
            self._entry([removal.line], "REMOVED", removal.name, is_done=is_gone)
        self._renames()
        return self._marked

    def _purpose(self) -> None:
        span, merged, before = (
            self._delta.purpose_span,
            self._planned.merged,
            self._planned.target.spec,
        )
        if span is None or merged is None:
            return
        own = "\n".join(self._delta.purpose()).strip()
        if before is not None:
            if own == before.purpose:
                self._marked.set(range(*span), fate=Fate.UNCHANGED)
        elif not self._is_merged:
            self._marked.set(range(*span), fate=Fate.HELD)
        else:
            mine = self._delta.markdown.lines[slice(*span)]
            for offset, at in landings(mine, self._after.head).items():
                self._land(span[0] + offset, at)

    def _block(self, operation: str, block: Block, former: str) -> None:
        span = range(block.start, block.end)
        self._marked.set(span, operation=operation, requirement=block.name, fate=Fate.HELD)
        if not self._is_merged:
            return
        new = self._after.find(block.name, self._moved(former))
        if new is None:
            self._marked.set(span, fate=Fate.UNCHANGED)
            return
        old = self._before.find(former, self._moved(former))
        stayed = set() if old is None else set(landings(old.lines, new.lines).values())
        mine = self._delta.markdown.lines[block.start : block.end]
        landed = landings(mine, new.lines)
        said = directives(mine) if operation == "MODIFIED" else frozenset()
        for offset, number in enumerate(span):
            at = landed.get(offset)
            if at is None:
                fate = Fate.DIRECTIVE if offset in said else Fate.KEPT
                self._marked.set([number], fate=fate)
            else:
                self._land(number, new.start + at, is_merged=at not in stayed)
        if operation == "ADDED" and old is None:
            lands = Landing(self._shown, new.start + 1, True, self._after.before(new.start))
            self._marked.set([block.start], lands=lands)

    def _renames(self) -> None:
        merged = self._planned.merged
        decisions = () if merged is None else merged.decisions
        done = {one.requirement for one in decisions if (one.place, one.taken) == ("name", MINE)}
        for rename in self._delta.renamed:
            last = self._marked.partner(rename.line)
            self._entry([rename.line, last], "RENAMED", rename.old, is_done=rename.new in done)
            place = self._after.find(rename.new)
            if self._is_merged and place is not None:
                self._marked.set([last], lands=Landing(self._shown, place.start + 1))

    def _entry(self, lines: list[int], operation: str, name: str, *, is_done: bool) -> None:
        fate = Fate.MERGED if is_done else Fate.UNCHANGED
        fate = fate if self._is_merged else Fate.HELD
        self._marked.set(lines, fate=fate, operation=operation, requirement=name)

    def _land(self, number: int, at: int, *, is_merged: bool = True) -> None:
        """Note that a line of the delta is line `at` of the merged spec."""
        fate = Fate.MERGED if is_merged else Fate.UNCHANGED
        self._marked.set([number], fate=fate, lands=Landing(self._shown, at + 1))

    def _moved(self, name: str) -> str | None:
        """The name that others gave the requirement `name` since the base; None where they did not."""
        return moved_to(name, self._seen, self._current)

    @property
    def _shown(self) -> str:
        return self._planned.target.shown
