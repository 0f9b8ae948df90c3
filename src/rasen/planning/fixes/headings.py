"""Remedies for headings: of sections, requirements and scenarios."""

from __future__ import annotations

import re

from rasen.base.text import distance, fold
from rasen.planning.fixes.editing import (
    heading_at,
    is_section,
    section_of,
    with_level,
    with_line,
)
from rasen.planning.fixes.model import Case
from rasen.planning.specs.blocks import names_requirement
from rasen.planning.specs.spec_file import DELTA_TITLES
from rasen.syntax.markdown import Heading, Markdown

TYPO_MOST = 2
_COMPARED = 80
_FORMS = {
    "ADDED": ("add", "added", "adding", "adds", "new"),
    "MODIFIED": ("change", "changed", "changes", "modified", "modify", "update", "updated"),
    "REMOVED": ("delete", "deleted", "remove", "removed", "removing"),
    "RENAMED": ("rename", "renamed", "renaming"),
    "MOVED": ("move", "moved", "moving"),
}
_NOUNS = ("requirement", "requirements")
_SCENARIO = re.compile(r"Scenario:", re.IGNORECASE)
_REQUIREMENT_LIKE = re.compile(r"Requirements?\s*[-–—:：]\s*(?P<name>\S.*)", re.IGNORECASE)


def meant_operation(title: str) -> str | None:
    """The delta section whose title `title` misses by a word form or a typo; None if unsure.

    >>> meant_operation("Add Requirements")
    'ADDED'
    """
    plain = fold(title[:_COMPARED]).strip(" :#*_`")
    words = plain.split()
    if len(words) == 2 and any(noun in words for noun in _NOUNS):
        for operation, forms in _FORMS.items():
            if any(form in words for form in forms):
                return _known(operation)
    if f"{plain} requirements" in DELTA_TITLES:
        return DELTA_TITLES[f"{plain} requirements"]
    ranked = sorted((distance(plain, one), name) for one, name in DELTA_TITLES.items())
    (best, name), (second, _) = ranked[:2]
    return name if best <= TYPO_MOST and best < second else None


def names_scenario(heading: Heading) -> bool:
    """True when a heading of any level says `Scenario: …`."""
    return _SCENARIO.match(heading.title) is not None


def malformed_section(case: Case) -> str | None:
    """`##ADDED Requirements`, `# ADDED Requirements` and the like, with two hashes and a space."""
    heading = heading_at(case.document, case.line)
    return None if heading is None else with_level(case.document, [heading.line], 2)


def misread_section(case: Case) -> str | None:
    """The heading of the section that the line of the finding stands in, when it is the culprit.

    A near miss of a delta section gets its right title; a scenario or a requirement with two hashes
    gets the level it needs.
    """
    section = section_of(case.document, case.line)
    if section is None or heading_at(case.document, section.line) is None:
        return None
    if (mended := mislevelled(case.document, section)) is not None:
        return mended
    operation = meant_operation(section.title)
    if operation is None or section.title.lower() in DELTA_TITLES:
        return None
    return with_line(case.document, section.line, f"## {operation} Requirements")


def mislevelled(document: Markdown, section: Heading) -> str | None:
    """A scenario or a requirement that begins a section, with the hashes it needs; else None."""
    if names_scenario(section):
        return with_level(document, [section.line], 4)
    if names_requirement(section):
        return with_level(document, [section.line], 3)
    return None


def requirement_level(case: Case) -> str | None:
    """A requirement heading with more or fewer hashes, with three."""
    heading = heading_at(case.document, case.line)
    if heading is None or not names_requirement(heading) or heading.level == 3:
        return None
    return with_level(case.document, [heading.line], 3)


def requirement_form(case: Case) -> str | None:
    """`### Requirement - Name`, `### Requirements: Name`, as `### Requirement: Name`."""
    heading = heading_at(case.document, case.line)
    match = _REQUIREMENT_LIKE.fullmatch(heading.title) if heading else None
    if heading is None or match is None:
        return None
    return with_line(case.document, heading.line, f"### Requirement: {match['name']}")


def scenario_level(case: Case) -> str | None:
    """A heading `Scenario: …` that begins something else, with four hashes."""
    heading = heading_at(case.document, case.line)
    if heading is None or not names_scenario(heading) or _is_scenario(heading):
        return None
    if not _stands_in_requirement(case.document, heading):
        return None
    return with_level(case.document, [heading.line], 4)


def scenario_levels(case: Case) -> str | None:
    """All headings `Scenario: …` of a requirement without scenarios, with four hashes."""
    if (own := scenario_level(case)) is not None:
        return own
    heading = heading_at(case.document, case.line)
    if heading is None or not names_requirement(heading):
        return None
    found: list[int] = []
    for one in case.document.headings_between(heading.line + 1, len(case.document.lines)):
        if names_scenario(one):
            if not _is_scenario(one) and one.line not in case.document.commented_lines():
                found.append(one.line)
        elif names_requirement(one) or is_section(one):
            break
    return with_level(case.document, found, 4) if found else None


def _known(operation: str) -> str | None:
    return operation if operation in DELTA_TITLES.values() else None


def _is_scenario(heading: Heading) -> bool:
    return heading.level == 4 and heading.is_spaced


def _stands_in_requirement(document: Markdown, heading: Heading) -> bool:
    """True when what stands above, other scenarios apart, is a requirement."""
    for above in reversed(document.headings_between(0, heading.line)):
        if names_requirement(above):
            return True
        if is_section(above) and not names_scenario(above):
            return False
    return False
