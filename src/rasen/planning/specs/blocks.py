"""The requirement grammar that specs and deltas share: block headings, bodies, scenario names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rasen.planning.specs.model import Block, Requirement, Scenario
from rasen.syntax.markdown import Heading, Markdown, Section

_REQUIREMENT = re.compile(r"Requirement:\s*(\S.*)", re.IGNORECASE | re.DOTALL)
_META = re.compile(r"\*\*[^*]+\*\*:")
_SCENARIO_PREFIX = re.compile(r"Scenario:", re.IGNORECASE)


def requirement_name(heading: Heading) -> str | None:
    """The name in a `### Requirement: name` heading; None for every other heading.

    Source: planning §3.4 (no space needed after the hashes, any case, name trimmed).
    """
    if heading.level != 3:
        return None
    return heading_name(heading.title)


def heading_name(title: str) -> str | None:
    """The name in the title of a requirement heading, whatever the level; None for other titles."""
    match = _REQUIREMENT.fullmatch(title)
    return match.group(1).strip() if match else None


def names_requirement(heading: Heading) -> bool:
    """True when a heading of any level says `Requirement: name`."""
    return _REQUIREMENT.fullmatch(heading.title) is not None


def blocks_within(document: Markdown, start: int, end: int) -> list[Block]:
    """The requirement blocks whose headings stand between lines `start` and `end`."""
    starts = [
        (heading.line, name)
        for heading in document.headings_between(start, end)
        if (name := requirement_name(heading)) is not None
    ]
    ends = following([line for line, _ in starts], end)
    return [
        Block(name, line, document.last_filled(line + 1, stop))
        for (line, name), stop in zip(starts, ends, strict=True)
    ]


def following(starts: list[int], end: int) -> list[int]:
    """Where each of the adjoining spans that begin at `starts` ends, the last one at `end`."""
    return [*starts[1:], end] if starts else []


def scenario_headings(document: Markdown, block: Block) -> Iterator[Heading]:
    """The level-4 headings inside `block`; each is a scenario, whatever its words."""
    for heading in document.headings_between(block.start + 1, block.end):
        if heading.level == 4 and heading.is_spaced:
            yield heading


def scenario_name(heading: Heading) -> str:
    """What a scenario is called: without `Scenario:` and closing hashes.

    Source: planning §3.5, scenario name for loss detection.
    """
    title = heading.title
    open_part = title.rstrip("#")
    if not open_part or open_part[-1] in " \t":
        title = open_part
    prefix = _SCENARIO_PREFIX.match(title)
    return (title[prefix.end() :] if prefix else title).strip()


def scenario_names(document: Markdown, block: Block) -> list[str]:
    """The names of the scenarios of `block`, in order, repetitions kept."""
    return [scenario_name(heading) for heading in scenario_headings(document, block)]


def body_lines(document: Markdown, start: int, end: int) -> list[str]:
    """The filled lines outside fences before the first heading after `start`, trimmed.

    Lines of the form `**Meta**:` count only where there are no others. Source: planning §3.3.
    """
    for heading in document.headings_between(start + 1, end):
        if heading.is_spaced:
            end = heading.line
            break
    found = [line for raw in document.prose(start + 1, end) if (line := raw.strip())]
    return [line for line in found if not _META.match(line)] or found


def block_requirement(document: Markdown, block: Block) -> Requirement:
    """`block` in the form that JSON documents show."""
    headings = list(scenario_headings(document, block))
    ends = following([heading.line for heading in headings], block.end)
    texts = (
        _trimmed(document.lines[heading.line + 1 : end])
        for heading, end in zip(headings, ends, strict=True)
    )
    body = body_lines(document, block.start, block.end)
    return Requirement(
        title=block.name,
        text="\n".join(body) or block.name,
        scenarios=tuple(Scenario(text) for text in texts if text),
        line=block.start,
        has_body=bool(body),
    )


def section_requirements(document: Markdown, section: Section) -> list[Requirement]:
    """Every heading directly below `section` as a requirement, `Requirement:` or not.

    Source: planning §3.3, section reader.
    """
    return [_section_requirement(document, child) for child in section.children]


def _section_requirement(document: Markdown, section: Section) -> Requirement:
    body = body_lines(document, section.line, section.body_end)
    scenarios = [
        Scenario(text)
        for child in section.children
        if (text := "\n".join(document.lines[child.line + 1 : child.end]).strip())
    ]
    return Requirement(
        title=section.title,
        text="\n".join(body) or section.title,
        scenarios=tuple(scenarios),
        line=section.line,
        has_body=bool(body),
    )


def _trimmed(lines: Iterable[str]) -> str:
    return "\n".join(lines).strip()
