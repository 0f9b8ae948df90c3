"""Every rule of a main spec: code, level, path, line."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import PURPOSE, SPEC, requirement, spec_of

from rasen.base.findings import Finding, has_errors
from rasen.planning.specs.rules import check_spec
from rasen.planning.specs.spec_file import SpecDocument


def check(text: str) -> list[Finding]:
    return check_spec(SpecDocument(text))


def rows(text: str) -> list[tuple[str, str, str, int | None]]:
    return [(one.code, one.level.value, one.path, one.line) for one in check(text)]


def test_sound_spec_has_no_findings() -> None:
    assert check(SPEC) == []
    assert check("\ufeff" + SPEC.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("spec_purpose_missing", "ERROR", "file", None)),
        (
            f"## Requirements\n{requirement('A', 'no word')}",
            ("spec_purpose_missing", "ERROR", "file", None),
        ),
        ("## Purpose\n\n## Requirements\n", ("spec_purpose_missing", "ERROR", "file", None)),
        (
            "## Purpose\nshort\n## ADDED Requirements\n",
            ("spec_requirements_missing", "ERROR", "file", None),
        ),
    ],
    ids=["empty file", "no purpose", "empty purpose", "no requirements"],
)
def test_unreadable_spec_gives_one_finding(
    text: str, expected: tuple[str, str, str, int | None]
) -> None:
    assert rows(text) == [expected]
    assert check(text)[0].fix


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            spec_of(), [("spec_empty", "ERROR", "requirements", None)], id="no requirement"
        ),
        pytest.param(
            spec_of(requirement("A"), "### Requirement: B\nIt SHALL.\n"),
            [
                ("requirement_scenarios_missing", "ERROR", "requirements.1.scenarios", 15),
                ("requirement_scenarios_guide", "WARNING", "requirements[1].scenarios", 15),
            ],
            id="no scenario, twice",
        ),
        pytest.param(
            spec_of("### Requirement: B\nIt SHALL.\n\n#### Scenario: empty\n"),
            [
                ("requirement_scenarios_missing", "ERROR", "requirements.0.scenarios", 8),
                ("requirement_scenarios_guide", "WARNING", "requirements[0].scenarios", 8),
            ],
            id="only an empty scenario",
        ),
        pytest.param(
            spec_of(requirement("A"), tail="\n## ADDED Requirements\n"),
            [("spec_delta_heading", "ERROR", "file", 15)],
            id="delta heading",
        ),
        pytest.param(
            spec_of(requirement("A"), tail="\n## removed requirements\n"),
            [("spec_delta_heading", "ERROR", "file", 15)],
            id="delta heading in lower case",
        ),
        pytest.param(
            spec_of(requirement("A"), tail="\n```\n## ADDED Requirements\n```\n"),
            [],
            id="fenced delta heading",
        ),
        pytest.param(
            spec_of(requirement("A"), tail=f"\n## Notes\n{requirement('B')}"),
            [("spec_requirement_misplaced", "ERROR", "file", 16)],
            id="requirement outside",
        ),
        pytest.param(
            spec_of(requirement("A"), requirement("A")),
            [("spec_requirement_duplicate", "ERROR", "file", 15)],
            id="duplicate",
        ),
        pytest.param(
            spec_of("### Requirement: A\n\n#### Scenario: S\n- x\n"),
            [("requirement_body_empty", "ERROR", "requirements[0]", 8)],
            id="empty body",
        ),
        pytest.param(
            spec_of(requirement("A", "```\nIt SHALL.\n```")),
            [("requirement_body_empty", "ERROR", "requirements[0]", 8)],
            id="body only in a fence",
        ),
        pytest.param(
            spec_of(requirement("A", "It works.")),
            [("requirement_keyword_missing", "ERROR", "requirements[0]", 8)],
            id="no keyword",
        ),
        pytest.param(
            spec_of(requirement("It SHALL work", "It works.")),
            [("requirement_keyword_in_heading", "ERROR", "requirements[0]", 8)],
            id="keyword in the heading",
        ),
        pytest.param(
            spec_of(requirement("A", "First.\n\nSecond SHALL.")), [], id="keyword in a later line"
        ),
        pytest.param(
            spec_of("### Note\nfree text\n\n#### S\n- x\n", requirement("B", "It works.")),
            [("requirement_keyword_missing", "ERROR", "requirements[0]", 14)],
            id="two index spaces",
        ),
        pytest.param(
            spec_of(requirement("A"), "#### Requirement: B\n- x\n"),
            [("requirement_heading_level", "WARNING", "file", 15)],
            id="four hashes",
        ),
        pytest.param(
            spec_of(requirement("A"), f"<!--\n{requirement('B')}-->\n"),
            [("requirement_in_comment", "WARNING", "file", 16)],
            id="in a comment",
        ),
        pytest.param(
            spec_of(requirement("A"), tail="```\nnever closed\n"),
            [("fence_unclosed", "WARNING", "file", 14)],
            id="open fence",
        ),
    ],
)
def test_rule(text: str, expected: list[tuple[str, str, str, int | None]]) -> None:
    assert rows(text) == expected


@pytest.mark.parametrize(("length", "is_brief"), [(49, True), (50, False)])
def test_purpose_of_fifty_characters_is_long_enough(length: int, is_brief: bool) -> None:
    text = spec_of(requirement("A"), purpose="字" * length)

    expected = [("spec_purpose_brief", "WARNING", "overview", None)] if is_brief else []
    assert rows(text) == expected


@pytest.mark.parametrize(("length", "is_long"), [(500, False), (501, True)])
def test_requirement_of_five_hundred_characters_is_short_enough(length: int, is_long: bool) -> None:
    body = "It SHALL " + "x" * (length - len("It SHALL "))

    found = rows(spec_of(requirement("A"), requirement("B", body)))

    assert found == ([("requirement_text_long", "INFO", "requirements[1]", 15)] if is_long else [])


def test_messages_name_the_lines_and_the_way_out() -> None:
    duplicate = check(spec_of(requirement("A"), requirement("A")))[0]
    heading_only = check(spec_of(requirement("It SHALL", "It works.")))[0]
    guide = check(spec_of("### Requirement: B\nIt SHALL.\n"))[1]

    assert "lines 8 and 15" in duplicate.message
    assert "body" in heading_only.message
    assert "#### Scenario:" in guide.fix


def test_information_never_fails_and_warnings_fail_only_strict_runs() -> None:
    long_text = check(spec_of(requirement("A", "It SHALL " + "x" * 600)))
    brief = check(spec_of(requirement("A"), purpose="Brief."))

    assert not has_errors(long_text, strict=True)
    assert not has_errors(brief)
    assert has_errors(brief, strict=True)


def test_findings_stay_apart_from_the_template_language() -> None:
    found = check(spec_of(requirement("{name} {0}", "It works.")))

    assert 'Requirement "{name} {0}" says neither' in found[0].message


def test_spec_of_headings_in_the_purpose_is_read_to_its_end() -> None:
    assert check(spec_of(requirement("A"), purpose=f"{PURPOSE}\n\n### Scope\nAll of it.")) == []
