"""The bug log's cases of merging, with every kind of base; the tests name the row of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    HEAD,
    LOAN_BODY,
    LOAN_PERIOD,
    PROPOSAL,
    REFERENCE_STOCK,
    RENEWALS,
    S1,
    SPEC_FILE,
    STANDARD_LOAN,
    STUDENT_LOANS,
    TASKS,
    base_spec,
    change,
)
from tests.support.verdict import archived, assert_same_verdict, codes, messages
from tests.support.world import World

from rasen.files.tree import tree_digest

Prepare = Callable[[World, dict[str, str]], None]
FIRST, SECOND = "a-students", "b-holidays"
STUDENT_CASE = (
    "#### Scenario: Student loan\n- **WHEN** a student checks out\n- **THEN** it is 42 days\n"
)
HOLIDAY_CASE = (
    "#### Scenario: Holiday extension\n- **WHEN** it is a holiday\n- **THEN** it is a day more\n"
)
MODIFIED = "## MODIFIED Requirements\n\n"
LONGER = LOAN_PERIOD.replace("21 days", "28 days")
WITH_HOLIDAYS = f"{MODIFIED}{LOAN_PERIOD}\n{HOLIDAY_CASE}"
THREE_RENEWALS = RENEWALS.replace("two renewals", "three renewals").replace("third", "fourth")
REMOVE_RENEWALS = (
    "## REMOVED Requirements\n\n### Requirement: Renewals\n**Reason**: nobody renews.\n"
)


def recorded(world: World, deltas: dict[str, str]) -> None:
    """Each change carries the spec as its author saw it."""
    base_spec(world)
    for name, delta in deltas.items():
        change(world, delta, name=name)
        world.write(f"rasen/changes/{name}/.base/lending/spec.md", S1)


def from_git(world: World, deltas: dict[str, str]) -> None:
    """Each change was begun by the program in a repository, which notes the commit."""
    base_spec(world)
    commit(world, "specs")
    for name, delta in deltas.items():
        assert world.cli("new", "change", name).code == 0
        for file, text in (
            ("proposal.md", PROPOSAL),
            ("tasks.md", TASKS),
            ("specs/lending/spec.md", delta),
        ):
            world.write(f"rasen/changes/{name}/{file}", text)
        assert "commit:" in world.read(f"rasen/changes/{name}/.openspec.yaml")
    commit(world, "changes")


def unknown(world: World, deltas: dict[str, str]) -> None:
    """Nobody knows what the authors saw."""
    base_spec(world)
    for name, delta in deltas.items():
        change(world, delta, name=name)


def commit(world: World, message: str) -> None:
    world.git("init", "-q")
    world.git("add", "--all")
    world.git("commit", "-q", "-m", message)


KNOWN = pytest.mark.parametrize("prepare", [recorded, from_git])
EVERY = pytest.mark.parametrize("prepare", [recorded, from_git, unknown])


def one_after_the_other(world: World, prepare: Prepare, first: str, second: str) -> dict[str, Any]:
    """The verdict on the second change once the first is archived."""
    prepare(world, {FIRST: first, SECOND: second})
    archived(world, FIRST)
    return assert_same_verdict(world, SECOND)


def refused(world: World, name: str = SECOND) -> tuple[dict[str, Any], str]:
    """What a refused archive answers, as JSON and as text; no file is another afterwards."""
    before = tree_digest(world.root)
    document = world.cli("archive", name, "--yes", "--json")
    human = world.cli("archive", name, "--yes")
    assert (document.code, human.code) == (1, 1)
    assert tree_digest(world.root) == before
    return fits("archive", document.json), human.out + human.err


def scenarios(world: World) -> list[str]:
    text = world.read(SPEC_FILE).split("### Requirement: Renewals")[0]
    return [
        line.removeprefix("#### Scenario: ") for line in text.split("\n") if line[:5] == "#### "
    ]


# D03: the second of two changes to one requirement


@KNOWN
def test_d03_base_case_both_scenarios_are_merged(world: World, prepare: Prepare) -> None:
    item = one_after_the_other(
        world, prepare, f"{MODIFIED}{LOAN_PERIOD}\n{STUDENT_CASE}", WITH_HOLIDAYS
    )

    assert (item["valid"], codes(item)) == (True, [])
    archived(world, SECOND)
    assert scenarios(world) == [
        "Standard loan",
        "Reference stock",
        "Student loan",
        "Holiday extension",
    ]


def test_d03_base_case_without_a_base_names_what_would_be_lost(world: World) -> None:
    item = one_after_the_other(
        world, unknown, f"{MODIFIED}{LOAN_PERIOD}\n{STUDENT_CASE}", WITH_HOLIDAYS
    )

    assert codes(item) == [("merge_scenario_lost", 3)]
    document, text = refused(world)
    assert document["status"][0]["code"] == "archive_spec_update_failed"
    assert "Student loan" in text


@KNOWN
def test_d03_text_variant_the_first_text_stays(world: World, prepare: Prepare) -> None:
    item = one_after_the_other(world, prepare, MODIFIED + LONGER, WITH_HOLIDAYS)

    assert item["valid"]
    document = archived(world, SECOND).json["archive"]
    assert world.read(SPEC_FILE) == f"{HEAD}{LONGER}\n{HOLIDAY_CASE}\n{RENEWALS}"
    taken = {one["place"]: one["taken"] for one in document["decisions"]}
    assert taken == {
        "body": "theirs",
        "Standard loan": "theirs",
        "Reference stock": "same",
        "Holiday extension": "mine",
    }


def test_d03_text_variant_without_a_base_says_that_nobody_knows(world: World) -> None:
    item = one_after_the_other(world, unknown, MODIFIED + LONGER, WITH_HOLIDAYS)

    assert item["valid"]
    assert [code for code, _ in codes(item, "INFO")] == ["base_unknown"]
    assert "rasen change base b-holidays --record" in messages(item)


@KNOWN
def test_d03_removal_variant_is_refused_with_all_three_texts(
    world: World, prepare: Prepare
) -> None:
    item = one_after_the_other(world, prepare, MODIFIED + THREE_RENEWALS, REMOVE_RENEWALS)

    assert codes(item) == [("merge_conflict", 3)]
    document, text = refused(world)
    (conflict,) = document["conflicts"]
    assert (conflict["requirement"], conflict["place"], conflict["line"]) == (
        "Renewals",
        "requirement",
        3,
    )
    assert conflict["base"] == RENEWALS.rstrip()
    assert conflict["theirs"] == THREE_RENEWALS.rstrip()
    assert conflict["mine"] is None
    assert "allow two renewals" in text
    assert "allow three renewals" in text


def test_d03_removal_variant_without_a_base_says_that_nobody_knows(world: World) -> None:
    item = one_after_the_other(world, unknown, MODIFIED + THREE_RENEWALS, REMOVE_RENEWALS)

    assert item["valid"]
    assert [code for code, _ in codes(item, "INFO")] == ["base_unknown"]


@KNOWN
def test_d03_the_same_place_twice_is_refused_with_all_three_texts(
    world: World, prepare: Prepare
) -> None:
    other = LOAN_PERIOD.replace(LOAN_BODY, LOAN_BODY.replace("21 days", "14 days"))

    item = one_after_the_other(world, prepare, MODIFIED + LONGER, MODIFIED + other)

    assert codes(item) == [("merge_conflict", 3)]
    document, text = refused(world)
    (conflict,) = document["conflicts"]
    assert [conflict[side].rstrip() for side in ("base", "theirs", "mine")] == [
        LOAN_BODY.rstrip().replace("21 days", f"{days} days") for days in (21, 28, 14)
    ]
    for days in (21, 28, 14):
        assert f"set the due date {days} days after checkout" in text


@KNOWN
def test_d03_a_conflict_ends_with_an_edit_of_the_delta_and_a_new_base(
    world: World, prepare: Prepare
) -> None:
    other = LOAN_PERIOD.replace(LOAN_BODY, LOAN_BODY.replace("21 days", "14 days"))
    one_after_the_other(world, prepare, MODIFIED + LONGER, MODIFIED + other)
    decided = LONGER.replace("due date 28 days after", "due date 14 days after")

    world.write(f"rasen/changes/{SECOND}/specs/lending/spec.md", MODIFIED + decided)
    assert world.cli("change", "base", SECOND, "--rebase", "--yes").code == 0

    assert assert_same_verdict(world, SECOND)["valid"]
    archived(world, SECOND)
    assert world.read(SPEC_FILE) == f"{HEAD}{decided}\n{RENEWALS}"


@KNOWN
def test_d03_a_renamed_requirement_takes_later_edits_along(world: World, prepare: Prepare) -> None:
    rename = "## RENAMED Requirements\n\n- FROM: `### Requirement: Loan Period`\n- TO: `### Requirement: Loan Length`\n"

    item = one_after_the_other(world, prepare, rename, WITH_HOLIDAYS)

    assert (item["valid"], codes(item)) == (True, [])
    archived(world, SECOND)
    expected = f"{LOAN_PERIOD}\n{HOLIDAY_CASE}".replace("Loan Period", "Loan Length")
    assert world.read(SPEC_FILE) == f"{HEAD}{expected}\n{RENEWALS}"


@KNOWN
def test_d03_removing_what_was_renamed_and_reworked_is_refused(
    world: World, prepare: Prepare
) -> None:
    reworked = THREE_RENEWALS.replace("Requirement: Renewals", "Requirement: Extensions")
    rename = "## RENAMED Requirements\n\n- FROM: `### Requirement: Renewals`\n- TO: `### Requirement: Extensions`\n\n"
    reworked = reworked.replace("the request is refused", "the request is refused at the desk")
    kept = reworked.replace("a fourth renewal", "a third renewal")

    item = one_after_the_other(
        world,
        prepare,
        rename + MODIFIED + kept.replace("refused at the desk", "refused"),
        REMOVE_RENEWALS,
    )

    assert codes(item) == [("merge_conflict", 3)]
    document, _ = refused(world)
    assert "### Requirement: Extensions" in document["conflicts"][0]["theirs"]


# D05: a delta that targets nothing

NOWHERE = {
    "modified": MODIFIED + LOAN_PERIOD.replace("Loan Period", "Loan Periods"),
    "removed": "## REMOVED Requirements\n\n### Requirement: Overdue Fines\n**Reason**: gone.\n",
    "renamed": (
        "## RENAMED Requirements\n\n- FROM: `### Requirement: Borrow Limit`\n"
        "- TO: `### Requirement: Loan Limit`\n"
    ),
}


@EVERY
@pytest.mark.parametrize("delta", NOWHERE.values(), ids=NOWHERE)
def test_d05_modified_renamed_and_removed_are_errors(
    world: World, prepare: Prepare, delta: str
) -> None:
    prepare(world, {CHANGE: delta})

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_requirement_missing", 3)]
    if delta is NOWHERE["modified"]:
        assert "Loan Period" in messages(item).replace("Loan Periods", "")
    document, _ = refused(world, CHANGE)
    assert document["status"][0]["code"] == "archive_spec_update_failed"


# D10: a requirement under the wrong section heading

MISPLACED = {
    "before any heading": STUDENT_LOANS,
    "under Notes": f"## Notes\n\n{STUDENT_LOANS}",
    "under Add Requirements": f"## Add Requirements\n\n{STUDENT_LOANS}",
}


@EVERY
@pytest.mark.parametrize("good", ["", ADDED.replace("Student", "Teacher")], ids=["alone", "next"])
@pytest.mark.parametrize("text", MISPLACED.values(), ids=MISPLACED)
def test_d10_alone_and_next_to_a_good_requirement_is_refused(
    world: World, prepare: Prepare, text: str, good: str
) -> None:
    first = text is STUDENT_LOANS
    delta = f"{text}\n{good}" if first else f"{good}\n{text}".lstrip()
    prepare(world, {CHANGE: delta})
    line = delta.split("\n").index("### Requirement: Student Loans") + 1

    item = assert_same_verdict(world)

    assert ("delta_requirement_unread", line) in codes(item)
    assert "## ADDED Requirements" in messages(item)
    refused(world, CHANGE)


# D14: archive after an early sync


@EVERY
def test_d14_same_text_is_nothing_to_do(world: World, prepare: Prepare) -> None:
    prepare(world, {CHANGE: ADDED})
    synced = f"{S1}\n{STUDENT_LOANS}"
    world.write(SPEC_FILE, synced)

    item = assert_same_verdict(world)

    assert item["valid"]
    assert archived(world).json["archive"]["totals"]["added"] == 0
    assert world.read(SPEC_FILE) == synced


@EVERY
def test_d14_different_text_is_refused_and_both_are_shown(world: World, prepare: Prepare) -> None:
    prepare(world, {CHANGE: ADDED})
    world.write(SPEC_FILE, f"{S1}\n{STUDENT_LOANS.replace('42 days.', '30 days.')}")

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_requirement_exists", 3)]
    document, text = refused(world, CHANGE)
    (conflict,) = document["conflicts"]
    assert "30 days." in conflict["theirs"]
    assert "42 days." in conflict["mine"]
    assert "30 days." in text
    assert "42 days." in text


# Renaming a scenario inside MODIFIED

RENAMED_CASE = STANDARD_LOAN.replace(
    "Scenario: Standard loan\n", "Scenario: Usual loan\n<!-- was: Standard loan -->\n"
)


@EVERY
def test_renaming_a_scenario_inside_modified_can_be_said(world: World, prepare: Prepare) -> None:
    body = f"### Requirement: Loan Period\n{LOAN_BODY}\n{RENAMED_CASE}\n{REFERENCE_STOCK}"
    prepare(world, {CHANGE: MODIFIED + body})

    item = assert_same_verdict(world)

    assert (item["valid"], codes(item)) == (True, [])
    archived(world)
    assert world.read(SPEC_FILE) == S1.replace("Scenario: Standard loan", "Scenario: Usual loan")


@EVERY
def test_renaming_a_scenario_inside_modified_without_saying_so_is_a_loss(
    world: World, prepare: Prepare
) -> None:
    silent = LOAN_PERIOD.replace("Scenario: Standard loan", "Scenario: Usual loan")
    prepare(world, {CHANGE: MODIFIED + silent})

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_scenario_lost", 3)]
    assert "Standard loan" in messages(item)


@EVERY
def test_removing_a_scenario_inside_modified_can_be_said(world: World, prepare: Prepare) -> None:
    body = f"### Requirement: Loan Period\n{LOAN_BODY}<!-- removed: Reference stock -->\n\n{STANDARD_LOAN}"
    prepare(world, {CHANGE: MODIFIED + body})

    assert assert_same_verdict(world)["valid"]
    archived(world)
    assert scenarios(world) == ["Standard loan"]


@KNOWN
def test_a_renamed_scenario_keeps_what_somebody_else_wrote_into_it(
    world: World, prepare: Prepare
) -> None:
    body = f"### Requirement: Loan Period\n{LOAN_BODY}\n{RENAMED_CASE}\n{REFERENCE_STOCK}"

    item = one_after_the_other(world, prepare, MODIFIED + LONGER, MODIFIED + body)

    assert item["valid"]
    archived(world, SECOND)
    expected = LONGER.replace("Scenario: Standard loan", "Scenario: Usual loan")
    assert world.read(SPEC_FILE) == f"{HEAD}{expected}\n{RENEWALS}"


@KNOWN
def test_a_scenario_removed_by_one_and_reworked_by_another_is_a_conflict(
    world: World, prepare: Prepare
) -> None:
    body = f"### Requirement: Loan Period\n{LOAN_BODY}<!-- removed: Standard loan -->\n\n{REFERENCE_STOCK}"

    item = one_after_the_other(world, prepare, MODIFIED + LONGER, MODIFIED + body)

    assert codes(item) == [("merge_conflict", 3)]
    document, _ = refused(world)
    assert [one["place"] for one in document["conflicts"]] == ["Standard loan"]


# Requirement outside the Requirements heading of the base


@EVERY
def test_a_requirement_outside_the_requirements_heading_is_told_alike(
    world: World, prepare: Prepare
) -> None:
    prepare(world, {CHANGE: MODIFIED + LONGER})
    stray = f"{S1}\n## Notes\n\n### Requirement: Stray\nIt SHALL stand here.\n"
    world.write(SPEC_FILE, stray)
    line = stray.split("\n").index("### Requirement: Stray") + 1

    item = assert_same_verdict(world)
    of_spec = world.cli("validate", "lending", "--type", "spec", "--json").json["items"][0]

    assert [code for code, _ in codes(item)] == ["merge_spec_unsound"]
    assert [at for _, at in codes(of_spec)] == [line]
    assert str(line) in messages(item)
    refused(world, CHANGE)
