"""Which lane is suggested, and why."""

from __future__ import annotations

import pytest

from rasen.planning.lane_rules import Suggestion, size_findings, suggest


@pytest.mark.parametrize(
    ("text", "capabilities", "lane", "reason"),
    [
        ("Fix a typo in the readme", [], "note", "upkeep that leaves behaviour alone (readme, typo)"),
        ("Bump a dependency", [], "note", "(bump, dependency)"),
        ("Fix a typo in the readme", ["lending"], "light", "it touches specs: lending"),
        ("Longer loans for students", [], "light", "nothing says that it is smaller or larger"),
        ("- **BREAKING** loans end", ["lending"], "full", "it is marked BREAKING"),
        ("a breaking wave", ["lending"], "light", "it touches specs"),
        ("Anything", ["a", "b", "c", "d"], "full", "it touches 4 capabilities"),
        ("Anything", ["a", "b", "c"], "light", "it touches specs: a, b, c"),
        ("A migration of the loans", [], "full", "it is about stored data (migration)"),
        ("A new endpoint", [], "full", "an interface that others use (endpoint)"),
        ("Check the password again", [], "full", "it is about security (password)"),
        ("Refactor the tokenizer", [], "note", "(refactor)"),
    ],
)  # fmt: skip
def test_the_rules(text: str, capabilities: list[str], lane: str, reason: str) -> None:
    found = suggest(text, capabilities)

    assert found.lane == lane
    assert reason in "; ".join(one.message for one in found.reasons)


def test_all_reasons_for_the_largest_lane_are_told() -> None:
    found = suggest("BREAKING: the api and the database change", ["a"])

    assert len(found.reasons) == 3


@pytest.mark.parametrize(
    ("suggested", "lane", "is_larger"),
    [("full", "note", True), ("light", "note", True), ("light", "light", False),
     ("note", "light", False), ("light", "full", False)],
)  # fmt: skip
def test_only_a_larger_lane_is_worth_a_word(suggested: str, lane: str, is_larger: bool) -> None:
    assert Suggestion(suggested, ()).is_larger_than(lane) is is_larger


@pytest.mark.parametrize(
    ("lane", "size", "larger"),
    [("note", 2000, None), ("note", 2001, "light"), ("light", 6000, None), ("light", 6001, "full"),
     ("full", 99_999, None)],
)  # fmt: skip
def test_a_text_has_to_fit_its_lane(lane: str, size: int, larger: str | None) -> None:
    found = size_findings("x", lane, {"proposal.md": size})

    assert [one.code for one in found] == (["lane_text_long"] if larger else [])
    if larger:
        assert f"rasen change lane x {larger}" in found[0].fix
