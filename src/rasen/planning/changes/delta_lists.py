"""Reads the sections of a delta that are lists: REMOVED and RENAMED."""

from __future__ import annotations

import re

from rasen.planning.changes import delta_entries as entries
from rasen.planning.changes import delta_rules as rules
from rasen.planning.changes.delta_marks import Marks
from rasen.planning.changes.model import DeltaSection, Removal, Rename
from rasen.planning.specs.blocks import blocks_within
from rasen.planning.specs.model import Role

_REASON_TITLE = re.compile(r"(?:reason|migration)s?\b", re.IGNORECASE)
_REMOVAL_FORM = "`- ### Requirement: <name>`"
_RENAME_FORM = "`- FROM: ### Requirement: <old>` and `- TO: ### Requirement: <new>`"


def read_removals(marks: Marks, section: DeltaSection) -> list[Removal]:
    """What a REMOVED section removes, by line: requirement headings and bullets alike.

    Other text there is a reason; a line that was meant to remove something is reported.
    Source: planning §3.5.
    """
    start, end = section.line + 1, section.end
    blocks = blocks_within(marks.markdown, start, end)
    found = [Removal(block.name, block.start, block) for block in blocks]
    for block in blocks:
        marks.fill(block.start, block.end, Role.REASON)
        marks.roles[block.start] = Role.REMOVAL
    for number, line in marks.open_lines(start, end):
        name = entries.removal_name(line)
        if name:
            found.append(Removal(name, number, None))
            marks.entry(number, name, Role.REMOVAL)
    found.sort(key=lambda removal: removal.line)
    first = found[0].line if found else end
    _unread_removals(marks, section, blocks[0].start if blocks else end, first)
    marks.fill_other(first, end, Role.REASON)
    marks.ignored(start, first)
    return found


def _unread_removals(marks: Marks, section: DeltaSection, blocks_start: int, first: int) -> None:
    headings = {
        heading.line: heading.title
        for heading in marks.markdown.headings_between(section.line + 1, section.end)
        if heading.level in (1, 3) and heading.is_spaced
    }
    for number, line in marks.open_lines(section.line + 1, section.end):
        if marks.roles[number] is Role.REMOVAL or number in marks.commented:
            continue
        title = headings.get(number, "")
        is_remark = number > first and entries.is_remark(line)
        if _REASON_TITLE.match(title):
            marks.find(rules.HEADING_SKIPPED, number, title=title)
        elif (
            title
            or entries.looks_like_heading(line)
            or (number < blocks_start and not is_remark and entries.looks_like_removal(line))
        ):
            marks.unread(section, number, _REMOVAL_FORM)


def read_renames(marks: Marks, section: DeltaSection) -> list[Rename]:
    """The pairs of a RENAMED section, by line. Source: planning §3.5."""
    start, end = section.line + 1, section.end
    found: list[Rename] = []
    pending: tuple[str, int] | None = None
    first = end
    for number, line in marks.open_lines(start, end):
        side = entries.rename_side(line)
        if side is None:
            if number not in marks.commented and _is_unread_rename(marks, number, number > first):
                marks.unread(section, number, _RENAME_FORM)
            continue
        first = min(first, number)
        word, name = side
        if word == "FROM":
            if pending is not None:
                _unpaired(marks, word, pending[1])
            marks.entry(number, name, Role.RENAME_FROM)
            pending = name, number
        elif pending is None:
            _unpaired(marks, word, number)
        else:
            marks.entry(number, name, Role.RENAME_TO)
            found.append(Rename(pending[0], name, pending[1]))
            pending = None
    if pending is not None:
        _unpaired(marks, "FROM", pending[1])
    marks.fill_other(first, end, Role.REASON)
    marks.ignored(start, first)
    return found


def _is_unread_rename(marks: Marks, number: int, is_below_entry: bool) -> bool:
    line = marks.lines[number]
    if marks.markdown.headings_between(number, number + 1) or entries.looks_like_rename(line):
        return True
    return entries.is_bullet(line) and not (is_below_entry and entries.is_remark(line))


def _unpaired(marks: Marks, side: str, line: int) -> None:
    marks.roles[line] = Role.UNREAD
    marks.find(rules.RENAME_UNPAIRED, line, side=side)
