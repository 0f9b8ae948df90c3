"""Delta files: what they ask for, and every line that will have no effect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.planning_texts import DELTA, requirement

from rasen.planning.changes.delta_file import Delta
from rasen.planning.specs.model import Role

ROWS = st.sampled_from(
    [
        "# T", "## Purpose", "## ADDED Requirements", "## modified requirements",
        "## REMOVED Requirements", "## RENAMED Requirements", "##ADDED Requirements",
        "### REMOVED Requirements", "## Notes", "### Requirement: A", "###Requirement: B",
        "#### Requirement: C", "## Requirement: D", "- ### Requirement: E", "* `### Requirement: F`",
        "- FROM: ### Requirement: G", "- TO: ### Requirement: H", "TO: x", "#### Scenario: S",
        "### Note", "```", "~~~~", "<!--", "-->", "text", "", "  ", "1. x", "\ufeff", "\x00",
    ]
)  # fmt: skip
DOCUMENTS = st.lists(st.tuples(ROWS, st.sampled_from(["\n", "\r\n", "\r"])), max_size=16).map(
    lambda rows: "".join(row + ending for row, ending in rows)
)


def codes(text: str) -> list[tuple[str, str, int | None]]:
    return [(one.code, one.level.value, one.line) for one in Delta(text).findings]


@given(st.one_of(st.text(), DOCUMENTS))
def test_every_line_of_any_text_has_one_role(text: str) -> None:
    delta = Delta(text)

    assert delta.markdown.text() == text
    assert len(delta.roles) == len(delta.markdown.lines)
    unread = {at for at, role in enumerate(delta.roles) if role is Role.UNREAD}
    assert unread <= {(one.line or 0) - 1 for one in delta.findings}
    for block in [*delta.added, *delta.modified]:
        assert delta.roles[block.start] is Role.REQUIREMENT
    for removal in delta.removed:
        assert delta.roles[removal.line] is Role.REMOVAL
    for rename in delta.renamed:
        assert delta.roles[rename.line] is Role.RENAME_FROM


@given(DOCUMENTS)
def test_no_requirement_heading_goes_unread_in_silence(text: str) -> None:
    delta = Delta(text)
    used = {block.start for block in [*delta.added, *delta.modified]}
    used |= {removal.line for removal in delta.removed}
    told = {(one.line or 0) - 1 for one in delta.findings}

    for heading in delta.markdown.headings:
        if heading.level == 3 and heading.title.startswith("Requirement:"):
            is_commented = heading.line in delta.markdown.commented_lines()
            assert heading.line in used | told or is_commented


@given(DOCUMENTS)
def test_byte_order_mark_and_windows_endings_change_nothing(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")

    one, other = Delta(plain), Delta("\ufeff" + plain.replace("\n", "\r\n"))

    assert (other.added, other.modified, other.removed, other.renamed) == (
        one.added, one.modified, one.removed, one.renamed,
    )  # fmt: skip
    assert other.roles == one.roles
    assert [str(finding) for finding in other.findings] == [str(find) for find in one.findings]


def test_all_four_sections_in_any_case() -> None:
    delta = Delta(
        f"## added requirements\n{requirement('A')}\n## Modified Requirements\n{requirement('M')}\n"
        "## REMOVED REQUIREMENTS\n### Requirement: R\n**Reason**: old\n\n"
        "## renamed Requirements\n- FROM: ### Requirement: X\n- TO: ### Requirement: Y\n"
    )

    assert [block.name for block in delta.added] == ["A"]
    assert [block.name for block in delta.modified] == ["M"]
    assert [removal.name for removal in delta.removed] == ["R"]
    assert [(rename.old, rename.new) for rename in delta.renamed] == [("X", "Y")]
    assert delta.count == 4
    assert not delta.is_empty
    assert delta.findings == []


def test_same_titled_sections_add_up_in_order() -> None:
    delta = Delta(
        f"## ADDED Requirements\n{requirement('A')}\n## Added requirements\n{requirement('B')}\n"
        f"## ADDED Requirements\n{requirement('C')}"
    )

    assert [block.name for block in delta.added] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("- ### Requirement: Renewals", "Renewals"),
        ("* ### Requirement: Renewals", "Renewals"),
        ("+ ### Requirement: Renewals", "Renewals"),
        ("  - `### Requirement: Renewals`  ", "Renewals"),
        ("-### Requirement: Renewals", "Renewals"),
        ("- ### Requirement:Renewals", "Renewals"),
        ("- ### Requirement: Use `x`", "Use `x`"),
        ("- `### Requirement: Use `x``", "Use `x`"),
        ("- `` ### Requirement: x ``", None),
        ("- ``### Requirement: Use `x` ``", "Use `x`"),
        ("- ### Requirement: Renewals`", "Renewals"),
        ("### Requirement: Renewals", "Renewals"),
        ("###requirement: Renewals", "Renewals"),
        ("- ### requirement: Renewals", None),
        ("- Requirement: Renewals", None),
        ("1. ### Requirement: Renewals", None),
        ("- Renewals", None),
        ("- **Renewals**", None),
        ("#### Requirement: Renewals", None),
        ("### Renewals", None),
        ("**### Requirement: Renewals**", None),
        ("Requirement: Renewals", None),
        ("> - ### Requirement: Renewals", None),
    ],
)
def test_removed_line_is_read_or_reported(line: str, name: str | None) -> None:
    delta = Delta(f"## REMOVED Requirements\n{line}\n")

    assert [removal.name for removal in delta.removed] == ([name] if name else [])
    assert codes(f"## REMOVED Requirements\n{line}\n") == (
        [] if name else [("delta_entry_unread", "ERROR", 2)]
    )
    assert delta.roles[1] is (Role.REMOVAL if name else Role.UNREAD)


def test_removals_as_headings_and_bullets_mix() -> None:
    delta = Delta(
        "## REMOVED Requirements\n- ### Requirement: A\n  - **Reason**: old\n"
        "- **Migration**: none\n- Reason: plain\nprose\n\n### Requirement: B\n- a plain bullet\n"
        "- ### Requirement: C\n```\n- ### Requirement: D\n```\n"
    )

    assert [(one.name, one.line, one.block is None) for one in delta.removed] == [
        ("A", 1, True), ("B", 7, False), ("C", 9, True),
    ]  # fmt: skip
    assert delta.findings == []
    assert delta.roles[2:6] == [Role.REASON] * 4
    assert delta.roles[8] is Role.REASON


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Loan Period goes.\n", [("delta_text_ignored", "INFO", 2)]),
        ("None\n- ### Requirement: A\n", [("delta_text_ignored", "INFO", 2)]),
        ("### Requirement: A\n### Reason\nx\n", [("delta_heading_skipped", "INFO", 3)]),
        ("### Requirement: A\n#### Requirement: B\n", [("delta_entry_unread", "ERROR", 3)]),
        ("### Requirement: A\n### Loans\n", [("delta_entry_unread", "ERROR", 3)]),
        ("- ### Requirement: A\n- Loans\n", [("delta_entry_unread", "ERROR", 3)]),
        ("<!--\n- Loans\n-->\n", []),
        ("<!--\n- ### Requirement: A\n-->\n", [("requirement_in_comment", "WARNING", 3)]),
    ],
    ids=[
        "prose only", "prose first", "reason heading", "four hashes", "no requirement heading",
        "plain bullet", "comment", "entry in a comment",
    ],
)  # fmt: skip
def test_removed_section_reports(text: str, expected: list[tuple[str, str, int | None]]) -> None:
    assert codes(f"## REMOVED Requirements\n{text}") == expected


@pytest.mark.parametrize(
    "pair",
    [
        "- FROM: ### Requirement: A\n- TO: ### Requirement: B\n",
        "* FROM: ### Requirement: A\n+ TO: ### Requirement: B\n",
        "FROM: ### Requirement: A\nTO: ### Requirement: B\n",
        "- FROM: `### Requirement: A`\n\n- TO: `### Requirement: B`\n",
        "  -   FROM:### Requirement:A  \n  - TO:   ### Requirement: B\n",
        "- FROM: ### Requirement: A\nbecause\n- TO: ### Requirement: B\n",
    ],
)
def test_rename_variants(pair: str) -> None:
    delta = Delta(f"## RENAMED Requirements\n{pair}")

    assert [(one.old, one.new, one.line) for one in delta.renamed] == [("A", "B", 1)]
    assert delta.findings == []


def test_back_quotes_inside_renamed_names_stay() -> None:
    delta = Delta(
        "## RENAMED Requirements\n- FROM: `### Requirement: Use `a``\n- TO: ### Requirement: Use `b`\n"
    )

    assert [(one.old, one.new) for one in delta.renamed] == [("Use `a`", "Use `b`")]


A, B, C, D = (f"### Requirement: {name}" for name in "ABCD")


@pytest.mark.parametrize(
    ("text", "pairs", "unpaired"),
    [
        (f"- FROM: {A}\n- FROM: {B}\n- TO: {C}\n- TO: {D}\n", [("B", "C")], [2, 5]),
        (f"- TO: {B}\n- FROM: {A}\n", [], [2, 3]),
        (f"- FROM: {A}\n- TO: {B}\n- FROM: {C}\n", [("A", "B")], [4]),
        (f"- TO: {B}\n- TO: {C}\n", [], [2, 3]),
    ],
    ids=["crossed", "backwards", "lone FROM", "two TO"],
)
def test_unpaired_rename_lines_are_listed(
    text: str, pairs: list[tuple[str, str]], unpaired: list[int]
) -> None:
    delta = Delta(f"## RENAMED Requirements\n{text}")

    assert [(one.old, one.new) for one in delta.renamed] == pairs
    assert [(one.code, one.line) for one in delta.findings] == [
        ("delta_rename_unpaired", line) for line in unpaired
    ]


@pytest.mark.parametrize(
    "line",
    [
        "- From: ### Requirement: A",
        "- FROM ### Requirement: A",
        "**FROM:** `### Requirement: A`",
        "- FROM: Requirement: A",
        "- FROM: A",
        "to: B",
        "- `### Requirement: A` → `### Requirement: B`",
        "### Requirement: A",
        "- something",
        "1. FROM: ### Requirement: A",
        "- FROM: ### Requirement:",
    ],
)
def test_renamed_line_that_is_no_side_is_reported(line: str) -> None:
    assert codes(f"## RENAMED Requirements\n{line}\n") == [("delta_entry_unread", "ERROR", 2)]


def test_renamed_section_may_hold_reasons() -> None:
    text = (
        f"## RENAMED Requirements\nFrom now on:\n- FROM: {A}\n- TO: {B}\n  - **Reason**: x\nprose\n"
    )

    assert codes(text) == [("delta_text_ignored", "INFO", 2)]
    assert Delta(text).roles[4:] == [Role.REASON] * 2


@pytest.mark.parametrize(
    ("text", "line", "place", "wanted"),
    [
        (requirement("A"), 1, "no section", "ADDED"),
        (f"# T\n\n{requirement('A')}\n{DELTA}", 3, "no section", "ADDED"),
        (f"{DELTA}\n## Notes\n{requirement('A')}", 11, '"## Notes"', None),
        (f"## Add Requirements\n{requirement('A')}", 2, '"## Add Requirements"', "ADDED"),
        (f"## Remove Requirements\n{requirement('A')}", 2, '"## Remove Requirements"', "REMOVED"),
        (f"## Purpose\n{requirement('A')}", 2, '"## Purpose"', None),
        (f"{DELTA}\n## Requirement: A\nx\n", 10, "no section", None),
        ("## Notes\n- ### Requirement: A\n", 2, '"## Notes"', "REMOVED"),
        ("## Renames\n- TO: ### Requirement: A\n", 2, '"## Renames"', "RENAMED"),
    ],
    ids=[
        "before any section", "before the first section", "under Notes", "misspelt section",
        "misspelt removal", "under Purpose", "two hashes", "bullet", "rename",
    ],
)  # fmt: skip
def test_entry_outside_the_sections_is_an_error(
    text: str, line: int, place: str, wanted: str | None
) -> None:
    delta = Delta(text)

    (found,) = (one for one in delta.findings if one.code == "delta_requirement_unread")

    assert (found.level.value, found.line) == ("ERROR", line)
    assert found.params["place"] == place
    assert delta.roles[line - 1] is Role.UNREAD
    if wanted:
        assert f"## {wanted} Requirements" in found.fix


def test_what_is_commented_out_beside_the_sections_is_no_error() -> None:
    assert codes(f"<!--\n{requirement('A')}-->\n\n{DELTA}") == []


@pytest.mark.parametrize(
    "line", ["##REMOVED Requirements", "# REMOVED Requirements", "### removed requirements"]
)
def test_section_heading_of_another_shape_is_an_error(line: str) -> None:
    text = f"{DELTA}\n{line}\n\n### Requirement: Renewals\n"

    assert ("delta_section_malformed", "ERROR", 10) in codes(text)
    assert Delta(text).roles[9] is Role.UNREAD


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("### Note\nx\n", [("delta_heading_skipped", "INFO", 10)]),
        ("# Note\nx\n", [("delta_heading_skipped", "INFO", 10)]),
        ("### Requirement Loans\nx\n", [("delta_heading_malformed", "WARNING", 10)]),
        ("### Requirements: Loans\nx\n", [("delta_heading_malformed", "WARNING", 10)]),
        ("##### Note\nx\n", []),
        ("###tight\nx\n", []),
        ("```\n### Note\n```\n", []),
    ],
)
def test_heading_inside_a_block(body: str, expected: list[tuple[str, str, int | None]]) -> None:
    text = f"{DELTA}\n{body}"

    assert codes(text) == expected
    if expected:
        assert Delta(text).roles[9] is Role.ABSORBED


@pytest.mark.parametrize(
    ("intro", "expected"),
    [
        ("Some prose.\nMore.\n", [("delta_text_ignored", "INFO", 2)]),
        ("<!-- note -->\n", []),
        ("- ### Requirement: Loans\n", [("delta_entry_unread", "ERROR", 2)]),
        ("#### Requirement: Loans\n", [("delta_entry_unread", "ERROR", 2)]),
        ("### Requirement Loans\nIt SHALL.\n", [("delta_entry_unread", "ERROR", 2), ("delta_text_ignored", "INFO", 3)]),
        ("### Loans\n", [("delta_text_ignored", "INFO", 2), ("delta_heading_skipped", "INFO", 2)]),
    ],
    ids=["prose", "comment", "bullet", "four hashes", "no colon", "other heading"],
)  # fmt: skip
def test_text_before_the_first_block(
    intro: str, expected: list[tuple[str, str, int | None]]
) -> None:
    assert codes(f"## ADDED Requirements\n{intro}\n{requirement('A')}") == expected


def test_section_that_is_no_delta_is_told() -> None:
    assert codes(f"intro\n{DELTA}\n## Notes\nx\n") == [
        ("delta_text_ignored", "INFO", 1),
        ("delta_section_ignored", "INFO", 11),
    ]


def test_first_purpose_counts_and_a_second_is_told() -> None:
    text = f"# T\n\n## Purpose\n\nOne.\n\n## purpose\nTwo.\n\n{DELTA}"
    delta = Delta(text)

    assert delta.purpose() == ["One."]
    assert delta.purpose_span == (3, 6)
    assert codes(text) == [("delta_section_ignored", "INFO", 7)]
    assert delta.roles[:5] == [
        Role.TITLE, Role.BLANK, Role.SECTION, Role.BLANK, Role.PURPOSE,
    ]  # fmt: skip


def test_delta_without_purpose_has_none() -> None:
    assert Delta(DELTA).purpose() == []
    assert Delta("## Purpose\n\n").purpose() == []


def test_fenced_headings_ask_for_nothing() -> None:
    text = (
        "## ADDED Requirements\n\n### Requirement: A\nIt SHALL.\n\n"
        "````\n### Requirement: Only An Example\n```\n## REMOVED Requirements\n```\n````\n\n"
        "#### Scenario: S\n- x\n"
    )
    for sample in (text, text.replace("````", "~~~~"), text.replace("````", "  ````")):
        delta = Delta(sample)

        assert [block.name for block in delta.added] == ["A"]
        assert delta.count == 1
        assert delta.findings == []


def test_empty_and_blank_files_ask_for_nothing() -> None:
    for text in ("", "\n\n", "# T\n"):
        delta = Delta(text)
        assert delta.is_empty
        assert not delta.has_delta_heading
        assert delta.findings == []
