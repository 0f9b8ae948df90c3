"""Pairs of open changes: what they share, and whether they merge in both orders."""

from __future__ import annotations

import time

import pytest
from tests.support.planning_texts import (
    LOAN_PERIOD,
    RENEWALS,
    SPEC,
    STUDENT_LOANS,
    requirement,
    spec_of,
)
from tests.support.world import World

from rasen.planning.overlaps import ops
from rasen.planning.overlaps.model import Overlap, Result
from rasen.roots.model import SOURCE_NEAREST, Root

HOLIDAY = "\n#### Scenario: Holiday extension\n- **THEN** the due date moves\n"
STUDENT = "\n#### Scenario: Student loan\n- **THEN** it is longer\n"
DAYS = LOAN_PERIOD.replace("21 days", "28 days")
REWORKED = RENEWALS.replace("two renewals", "three renewals")


def modified(block: str) -> str:
    return f"## MODIFIED Requirements\n\n{block}"


def added(block: str) -> str:
    return f"## ADDED Requirements\n\n{block}"


def removed(*names: str) -> str:
    return "## REMOVED Requirements\n" + "".join(f"- ### Requirement: {one}\n" for one in names)


def renamed(old: str, new: str) -> str:
    return (
        f"## RENAMED Requirements\n- FROM: ### Requirement: {old}\n- TO: ### Requirement: {new}\n"
    )


def found(
    world: World, *deltas: str, spec: str | None = SPEC, is_based: bool = True
) -> list[Overlap]:
    """The overlaps of changes a, b, … to one spec; is_based: each has recorded what its author saw."""
    world.workspace()
    if spec is not None:
        world.write("rasen/specs/lending/spec.md", spec)
    for name, delta in zip("abcdef", deltas, strict=False):
        folder = f"rasen/changes/{name}"
        world.write(f"{folder}/proposal.md", "## Why\nx\n")
        world.write(f"{folder}/specs/lending/spec.md", delta)
        if is_based and spec is not None:
            world.write(f"{folder}/.base/lending/spec.md", spec)
    root = Root(world.root, SOURCE_NEAREST, "rasen")
    return list(ops.overlaps(world.context(), root).found)


CLEAN = [
    pytest.param(
        modified(LOAN_PERIOD + STUDENT), modified(LOAN_PERIOD + HOLIDAY), id="D03-two-scenarios"
    ),
    pytest.param(modified(DAYS), modified(LOAN_PERIOD + HOLIDAY), id="D03-text-and-scenario"),
    pytest.param(removed("Renewals"), removed("Renewals"), id="removed-by-both"),
    pytest.param(added(STUDENT_LOANS), added(STUDENT_LOANS), id="added-alike"),
    pytest.param(renamed("Renewals", "More"), modified(REWORKED), id="renamed-and-changed"),
    pytest.param(renamed("Renewals", "More"), renamed("Renewals", "More"), id="renamed-alike"),
]
CONFLICTS = [
    pytest.param(removed("Renewals"), modified(REWORKED), id="D03-removed-and-reworked"),
    pytest.param(
        modified(DAYS), modified(LOAN_PERIOD.replace("21 days", "35 days")), id="one-text-two-ways"
    ),
    pytest.param(
        added(STUDENT_LOANS), added(STUDENT_LOANS.replace("42", "49")), id="one-name-two-texts"
    ),
    pytest.param(renamed("Renewals", "More"), renamed("Renewals", "Longer"), id="two-new-names"),
    pytest.param(renamed("Renewals", "New"), added(requirement("New")), id="a-name-taken"),
]


@pytest.mark.parametrize(("first", "second"), CLEAN)
def test_changes_that_merge_in_both_orders_are_clean(world: World, first: str, second: str) -> None:
    (overlap,) = found(world, first, second)

    assert (overlap.result, overlap.contests) == (Result.CLEAN, ())


@pytest.mark.parametrize(("first", "second"), CONFLICTS)
def test_changes_that_do_not_merge_are_in_conflict(world: World, first: str, second: str) -> None:
    (overlap,) = found(world, first, second)

    assert overlap.result is Result.CONFLICT
    assert {contest.code for contest in overlap.contests} <= {
        "merge_conflict", "merge_requirement_exists", "merge_name_taken", "merge_requirement_missing",
    }  # fmt: skip


def test_a_conflict_shows_both_texts_and_the_order(world: World) -> None:
    other = LOAN_PERIOD.replace("date 21 days", "date 35 days")
    (overlap,) = found(world, modified(DAYS), modified(other))

    first = overlap.contests[0]
    assert (first.earlier, first.later, first.requirement, first.place) == (
        0, 1, "Loan Period", "body",
    )  # fmt: skip
    assert "28 days" in str(first.theirs)
    assert "35 days" in str(first.mine)


def test_without_a_base_the_later_change_would_undo_the_earlier_one(world: World) -> None:
    (overlap,) = found(world, modified(DAYS), modified(LOAN_PERIOD + HOLIDAY), is_based=False)

    assert overlap.result is Result.CONFLICT
    codes = {contest.code for contest in overlap.contests}
    assert codes <= {"change_order_matters", "merge_scenario_lost"}


def test_changes_to_different_requirements_do_not_overlap(world: World) -> None:
    assert found(world, modified(DAYS), modified(REWORKED), added(STUDENT_LOANS)) == []


def test_two_changes_that_bring_one_capability_overlap(world: World) -> None:
    (overlap,) = found(world, added(STUDENT_LOANS), added(RENEWALS), spec=None)

    assert overlap.result is Result.CLEAN
    assert [(place.requirement, place.first, place.second) for place in overlap.places] == [
        (None, ("NEW",), ("NEW",))
    ]


def test_who_retires_a_spec_overlaps_with_everyone_in_it(world: World) -> None:
    spec = spec_of(RENEWALS)

    overlaps = found(
        world, removed("Renewals"), added(STUDENT_LOANS), added(LOAN_PERIOD), spec=spec
    )

    assert [(one.first.name, one.second.name) for one in overlaps] == [("a", "b"), ("a", "c")]
    assert overlaps[0].places[0].first == ("RETIRED",)


def test_a_change_with_errors_cannot_be_tried(world: World) -> None:
    (overlap,) = found(world, modified(DAYS), f"{modified(DAYS)}\n{removed('Nothing')}")

    assert overlap.result is Result.UNTRIED


def test_two_hundred_changes_are_looked_at_quickly(world: World) -> None:
    names = [f"Rule {number}" for number in range(200)]
    world.workspace()
    for number in range(100):
        blocks = [requirement(name) for name in names[:10]]
        world.write(f"rasen/specs/area{number}/spec.md", spec_of(*blocks))
    for number in range(200):
        delta = modified(requirement(names[number % 10], "It SHALL work well."))
        world.write(f"rasen/changes/c{number:03}/specs/area{number % 100}/spec.md", delta)
    root = Root(world.root, SOURCE_NEAREST, "rasen")
    started = time.process_time()

    overlaps = ops.overlaps(world.context(), root)

    assert len(overlaps.found) == 100
    assert time.process_time() - started < 5
