"""Remedies for requirements that stand where nothing reads them."""

from __future__ import annotations

from rasen.base.text import fold
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Operation
from rasen.planning.fixes.editing import (
    heading_at,
    section_of,
    with_block,
    with_block_moved,
    with_line,
    without_block,
)
from rasen.planning.fixes.headings import mislevelled, misread_section, requirement_level
from rasen.planning.fixes.model import Case
from rasen.planning.specs.blocks import heading_name, names_requirement
from rasen.planning.specs.spec_file import DELTA_TITLES, SpecDocument
from rasen.syntax.markdown import Heading, Markdown

_REQUIREMENTS = "## Requirements"


def unread_in_delta(case: Case) -> str | None:
    """An entry of a delta that no section reads.

    The heading above it is mended when that is the culprit; else a requirement goes to the section
    that fits what the spec has.
    """
    heading = heading_at(case.document, case.line)
    if heading is not None and heading.level != 3:
        return requirement_level(case)
    mended = misread_section(case)
    if mended is not None or heading is None:
        return mended
    name = heading_name(heading.title)
    operation = None if name is None else _operation(case, name)
    if operation is None:
        return None
    return _in_section(case.document, heading, operation)


def _operation(case: Case, name: str) -> Operation | None:
    """ADDED for a requirement that is new, MODIFIED for one the spec has; None if unsure."""
    names = [block.name for block in case.spec.blocks] if case.spec else []
    renamed = {one.new for one in Delta(case.document.text()).renamed}
    if name in names or name in renamed:
        return Operation.MODIFIED
    is_near = fold(name) in map(fold, names)
    return None if is_near or name in case.seen else Operation.ADDED


def _in_section(document: Markdown, heading: Heading, operation: Operation) -> str:
    start, end = heading.line, _block_end(document, heading)
    sections = [one for one in Delta(document.text()).sections if one.operation is operation]
    if sections:
        at = document.last_filled(sections[-1].line + 1, sections[-1].end)
        return with_block_moved(document, start, end, at)
    count = len(document.lines)
    is_last = document.last_filled(0, count) == end
    if not is_last:
        moved = Markdown(with_block_moved(document, start, end, document.last_filled(0, count)))
        start = moved.last_filled(0, len(moved.lines)) - (end - start)
        document = moved
    return with_block(document, start, [operation.heading])


def _block_end(document: Markdown, heading: Heading) -> int:
    """Where the requirement below `heading` ends: at the next heading that is not inside it."""
    for one in document.headings_between(heading.line + 1, len(document.lines)):
        if one.level <= 3 and (one.is_spaced or names_requirement(one)):
            return document.last_filled(heading.line + 1, one.line)
    return document.last_filled(heading.line + 1, len(document.lines))


def stray_in_spec(case: Case) -> str | None:
    """A requirement outside the Requirements section of a spec: it goes to the end of that."""
    heading = heading_at(case.document, case.line)
    if heading is None:
        return None
    spec = SpecDocument(case.document.text())
    start = spec.section_start
    if start is None:
        return _requirements_heading(case.document)
    section = section_of(case.document, case.line)
    title = section.title.lower() if section else ""
    if title in DELTA_TITLES:
        if DELTA_TITLES[title] != "ADDED":
            return None
    elif section is not None and (mended := mislevelled(case.document, section)) is not None:
        return mended
    end = _block_end(case.document, heading)
    at = case.document.last_filled(start + 1, spec.section_end)
    return with_block_moved(case.document, heading.line, end, at)


def delta_heading_in_spec(case: Case) -> str | None:
    """A delta heading in a spec goes where it has no text of its own or only announces an addition."""
    document = case.document
    heading = heading_at(document, case.line)
    if heading is None:
        return None
    below = [
        one.line
        for one in document.headings_between(heading.line + 1, len(document.lines))
        if one.level <= 2 and one.is_spaced
    ]
    end = below[0] if below else len(document.lines)
    if document.last_filled(heading.line + 1, end) == heading.line + 1:
        return without_block(document, heading.line, heading.line + 1)
    spec = SpecDocument(document.text())
    first = next(n for n in range(heading.line + 1, end) if document.lines[n].strip())
    begins = heading_at(document, first)
    is_addition = DELTA_TITLES.get(heading.title.lower()) == "ADDED"
    is_next = spec.section_start is not None and heading.line == spec.section_end
    if is_addition and is_next and begins is not None and names_requirement(begins):
        return without_block(document, heading.line, heading.line + 1)
    return None


def requirements_heading(case: Case) -> str | None:
    """A spec whose Requirements section has a heading that misses its form."""
    return _requirements_heading(case.document)


def _requirements_heading(document: Markdown) -> str | None:
    found = [
        one
        for one in document.headings
        if fold(one.title).strip(" :#") in ("requirement", "requirements", "added requirements")
        and one.line not in document.commented_lines()
    ]
    if len(found) != 1:
        return None
    return with_line(document, found[0].line, _REQUIREMENTS)
