"""What a delta may not say, whatever the spec holds."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import requirement

from rasen.base.findings import Finding
from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging.checks import check_delta


def check(text: str) -> list[Finding]:
    return check_delta(Delta(text))


def section(word: str, *names: str) -> str:
    return f"## {word} Requirements\n" + "\n".join(requirement(name) for name in names) + "\n"


def removed(*names: str) -> str:
    return "## REMOVED Requirements\n" + "".join(f"- ### Requirement: {name}\n" for name in names)


def renamed(*pairs: tuple[str, str]) -> str:
    lines = (
        f"- FROM: ### Requirement: {old}\n- TO: ### Requirement: {new}\n" for old, new in pairs
    )
    return "## RENAMED Requirements\n" + "".join(lines)


@pytest.mark.parametrize(
    ("text", "section_name", "line", "first"),
    [
        (section("ADDED", "A", "A"), "ADDED", 9, 2),
        (section("MODIFIED", "A", "A"), "MODIFIED", 9, 2),
        (section("ADDED", "A") + section("ADDED", "A"), "ADDED", 10, 2),
        (removed("A", "A"), "REMOVED", 3, 2),
        (renamed(("A", "B"), ("A", "C")), "RENAMED FROM", 4, 2),
        (renamed(("A", "B"), ("C", "B")), "RENAMED TO", 4, 2),
    ],
    ids=["ADDED", "MODIFIED", "two sections", "REMOVED", "FROM", "TO"],
)
def test_duplicates(text: str, section_name: str, line: int, first: int) -> None:
    (found,) = check(text)

    assert (found.code, found.level.value, found.line) == ("delta_duplicate", "ERROR", line)
    assert (found.params["section"], found.params["first"]) == (section_name, first)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        (section("MODIFIED", "A") + removed("A"), "MODIFIED", "REMOVED"),
        (section("MODIFIED", "A") + section("ADDED", "A"), "MODIFIED", "ADDED"),
        (section("ADDED", "A") + removed("A"), "ADDED", "REMOVED"),
        (section("ADDED", "B") + renamed(("A", "B")), "ADDED", "RENAMED TO"),
        (removed("loan  PERIOD") + renamed(("Loan Period", "B")), "REMOVED", "RENAMED FROM"),
        (removed("B") + renamed(("A", "B")), "REMOVED", "RENAMED TO"),
    ],
    ids=[
        "modify, remove", "modify, add", "add, remove", "add, rename to", "remove, rename from",
        "remove, rename to",
    ],
)  # fmt: skip
def test_contradictions(text: str, one: str, other: str) -> None:
    (found,) = check(text)

    assert (found.code, found.level.value) == ("delta_contradiction", "ERROR")
    assert (found.params["one"], found.params["other"]) == (one, other)
    assert found.line is not None


def test_modified_uses_the_new_name() -> None:
    assert check(renamed(("A", "B")) + section("MODIFIED", "B")) == []

    (found,) = check(renamed(("A", "B")) + section("MODIFIED", "A"))

    assert (found.code, found.level.value, found.line) == ("delta_old_name", "ERROR", 5)
    assert "B" in found.message


@pytest.mark.parametrize(
    "text",
    [
        section("ADDED", "A") + renamed(("A", "B")),
        section("ADDED", "A", "a"),
        section("ADDED", "A B", "A  B"),
        renamed(("A", "B"), ("B", "A")),
        renamed(("A", "B"), ("B", "C")),
    ],
    ids=["added under a freed name", "case counts", "inner spaces count", "swap", "chain"],
)
def test_what_is_no_contradiction(text: str) -> None:
    assert check(text) == []


def test_rename_to_the_same_name_is_told() -> None:
    (found,) = check(renamed(("A", "A")))

    assert (found.code, found.level.value, found.line) == ("delta_rename_same", "WARNING", 2)


def test_sections_without_entries_are_listed() -> None:
    (found,) = check("# T\n\n## ADDED Requirements\n\n## removed requirements\n")

    assert (found.code, found.level.value, found.line) == ("delta_empty", "ERROR", 3)
    assert '"## ADDED Requirements", "## REMOVED Requirements"' in found.message


def test_file_without_sections_is_an_error() -> None:
    for text in ("", "# T\n", "## Purpose\nx\n"):
        (found,) = check(text)
        assert (found.code, found.level.value) == ("delta_sections_missing", "ERROR")


def test_findings_come_by_line() -> None:
    found = check(
        section("ADDED", "A", "A") + "## Notes\n" + requirement("N") + removed("A", "R", "R")
    )

    lines = [one.line or 0 for one in found]
    assert lines == sorted(lines)
    assert {one.code for one in found} == {
        "delta_duplicate", "delta_contradiction", "delta_requirement_unread",
    }  # fmt: skip
