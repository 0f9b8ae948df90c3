"""The one reader of `spec.md`: its sections for people, its requirement blocks for merging."""

from __future__ import annotations

import re
from functools import cached_property

from rasen.planning.specs.blocks import (
    blocks_within,
    following,
    requirement_name,
    scenario_headings,
    section_requirements,
)
from rasen.planning.specs.model import Block, Requirement, Role
from rasen.syntax.markdown import Heading, Markdown, Section, find_section, sections

_REQUIREMENTS = re.compile(r"requirements", re.IGNORECASE)
DELTA_TITLES = {
    "added requirements": "ADDED",
    "modified requirements": "MODIFIED",
    "removed requirements": "REMOVED",
    "renamed requirements": "RENAMED",
    "moved requirements": "MOVED",
}


class SpecDocument:
    """A parsed spec. It never fails: what is missing is None or empty, and rules speak of it.

    Two readers share it. The section reader (purpose, requirements) is what lists and JSON show; the
    block reader (section_start, blocks) is what deltas and archive match. Source: planning §3.3, §3.4.
    """

    def __init__(self, text: str) -> None:
        self.markdown = Markdown(text)

    @cached_property
    def tree(self) -> list[Section]:
        return sections(self.markdown)

    @cached_property
    def purpose(self) -> str | None:
        """The text below `Purpose`, trimmed; None without such a section, "" for an empty one."""
        section = find_section(self.tree, "purpose")
        if section is None:
            return None
        return "\n".join(self.markdown.lines[section.line + 1 : section.end]).strip()

    @cached_property
    def requirements(self) -> list[Requirement] | None:
        """What the section reader sees below `Requirements`; None without such a section."""
        section = find_section(self.tree, "requirements")
        return None if section is None else section_requirements(self.markdown, section)

    @cached_property
    def section_start(self) -> int | None:
        """Line of the `## Requirements` heading that merging works on; None without one."""
        for heading in self.markdown.headings:
            if _is_second(heading) and _REQUIREMENTS.fullmatch(heading.title):
                return heading.line
        return None

    @cached_property
    def section_end(self) -> int:
        """Where that section ends: the next level-2 heading, or the end of the file."""
        start = self.section_start
        if start is not None:
            for heading in self.markdown.headings_between(start + 1, len(self.markdown.lines)):
                if _is_second(heading):
                    return heading.line
        return len(self.markdown.lines)

    @cached_property
    def blocks(self) -> list[Block]:
        """The `### Requirement:` blocks of that section, in order."""
        if self.section_start is None:
            return []
        return blocks_within(self.markdown, self.section_start + 1, self.section_end)

    def stray_requirements(self) -> list[Heading]:
        """`### Requirement:` headings that stand outside the section, where nothing finds them."""
        start = self.section_start
        return [
            heading
            for heading in self.markdown.headings
            if requirement_name(heading) is not None
            and (start is None or not start < heading.line < self.section_end)
        ]

    def delta_headings(self) -> list[Heading]:
        """Headings that belong into a change's delta and not into a spec."""
        return [
            heading
            for heading in self.markdown.headings
            if _is_second(heading) and heading.title.lower() in DELTA_TITLES
        ]

    def roles(self) -> list[Role]:
        """The role of every line, in order."""
        return _Roles(self).assign()


def _is_second(heading: Heading) -> bool:
    return heading.level == 2 and heading.is_spaced


class _Roles:
    def __init__(self, spec: SpecDocument) -> None:
        self._spec = spec
        self._markdown = spec.markdown
        self._roles = [Role.OTHER] * len(spec.markdown.lines)

    def assign(self) -> list[Role]:
        self._purpose()
        self._requirements()
        for heading in self._spec.stray_requirements() + self._spec.delta_headings():
            self._roles[heading.line] = Role.UNREAD
        for number, line in enumerate(self._markdown.lines):
            if not line.strip() and not self._markdown.is_fenced(number):
                self._roles[number] = Role.BLANK
        return self._roles

    def _fill(self, start: int, end: int, role: Role) -> None:
        self._roles[start:end] = [role] * (end - start)

    def _purpose(self) -> None:
        for heading in self._markdown.headings:
            if heading.level == 1 and heading.is_spaced:
                self._roles[heading.line] = Role.TITLE
                break
        purpose = find_section(self._spec.tree, "purpose")
        if purpose is not None:
            self._roles[purpose.line] = Role.SECTION
            self._fill(purpose.line + 1, self._purpose_end(purpose), Role.PURPOSE)

    def _purpose_end(self, purpose: Section) -> int:
        """The end of the purpose, or the next level-2 heading where it is a level-1 section."""
        for heading in self._markdown.headings_between(purpose.line + 1, purpose.end):
            if _is_second(heading):
                return heading.line
        return purpose.end

    def _requirements(self) -> None:
        start = self._spec.section_start
        if start is None:
            return
        self._roles[start] = Role.SECTION
        self._fill(start + 1, self._spec.section_end, Role.PREAMBLE)
        for block in self._spec.blocks:
            self._fill(block.start, block.end, Role.BODY)
            self._roles[block.start] = Role.REQUIREMENT
            for heading in scenario_headings(self._markdown, block):
                self._fill(heading.line + 1, block.end, Role.SCENARIO_BODY)
                self._roles[heading.line] = Role.SCENARIO
            self._absorbed(block)

    def _absorbed(self, block: Block) -> None:
        inner = self._markdown.headings_between(block.start + 1, block.end)
        ends = following([heading.line for heading in inner], block.end)
        foreign = False
        for heading, end in zip(inner, ends, strict=True):
            if heading.is_spaced and heading.level <= 4:
                foreign = heading.level < 4
            if foreign:
                self._fill(heading.line, end, Role.ABSORBED)
