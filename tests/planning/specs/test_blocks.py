"""Requirement blocks, bodies and scenario names."""

from __future__ import annotations

import pytest

from rasen.planning.specs.blocks import (
    block_requirement,
    blocks_within,
    body_lines,
    requirement_name,
    scenario_name,
    scenario_names,
)
from rasen.syntax.markdown import Heading, Markdown


def heading(line: str) -> Heading:
    return Markdown(line).headings[0]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("### Requirement: Loan Period", "Loan Period"),
        ("###Requirement:Loan", "Loan"),
        ("### REQUIREMENT:   Loan  Period  ", "Loan  Period"),
        ("### Requirement: Loan ##", "Loan ##"),
        ("### Requirement: a: b", "a: b"),
        ("### Requirement:", None),
        ("### Requirement", None),
        ("### Requirements: x", None),
        ("### My Requirement: x", None),
        ("## Requirement: x", None),
        ("#### Requirement: x", None),
    ],
)
def test_requirement_heading(line: str, name: str | None) -> None:
    assert requirement_name(heading(line)) == name


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("#### Scenario: Standard loan", "Standard loan"),
        ("#### scenario:Standard", "Standard"),
        ("#### Edge case: reference stock", "Edge case: reference stock"),
        ("#### Scenario: closed ####", "closed"),
        ("#### Scenario: sharp C#", "sharp C#"),
        ("#### Scenario: a # b", "a # b"),
        ("#### ##", ""),
        ("#### Scenario:", ""),
    ],
)
def test_scenario_name(line: str, name: str) -> None:
    assert scenario_name(heading(line)) == name


def test_block_ends_at_the_next_one_without_blank_lines() -> None:
    document = Markdown("### Requirement: A\na\n\n### Note\nn\n\n\n### Requirement: B\nb\n\n")

    blocks = blocks_within(document, 0, len(document.lines))

    assert [(one.name, one.start, one.end) for one in blocks] == [("A", 0, 5), ("B", 7, 9)]


def test_headings_in_fences_begin_no_block_and_no_scenario() -> None:
    text = "### Requirement: A\n```\n### Requirement: B\n#### Scenario: X\n```\n#### Scenario: Y\n"
    document = Markdown(text)

    blocks = blocks_within(document, 0, len(document.lines))

    assert [one.name for one in blocks] == ["A"]
    assert scenario_names(document, blocks[0]) == ["Y"]


def test_scenario_names_keep_repetitions_and_other_level_four_headings() -> None:
    document = Markdown(
        "### Requirement: A\n#### Scenario: X\n#### X\n#### Other\n##### deep\n#### \n"
    )
    (block,) = blocks_within(document, 0, len(document.lines))

    assert scenario_names(document, block) == ["X", "X", "Other"]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("### R\n\n  one \n\ntwo\n#### S\nthree\n", ["one", "two"]),
        ("### R\n**Priority**: high\nreal\n", ["real"]),
        ("### R\n**Priority**: high\n\n", ["**Priority**: high"]),
        ("### R\n**bold** text\n", ["**bold** text"]),
        ("### R\n```\nSHALL\n```\nx\n", ["x"]),
        ("### R\n#tight\nx\n", ["#tight", "x"]),
        ("### R\n#### S\n", []),
    ],
    ids=["before a heading", "meta", "only meta", "no meta", "fence", "tight heading", "none"],
)
def test_body(text: str, body: list[str]) -> None:
    document = Markdown(text)

    assert body_lines(document, 0, len(document.lines)) == body


def test_block_as_shown_in_json() -> None:
    text = "### Requirement: A\nIt SHALL.\nTwice.\n\n#### S\n\n- one\n\n#### T\n\n#### U\n- two\n"
    document = Markdown(text)
    (block,) = blocks_within(document, 0, len(document.lines))

    assert block_requirement(document, block).to_json() == {
        "text": "It SHALL.\nTwice.",
        "scenarios": [{"rawText": "- one"}, {"rawText": "- two"}],
    }


def test_block_without_text_shows_its_name() -> None:
    document = Markdown("### Requirement: A\n")
    (block,) = blocks_within(document, 0, 1)

    assert block_requirement(document, block).text == "A"
