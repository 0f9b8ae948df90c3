"""What makes a spec sound: every rule of a main spec, as findings."""

from __future__ import annotations

from collections.abc import Iterator

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.planning.specs.blocks import body_lines, heading_name, names_requirement
from rasen.planning.specs.keywords import has_keyword
from rasen.planning.specs.model import Block, Requirement
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown

PURPOSE_MIN = 50
REQUIREMENT_MAX = 500

PURPOSE_MISSING = Rule(
    "spec_purpose_missing",
    Level.ERROR,
    N_("The spec has no Purpose: a `## Purpose` heading with text below it is needed"),
    N_("Write `## Purpose` and one or two sentences, then `## Requirements`"),
)
REQUIREMENTS_MISSING = Rule(
    "spec_requirements_missing",
    Level.ERROR,
    N_("The spec has no `## Requirements` section"),
    N_(
        "Write `## Requirements`, and below it `### Requirement: <name>` with `#### Scenario: <name>`"
    ),
)
NO_REQUIREMENT = Rule(
    "spec_empty", Level.ERROR, N_("The Requirements section holds no requirement")
)
TEXT_EMPTY = Rule("requirement_text_empty", Level.ERROR, N_("The requirement has no text"))
NO_SCENARIO = Rule(
    "requirement_scenarios_missing",
    Level.ERROR,
    N_('Requirement "{name}" has no scenario'),
)
NO_SCENARIO_GUIDE = Rule(
    "requirement_scenarios_guide",
    Level.WARNING,
    N_(
        'Requirement "{name}" has no scenario: a scenario is a heading with four hashes and text below'
    ),
    N_(
        "Write `#### Scenario: <name>` and below it bullets such as `- **WHEN** …` and `- **THEN** …`"
    ),
)
SCENARIO_EMPTY = Rule("scenario_text_empty", Level.ERROR, N_("The scenario has no text"))
DELTA_HEADING = Rule(
    "spec_delta_heading",
    Level.ERROR,
    N_('Line {line}: "## {title}" belongs into a change; in a spec it is never merged'),
    N_("Move the requirements below `## Requirements` and delete this heading"),
)
STRAY_REQUIREMENT = Rule(
    "spec_requirement_misplaced",
    Level.ERROR,
    N_('Line {line}: requirement "{name}" stands outside the `## Requirements` section'),
    N_("Move it below `## Requirements`"),
)
DUPLICATE = Rule(
    "spec_requirement_duplicate",
    Level.ERROR,
    N_('Requirement "{name}" stands twice, in lines {first} and {line}'),
    N_("Rename one of the two, or join them"),
)
PURPOSE_BRIEF = Rule(
    "spec_purpose_brief",
    Level.WARNING,
    N_("The Purpose is short ({length} characters, at least {least} are expected)"),
)
TEXT_LONG = Rule(
    "requirement_text_long",
    Level.INFO,
    N_('The text of requirement "{name}" is long ({length} characters, over {most})'),
    N_("Consider splitting it"),
)
BODY_EMPTY = Rule(
    "requirement_body_empty",
    Level.ERROR,
    N_('Requirement "{name}" has no text between its heading and its first scenario'),
    N_("Write one sentence with SHALL or MUST below the heading"),
)
KEYWORD_MISSING = Rule(
    "requirement_keyword_missing",
    Level.ERROR,
    N_('Requirement "{name}" says neither SHALL nor MUST'),
    N_("Say in the body what the system SHALL or MUST do"),
)
KEYWORD_IN_HEADING = Rule(
    "requirement_keyword_in_heading",
    Level.ERROR,
    N_('Requirement "{name}" says SHALL or MUST only in its heading; it has to be in the body'),
    N_("Repeat the sentence with SHALL or MUST below the heading"),
)
HEADING_LEVEL = Rule(
    "requirement_heading_level",
    Level.WARNING,
    N_('Line {line}: "{title}" has {level} hashes; a requirement heading has three'),
    N_("Write `### Requirement: <name>`"),
)
IN_COMMENT = Rule(
    "requirement_in_comment",
    Level.WARNING,
    N_('Line {line}: requirement "{name}" stands inside an HTML comment and is read all the same'),
    N_("Delete it, or end the comment before it"),
)
FENCE_UNCLOSED = Rule(
    "fence_unclosed",
    Level.WARNING,
    N_("Line {line}: this code fence is never closed, so all below it is sample text"),
    N_("Close the fence with a line of the same mark"),
)


def check_spec(spec: SpecDocument) -> list[Finding]:
    """Everything that is wrong with a main spec, in the order of its rules.

    A spec without a purpose or without requirements gives that one finding and nothing else.
    Two index spaces, as published: `requirements.0` counts headings below the section,
    `requirements[0]` counts `Requirement:` blocks. Source: planning §3.8.1.
    """
    problem = unreadable_part(spec)
    if problem is not None:
        return [problem]
    purpose, requirements = spec.purpose or "", spec.requirements or []
    return [
        *_shape(requirements),
        *structure(spec),
        *_brevity(purpose, requirements),
        *_blocks(spec),
        *text_warnings(spec.markdown, "file"),
    ]


def unreadable_part(spec: SpecDocument) -> Finding | None:
    """What a spec lacks to be read at all; None when it can be."""
    if not spec.purpose:
        return Finding(PURPOSE_MISSING, "file")
    if spec.requirements is None:
        return Finding(REQUIREMENTS_MISSING, "file")
    return None


def structure(spec: SpecDocument) -> list[Finding]:
    """The rules that a merge too insists on: nothing that the block reader would overlook.

    Each finding carries its line. Source: planning §3.8.1 and §6.3 step 3.
    """
    found = [
        Finding(
            DELTA_HEADING,
            "file",
            {"line": heading.line + 1, "title": heading.title},
            heading.line + 1,
        )
        for heading in spec.delta_headings()
    ]
    for heading in spec.stray_requirements():
        params = {"line": heading.line + 1, "name": bare_name(heading.title)}
        found.append(Finding(STRAY_REQUIREMENT, "file", params, heading.line + 1))
    first: dict[str, Block] = {}
    for block in spec.blocks:
        earlier = first.setdefault(block.name, block)
        if earlier is not block:
            params = {"name": block.name, "first": earlier.start + 1, "line": block.start + 1}
            found.append(Finding(DUPLICATE, "file", params, block.start + 1))
    return found


def bare_name(title: str) -> str:
    """The name in the title of a requirement heading, for findings that carry either."""
    return heading_name(title) or title


def check_wording(
    document: Markdown, block: Block, path: str, *, line: int | None
) -> Finding | None:
    """Whether the body of `block` is there and says SHALL or MUST; None when all is well."""
    body = "\n".join(body_lines(document, block.start, block.end))
    return _wording(block.name, body, path, line)


def _wording(name: str, body: str, path: str, line: int | None) -> Finding | None:
    params = {"name": name}
    if not body:
        return Finding(BODY_EMPTY, path, params, line)
    if has_keyword(body):
        return None
    rule = KEYWORD_IN_HEADING if has_keyword(name) else KEYWORD_MISSING
    return Finding(rule, path, params, line)


def text_warnings(document: Markdown, path: str) -> Iterator[Finding]:
    """Slips that change how a text is read: open fences, commented or mislevelled requirements."""
    if document.unclosed_fence is not None:
        line = document.unclosed_fence + 1
        yield Finding(FENCE_UNCLOSED, path, {"line": line}, line)
    commented = document.commented_lines()
    for heading in document.headings:
        if not names_requirement(heading):
            continue
        line = heading.line + 1
        if heading.level != 3:
            params = {"line": line, "title": heading.title, "level": heading.level}
            yield Finding(HEADING_LEVEL, path, params, line)
        elif heading.line in commented:
            yield Finding(IN_COMMENT, path, {"line": line, "name": bare_name(heading.title)}, line)


def _shape(requirements: list[Requirement]) -> Iterator[Finding]:
    if not requirements:
        yield Finding(NO_REQUIREMENT, "requirements")
    for index, requirement in enumerate(requirements):
        where = f"requirements.{index}"
        line = requirement.line + 1
        if not requirement.text:
            yield Finding(TEXT_EMPTY, f"{where}.text", {}, line)
        if not requirement.scenarios:
            params = {"name": bare_name(requirement.title)}
            yield Finding(NO_SCENARIO, f"{where}.scenarios", params, line)
        for number, scenario in enumerate(requirement.scenarios):
            if not scenario.text:
                yield Finding(SCENARIO_EMPTY, f"{where}.scenarios.{number}.rawText", {}, line)


def _brevity(purpose: str, requirements: list[Requirement]) -> Iterator[Finding]:
    if len(purpose) < PURPOSE_MIN:
        yield Finding(PURPOSE_BRIEF, "overview", {"length": len(purpose), "least": PURPOSE_MIN})
    for index, requirement in enumerate(requirements):
        where, line = f"requirements[{index}]", requirement.line + 1
        if len(requirement.text) > REQUIREMENT_MAX:
            params: dict[str, object] = {
                "name": bare_name(requirement.title),
                "length": len(requirement.text),
                "most": REQUIREMENT_MAX,
            }
            yield Finding(TEXT_LONG, where, params, line)
        if not requirement.scenarios:
            yield Finding(
                NO_SCENARIO_GUIDE,
                f"{where}.scenarios",
                {"name": bare_name(requirement.title)},
                line,
            )


def _blocks(spec: SpecDocument) -> Iterator[Finding]:
    read = {one.line: one for one in spec.requirements or ()}
    for index, block in enumerate(spec.blocks):
        where, line = f"requirements[{index}]", block.start + 1
        known = read.get(block.start)  # the other reader has looked at its body already
        if known is not None:
            finding = _wording(block.name, known.text if known.has_body else "", where, line)
        else:
            finding = check_wording(spec.markdown, block, where, line=line)
        if finding is not None:
            yield finding
