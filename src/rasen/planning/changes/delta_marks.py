"""The marks that reading a delta leaves: a role for every line, and the findings."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rasen.base.findings import Finding, Rule
from rasen.planning.changes import delta_rules as rules
from rasen.planning.changes.model import DeltaSection
from rasen.planning.specs.model import Role
from rasen.planning.specs.rules import IN_COMMENT
from rasen.syntax.markdown import Markdown

_SHOWN = 80


class Marks:
    """Roles and findings of one delta text. Line numbers are zero-based, ends exclusive."""

    def __init__(self, markdown: Markdown) -> None:
        self.markdown = markdown
        self.lines = markdown.lines
        self.commented = markdown.commented_lines()
        self.roles: list[Role] = [Role.OTHER] * len(markdown.lines)
        self.findings: list[Finding] = []

    def find(self, rule: Rule, line: int, **params: object) -> None:
        self.findings.append(Finding(rule, "", {"line": line + 1, **params}, line + 1))

    def fill(self, start: int, end: int, role: Role) -> None:
        self.roles[start:end] = [role] * (end - start)

    def fill_other(self, start: int, end: int, role: Role) -> None:
        """Give `role` to the lines that have none yet."""
        for number in range(start, end):
            if self.roles[number] is Role.OTHER:
                self.roles[number] = role

    def open_lines(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """The filled lines outside fences."""
        for number in range(start, end):
            line = self.lines[number]
            if line.strip() and not self.markdown.is_fenced(number):
                yield number, line

    def entry(self, number: int, name: str, role: Role) -> None:
        """Mark a line that says what to do; one inside a comment is done all the same, and told."""
        self.roles[number] = role
        if number in self.commented:
            self.find(IN_COMMENT, number, name=name)

    def unread(self, section: DeltaSection, number: int, form: str) -> None:
        """Mark a line that was meant to do something and does nothing."""
        self.unread_entry(number, f'"{section.operation.heading}"', form)

    def unread_entry(self, number: int, section: str, form: str) -> None:
        """The same, for a section given by its heading, quoted."""
        self.roles[number] = Role.UNREAD
        text = self.lines[number].strip()[:_SHOWN]
        self.find(rules.ENTRY_UNREAD, number, text=text, section=section, form=form)

    def ignored(self, start: int, end: int, known: Collection[int] = ()) -> None:
        """Report text that is not merged; unread lines, comments and the lines `known` are not."""
        filled = [
            number
            for number in range(start, end)
            if self.lines[number].strip()
            and number not in self.commented
            and number not in known
            and self.roles[number] is not Role.UNREAD
        ]
        if filled:
            self.find(rules.TEXT_IGNORED, filled[0], last=filled[-1] + 1)

    def blanks(self) -> None:
        """Mark the blank lines outside fences; they come last, over whatever they had."""
        for number, line in enumerate(self.lines):
            if not line.strip() and not self.markdown.is_fenced(number):
                self.roles[number] = Role.BLANK
