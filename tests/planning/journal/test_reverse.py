"""What a spec goes back to, and what stands on it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.archiving import requirement, spec

from rasen.planning.journal.model import ARCHIVE, Entry, Record, RequirementStep, SpecStep
from rasen.planning.journal.reverse import Blocker, Restored, blockers, restored
from rasen.planning.journal.steps import requirement_steps
from rasen.planning.merging.model import Counts

WINDOWS = "a\r\nb\r\n"


@pytest.mark.parametrize(
    ("before", "after", "now", "text", "has_changed"),
    [
        pytest.param("a\n", "b\n", "b\n", "a\n", True, id="as left"),
        pytest.param(None, "b\n", "b\n", None, True, id="was new"),
        pytest.param("a\n", None, None, "a\n", True, id="was retired"),
        pytest.param("a\n", "b\n", "a\n", "a\n", False, id="is back already"),
        pytest.param(None, "b\n", None, None, False, id="is gone already"),
        pytest.param("a\nb\n", "a\n", "a\r\n", WINDOWS, True, id="checked out with CRLF"),
        pytest.param(WINDOWS, "a\r\n", "a\n", "a\nb\n", True, id="checked out with LF"),
        pytest.param("a\r\nb\n", "a\r\n", "a\r\n", "a\r\nb\n", True, id="mixed, untouched"),
        pytest.param("a\n", "b\n", "a\r\n", "a\r\n", False, id="back with other endings"),
    ],
)
def test_what_is_as_it_was_left_goes_back(
    before: str | None, after: str | None, now: str | None, text: str | None, has_changed: bool
) -> None:
    step = SpecStep("x", before, after, Counts(), ())

    assert restored(step, now) == Restored("x", text, has_changed)


@pytest.mark.parametrize(
    ("before", "after", "now"),
    [("a", "b", "c"), ("a", "b", None), ("a", None, "c"), (None, "b", "b "), ("a", "b\n", "b")],
)
def test_what_moved_on_does_not(before: str | None, after: str | None, now: str | None) -> None:
    assert restored(SpecStep("x", before, after, Counts(), ()), now) is None


def entry(name: str, before: str, after: str, *names: str) -> Entry:
    steps = tuple(RequirementStep("MODIFIED", one) for one in names)
    spec_step = SpecStep("x", before, after, Counts(), steps)
    record = Record(ARCHIVE, name, name, "2026-01-01", "0.2.0", (spec_step,))
    return Entry(name, record, Path(name), Path(name))


def test_later_archives_and_edits_are_named_with_their_requirements() -> None:
    texts = [spec(requirement("One", f"It SHALL be {at}."), requirement("Two")) for at in range(4)]
    texts[3] = spec(requirement("One", "It SHALL be 2."), requirement("Two", "It SHALL be other."))
    first = entry("first", texts[0], texts[1], "One")
    later = [entry("second", texts[1], texts[2], "One")]

    found = blockers(first, later, lambda _: texts[3])

    assert found == [
        Blocker("x", "archive", "second", ("One",)),
        Blocker("x", "edit", None, ("Two",)),
    ]


def test_nothing_stands_on_what_is_as_it_was_left() -> None:
    assert blockers(entry("first", "a", "b"), [], lambda _: "b") == []


OLD = spec(requirement("A"), requirement("B"), requirement("C"))
NEW = spec(requirement("Z"), requirement("C", "It SHALL be new."), requirement("D"))


def test_steps_tell_what_happened_to_each_requirement() -> None:
    steps = requirement_steps(OLD, NEW, [("A", "Z"), ("no", "such")])

    assert steps == (
        RequirementStep("RENAMED", "Z", former="A"),
        RequirementStep("REMOVED", "B"),
        RequirementStep("MODIFIED", "C"),
        RequirementStep("ADDED", "D"),
    )


def test_line_endings_are_no_change_of_a_requirement() -> None:
    assert requirement_steps(OLD, OLD.replace("\n", "\r\n"), []) == ()


def test_a_spec_that_comes_or_goes_is_told_by_its_requirements() -> None:
    one = spec(requirement("A"))

    assert requirement_steps(None, one, []) == (RequirementStep("ADDED", "A"),)
    assert requirement_steps(one, None, []) == (RequirementStep("REMOVED", "A"),)
