"""The one reader of a change's `specs/<capability>/spec.md`; it gives every line a role."""

from __future__ import annotations

import re
from collections.abc import Collection
from copy import copy

from rasen.base.findings import Finding
from rasen.base.text import distance
from rasen.planning.changes import delta_entries as entries
from rasen.planning.changes import delta_rules as rules
from rasen.planning.changes.delta_lists import read_removals, read_renames
from rasen.planning.changes.delta_marks import Marks
from rasen.planning.changes.delta_moves import CAPABILITY_TITLE, read_moved_capability, read_moves
from rasen.planning.changes.model import DeltaSection, Move, Operation, Removal, Rename
from rasen.planning.specs.blocks import (
    blocks_within,
    following,
    heading_name,
    names_requirement,
    scenario_headings,
)
from rasen.planning.specs.model import Block, Role
from rasen.planning.specs.spec_file import DELTA_TITLES
from rasen.syntax.markdown import Heading, Markdown

_REQUIREMENT_LIKE = re.compile(r"requirements?\b", re.IGNORECASE)
_BLOCK_FORM = "a heading: `### Requirement: <name>`"
_COMPARED = 80


class Delta:
    """A parsed delta file: what it asks for, and what in it will have no effect.

    Same-titled sections add up, in order, so that no text is lost. findings: paths are empty; the
    caller knows where the file lies. Source: planning §3.5.
    """

    def __init__(self, text: str) -> None:
        self.markdown = Markdown(text)
        marks = Marks(self.markdown)
        self.roles: list[Role] = marks.roles
        self.sections: list[DeltaSection] = []
        self.added: list[Block] = []
        self.modified: list[Block] = []
        self.removed: list[Removal] = []
        self.renamed: list[Rename] = []
        self.moved: list[Move] = []
        self.moved_capability: Move | None = None
        self.purpose_span: tuple[int, int] | None = None
        self.findings: list[Finding] = marks.findings
        _Reader(self, marks).read()

    @property
    def is_empty(self) -> bool:
        """True when nothing is asked for."""
        return not self.count

    @property
    def count(self) -> int:
        """How many operations are asked for."""
        blocks = len(self.added) + len(self.modified)
        entries = len(self.removed) + len(self.renamed) + len(self.moved)
        return blocks + entries + (self.moved_capability is not None)

    @property
    def has_delta_heading(self) -> bool:
        return bool(self.sections)

    def narrowed(self) -> Delta:
        """A delta of the same text whose lists of operations may be shortened."""
        other = copy(self)
        other.added, other.modified = [*self.added], [*self.modified]
        other.removed, other.renamed = [*self.removed], [*self.renamed]
        return other

    def purpose(self) -> list[str]:
        """The lines below the delta's own `## Purpose`, blank ends trimmed; [] without one."""
        if self.purpose_span is None:
            return []
        start, end = self.purpose_span
        while start < end and not self.markdown.lines[start].strip():
            start += 1
        return self.markdown.lines[start : self.markdown.last_filled(start, end)]


class _Reader:
    def __init__(self, delta: Delta, marks: Marks) -> None:
        self._delta = delta
        self._marks = marks
        self._roles = marks.roles
        self._markdown = delta.markdown

    def read(self) -> None:
        tops = [one for one in self._markdown.headings if one.level == 2 and one.is_spaced]
        count = len(self._markdown.lines)
        ends = following([one.line for one in tops], count)
        self._opening(tops[0].line if tops else count)
        for heading, end in zip(tops, ends, strict=True):
            operation = DELTA_TITLES.get(heading.title.lower())
            if operation is None:
                self._outside(heading, end)
            else:
                self._section(DeltaSection(Operation(operation), heading.line, end))
        self._malformed_sections()
        self._marks.blanks()
        self._delta.findings.sort(key=lambda finding: finding.line or 0)

    # What stands outside the sections -------------------------------------------------

    def _opening(self, end: int) -> None:
        self._lost(0, end, "no section", Operation.ADDED)
        titles = [one.line for one in self._markdown.headings_between(0, end) if one.level == 1]
        for line in titles:
            if self._roles[line] is Role.OTHER:
                self._roles[line] = Role.TITLE
        self._marks.ignored(0, end, titles)

    def _outside(self, section: Heading, end: int) -> None:
        if section.title.lower() == CAPABILITY_TITLE:
            self._roles[section.line] = Role.SECTION
            self._delta.moved_capability = read_moved_capability(self._marks, section.line, end)
            return
        is_purpose = section.title.lower() == "purpose"
        if is_purpose:
            self._roles[section.line] = Role.SECTION
            self._marks.fill(section.line + 1, end, Role.PURPOSE)
        is_first = is_purpose and self._delta.purpose_span is None
        if is_first:
            self._delta.purpose_span = (section.line + 1, end)
        place = "no section" if names_requirement(section) else f'"## {section.title}"'
        is_lost = self._lost(section.line, end, place, _closest_operation(section))
        if not is_lost and not is_first:
            self._marks.find(rules.SECTION_IGNORED, section.line, title=section.title)

    def _lost(self, start: int, end: int, place: str, wanted: Operation) -> bool:
        """Report each entry between `start` and `end`, where it does nothing; True if any is.

        Those inside a comment are meant to do nothing.
        """
        found = [
            (heading.line, name, wanted)
            for heading in self._markdown.headings_between(start, end)
            if (name := heading_name(heading.title)) is not None
        ]
        for number, line in self._marks.open_lines(start, end):
            name, side = entries.removal_name(line), entries.rename_side(line)
            if name:
                found.append((number, name, Operation.REMOVED))
            elif side:
                found.append((number, side[1], Operation.RENAMED))
        found = [one for one in found if one[0] not in self._marks.commented]
        for number, name, operation in found:
            self._roles[number] = Role.UNREAD
            params = {"name": name, "place": place, "wanted": operation.value}
            self._marks.find(rules.REQUIREMENT_UNREAD, number, **params)
        return bool(found)

    def _malformed_sections(self) -> None:
        for heading in self._markdown.headings:
            operation = DELTA_TITLES.get(heading.title.lower())
            is_second = heading.level == 2 and heading.is_spaced
            if operation is None or is_second or heading.level > 3:
                continue
            self._roles[heading.line] = Role.UNREAD
            text = self._markdown.lines[heading.line].strip()
            form = Operation(operation).heading
            self._marks.find(rules.SECTION_MALFORMED, heading.line, text=text, form=form)

    # The sections ------------------------------------------------------------------------

    def _section(self, section: DeltaSection) -> None:
        self._delta.sections.append(section)
        self._roles[section.line] = Role.SECTION
        match section.operation:
            case Operation.ADDED:
                self._delta.added += self._blocks(section)
            case Operation.MODIFIED:
                self._delta.modified += self._blocks(section)
            case Operation.REMOVED:
                self._delta.removed += read_removals(self._marks, section)
            case Operation.RENAMED:
                self._delta.renamed += read_renames(self._marks, section)
            case Operation.MOVED:
                self._delta.moved += read_moves(self._marks, section)

    def _blocks(self, section: DeltaSection) -> list[Block]:
        blocks = blocks_within(self._markdown, section.line + 1, section.end)
        first = blocks[0].start if blocks else section.end
        for number, line in self._marks.open_lines(section.line + 1, first):
            if entries.looks_like_heading(line) and number not in self._marks.commented:
                self._marks.unread(section, number, _BLOCK_FORM)
        self._marks.ignored(section.line + 1, first)
        for block in blocks:
            self._marks.fill(block.start, block.end, Role.BODY)
            self._roles[block.start] = Role.REQUIREMENT
            for heading in scenario_headings(self._markdown, block):
                self._marks.fill(heading.line + 1, block.end, Role.SCENARIO_BODY)
                self._roles[heading.line] = Role.SCENARIO
        self._foreign_headings(section, {block.start for block in blocks}, first)
        return blocks

    def _foreign_headings(self, section: DeltaSection, starts: Collection[int], first: int) -> None:
        for heading in self._markdown.headings_between(section.line + 1, section.end):
            if heading.line in starts or heading.level not in (1, 3) or not heading.is_spaced:
                continue
            if self._roles[heading.line] is Role.UNREAD or heading.title.lower() in DELTA_TITLES:
                continue  # told elsewhere
            if heading.line > first:
                self._roles[heading.line] = Role.ABSORBED
            if not names_requirement(heading):  # that one is told as of the wrong level
                is_like = _REQUIREMENT_LIKE.match(heading.title) is not None
                rule = rules.HEADING_MALFORMED if is_like else rules.HEADING_SKIPPED
                self._marks.find(rule, heading.line, title=heading.title)


def _closest_operation(section: Heading) -> Operation:
    """The section whose heading `section` was probably meant to be; ADDED where it is like none."""
    title = section.title.lower()[:_COMPARED]
    far = {one: distance(title, f"{one.value.lower()} requirements") for one in Operation}
    closest = min(far, key=far.__getitem__)
    return closest if far[closest] <= len(title) // 2 else Operation.ADDED
