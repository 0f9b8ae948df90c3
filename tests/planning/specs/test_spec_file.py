"""Specs as both readers see them, and a role for every line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.support.planning_texts import PURPOSE, SPEC, requirement, spec_of

from rasen.planning.specs.model import Role
from rasen.planning.specs.spec_file import SpecDocument

PIECES = st.sampled_from(
    [
        "# T", "## Purpose", "## Requirements", "### Requirements", "# Requirements",
        "## ADDED Requirements", "### Requirement: A", "###Requirement: B", "#### Scenario: S",
        "### Note", "#### Requirement: C", "```", "~~~", "text SHALL", "- bullet", "", "   ",
        "<!-- a", "-->", "\ufeff", "\x00", "## Notes", "#", "\u2028",
    ]
)  # fmt: skip
DOCUMENTS = st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=14).map(
    lambda lines: "".join(line + ending for line, ending in lines)
)


@given(st.one_of(st.text(), DOCUMENTS))
def test_every_line_of_any_text_has_one_role(text: str) -> None:
    spec = SpecDocument(text)

    roles = spec.roles()

    assert len(roles) == len(spec.markdown.lines)
    assert all(isinstance(role, Role) for role in roles)
    for block in spec.blocks:
        assert roles[block.start] is Role.REQUIREMENT
    for heading in spec.stray_requirements():
        assert roles[heading.line] is Role.UNREAD


@given(DOCUMENTS)
def test_blocks_lie_in_the_section_and_do_not_overlap(text: str) -> None:
    spec = SpecDocument(text)

    edges = [edge for block in spec.blocks for edge in (block.start, block.end)]

    assert edges == sorted(edges)
    if edges:
        assert spec.section_start is not None
        assert spec.section_start < edges[0]
        assert edges[-1] <= spec.section_end


def test_sections_as_shown() -> None:
    spec = SpecDocument(SPEC)

    assert spec.purpose == PURPOSE
    assert spec.requirements is not None
    titles = [one.title for one in spec.requirements]
    assert titles == ["Requirement: Loan Period", "Requirement: Renewals"]
    assert [len(one.scenarios) for one in spec.requirements] == [2, 1]
    first = spec.requirements[0]
    assert first.text == "The system SHALL set the due date 21 days after checkout."
    assert first.scenarios[0].text.startswith("- **WHEN** a member checks out a book")


def test_section_reader_takes_every_heading_and_block_reader_only_requirements() -> None:
    spec = SpecDocument(spec_of(requirement("A"), "### Note\nabsorbed\n"))

    assert spec.requirements is not None
    assert [one.title for one in spec.requirements] == ["Requirement: A", "Note"]
    assert [block.name for block in spec.blocks] == ["A"]
    assert "absorbed" in spec.markdown.raw(spec.blocks[0].start, spec.blocks[0].end)


def test_nested_requirements_heading_captures_only_the_section_reader() -> None:
    text = f"## Purpose\nx\n### Requirements\n\n## Requirements\n\n{requirement('A')}"
    spec = SpecDocument(text)

    assert spec.requirements == []
    assert [block.name for block in spec.blocks] == ["A"]


def test_missing_parts_are_told_apart_from_empty_ones() -> None:
    assert SpecDocument("").purpose is None
    assert SpecDocument("## Purpose\n\n").purpose == ""
    assert SpecDocument("").requirements is None
    assert SpecDocument("## requirements\n").requirements == []
    assert SpecDocument("").section_start is None
    assert SpecDocument("a\n").section_end == 1


def test_only_a_level_two_heading_begins_the_section() -> None:
    for line in ("# Requirements", "### Requirements", "##Requirements", "## Requirements list"):
        assert SpecDocument(f"{line}\n").section_start is None


def test_first_of_two_sections_holds_the_blocks() -> None:
    text = f"## Requirements\n{requirement('A')}\n## Requirements\n{requirement('B')}"
    spec = SpecDocument(text)

    assert [block.name for block in spec.blocks] == ["A"]
    assert [heading.title for heading in spec.stray_requirements()] == ["Requirement: B"]


def test_byte_order_mark_and_windows_endings_change_nothing() -> None:
    plain = SpecDocument(SPEC)
    other = SpecDocument("\ufeff" + SPEC.replace("\n", "\r\n"))

    assert other.purpose == plain.purpose
    assert other.requirements == plain.requirements
    assert other.blocks == plain.blocks
    assert other.roles() == plain.roles()


def test_roles() -> None:
    text = (
        "# T\nintro\n\n## Purpose\np\n\n## Requirements\npre\n"
        "### Requirement: A\nbody\n#### S\nstep\n### Note\nn\n##### deep\nm\n#### S2\nstep\n"
        "## Notes\nx\n### Requirement: Stray\n## ADDED Requirements\n```\n\n```\n"
    )

    roles = [role.value for role in SpecDocument(text).roles()]

    assert roles == [
        "title", "other", "blank", "section", "purpose", "blank", "section", "preamble",
        "requirement", "body", "scenario", "scenario-body", "absorbed", "absorbed", "absorbed",
        "absorbed", "scenario", "scenario-body",
        "other", "other", "unread", "unread", "other", "other", "other",
    ]  # fmt: skip


def test_purpose_of_level_one_does_not_claim_other_sections() -> None:
    roles = SpecDocument("# Purpose\np\n## Notes\nn\n## Requirements\n").roles()

    assert roles == [Role.SECTION, Role.PURPOSE, Role.OTHER, Role.OTHER, Role.SECTION]
