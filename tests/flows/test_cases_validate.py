"""The bug log, D01 to D16, as `validate` answers it; `archive` gives the same verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
from tests.support.verdict import archived, assert_same_verdict, checked, codes, messages
from tests.support.world import World

from rasen.files.tree import tree_digest

MISSING = "merge_requirement_missing"
UNPAIRED = "delta_rename_unpaired"


def show(world: World) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = world.cli("show", CHANGE, "--json").json["deltas"]
    return deltas


def test_the_fixture_is_sound(world: World) -> None:
    desk(world)

    item = assert_same_verdict(world)

    assert item["valid"]
    assert item["issues"] == []


# D01: line endings, trailing blanks, byte-order marks


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


MACHINES: dict[str, Callable[[World], object]] = {
    "crlf-proposal": lambda world: change(world, proposal=crlf(PROPOSAL)),
    "crlf-tasks": lambda world: change(world, tasks=crlf(TASKS)),
    "crlf-delta": lambda world: change(world, crlf(ADDED)),
    "trailing-blanks": lambda world: change(
        world,
        proposal=PROPOSAL.replace("## Why", "## Why   "),
        delta=ADDED.replace("\n", "  \n", 1),
    ),
    "bom-everywhere": lambda world: change(
        world, "\ufeff" + ADDED, proposal="\ufeff" + PROPOSAL, tasks="\ufeff" + TASKS
    ),
    "cr-only-delta": lambda world: change(world, ADDED.replace("\n", "\r")),
}


@pytest.mark.parametrize("name", MACHINES)
def test_d01_line_endings_change_no_verdict(world: World, name: str) -> None:
    base_spec(world)
    MACHINES[name](world)

    item = assert_same_verdict(world)

    assert (item["valid"], item["issues"]) == (True, [])
    assert world.cli("show", CHANGE, "--json").json["deltaCount"] == 1
    listed = world.cli("list", "--json").json["changes"][0]
    assert (listed["completedTasks"], listed["totalTasks"]) == (1, 1)


@pytest.mark.parametrize("name", MACHINES)
def test_d01_the_merged_requirements_are_the_same(world: World, name: str) -> None:
    base_spec(world)
    MACHINES[name](world)

    archived(world)

    names = ("Loan Period", "Renewals", "Student Loans")
    merged = world.read(SPEC_FILE).replace("\r\n", "\n").replace("\r", "\n")
    assert [line for line in merged.split("\n") if line.startswith("### ")] == [
        f"### Requirement: {one}" for one in names
    ]
    assert merged.startswith(S1)


# D02: headings inside code fences

FENCES = {
    "four-backticks": (
        "````markdown\n### Requirement: Only An Example\n```\n## REMOVED Requirements\n"
        "- ### Requirement: Renewals\n```\n````\n"
    ),
    "tildes": (
        "~~~\n### Requirement: Only An Example\n```\n## REMOVED Requirements\n```\n#### Scenario: no\n~~~\n"
    ),
    "under-a-list-item": (
        "- an example:\n  ````\n### Requirement: Only An Example\n  ```\n## REMOVED Requirements\n"
        "  ```\n  ````\n"
    ),
}


@pytest.mark.parametrize("fence", FENCES.values(), ids=FENCES)
def test_d02_a_heading_inside_a_fence_is_text(world: World, fence: str) -> None:
    body = "The system SHALL grant students 42 days.\n"
    desk(world, ADDED.replace(body, f"{body}\n{fence}"))

    item = assert_same_verdict(world)

    assert item["valid"]
    assert [one["operation"] for one in show(world)] == ["ADDED"]
    archived(world)
    assert fence in world.read(SPEC_FILE)


# D04: scenarios that a MODIFIED block leaves out


def test_d04_a_missing_scenario_is_named_before_archive(world: World) -> None:
    desk(
        world,
        f"## MODIFIED Requirements\n\n### Requirement: Loan Period\n{LOAN_BODY}\n{STANDARD_LOAN}",
    )

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_scenario_lost", 3)]
    assert item["issues"][0]["path"] == "lending/spec.md"
    said = messages(item)
    assert "Reference stock" in said
    assert "specs/lending/spec.md" in said


def test_d04_an_unlabelled_scenario_counts_too(world: World) -> None:
    unlabelled = REFERENCE_STOCK.replace("Scenario: Reference", "Edge case: reference")
    base_spec(world, S1.replace(REFERENCE_STOCK, unlabelled))
    change(
        world,
        f"## MODIFIED Requirements\n\n### Requirement: Loan Period\n{LOAN_BODY}\n{STANDARD_LOAN}",
    )

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_scenario_lost", 3)]
    assert "Edge case: reference stock" in messages(item)


def test_d04_a_repeated_scenario_is_fine(world: World) -> None:
    desk(world, f"## MODIFIED Requirements\n\n{LOAN_PERIOD}")

    assert assert_same_verdict(world)["valid"]


# D05: deltas that target nothing

TARGETS = {
    "modified": (
        "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("Loan Period", "Loan Periods"),
        "Loan Period",
    ),
    "removed": ("## REMOVED Requirements\n\n### Requirement: Overdue Fines\n", ""),
    "removed-bullet": ("## REMOVED Requirements\n- `### Requirement: Renewal`\n", "Renewals"),
    "renamed": (
        "## RENAMED Requirements\n- FROM: `### Requirement: Borrow Limit`\n"
        "- TO: `### Requirement: Loan Limit`\n",
        "",
    ),
}


@pytest.mark.parametrize(("delta", "nearest"), TARGETS.values(), ids=TARGETS)
def test_d05_a_target_that_does_not_exist_is_an_error(
    world: World, delta: str, nearest: str
) -> None:
    desk(world, delta)

    item = assert_same_verdict(world)

    assert [code for code, _ in codes(item)] == [MISSING]
    assert next(one["line"] for one in item["issues"] if one["level"] == "ERROR") in (2, 3)
    assert nearest in messages(item)


def test_d05_other_letter_case_is_not_the_same_name(world: World) -> None:
    desk(world, "## REMOVED Requirements\n- ### Requirement: renewals\n")

    item = assert_same_verdict(world)

    assert codes(item) == [(MISSING, 2)]
    assert "Renewals" in messages(item)


# D06: deltas in the wrong place


def test_d06_a_delta_in_the_wrong_place_is_an_error(world: World) -> None:
    base_spec(world)
    change(world)
    world.path(DELTA_FILE).rename(world.path(f"{FOLDER}/specs/lending.md"))

    item = assert_same_verdict(world)

    assert "delta_file_misplaced" in [code for code, _ in codes(item)]
    said = messages(item)
    assert "specs/lending.md" in said
    assert "specs/lending/spec.md" in said
    status = world.cli("status", "--change", CHANGE, "--json").json
    artifacts = {one["id"]: one["status"] for one in status["artifacts"]}
    assert artifacts["specs"] != "done"


def test_d06_a_second_file_beside_the_delta_is_an_error(world: World) -> None:
    desk(world)
    extra = STUDENT_LOANS.replace("Student Loans", "Teacher Loans")
    world.write(f"{FOLDER}/specs/lending/extra.md", f"## ADDED Requirements\n\n{extra}")

    item = assert_same_verdict(world)

    assert codes(item) == [("delta_file_misplaced", None)]
    assert item["issues"][0]["path"] == "lending/extra.md"


def test_d06_a_delta_at_the_root_is_an_error(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/specs/spec.md", ADDED)

    item = assert_same_verdict(world)

    assert codes(item) == [("delta_file_at_root", None)]
    assert item["issues"][0]["path"] == "spec.md"


# D07: renames that are not paired

RENAMES = {
    "crossed": (
        ("FROM", "Loan Period"), ("FROM", "Renewals"), ("TO", "Loan Length"), ("TO", "Extensions"),
    ),
    "to-first": (("TO", "Loan Length"), ("FROM", "Loan Period")),
    "lone-from": (("FROM", "Loan Period"), ("TO", "Loan Length"), ("FROM", "Renewals")),
}  # fmt: skip
UNPAIRED_LINES = {"crossed": [2, 5], "to-first": [2, 3], "lone-from": [4]}


@pytest.mark.parametrize("name", RENAMES)
def test_d07_unpaired_renames_are_listed(world: World, name: str) -> None:
    bullets = "".join(f"- {side}: `### Requirement: {one}`\n" for side, one in RENAMES[name])
    desk(world, f"## RENAMED Requirements\n{bullets}")

    item = assert_same_verdict(world)

    found = [line for code, line in codes(item) if code == UNPAIRED]
    assert found == UNPAIRED_LINES[name]


# D08: bullet styles


@pytest.mark.parametrize("bullet", ["-", "*", "+"])
def test_d08_every_bullet_removes(world: World, bullet: str) -> None:
    desk(world, f"## REMOVED Requirements\n{bullet} `### Requirement: Renewals`\n")

    assert assert_same_verdict(world)["valid"]
    archived(world)

    assert world.read(SPEC_FILE) == f"{HEAD}{LOAN_PERIOD}"


@pytest.mark.parametrize("bullet", ["-", "*", "+"])
def test_d08_every_bullet_renames(world: World, bullet: str) -> None:
    desk(
        world,
        f"## RENAMED Requirements\n{bullet} FROM: `### Requirement: Renewals`\n"
        f"{bullet} TO: `### Requirement: Extensions`\n",
    )

    assert assert_same_verdict(world)["valid"]
    archived(world)

    assert world.read(SPEC_FILE) == S1.replace("Requirement: Renewals", "Requirement: Extensions")


# D10: requirements under the wrong heading

LOST = {
    "before-any-heading": (STUDENT_LOANS, 1, "ADDED Requirements"),
    "under-notes": (f"## Notes\n\n{STUDENT_LOANS}", 3, "ADDED Requirements"),
    "misspelt-heading": (f"## Add Requirements\n\n{STUDENT_LOANS}", 3, "## ADDED Requirements"),
}


@pytest.mark.parametrize(("delta", "line", "advice"), LOST.values(), ids=LOST)
def test_d10_a_requirement_under_the_wrong_heading_is_an_error(
    world: World, delta: str, line: int, advice: str
) -> None:
    desk(world, delta)

    item = assert_same_verdict(world)

    assert ("delta_requirement_unread", line) in codes(item)
    assert advice in messages(item)


@pytest.mark.parametrize(("delta", "line", "advice"), LOST.values(), ids=LOST)
def test_d10_also_next_to_a_good_requirement(
    world: World, delta: str, line: int, advice: str
) -> None:
    good = STUDENT_LOANS.replace("Student Loans", "Teacher Loans")
    desk(world, f"{delta}\n## ADDED Requirements\n\n{good}")

    item = assert_same_verdict(world)

    assert codes(item) == [("delta_requirement_unread", line)]
    assert advice in messages(item)


def test_a_requirement_outside_the_section_of_the_spec_fails_spec_and_change(world: World) -> None:
    stray = "## Notes\n\n" + STUDENT_LOANS.replace("Student Loans", "Stray")
    base_spec(world, f"{S1}\n{stray}")
    change(world)

    spec = world.cli("validate", "lending", "--json").json["items"][0]
    item = assert_same_verdict(world)

    line = (S1 + "\n## Notes\n\n").count("\n") + 1
    assert codes(spec) == [("spec_requirement_misplaced", line)]
    assert not item["valid"]
    assert str(line) in messages(item)


# D11 and D12: what counts as a task


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"], ids=["two", "four", "tab"])
def test_d11_indented_tasks_count(world: World, indent: str) -> None:
    base_spec(world)
    tasks = (
        "## 1. Desk\n- [x] 1.1 Due date rule\n"
        f"{indent}- [x] 1.1.1 Reference stock\n{indent}- [ ] 1.1.2 Students\n- [ ] 1.2 Print receipt\n"
    )
    change(world, tasks=tasks)

    listed = world.cli("list", "--json").json["changes"][0]
    refused = world.cli("archive", CHANGE, "--json")

    assert (listed["completedTasks"], listed["totalTasks"]) == (2, 4)
    assert refused.error == "archive_tasks_incomplete"
    assert "2 of 4" in refused.json["status"][0]["message"]


def test_d12_a_task_in_progress_is_counted_and_a_link_is_not(world: World) -> None:
    base_spec(world)
    change(world, tasks="- [x] a\n- [~] b\n- [ ] c\n- [notes](notes.md)\n")

    listed = world.cli("list", "--json").json["changes"][0]
    progress = world.cli("task", "list", CHANGE, "--json").json["progress"]

    assert (listed["completedTasks"], listed["totalTasks"]) == (1, 3)
    assert progress == {"total": 3, "done": 1, "inProgress": 1, "remaining": 2}


def test_d12_a_mark_between_blanks_is_done(world: World) -> None:
    base_spec(world)
    change(world, tasks="- [ x ] d\n")

    listed = world.cli("list", "--json").json["changes"][0]

    assert (listed["completedTasks"], listed["totalTasks"], listed["status"]) == (1, 1, "complete")


def test_d12_an_unknown_mark_is_reported(world: World) -> None:
    base_spec(world)
    change(world, tasks=f"{TASKS}- [?] 1.2 Print receipt\n")

    item = checked(world)

    assert item["valid"]
    assert codes(item, "WARNING") == [("task_unread", 3)]


# D13: blank lines inside a sample


def test_d13_a_sample_stays_byte_for_byte(world: World) -> None:
    sample = "```text\nfirst\n\n\n    \nlast\n```\n"
    desk(world, f"{ADDED}{sample}")

    assert assert_same_verdict(world)["valid"]
    archived(world)

    assert sample in world.read(SPEC_FILE)


# D14: archive after an early sync


def test_d14_the_same_text_is_a_no_op(world: World) -> None:
    base_spec(world, f"{S1}\n{STUDENT_LOANS}")
    change(world)

    assert assert_same_verdict(world)["valid"]
    answer = archived(world).json["archive"]

    assert answer["totals"]["added"] == 0
    assert world.read(SPEC_FILE) == f"{S1}\n{STUDENT_LOANS}"


def test_d14_other_text_is_a_conflict_that_shows_both(world: World) -> None:
    base_spec(world, f"{S1}\n{STUDENT_LOANS.replace('42', '30')}")
    change(world)

    item = assert_same_verdict(world)

    assert codes(item) == [("merge_requirement_exists", 3)]
    said = messages(item)
    assert "grant students 30 days" in said
    assert "grant students 42 days" in said


# D15: grouping folders


@pytest.fixture
def grouped(world: World) -> World:
    base_spec(world)
    change(world, name="mobile/refresh-token")
    return world


def test_d15_a_grouping_folder_is_no_change(grouped: World) -> None:
    document = grouped.cli("list", "--json").json

    assert document["changes"] == []
    assert [(one["severity"], one["code"]) for one in document["status"]] == [
        ("warning", "change_misplaced")
    ]
    assert "mobile/refresh-token" in document["status"][0]["message"]


def test_d15_validate_and_archive_refuse_it(grouped: World) -> None:
    before = tree_digest(grouped.root)

    item = checked(grouped, "mobile")
    bulk = grouped.cli("validate", "--all", "--json")
    result = grouped.cli("archive", "mobile", "--yes", "--json")

    assert codes(item) == [("change_misplaced", None)]
    assert bulk.code == 1
    assert [one["id"] for one in bulk.json["items"]] == ["lending", "mobile"]
    assert result.code == 1
    assert tree_digest(grouped.root) == before


@pytest.mark.parametrize("command", ["validate", "show", "archive"])
def test_d15_a_nested_change_has_no_address(grouped: World, command: str) -> None:
    flags = ("--yes",) if command == "archive" else ()

    result = grouped.cli(command, "mobile/refresh-token", "--json", *flags)

    assert result.code == 1
    assert result.error in ("unknown_item", "archive_change_not_found")


# D16: schemas with references that lead nowhere

ARTIFACT = "  - {{id: {id}, generates: {generates}, description: x, template: x.md, requires: [{requires}]}}\n"
PLAIN = (
    ("proposal", "p.md", ""),
    ("specs", "specs/**/*.md", ""),
    ("design", "d.md", ""),
    ("tasks", "tasks.md", ""),
)


def schema(world: World, artifacts: tuple[tuple[str, str, str], ...], apply: str = "tasks") -> Path:
    rows = "".join(ARTIFACT.format(id=a, generates=b, requires=c) for a, b, c in artifacts)
    text = (
        f"name: mine\nversion: 1\ndescription: x\nartifacts:\n{rows}apply:\n  requires: [{apply}]\n"
    )
    world.write("rasen/schemas/mine/templates/x.md", "# x\n")
    return world.write("rasen/schemas/mine/schema.yaml", text)


BROKEN: dict[str, tuple[tuple[tuple[str, str, str], ...], str, str]] = {
    "unknown-in-apply": (PLAIN, "tasks, desgin", "design"),
    "requires-itself": ((*PLAIN[:3], ("tasks", "tasks.md", "tasks")), "tasks", "tasks"),
    "circle": (
        (("proposal", "p.md", "design"), ("design", "d.md", "proposal"), ("tasks", "t.md", "")),
        "tasks",
        "proposal",
    ),
    "same-file-twice": ((*PLAIN[:3], ("tasks", "d.md", "")), "tasks", "d.md"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_d16_commands_that_use_a_broken_schema_refuse(world: World, name: str) -> None:
    artifacts, apply, said = BROKEN[name]
    desk(world)
    schema(world, artifacts, apply)
    world.write(f"{FOLDER}/.openspec.yaml", "schema: mine\n")
    before = tree_digest(world.root)

    checked_schema = world.cli("schema", "validate", "mine", "--json")
    status = world.cli("status", "--change", CHANGE, "--json")
    told = world.cli("instructions", "apply", "--change", CHANGE, "--json")

    assert checked_schema.code == status.code == told.code == 1
    assert said in checked_schema.out
    assert said in status.json["status"][0]["message"] + status.json["status"][0].get("fix", "")
    assert status.error == told.error == "schema_invalid"
    assert tree_digest(world.root) == before


@pytest.mark.parametrize("name", BROKEN)
def test_d16_validate_says_that_the_schema_is_broken(world: World, name: str) -> None:
    artifacts, apply, said = BROKEN[name]
    desk(world)
    schema(world, artifacts, apply)
    world.write(f"{FOLDER}/.openspec.yaml", "schema: mine\n")

    item = assert_same_verdict(world)

    assert "change_schema_unusable" in [one["code"] for one in item["issues"]]
    assert said in messages(item)


# D03 needs three-way merging for its first halves; what must hold already: nothing is lost silently


def test_d03_the_second_change_to_a_requirement_names_what_it_would_drop(world: World) -> None:
    base_spec(world)
    for name, title in (("a-students", "Student loan"), ("b-holidays", "Holiday extension")):
        extra = f"\n#### Scenario: {title}\n- **WHEN** it applies\n- **THEN** the loan is longer\n"
        change(world, f"## MODIFIED Requirements\n\n{LOAN_PERIOD}{extra}", name=name)
    archived(world, "a-students")

    item = assert_same_verdict(world, "b-holidays")

    assert codes(item) == [("merge_scenario_lost", 3)]
    assert "Student loan" in messages(item)


def test_a_removed_requirement_can_be_the_last_of_two(world: World) -> None:
    desk(world, f"## REMOVED Requirements\n\n{RENEWALS}")

    assert assert_same_verdict(world)["valid"]
