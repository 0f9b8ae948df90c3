"""`rasen validate --fix`: what has one obvious remedy is mended, and nothing else is touched."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    DELTA_FILE,
    FOLDER,
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
    desk,
)
from tests.support.verdict import codes
from tests.support.world import World

from rasen.files.tree import tree_digest

NEW_LOANS = STUDENT_LOANS.replace("Student Loans", "Evening Loans")


def fixed(world: World, *flags: str, item: str = CHANGE) -> dict[str, Any]:
    """The document of `validate <item> --fix --json`."""
    result = world.cli("validate", item, "--fix", "--json", *flags)
    document: dict[str, Any] = fits("validate", result.json)
    assert result.code == (0 if document["items"][0]["valid"] else 1)
    return document


def mended(document: dict[str, Any]) -> list[tuple[str, bool]]:
    return [(one["code"], one["applied"]) for one in document["fixes"]]


WRONG_HEADINGS = {
    "verb": "## Add Requirements",
    "singular": "## ADDED Requirement",
    "typo": "## ADEDD Requirements",
    "colon": "## Added Requirements:",
    "turned round": "## Requirements added",
    "no space": "##ADDED Requirements",
    "one hash": "# ADDED Requirements",
    "three hashes": "### ADDED Requirements",
    "new": "## New requirements",
}


@pytest.mark.parametrize("heading", WRONG_HEADINGS.values(), ids=WRONG_HEADINGS)
def test_d10_a_near_miss_of_a_section_heading_gets_its_title(world: World, heading: str) -> None:
    desk(world, ADDED.replace("## ADDED Requirements", heading))

    document = fixed(world)

    assert document["items"][0]["issues"] == []
    assert world.read(DELTA_FILE).lower() == ADDED.lower()
    assert len(document["fixes"]) == 1


def test_d10_a_new_requirement_before_any_heading_is_added(world: World) -> None:
    desk(world, STUDENT_LOANS)

    document = fixed(world)

    assert document["items"][0]["issues"] == []
    assert world.read(DELTA_FILE) == ADDED


def test_d10_a_requirement_under_notes_goes_to_the_section_that_fits(world: World) -> None:
    changed = LOAN_PERIOD.replace("21 days", "28 days")
    desk(world, f"{ADDED}\n## Notes\n\nWhy.\n\n{NEW_LOANS}\n{changed}")

    document = fixed(world)

    assert document["items"][0]["valid"]
    assert world.read(DELTA_FILE) == (
        f"{ADDED}\n{NEW_LOANS}\n## Notes\n\nWhy.\n\n## MODIFIED Requirements\n\n{changed}"
    )


def test_a_plain_bullet_under_notes_is_left_to_its_author(world: World) -> None:
    desk(world, f"{ADDED}\n## Notes\n\n- ### Requirement: Renewals\n")
    before = tree_digest(world.root)

    document = fixed(world)

    assert document["fixes"] == []
    assert not document["items"][0]["valid"]
    assert tree_digest(world.root) == before


@pytest.mark.parametrize("hashes", ["##", "####"])
def test_a_requirement_heading_gets_three_hashes(world: World, hashes: str) -> None:
    text = f"{ADDED}\n{NEW_LOANS}"
    desk(world, text.replace("### Requirement: Evening", f"{hashes} Requirement: Evening"))

    document = fixed(world)

    assert document["items"][0]["issues"] == []
    assert world.read(DELTA_FILE) == text


@pytest.mark.parametrize("hashes", ["##", "###", "#####"])
def test_a_scenario_heading_gets_four_hashes(world: World, hashes: str) -> None:
    text = f"{ADDED}\n{NEW_LOANS}"
    desk(world, text.replace("#### Scenario", f"{hashes} Scenario"))

    document = fixed(world)

    assert document["items"][0]["issues"] == []
    assert world.read(DELTA_FILE) == text


def test_d05_a_name_that_misses_by_a_plural_is_corrected(world: World) -> None:
    text = LOAN_PERIOD.replace("21 days", "28 days")
    wrong = text.replace("Loan Period", "Loan Periods")
    desk(world, f"## MODIFIED Requirements\n\n{wrong}")

    document = fixed(world)

    assert mended(document) == [("merge_requirement_missing", True)]
    assert document["items"][0]["valid"]
    assert world.read(DELTA_FILE) == f"## MODIFIED Requirements\n\n{text}"


def test_d05_a_name_that_nothing_is_like_is_left(world: World) -> None:
    desk(world, "## REMOVED Requirements\n\n- ### Requirement: Overdue Fines\n")

    assert fixed(world)["fixes"] == []


def test_names_that_differ_in_a_number_are_different(world: World) -> None:
    base_spec(world, S1.replace("Renewals", "Rule 12"))
    change(world, "## REMOVED Requirements\n\n- ### Requirement: Rule 13\n")

    assert fixed(world)["fixes"] == []


def test_d04_a_lost_scenario_is_copied_to_its_place(world: World) -> None:
    body = LOAN_BODY.replace("21", "28")
    desk(
        world,
        f"## MODIFIED Requirements\n\n### Requirement: Loan Period\n{body}\n{REFERENCE_STOCK}",
    )

    document = fixed(world)

    assert mended(document) == [("merge_scenario_lost", True)]
    assert world.read(DELTA_FILE) == (
        "## MODIFIED Requirements\n\n### Requirement: Loan Period\n"
        f"{body}\n{STANDARD_LOAN}\n{REFERENCE_STOCK}"
    )


def test_one_remedy_may_need_another(world: World) -> None:
    wrong = f"### Requirement: Loan Periods\n{LOAN_BODY.replace('21', '28')}\n{STANDARD_LOAN}"
    desk(world, f"## Modify Requirements\n\n{wrong}")

    document = fixed(world)

    assert [code for code, _ in mended(document)] == [
        "delta_requirement_unread",
        "merge_requirement_missing",
        "merge_scenario_lost",
    ]
    assert document["items"][0]["valid"]


def test_a_remedy_that_brings_another_error_is_not_applied(world: World) -> None:
    no_keyword = STUDENT_LOANS.replace("SHALL grant", "grants")
    desk(world, f"## Add Requirements\n\n{no_keyword}")
    before = tree_digest(world.root)

    document = fixed(world)

    assert document["fixes"] == []
    assert "fixable" not in document["items"][0]["issues"][0]
    assert tree_digest(world.root) == before


def test_an_error_that_was_hidden_holds_no_remedy_up(world: World) -> None:
    """The unknown name was wrong all the time; an unread line elsewhere only kept it from being told."""
    unknown = "## REMOVED Requirements\n\n- ### Requirement: Overdue Fines\n"
    desk(world, f"## Add Requirements\n\n{STUDENT_LOANS}\n{unknown}")

    document = fixed(world)

    assert mended(document) == [("delta_requirement_unread", True)]
    assert codes(document["items"][0]) == [("merge_requirement_missing", 12)]


def test_d06_a_delta_in_the_wrong_place_is_moved(world: World) -> None:
    desk(world)
    world.path(DELTA_FILE).unlink()
    world.path(f"{FOLDER}/specs/lending").rmdir()
    world.write(f"{FOLDER}/specs/lending.md", ADDED)

    document = fixed(world)

    assert mended(document) == [("delta_file_misplaced", True)]
    assert document["items"][0]["valid"]
    assert world.read(DELTA_FILE) == ADDED
    assert not world.path(f"{FOLDER}/specs/lending.md").exists()


def test_d06_a_second_file_beside_the_delta_is_left(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/specs/lending/extra.md", f"## ADDED Requirements\n\n{NEW_LOANS}")
    before = tree_digest(world.root)

    assert fixed(world)["fixes"] == []
    assert tree_digest(world.root) == before


def test_notes_among_the_deltas_are_not_made_one(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/specs/README.md", "Notes for readers.\n")
    before = tree_digest(world.root)

    assert fixed(world)["fixes"] == []
    assert tree_digest(world.root) == before


NAMING = PROPOSAL + "\n## Capabilities\n\n### Modified Capabilities\n- `lending`: longer loans\n"


@pytest.mark.parametrize("more", ["", "- `fines`: lower\n"], ids=["one", "two"])
def test_a_delta_at_the_root_follows_a_proposal_that_names_one_capability(
    world: World, more: str
) -> None:
    desk(world)
    change(world, proposal=NAMING + more)
    world.path(DELTA_FILE).unlink()
    world.write(f"{FOLDER}/specs/spec.md", ADDED)

    document = fixed(world)

    assert document["items"][0]["valid"] is not bool(more)
    assert world.path(DELTA_FILE).exists() is not bool(more)


def test_lines_that_look_like_tasks_become_tasks(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/tasks.md", TASKS + "- [] 1.2 Print\n[ ] 1.3 Tell\n- [?] 1.4 Ask\n")

    document = fixed(world)

    assert mended(document) == [("task_unread", True)] * 2
    assert world.read(f"{FOLDER}/tasks.md") == (
        TASKS + "- [ ] 1.2 Print\n- [ ] 1.3 Tell\n- [?] 1.4 Ask\n"
    )


SPECS = {
    "delta heading": f"{HEAD}{LOAN_PERIOD}\n## ADDED Requirements\n\n{RENEWALS}",
    "empty delta heading": f"{S1}\n## MODIFIED Requirements\n",
    "behind notes": f"{HEAD}{LOAN_PERIOD}\n## Notes\n\nWhy.\n\n{RENEWALS}",
    "delta heading behind notes": (
        f"{HEAD}{LOAN_PERIOD}\n## Notes\n\nWhy.\n\n## ADDED Requirements\n\n{RENEWALS}"
    ),
    "before the section": S1.replace("## Requirements\n\n", "").replace(
        "### Requirement: Renewals", "## Requirements\n\n### Requirement: Renewals"
    ),
    "section of one hash": S1.replace("## Requirements", "# Requirements"),
    "section in the singular": S1.replace("## Requirements", "## Requirement"),
    "requirement with two hashes": S1.replace("### Requirement: R", "## Requirement: R"),
    "requirement with four hashes": S1.replace("### Requirement: R", "#### Requirement: R"),
    "scenarios with three hashes": S1.replace("#### Scenario", "### Scenario"),
    "scenario with two hashes": S1.replace("#### Scenario: R", "## Scenario: R"),
}


@pytest.mark.parametrize("text", SPECS.values(), ids=SPECS)
def test_a_spec_gets_its_requirements_back_into_the_section(world: World, text: str) -> None:
    base_spec(world, text)
    assert not world.cli("validate", "lending", "--strict", "--json").json["items"][0]["valid"]

    document = fixed(world, item="lending")

    assert document["fixes"]
    assert document["items"][0]["issues"] == []
    shown = world.cli("show", "lending", "--json").json
    assert shown["requirementCount"] == 2
    kept = sorted(line for line in text.splitlines() if line and line[0] != "#")
    after = world.read(SPEC_FILE)
    assert sorted(line for line in after.splitlines() if line and line[0] != "#") == kept


def test_a_removed_section_in_a_spec_is_left(world: World) -> None:
    base_spec(world, f"{HEAD}{LOAN_PERIOD}\n## REMOVED Requirements\n\n{RENEWALS}")

    assert fixed(world, item="lending")["fixes"] == []


# Consent and output


def test_without_the_flag_nothing_is_written_but_told(world: World) -> None:
    desk(world, ADDED.replace("ADDED", "Add"))
    before = tree_digest(world.root)

    result = world.cli("validate", CHANGE, "--json")

    document = fits("validate", result.json)
    assert "fixes" not in document
    assert [one.get("fixable") for one in document["items"][0]["issues"]][-1] is True
    assert tree_digest(world.root) == before


def test_people_are_told_what_the_flag_can_do(world: World) -> None:
    desk(world, ADDED.replace("ADDED", "Add"))

    result = world.cli("validate", CHANGE)

    assert "→ Put it below `## ADDED Requirements` (--fix can do this)" in result.err


def test_a_rehearsal_shows_the_edit_and_writes_nothing(world: World) -> None:
    desk(world, ADDED.replace("ADDED", "Add"))
    before = tree_digest(world.root)

    document = fixed(world, "--dry-run")
    told = world.cli("validate", CHANGE, "--fix", "--dry-run")

    assert mended(document) == [("delta_requirement_unread", False)]
    assert not document["items"][0]["valid"]
    assert "-## Add Requirements\n+## ADDED Requirements\n" in told.out
    assert "nothing was written" in told.out
    assert (told.code, tree_digest(world.root)) == (1, before)


def test_a_person_is_asked_after_the_diff(world: World) -> None:
    wrong = ADDED.replace("ADDED", "Add")
    desk(world, wrong)

    declined = world.cli("validate", CHANGE, "--fix", tty=True, input="n\n")
    assert world.read(DELTA_FILE) == wrong
    agreed = world.cli("validate", CHANGE, "--fix", tty=True, input="y\n")

    assert declined.code == 1
    assert "+## ADDED Requirements" in declined.out
    assert agreed.code == 0
    assert world.read(DELTA_FILE) == ADDED


@pytest.mark.parametrize("flags", [("--yes",), ("--no-interactive",)])
def test_consent_on_the_command_line_asks_nothing(world: World, flags: tuple[str, ...]) -> None:
    desk(world, ADDED.replace("ADDED", "Add"))

    result = world.cli("validate", CHANGE, "--fix", *flags, tty=True)

    assert result.code == 0
    assert world.read(DELTA_FILE) == ADDED


@pytest.mark.parametrize("flag", ["--dry-run", "--yes"])
def test_the_flags_of_fixing_need_it(world: World, flag: str) -> None:
    desk(world)

    result = world.cli("validate", CHANGE, flag, "--json")

    assert (result.code, result.json["status"][0]["code"]) == (1, "usage_error")


def test_a_bulk_run_mends_specs_before_the_changes_that_need_them(world: World) -> None:
    desk(
        world,
        f"## MODIFIED Requirements\n\n{RENEWALS.replace('two', 'three').replace('wals', 'wal')}",
    )
    base_spec(world, f"{HEAD}{LOAN_PERIOD}\n## Notes\n\nWhy.\n\n{RENEWALS}")

    result = world.cli("validate", "--all", "--fix", "--json")

    document = fits("validate", result.json)
    assert [(one["type"], one["code"]) for one in document["fixes"]] == [
        ("spec", "spec_requirement_misplaced"),
        ("change", "merge_requirement_missing"),
    ]
    assert result.code == 0
    again = world.cli("validate", "--all", "--fix", "--json")
    assert again.json["fixes"] == []


@pytest.mark.parametrize("ending", ["\r\n", "\r"], ids=["crlf", "cr"])
def test_bytes_of_other_lines_stay(world: World, ending: str) -> None:
    body = LOAN_BODY.replace("21", "28")
    text = f"## MODIFIED Requirements\n\n### Requirement: Loan Period\n{body}\n{STANDARD_LOAN}"
    desk(world, ("\ufeff" + text).replace("\n", ending).encode())

    fixed(world)

    wanted = f"\ufeff{text}\n{REFERENCE_STOCK}".replace("\n", ending).encode()
    assert world.path(DELTA_FILE).read_bytes() == wanted


def test_a_change_outside_the_workspace_is_not_written(world: World) -> None:
    desk(world, ADDED.replace("ADDED", "Add"))
    elsewhere = world.base / "elsewhere"
    world.path(FOLDER).rename(elsewhere)
    world.path(FOLDER).symlink_to(elsewhere, target_is_directory=True)
    before = tree_digest(elsewhere)

    document = fixed(world)

    assert document["fixes"] == []
    assert tree_digest(elsewhere) == before


def test_what_others_say_of_a_change_does_not_hide_what_can_be_mended(world: World) -> None:
    """`--all` adds findings about overlap, which are no part of the plan of one change."""
    both = f"## MODIFIED Requirements\n\n{RENEWALS.replace('two', 'three')}\n## Notes\n\n{STUDENT_LOANS}"
    desk(world, both)
    change(world, both.replace("three", "four"), name="other")

    items = world.cli("validate", "--all", "--json").json["items"]

    for item in items:
        marked = [one["code"] for one in item["issues"] if one.get("fixable")]
        assert marked == (["delta_requirement_unread"] if item["type"] == "change" else [])


def test_a_delta_that_moves_requirements_can_be_mended_too(world: World) -> None:
    moved = "## MOVED Requirements\n\n- FROM: fines ### Requirement: Late\n"
    desk(world, f"{moved}\n## Add Requirements\n\n{STUDENT_LOANS}")
    kept = RENEWALS.replace("Renewals", "Kept")
    late = RENEWALS.replace("Renewals", "Late")
    world.write("rasen/specs/fines/spec.md", f"{HEAD}{late}\n{kept}")

    document = fixed(world)

    assert mended(document) == [("delta_requirement_unread", True)]
    assert document["items"][0]["valid"]
    assert world.read(DELTA_FILE) == f"{moved}\n{ADDED}"
