"""Reads the sections of a delta that move requirements here from another capability."""

from __future__ import annotations

from rasen.planning.changes import delta_entries as entries
from rasen.planning.changes import delta_rules as rules
from rasen.planning.changes.delta_marks import Marks
from rasen.planning.changes.model import DeltaSection, Move
from rasen.planning.specs.model import Role

CAPABILITY_TITLE = "moved capability"
_FORM = "`- FROM: <capability> ### Requirement: <name>`, with `- TO: ### Requirement: <new>` if it is renamed"
_CAPABILITY_FORM = "`- FROM: <capability>`"


def read_moves(marks: Marks, section: DeltaSection) -> list[Move]:
    """What a MOVED section brings here, by line. A TO line renames what the FROM above it names."""
    found: list[Move] = []
    start, end = section.line + 1, section.end
    first = end
    is_open = False
    for number, line in marks.open_lines(start, end):
        source, side = entries.move_source(line), entries.rename_side(line)
        if source is not None:
            first = min(first, number)
            marks.entry(number, source[1], Role.MOVE_FROM)
            found.append(Move(source[0], source[1], source[1], number))
            is_open = True
        elif side is not None and side[0] == "TO" and is_open:
            marks.entry(number, side[1], Role.RENAME_TO)
            found[-1] = found[-1]._replace(new=side[1])
            is_open = False
        elif side is not None:
            marks.roles[number] = Role.UNREAD
            marks.find(rules.RENAME_UNPAIRED, number, side=side[0])
        elif number not in marks.commented and _is_unread(marks, number, number > first):
            marks.unread(section, number, _FORM)
    marks.fill_other(first, end, Role.REASON)
    marks.ignored(start, first)
    return found


def read_moved_capability(marks: Marks, start: int, end: int) -> Move | None:
    """The capability whose whole spec moves here; None when the section names none, which is told."""
    found: Move | None = None
    for number, line in marks.open_lines(start + 1, end):
        capability = entries.moved_capability(line)
        if capability is not None and found is None:
            marks.roles[number] = Role.MOVE_FROM
            found = Move(capability, None, "", number)
        elif capability is not None or entries.is_bullet(line):
            marks.unread_entry(number, '"## MOVED Capability"', _CAPABILITY_FORM)
        else:
            marks.roles[number] = Role.REASON
    if found is None:
        marks.unread_entry(start, '"## MOVED Capability"', _CAPABILITY_FORM)
    return found


def _is_unread(marks: Marks, number: int, is_below_entry: bool) -> bool:
    line = marks.lines[number]
    if marks.markdown.headings_between(number, number + 1) or entries.looks_like_rename(line):
        return True
    return entries.is_bullet(line) and not (is_below_entry and entries.is_remark(line))
