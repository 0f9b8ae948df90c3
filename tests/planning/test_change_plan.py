"""One plan for a change: what its deltas would do, and every objection with its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.planning_texts import (
    DELTA,
    LOAN_PERIOD,
    PURPOSE,
    RENEWALS,
    SPEC,
    STUDENT_LOANS,
    requirement,
    spec_of,
)
from tests.support.world import World

from rasen.base.findings import Finding
from rasen.planning.change_plan import ChangePlan, is_wording
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.roots.model import SOURCE_NEAREST, Root

CHANGE = "rasen/changes/longer-loans"
PROPOSAL = f"## Why\n{PURPOSE}\n\n## What Changes\n- Students get more time\n"
TASKS = "## 1. Desk\n- [x] 1.1 Adjust due date\n"
Row = tuple[str, str, str, int | None]


def plan(
    world: World, files: Mapping[str, str | bytes | None], name: str = "longer-loans"
) -> ChangePlan:
    """The plan of C1 on S1, with `files` of the workspace laid over them; None leaves one out."""
    base = {
        "specs/lending/spec.md": SPEC,
        "changes/longer-loans/proposal.md": PROPOSAL,
        "changes/longer-loans/tasks.md": TASKS,
        "changes/longer-loans/specs/lending/spec.md": DELTA,
    }
    world.workspace()
    for path, text in {**base, **files}.items():
        if text is not None:
            world.write(f"rasen/{path}", text)
    root = Root(world.root, SOURCE_NEAREST, "rasen")
    return plan_change(Reader(world.context(), root).change(name))


def with_delta(world: World, text: str | bytes, spec: str | None = SPEC) -> ChangePlan:
    return plan(
        world,
        {"changes/longer-loans/specs/lending/spec.md": text, "specs/lending/spec.md": spec},
    )


def rows(found: ChangePlan) -> list[Row]:
    """The findings but `base_unknown`, which every change here has: there is no git."""
    return [(one.code, one.level.value, one.path, one.line) for one in told(found)]


def told(found: ChangePlan) -> list[Finding]:
    return [one for one in found.findings if one.code != "base_unknown"]


def merged_text(found: ChangePlan) -> str:
    (only,) = found.deltas
    assert only.merged is not None
    assert only.merged.text is not None
    return only.merged.text


# The smallest valid change, and files from real machines


def test_smallest_change_is_valid(world: World) -> None:
    found = plan(world, {})

    assert found.findings == []
    assert found.is_valid(strict=True)
    assert merged_text(found) == f"{SPEC}\n{STUDENT_LOANS}"


@pytest.mark.parametrize(
    "files",
    [
        {"changes/longer-loans/proposal.md": PROPOSAL.replace("\n", "\r\n")},
        {"changes/longer-loans/tasks.md": "\ufeff" + TASKS.replace("\n", "\r\n")},
        {"changes/longer-loans/specs/lending/spec.md": DELTA.replace("\n", "\r\n")},
        {"changes/longer-loans/specs/lending/spec.md": "\ufeff" + DELTA},
        {"changes/longer-loans/specs/lending/spec.md": DELTA.replace("Requirements\n", "Requirements  \n")},
    ],
    ids=["crlf proposal", "bom and crlf tasks", "crlf delta", "bom delta", "trailing spaces"],
)  # fmt: skip
def test_windows_files_give_the_same_verdict_and_result(
    world: World, files: dict[str, str]
) -> None:
    found = plan(world, files)

    assert found.findings == []
    assert merged_text(found) == f"{SPEC}\n{STUDENT_LOANS}"


# Fences and samples


@pytest.mark.parametrize("mark", ["````", "~~~~", "  ````"])
def test_heading_inside_a_fence_is_no_requirement(world: World, mark: str) -> None:
    sample = (
        f"{mark}\n### Requirement: Only An Example\n```\n## REMOVED Requirements\n```\n\n\n{mark}\n"
    )
    block = STUDENT_LOANS.replace("42 days.\n", f"42 days.\n{sample}")

    found = with_delta(world, f"## ADDED Requirements\n\n{block}")

    assert found.findings == []
    delta = found.deltas[0].delta
    assert delta is not None
    assert (len(delta.added), delta.count) == (1, 1)
    assert merged_text(found) == f"{SPEC}\n{block}"


def test_sample_is_merged_byte_for_byte(world: World) -> None:
    block = STUDENT_LOANS + "\n```yaml\na:\n\n\n    \n\tb\n```\n"

    found = with_delta(world, f"## ADDED Requirements\n{block}")

    assert merged_text(found) == f"{SPEC}\n{block}"


# Losing scenarios, missing targets


@pytest.mark.parametrize("heading", ["#### Scenario: Reference stock", "#### Edge case: reference"])
def test_left_out_scenario_is_named_with_the_spec_and_the_ways_out(
    world: World, heading: str
) -> None:
    spec = SPEC.replace("#### Scenario: Reference stock", heading)
    block = LOAN_PERIOD.partition("#### Scenario: Reference")[0]

    found = with_delta(world, f"## MODIFIED Requirements\n\n{block}", spec)

    assert rows(found) == [("merge_scenario_lost", "ERROR", "lending/spec.md", 3)]
    message = found.findings[-1].message
    assert heading.removeprefix("#### ").removeprefix("Scenario: ") in message
    assert "specs/lending/spec.md" in message
    assert "<!-- removed: <scenario> -->" in found.findings[-1].fix


def test_targets_that_are_not_there_are_errors_with_the_nearest_name(world: World) -> None:
    text = (
        "## MODIFIED Requirements\n\n"
        + LOAN_PERIOD.replace("Loan Period", "Loan Periods")
        + "\n## REMOVED Requirements\n- ### Requirement: Overdue Fines\n\n"
        "## RENAMED Requirements\n- FROM: ### Requirement: Borrow Limit\n"
        "- TO: ### Requirement: Loan Limit\n"
    )

    found = with_delta(world, text)

    assert rows(found) == [
        ("merge_requirement_missing", "ERROR", "lending/spec.md", line) for line in (3, 15, 18)
    ]
    assert 'nearest: "Loan Period"' in told(found)[0].message


# Deltas in the wrong place


def test_delta_beside_its_folder_is_named_with_the_expected_path(world: World) -> None:
    found = plan(
        world,
        {
            "changes/longer-loans/specs/lending/spec.md": None,
            "changes/longer-loans/specs/lending.md": DELTA,
        },
    )

    assert rows(found) == [
        ("change_deltas_missing", "ERROR", "file", None),
        ("delta_file_misplaced", "ERROR", "lending.md", None),
    ]
    assert "specs/lending/spec.md" in told(found)[1].fix


def test_second_file_in_a_capability_is_an_error(world: World) -> None:
    found = plan(world, {"changes/longer-loans/specs/lending/extra.md": DELTA})

    assert rows(found) == [("delta_file_misplaced", "ERROR", "lending/extra.md", None)]
    assert not found.is_valid()


def test_delta_at_the_root_of_specs_is_an_error(world: World) -> None:
    found = plan(world, {"changes/longer-loans/specs/spec.md": DELTA})

    assert rows(found) == [("delta_file_at_root", "ERROR", "spec.md", None)]


def test_nested_capability_is_merged_where_it_lies(world: World) -> None:
    found = plan(
        world,
        {
            "changes/longer-loans/specs/lending/spec.md": None,
            "changes/longer-loans/specs/area/desk/spec.md": DELTA,
            "specs/area/desk/spec.md": SPEC,
        },
    )

    assert found.findings == []
    assert found.deltas[0].file.capability == "area/desk"
    assert merged_text(found) == f"{SPEC}\n{STUDENT_LOANS}"


# Renames and removals


@pytest.mark.parametrize(
    ("entries", "lines"),
    [
        (["FROM: Loan Period", "FROM: Renewals", "TO: Loan Length", "TO: Extensions"], [2, 5]),
        (["TO: Loan Length", "FROM: Loan Period"], [2, 3]),
        (["FROM: Loan Period", "TO: Loan Length", "FROM: Renewals"], [4]),
    ],
    ids=["crossed", "backwards", "lone FROM"],
)
def test_unpaired_renames_refuse_all_of_them(
    world: World, entries: list[str], lines: list[int]
) -> None:
    text = "".join(f"- {one.replace(': ', ': ### Requirement: ')}\n" for one in entries)

    found = with_delta(world, f"## RENAMED Requirements\n{text}")

    assert [row for row in rows(found) if row[0] == "delta_rename_unpaired"] == [
        ("delta_rename_unpaired", "ERROR", "lending/spec.md", line) for line in lines
    ]
    assert found.deltas[0].merged is not None
    assert found.deltas[0].merged.text is None


@pytest.mark.parametrize("bullet", ["-", "*", "+"])
def test_bullet_style_does_not_matter(world: World, bullet: str) -> None:
    removal = with_delta(world, f"## REMOVED Requirements\n{bullet} `### Requirement: Renewals`\n")
    assert merged_text(removal) == spec_of(LOAN_PERIOD).replace("# x ", "# lending ")

    rename = with_delta(
        world,
        f"## RENAMED Requirements\n{bullet} FROM: ### Requirement: Renewals\n"
        f"{bullet} TO: ### Requirement: Extensions\n",
    )
    assert merged_text(rename) == SPEC.replace("Renewals", "Extensions")


# Requirements under no section


@pytest.mark.parametrize(
    ("text", "line", "fix"),
    [
        (f"# Delta\n\n{STUDENT_LOANS}", 3, "## ADDED Requirements"),
        (f"## Notes\n\n{STUDENT_LOANS}", 3, "Requirements"),
        (f"## Add Requirements\n\n{STUDENT_LOANS}", 3, "## ADDED Requirements"),
        (f"{DELTA}\n## Notes\n\n{requirement('Lost')}", 12, "Requirements"),
    ],
    ids=["before any heading", "under Notes", "under a misspelt heading", "next to a good one"],
)
def test_requirement_under_no_section_is_an_error(
    world: World, text: str, line: int, fix: str
) -> None:
    found = with_delta(world, text)

    (unread,) = (one for one in found.findings if one.code == "delta_requirement_unread")
    assert (unread.level.value, unread.path, unread.line) == ("ERROR", "lending/spec.md", line)
    assert fix in unread.fix
    assert not found.is_valid()
    assert unread in found.blocking


# After an early sync


def test_identical_addition_is_no_change(world: World) -> None:
    found = with_delta(world, DELTA, f"{SPEC}\n{STUDENT_LOANS}")

    assert found.is_valid(strict=True)
    merged = found.deltas[0].merged
    assert merged is not None
    assert merged.text is None
    assert merged.counts.added == 0


def test_different_addition_is_a_conflict_that_shows_both(world: World) -> None:
    found = with_delta(world, DELTA, f"{SPEC}\n{STUDENT_LOANS.replace('42', '30')}")

    assert rows(found) == [("merge_requirement_exists", "ERROR", "lending/spec.md", 3)]
    assert "30 days" in told(found)[0].message
    assert "42 days" in told(found)[0].message


# Wording


@pytest.mark.parametrize(
    ("block", "code", "line"),
    [
        ("### Requirement: A\n\n#### Scenario: S\n- x\n", "requirement_body_empty", 3),
        (requirement("A", "It works."), "requirement_keyword_missing", 3),
        (requirement("It MUST", "It works."), "requirement_keyword_in_heading", 3),
        ("### Requirement: A\nIt SHALL.\n", "delta_scenarios_missing", 3),
        ("### Requirement: A\nIt SHALL.\n```\n#### Scenario: S\n```\n", "delta_scenarios_missing", 3),
    ],
    ids=["no body", "no keyword", "keyword in heading", "no scenario", "fenced scenario"],
)  # fmt: skip
@pytest.mark.parametrize("word", ["ADDED", "MODIFIED"])
def test_wording_of_a_block_is_told_once(
    world: World, word: str, block: str, code: str, line: int
) -> None:
    name = "It MUST" if "It MUST" in block else "A"
    spec = SPEC if word == "ADDED" else f"{SPEC}\n### Requirement: {name}\nIt SHALL be.\n"

    found = with_delta(world, f"## {word} Requirements\n\n{block}", spec)

    assert rows(found) == [(code, "ERROR", "lending/spec.md", line)]
    assert found.blocking == []
    assert is_wording(told(found)[0])


def test_defect_of_another_requirement_is_told_beside_the_delta_s_own(world: World) -> None:
    spec = f"{SPEC}\n{requirement('Old', 'It works.')}"

    found = with_delta(world, f"## ADDED Requirements\n{requirement('New', 'It works.')}", spec)

    assert [one.code for one in told(found)] == [
        "merged_spec_invalid",
        "requirement_keyword_missing",
    ]
    assert '"Old"' in told(found)[0].message


def test_scenario_without_text_is_found_in_the_merged_spec(world: World) -> None:
    found = with_delta(
        world, "## ADDED Requirements\n### Requirement: A\nIt SHALL.\n#### Scenario: S\n"
    )

    assert [one.code for one in told(found)] == ["merged_spec_invalid"]
    assert found.blocking == []


def test_spec_without_purpose_is_no_matter_of_wording(world: World) -> None:
    found = with_delta(world, DELTA, SPEC.replace("## Purpose", "## Aim"))

    assert [one.code for one in told(found)] == ["merged_spec_invalid"]
    assert found.blocking == told(found)


def test_slips_in_the_text_are_warnings_with_their_lines(world: World) -> None:
    text = f"{DELTA}\n#### Requirement: Low\n- x\n<!--\n{requirement('Hidden')}-->\n```\nopen\n"

    found = with_delta(world, text)

    assert rows(found) == [
        ("requirement_heading_level", "WARNING", "lending/spec.md", 10),
        ("requirement_in_comment", "WARNING", "lending/spec.md", 13),
        ("fence_unclosed", "WARNING", "lending/spec.md", 20),
    ]
    assert found.is_valid()
    assert not found.is_valid(strict=True)


# The change as a whole


def test_change_without_deltas(world: World) -> None:
    found = plan(world, {"changes/longer-loans/specs/lending/spec.md": None})

    assert rows(found) == [("change_deltas_missing", "ERROR", "file", None)]
    assert "## ADDED Requirements" in found.findings[-1].fix


def test_change_may_say_that_it_touches_no_spec(world: World) -> None:
    metadata = "schema: spec-driven\nskip_specs: true\n"
    files = {"changes/longer-loans/.openspec.yaml": metadata}

    found = plan(world, {**files, "changes/longer-loans/specs/lending/spec.md": None})
    assert rows(found) == [("change_specs_skipped", "INFO", "file", None)]
    assert found.is_valid(strict=True)

    both = plan(world, files)
    assert rows(both) == [
        ("change_specs_skipped", "INFO", "file", None),
        ("change_specs_not_skipped", "ERROR", "lending/spec.md", None),
    ]


def test_grouping_folder_is_misplaced(world: World) -> None:
    found = plan(world, {"changes/mobile/refresh-token/proposal.md": PROPOSAL}, name="mobile")

    assert rows(found) == [("change_misplaced", "ERROR", "file", None)]
    assert "mobile/refresh-token" in told(found)[0].message


def test_findings_come_in_the_order_of_the_files_and_lines(world: World) -> None:
    bad = f"## ADDED Requirements\n\n{requirement('A', 'It works.')}\n{requirement('B', 'No.')}"

    found = plan(
        world,
        {
            "changes/longer-loans/specs/zoo/spec.md": bad,
            "changes/longer-loans/specs/lending/spec.md": bad,
            "changes/longer-loans/tasks.md": "- [?] strange\n",
        },
    )

    assert [(one.path, one.line) for one in found.findings] == [
        ("lending/spec.md", 3), ("lending/spec.md", 10),
        ("zoo/spec.md", 3), ("zoo/spec.md", 10), ("tasks.md", 1),
    ]  # fmt: skip


def test_one_bad_file_does_not_hide_the_others(world: World) -> None:
    found = plan(world, {"changes/longer-loans/specs/zoo/spec.md": b"## ADDED\n\xff\n"})

    assert rows(found) == [("delta_unreadable", "ERROR", "zoo/spec.md", None)]
    assert "line 2" in told(found)[0].message
    assert found.deltas[0].merged is not None
    assert found.deltas[0].merged.text is not None


def test_unreadable_target_is_an_error(world: World) -> None:
    found = plan(world, {"specs/lending/spec.md": b"\xff"})

    assert rows(found) == [("delta_unreadable", "ERROR", "lending/spec.md", None)]
    assert found.deltas[0].merged is None


def test_two_deltas_of_one_file_are_an_error(world: World) -> None:
    plan(world, {"changes/longer-loans/specs/alias/spec.md": DELTA})
    (Path(world.root) / "rasen/specs/alias").symlink_to(Path(world.root) / "rasen/specs/lending")

    found = plan(world, {})

    assert "delta_same_target" in [one.code for one in found.findings]
    assert not found.is_valid()


def test_retiring_is_guarded_unless_the_change_allows_it(world: World) -> None:
    files = {
        "specs/lending/spec.md": spec_of(RENEWALS, tail="\n## Notes\nkeep me\n"),
        "changes/longer-loans/specs/lending/spec.md": (
            "## REMOVED Requirements\n- ### Requirement: Renewals\n"
        ),
    }

    refused = plan(world, files)
    assert [row[0] for row in rows(refused)] == ["merge_retire_loses_text"]

    metadata = "schema: spec-driven\nretire_capabilities: true\n"
    allowed = plan(world, {**files, "changes/longer-loans/.openspec.yaml": metadata})
    assert allowed.is_valid()
    assert allowed.deltas[0].merged is not None
    assert allowed.deltas[0].merged.is_retired


@pytest.mark.parametrize(
    ("tasks", "expected"),
    [
        ("## 1. A\n- [ ] 2.1 x\n", [("task_group_mismatch", "WARNING", "tasks.md", 2)]),
        ("- [ ] 1.1 x\n- [x] 1.1 y\n", [("task_number_duplicate", "WARNING", "tasks.md", 2)]),
        ("- [] x\n", [("task_unread", "WARNING", "tasks.md", 1)]),
        ("[ ] x\n", [("task_unread", "WARNING", "tasks.md", 1)]),
        ("- [x] 1.1 x\n", []),
    ],
)
def test_task_list_is_looked_at(world: World, tasks: str, expected: list[Row]) -> None:
    assert rows(plan(world, {"changes/longer-loans/tasks.md": tasks})) == expected
