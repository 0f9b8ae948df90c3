"""Three-way merge of one requirement: what survives, what contradicts, what was meant to go."""

from __future__ import annotations

import pytest

from rasen.planning.merging.lines import merge_lines
from rasen.planning.merging.threeway import Outcome, merge_blocks, replace_block


def block(body: str, *scenarios: str) -> list[str]:
    """A requirement block; a scenario is `name: text`, or `name` for one without text."""
    lines = ["### Requirement: Loan Period", *body.split("\n"), ""]
    for scenario in scenarios:
        name, _, text = scenario.partition(": ")
        lines += [f"#### Scenario: {name}", *(text.split("\n") if text else []), ""]
    return lines[:-1] if lines[-1] == "" else lines


BASE = block("It SHALL be 21 days.", "a: one", "b: two")


def clashing(outcome: Outcome) -> list[tuple[str, str | None, str | None, str | None]]:
    return [tuple(clash) for clash in outcome.clashes]


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        (BASE, block("It SHALL be 28 days.", "a: one", "b: two"), block("It SHALL be 28 days.", "a: one", "b: two")),
        (block("It SHALL be 28 days.", "a: one", "b: two"), BASE, block("It SHALL be 28 days.", "a: one", "b: two")),
        (block("28", "a: 28", "b: two"), block("It SHALL be 21 days.", "a: one", "b: two", "c: three"), block("28", "a: 28", "b: two", "c: three")),
        (block("28", "a: one", "b: two"), block("28", "a: one", "b: two", "c: x"), block("28", "a: one", "b: two", "c: x")),
        (block("It SHALL be 21 days.", "a: one", "b: two", "t: x"), block("It SHALL be 21 days.", "a: one", "b: two", "m: y"), block("It SHALL be 21 days.", "a: one", "b: two", "t: x", "m: y")),
        (block("It SHALL be 21 days.", "b: two", "a: one"), block("28", "a: one", "b: two"), block("28", "b: two", "a: one")),
        (BASE, block("It SHALL be 21 days.", "b: two", "a: one"), block("It SHALL be 21 days.", "b: two", "a: one")),
        (block("It SHALL be 21 days.", "a: one"), block("28", "a: one", "b: two"), block("28", "a: one")),
    ],
    ids=["mine", "theirs", "text and scenario", "alike once", "both add", "theirs reorder", "mine reorders", "theirs remove"],
)  # fmt: skip
def test_what_does_not_contradict_is_merged(
    theirs: list[str], mine: list[str], expected: list[str]
) -> None:
    outcome = merge_blocks(BASE, theirs, mine)

    assert outcome.is_clean, outcome
    assert list(outcome.lines) == expected


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        (block("28", "a: one", "b: two"), block("30", "a: one", "b: two"), ("body", "It SHALL be 21 days.", "28", "30")),
        (block("It SHALL be 21 days.", "a: x", "b: two"), block("It SHALL be 21 days.", "a: y", "b: two"), ("a", "#### Scenario: a\none", "#### Scenario: a\nx", "#### Scenario: a\ny")),
        (block("It SHALL be 21 days.", "a: one"), block("It SHALL be 21 days.", "a: one", "b: y"), ("b", "#### Scenario: b\ntwo", None, "#### Scenario: b\ny")),
        (block("It SHALL be 21 days.", "a: one", "b: two", "n: x"), block("It SHALL be 21 days.", "a: one", "b: two", "n: y"), ("n", None, "#### Scenario: n\nx", "#### Scenario: n\ny")),
    ],
    ids=["body", "scenario", "removed and changed", "added twice"],
)  # fmt: skip
def test_what_contradicts_is_shown_with_all_three_texts(
    theirs: list[str], mine: list[str], expected: tuple[str, str | None, str | None, str | None]
) -> None:
    outcome = merge_blocks(BASE, theirs, mine)

    assert clashing(outcome) == [expected]


def test_edits_of_different_lines_go_together() -> None:
    base = block("one\ntwo\nthree", "s: x")

    outcome = merge_blocks(base, block("ONE\ntwo\nthree", "s: x"), block("one\ntwo\nTHREE", "s: x"))

    assert list(outcome.lines) == block("ONE\ntwo\nTHREE", "s: x")


def test_a_scenario_left_out_without_a_word_is_lost() -> None:
    outcome = merge_blocks(BASE, BASE, block("It SHALL be 21 days.", "a: one"))

    assert outcome.lost == ("b",)


def test_a_scenario_that_others_added_is_not_missed() -> None:
    theirs = block("It SHALL be 21 days.", "a: one", "b: two", "t: x")

    outcome = merge_blocks(BASE, theirs, block("28", "a: one", "b: two"))

    assert outcome.is_clean
    assert list(outcome.lines) == block("28", "a: one", "b: two", "t: x")


class TestIntents:
    """`<!-- removed: name -->` and `<!-- was: name -->` say on purpose what else would be a loss."""

    def test_a_removal_that_is_said_is_no_loss(self) -> None:
        mine = [*block("It SHALL be 21 days.", "a: one"), "<!-- removed: b -->"]

        for outcome in (merge_blocks(BASE, BASE, mine), replace_block(BASE, mine)):
            assert outcome.is_clean, outcome
            assert list(outcome.lines) == block("It SHALL be 21 days.", "a: one")

    def test_removing_what_others_changed_is_a_conflict(self) -> None:
        mine = [*block("It SHALL be 21 days.", "a: one"), "<!-- removed: b -->"]

        outcome = merge_blocks(BASE, block("It SHALL be 21 days.", "a: one", "b: new"), mine)

        assert [clash.place for clash in outcome.clashes] == ["b"]

    def test_a_renamed_scenario_keeps_what_others_did_to_its_text(self) -> None:
        mine = block("It SHALL be 21 days.", "a: one", "better: <!-- was: b -->\ntwo")
        theirs = block("It SHALL be 21 days.", "a: one", "b: TWO")

        outcome = merge_blocks(BASE, theirs, mine)

        assert outcome.is_clean, outcome
        assert list(outcome.lines) == block("It SHALL be 21 days.", "a: one", "better: TWO")

    def test_a_renamed_scenario_is_no_loss_without_a_base(self) -> None:
        mine = block("It SHALL be 21 days.", "a: one", "better: <!-- was: b -->\ntwo")

        outcome = replace_block(BASE, mine)

        assert outcome.is_clean, outcome
        assert list(outcome.lines) == block("It SHALL be 21 days.", "a: one", "better: two")

    def test_an_intent_inside_a_fence_is_sample_text(self) -> None:
        mine = block("It SHALL be 21 days.", "a: ```\n<!-- removed: b -->\n```")

        assert merge_blocks(BASE, BASE, mine).lost == ("b",)

    def test_a_name_that_means_nothing_is_told(self) -> None:
        mine = [*BASE, "<!-- removed: no such -->"]

        assert replace_block(BASE, mine).idle == ("no such",)
        assert merge_blocks(BASE, block("28", "a: one", "b: two"), mine).idle == ("no such",)


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        ("a b c", "a b c", "a b c"),
        ("x a b c", "a b c y", "x a b c y"),
        ("a x b c", "a y b c", None),
        ("a b", "a b d", None),
        ("a c", "a c", "a c"),
        ("a B c", "a b c d", "a B c d"),
        ("A b c", "a b C", "A b C"),
    ],
)
def test_lines_merge_only_with_an_unchanged_line_between(
    theirs: str, mine: str, expected: str | None
) -> None:
    merged = merge_lines(["a", "b", "c"], theirs.split(), mine.split())

    assert (None if merged is None else " ".join(merged)) == expected


class TestNames:
    """Which scenario of a side is which of the base, where names alone do not tell."""

    def test_a_name_taken_over_loses_neither_scenario(self) -> None:
        mine = block("It SHALL be 21 days.", "a: one", "better: <!-- was: b -->\ntwo", "b: new")

        outcome = merge_blocks(BASE, block("28", "a: one", "b: two"), mine)

        assert outcome.is_clean, outcome
        assert list(outcome.lines) == block("28", "a: one", "better: two", "b: new")

    def test_a_new_name_that_another_has_leaves_that_one_alone(self) -> None:
        mine = block("It SHALL be 21 days.", "b: <!-- was: a -->\none", "b: two")

        outcome = merge_blocks(BASE, block("28", "a: one", "b: two"), mine)

        assert outcome.is_clean, outcome
        assert list(outcome.lines) == block("28", "b: one", "b: two")

    def test_a_scenario_that_others_renamed_is_followed(self) -> None:
        theirs = block("It SHALL be 21 days.", "a: one", "c: two")

        edited = merge_blocks(BASE, theirs, block("It SHALL be 21 days.", "a: one", "b: two\nmore"))
        removed = merge_blocks(
            BASE, theirs, [*block("It SHALL be 21 days.", "a: one"), "<!-- removed: b -->"]
        )

        assert list(edited.lines) == block("It SHALL be 21 days.", "a: one", "c: two\nmore")
        assert [clash.place for clash in removed.clashes] == ["b"]

    def test_namesakes_are_told_apart_by_their_text(self) -> None:
        base = block("x", "a: one", "a: two", "z: end")
        mine = [*block("x", "a: one", "z: end"), "<!-- removed: a -->"]

        outcome = merge_blocks(base, block("x", "a: two", "z: END"), mine)

        assert outcome.is_clean, outcome
        assert list(outcome.lines) == block("x", "z: END")


def test_a_fence_of_one_side_may_not_lay_open_what_the_other_put_into_a_fence() -> None:
    base = block("one\ntwo\nthree\nfour", "s: x")
    theirs = block("```\none\ntwo\nthree\nfour\n```", "s: x")
    mine = block("one\ntwo\n```\n#### Scenario: sample\n```\nthree\nfour", "s: x")

    outcome = merge_blocks(base, theirs, mine)

    assert [clash.place for clash in outcome.clashes] == ["requirement"]


def test_fences_of_both_sides_that_leave_one_open_are_a_conflict() -> None:
    base = block("one\n\ntwo", "s: x")

    outcome = merge_blocks(
        base, block("one\n```\n\ntwo\n```", "s: x"), block("one\n\n```\ntwo\n```", "s: x")
    )

    assert [clash.place for clash in outcome.clashes] == ["requirement"]


def test_a_renamed_scenario_that_is_a_namesake_now_is_followed() -> None:
    theirs = block("It SHALL be 21 days.", "b: one", "b: two, and more")
    mine = [*block("It SHALL be 21 days.", "b: two"), "<!-- removed: a -->"]

    assert [clash.place for clash in merge_blocks(BASE, theirs, mine).clashes] == ["a"]
