"""The lines of one delta while their fates are being found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from rasen.base.findings import Finding, Level
from rasen.planning.changes.delta_file import Delta
from rasen.planning.explaining.model import Fate, Line, Why
from rasen.planning.specs.model import Role

_BY_ROLE = {
    Role.BLANK: Fate.BLANK,
    Role.TITLE: Fate.STRUCTURE,
    Role.SECTION: Fate.STRUCTURE,
    Role.UNREAD: Fate.UNREAD,
    Role.REASON: Fate.REMARK,
}
WAITING = (Fate.MERGED, Fate.KEPT, Fate.DIRECTIVE, Fate.HELD)
"""Fates that presume a merge."""
_SETTLED = (Fate.BLANK, Fate.UNREAD, Fate.CONFLICT, Fate.REFUSED)


class Marked:
    """Lines with what their roles alone say. Numbers are zero-based; blank lines stay blank."""

    def __init__(self, delta: Delta) -> None:
        self.delta = delta
        self.lines = [self._by_role(number) for number in range(len(delta.roles))]
        self._carry_unread()

    def set(self, numbers: Iterable[int], **values: Any) -> None:
        """Change what is said of lines."""
        for number in numbers:
            line = self.lines[number]
            if line.fate is not Fate.BLANK:
                self.lines[number] = line._replace(**values)

    def refuse(
        self, numbers: Iterable[int], finding: Finding, *, only: Collection[Fate] = tuple(Fate)
    ) -> None:
        """Refuse lines that have a fate of `only`, unless they fare worse already."""
        refused = [
            number
            for number in numbers
            if self.lines[number].fate in only and self.lines[number].fate not in _SETTLED
        ]
        told_at = self.number(finding) if finding.line is not None else min(refused, default=0)
        for number in refused:
            why = Why(finding, None if number == told_at else told_at + 1)
            self.set([number], fate=Fate.REFUSED, why=why)

    def lead(self, numbers: Iterable[int], finding: Finding, fate: Fate) -> None:
        """Lead lines of that fate that have no reason yet to the line which `finding` speaks of."""
        for number in numbers:
            line = self.lines[number]
            if line.fate is fate and line.why is None:
                self.lines[number] = line._replace(why=Why(finding, finding.line))

    def number(self, finding: Finding) -> int:
        """The zero-based line of a finding, kept inside the file."""
        return max(0, min((finding.line or 1) - 1, len(self.lines) - 1))

    def entries(self) -> Iterator[Sequence[int]]:
        """The lines of each entry: a block, a removal, or the two of a rename."""
        for block in (*self.delta.added, *self.delta.modified):
            yield range(block.start, block.end)
        for removal in self.delta.removed:
            yield (removal.line,)
        for rename in self.delta.renamed:
            yield (rename.line, self.partner(rename.line))

    def partner(self, line: int) -> int:
        """The line of the TO that belongs to the FROM at `line`."""
        roles = self.delta.roles
        return next(at for at in range(line, len(roles)) if roles[at] is Role.RENAME_TO)

    def _by_role(self, number: int) -> Line:
        role = self.delta.roles[number]
        fate = _BY_ROLE.get(role, Fate.IGNORED)
        if role is Role.OTHER and number in self.delta.markdown.commented_lines():
            fate = Fate.REMARK
        return Line(number + 1, self.delta.markdown.lines[number], role, fate)

    def _carry_unread(self) -> None:
        """What stands below an unread heading was meant to be part of it."""
        levels = {heading.line: heading.level for heading in self.delta.markdown.headings}
        is_below = False
        for number, line in enumerate(self.lines):
            if line.role is Role.UNREAD:
                is_below = number in levels
            elif line.role is not Role.OTHER:
                is_below = is_below and line.role is Role.BLANK
            elif levels.get(number, 4) < 4:
                is_below = False
            elif is_below and line.fate is Fate.IGNORED:
                self.lines[number] = line._replace(fate=Fate.UNREAD)


def of_level(findings: Iterable[Finding], level: Level) -> list[Finding]:
    """Those of `findings` that have this level and a line."""
    return [one for one in findings if one.level is level and one.line is not None]
