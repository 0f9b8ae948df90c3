"""`rasen archive` as a user meets it: codes, questions, destinations, and what lies on disk after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.world import Result, World

from rasen.files.tree import tree_digest

SPEC = """# lending Specification

## Purpose
Rules for lending books and other stock to members at the branch desk.

## Requirements

### Requirement: Loan Period
The system SHALL set the due date 21 days after checkout.

#### Scenario: Standard loan
- **WHEN** a member checks out a book
- **THEN** the due date is 21 days later

### Requirement: Renewals
The system SHALL allow two renewals per loan.

#### Scenario: Third renewal
- **WHEN** a member asks for a third renewal
- **THEN** the request is refused
"""
STUDENTS = """### Requirement: Student Loans
The system SHALL grant students 42 days.

#### Scenario: Student card shown
- **WHEN** a member shows a student card
- **THEN** the due date is 42 days later
"""
ADDED = "## ADDED Requirements\n\n" + STUDENTS
PROPOSAL = (
    "## Why\nStudents read more books than others and have to bring them back too early.\n\n"
    "## What Changes\n- Students keep books longer\n"
)
CHANGE = "rasen/changes/longer-loans"
TARGET = "rasen/changes/archive/2026-01-31-longer-loans"


@pytest.fixture
def desk(world: World) -> World:
    """A workspace with one spec and one change that is ready to be archived."""
    world.workspace()
    world.write("rasen/specs/lending/spec.md", SPEC)
    world.write(f"{CHANGE}/proposal.md", PROPOSAL)
    world.write(f"{CHANGE}/tasks.md", "## 1. Desk\n- [x] 1.1 Adjust the due date\n")
    delta(world, ADDED)
    return world


def delta(world: World, text: str, capability: str = "lending") -> None:
    world.write(f"{CHANGE}/specs/{capability}/spec.md", text)


def refused(world: World, *args: str) -> dict[str, Any]:
    """Run an archive that must be refused, and see to it that not one byte has changed."""
    before = tree_digest(world.root)
    result = world.cli("archive", *args, "--json")
    assert result.code == 1, result.out
    assert tree_digest(world.root) == before
    assert result.json["archive"] is None
    status = result.json["status"][0]
    assert "target" not in status
    document: dict[str, Any] = fits("archive", result.json)
    return document


def archived(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.out + result.err
    answer: dict[str, Any] = fits("archive", result.json)["archive"]
    return answer


def test_a_finished_change_is_merged_and_filed_away(desk: World) -> None:
    answer = archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    assert answer == {
        "change": "longer-loans",
        "archivedAs": "2026-01-31-longer-loans",
        "path": str(desk.path(TARGET)),
        "specsUpdated": True,
        "totals": {"added": 1, "modified": 0, "removed": 0, "renamed": 0},
        "destination": "in-repo",
    }
    assert desk.read("rasen/specs/lending/spec.md") == SPEC + "\n" + STUDENTS
    assert desk.read(f"{TARGET}/proposal.md") == PROPOSAL
    assert not desk.path(CHANGE).exists()
    assert not desk.path("rasen/.journal").exists()


def test_a_new_capability_gets_a_spec_with_the_purpose_of_the_delta(desk: World) -> None:
    purpose = "Fines for members who bring books back after the due date has passed."
    delta(desk, f"## Purpose\n{purpose}\n\n" + ADDED, "fines")

    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    expected = f"# fines Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n\n" + STUDENTS
    assert desk.read("rasen/specs/fines/spec.md") == expected


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "archive_change_name_required"),
        (["no-such-change", "--yes"], "archive_change_not_found"),
        (["../changes/longer-loans", "--yes"], "archive_change_not_found"),
        (["archive", "--yes"], "archive_change_not_found"),
        (["longer-loans"], "archive_confirmation_required"),
        (["longer-loans", "--no-validate"], "archive_confirmation_required"),
    ],
    ids=["no name", "unknown", "with separators", "the archive", "specs unasked", "unchecked"],
)
def test_what_is_missing_has_a_code(desk: World, arguments: list[str], code: str) -> None:
    assert refused(desk, *arguments)["status"][0]["code"] == code


def test_open_tasks_need_a_yes(desk: World) -> None:
    desk.write(f"{CHANGE}/tasks.md", "- [x] 1.1 a\n  - [ ] 1.1.1 b\n- [~] 1.2 c\n")

    status = refused(desk, "longer-loans")["status"][0]

    assert status["code"] == "archive_tasks_incomplete"
    assert status["message"].startswith("2 of 3 tasks")
    assert "rasen archive longer-loans --yes" in status["fix"]


def test_a_change_that_is_not_valid_lists_what_validate_lists(desk: World) -> None:
    delta(desk, ADDED.replace("SHALL grant", "grants"))

    document = refused(desk, "longer-loans", "--yes")

    assert document["status"][0]["code"] == "archive_validation_failed"
    (issue,) = document["issues"]
    assert (issue["code"], issue["path"], issue["line"]) == (
        "requirement_keyword_missing",
        "lending/spec.md",
        3,
    )


def test_one_error_is_told_as_one(desk: World) -> None:
    delta(desk, ADDED.replace("SHALL grant", "grants"))

    assert "(errors: 1)" in desk.cli("archive", "longer-loans", "--yes").err


def test_a_delta_in_a_wrong_place_is_listed_as_validate_lists_it(desk: World) -> None:
    (desk.root / CHANGE / "specs" / "lending" / "spec.md").unlink()
    desk.write(f"{CHANGE}/specs/spec.md", ADDED)
    (item,) = desk.cli("validate", "longer-loans", "--json").json["items"]

    document = refused(desk, "longer-loans", "--yes")

    assert document["issues"] == item["issues"]
    assert [one["code"] for one in item["issues"]] == [
        "change_deltas_missing",
        "delta_file_at_root",
    ]


def test_wording_can_be_left_unchecked_but_not_the_merge(desk: World) -> None:
    delta(desk, ADDED.replace("SHALL grant", "grants"))
    archived(desk.cli("archive", "longer-loans", "--yes", "--no-validate", "--json"))

    assert "The system grants students" in desk.read("rasen/specs/lending/spec.md")


def test_unread_lines_are_refused_even_without_validation(desk: World) -> None:
    delta(desk, ADDED + "\n## Notes\n\n### Requirement: Lost\nIt SHALL not be lost.\n")

    document = refused(desk, "longer-loans", "--yes", "--no-validate")

    assert document["status"][0]["code"] == "archive_spec_update_failed"
    assert document["issues"][0]["code"] == "delta_requirement_unread"


def test_deltas_that_do_not_fit_are_refused(desk: World) -> None:
    delta(desk, ADDED.replace("ADDED", "MODIFIED"))

    document = refused(desk, "longer-loans", "--yes")

    assert document["status"][0]["code"] == "archive_spec_update_failed"
    assert document["issues"][0]["code"] == "merge_requirement_missing"


def test_a_spec_that_would_not_be_valid_is_refused(desk: World) -> None:
    broken = SPEC.replace("The system SHALL allow", "The system allows")
    desk.write("rasen/specs/lending/spec.md", broken)

    document = refused(desk, "longer-loans", "--yes")

    assert document["status"][0]["code"] == "archive_spec_validation_failed"
    assert document["issues"][0]["code"] == "merged_spec_invalid"


def test_the_first_spec_is_untouched_when_the_second_fails(desk: World) -> None:
    delta(desk, ADDED.replace("ADDED", "REMOVED"), "zebra")

    assert refused(desk, "longer-loans", "--yes")["issues"][0]["code"] == "merge_spec_missing"


def test_an_existing_target_is_found_before_anything_is_written(desk: World) -> None:
    desk.path(TARGET).mkdir(parents=True)

    assert refused(desk, "longer-loans", "--yes")["status"][0]["code"] == "archive_target_exists"


def test_a_dated_change_keeps_its_name(desk: World) -> None:
    desk.path(CHANGE).rename(desk.path("rasen/changes/2025-12-01-longer-loans"))

    answer = archived(desk.cli("archive", "2025-12-01-longer-loans", "--yes", "--json"))

    assert answer["archivedAs"] == "2025-12-01-longer-loans"


def test_skipping_the_specs_leaves_them_alone(desk: World) -> None:
    answer = archived(desk.cli("archive", "longer-loans", "--skip-specs", "--json"))

    assert answer["specsUpdated"] is False
    assert "totals" not in answer
    assert desk.read("rasen/specs/lending/spec.md") == SPEC


def test_a_change_without_deltas_is_filed_away(desk: World) -> None:
    desk.path(f"{CHANGE}/specs/lending/spec.md").unlink()

    answer = archived(desk.cli("archive", "longer-loans", "--json"))

    assert answer["specsUpdated"] is False
    assert "totals" not in answer


def test_what_was_merged_by_hand_already_counts_as_nothing(desk: World) -> None:
    desk.write("rasen/specs/lending/spec.md", SPEC + "\n" + STUDENTS)

    answer = archived(desk.cli("archive", "longer-loans", "--json"))

    assert answer["specsUpdated"] is False
    assert answer["totals"] == {"added": 0, "modified": 0, "removed": 0, "renamed": 0}
    assert desk.read("rasen/specs/lending/spec.md") == SPEC + "\n" + STUDENTS


def test_what_was_merged_by_hand_with_other_text_is_refused_with_both(desk: World) -> None:
    desk.write(
        "rasen/specs/lending/spec.md", SPEC + "\n" + STUDENTS.replace("42 days.", "30 days.")
    )

    (issue,) = refused(desk, "longer-loans", "--yes")["issues"]

    assert issue["code"] == "merge_requirement_exists"
    assert "30 days." in issue["message"]
    assert "42 days." in issue["message"]


def test_operations_apply_in_their_order_and_keep_places(desk: World) -> None:
    delta(
        desk,
        ADDED
        + "\n## MODIFIED Requirements\n\n### Requirement: Loan Length\n"
        + "The system SHALL set the due date 28 days after checkout.\n\n"
        + "#### Scenario: Standard loan\n- **THEN** 28 days\n"
        + "\n## RENAMED Requirements\n- FROM: `### Requirement: Loan Period`\n"
        + "- TO: `### Requirement: Loan Length`\n"
        + "\n## REMOVED Requirements\n### Requirement: Renewals\n**Reason**: nobody renews\n",
    )

    answer = archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    assert answer["totals"] == {"added": 1, "modified": 1, "removed": 1, "renamed": 1}
    head = SPEC.partition("### Requirement: Loan Period")[0]
    assert desk.read("rasen/specs/lending/spec.md") == (
        head
        + "### Requirement: Loan Length\nThe system SHALL set the due date 28 days after checkout.\n\n"
        + "#### Scenario: Standard loan\n- **THEN** 28 days\n\n"
        + STUDENTS
    )


def test_windows_line_endings_stay(desk: World) -> None:
    desk.write("rasen/specs/lending/spec.md", SPEC.replace("\n", "\r\n").encode())

    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    merged = (SPEC + "\n" + STUDENTS).replace("\n", "\r\n")
    assert desk.read("rasen/specs/lending/spec.md") == merged


REMOVE_ALL = (
    "## REMOVED Requirements\n- ### Requirement: Loan Period\n- ### Requirement: Renewals\n"
)


def test_a_spec_without_requirements_is_retired(desk: World) -> None:
    delta(desk, REMOVE_ALL)
    kept = desk.write("rasen/specs/lending/notes.txt", "kept")

    result = desk.cli("archive", "longer-loans", "--yes")

    assert result.code == 0
    assert not desk.path("rasen/specs/lending/spec.md").exists()
    assert kept.read_text() == "kept"
    assert "git checkout HEAD -- rasen/specs/lending/spec.md" in result.err


def test_retiring_prunes_empty_folders_up_to_specs(desk: World) -> None:
    desk.write("rasen/specs/area/lending/spec.md", SPEC)
    delta(desk, REMOVE_ALL, "area/lending")
    desk.path(f"{CHANGE}/specs/lending/spec.md").unlink()

    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    assert not desk.path("rasen/specs/area").exists()
    assert desk.path("rasen/specs").is_dir()


def test_retiring_does_not_take_other_text_along(desk: World) -> None:
    desk.write("rasen/specs/lending/spec.md", SPEC + "\n## Notes\nDo not lose this.\n")
    delta(desk, REMOVE_ALL)

    (issue,) = refused(desk, "longer-loans", "--yes")["issues"]
    desk.write(f"{CHANGE}/.openspec.yaml", "schema: spec-driven\nretire_capabilities: true\n")

    assert issue["code"] == "merge_retire_loses_text"
    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))


def test_a_linked_change_is_refused(desk: World, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    desk.path(CHANGE).rename(elsewhere)
    desk.path(CHANGE).symlink_to(elsewhere)

    assert refused(desk, "longer-loans", "--yes")["status"][0]["code"] == "archive_error"


@pytest.mark.parametrize("folder", ["specs", "changes", "changes/archive"])
def test_planning_folders_that_lead_out_are_refused(
    desk: World, tmp_path: Path, folder: str
) -> None:
    path = desk.path(f"rasen/{folder}")
    path.rename(tmp_path / "outside")
    path.symlink_to(tmp_path / "outside")

    assert refused(desk, "longer-loans", "--yes")["status"][0]["code"] == "archive_error"


def test_a_pull_request_waits_for_its_merge(desk: World) -> None:
    desk.write(f"{CHANGE}/ship-log.md", "# Shipped\n\n**Mode:** pr\n")

    status = refused(desk, "longer-loans")["status"][0]

    assert status["code"] == "archive_merge_confirmation_required"
    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))


@pytest.mark.parametrize("log", ["**Mode:** push\n", "**Mode:** later\n", "nothing\n"])
def test_other_ship_logs_do_not_hold_back(desk: World, log: str) -> None:
    desk.write(f"{CHANGE}/ship-log.md", log)

    code = refused(desk, "longer-loans")["status"][0]["code"]

    assert code == "archive_confirmation_required"


def test_reports_are_counted_into_the_archived_metadata(desk: World) -> None:
    desk.write(f"{CHANGE}/.openspec.yaml", "schema: spec-driven # ours\nextra: kept\n")
    desk.write(
        f"{CHANGE}/code-review.md", "Findings: 3\n- issues: and scenarios: here\n[RULE] no\n"
    )

    archived(desk.cli("archive", "longer-loans", "--yes", "--json"))

    text = desk.read(f"{TARGET}/.openspec.yaml")
    assert text.startswith("schema: spec-driven # ours\nextra: kept\n")
    assert "code-review.md: 3" in text
    assert "RULE" not in text


class TestQuestions:
    """A person at a terminal is asked; every answer has its own end."""

    def test_declining_the_tasks_changes_nothing(self, desk: World) -> None:
        desk.write(f"{CHANGE}/tasks.md", "- [ ] 1.1 a\n")
        before = tree_digest(desk.root)

        result = desk.cli("archive", "longer-loans", input="\n", tty=True)

        assert result.code == 0
        assert "cancelled" in result.out
        assert tree_digest(desk.root) == before

    def test_declining_the_specs_files_the_change_away_unmerged(self, desk: World) -> None:
        result = desk.cli("archive", "longer-loans", input="n\n", tty=True)

        assert result.code == 0
        assert desk.read("rasen/specs/lending/spec.md") == SPEC
        assert desk.path(TARGET).is_dir()

    def test_the_specs_question_defaults_to_yes(self, desk: World) -> None:
        result = desk.cli("archive", "longer-loans", input="\n", tty=True)

        assert result.code == 0
        assert "Student Loans" in desk.read("rasen/specs/lending/spec.md")

    def test_a_change_can_be_picked(self, desk: World) -> None:
        result = desk.cli("archive", input="1\ny\n", tty=True)

        assert result.code == 0
        assert desk.path(TARGET).is_dir()

    def test_nothing_to_pick_is_no_failure(self, world: World) -> None:
        world.workspace()

        assert world.cli("archive", tty=True).code == 0

    def test_nobody_there_is_told_what_to_type(self, desk: World) -> None:
        result = desk.cli("archive", "longer-loans")

        assert result.code == 1
        assert "rasen archive longer-loans --yes" in result.err


class TestDestinations:
    """External and prune take a change out of the repository, so git must have it."""

    @pytest.fixture
    def committed(self, desk: World) -> World:
        desk.git("init", "-q")
        desk.git("add", "-A")
        desk.git("commit", "-qm", "all")
        return desk

    def configure(self, world: World, destination: str) -> None:
        text = f"schema: spec-driven\narchive:\n  destination: {destination}\n"
        world.write("rasen/config.yaml", text)

    def test_external_moves_into_the_home_of_the_project(self, committed: World) -> None:
        self.configure(committed, "external")

        answer = archived(committed.cli("archive", "longer-loans", "--yes", "--json"))

        path = Path(answer["path"])
        assert answer["destination"] == "external"
        assert path.is_relative_to(committed.data_dir / "projects")
        assert (path / "proposal.md").read_text() == PROPOSAL
        assert not committed.path(CHANGE).exists()
        assert "projectId: " in committed.read("rasen/config.yaml")

    @pytest.mark.parametrize("destination", ["external", "prune"])
    def test_work_that_git_does_not_have_is_refused(
        self, committed: World, destination: str
    ) -> None:
        self.configure(committed, destination)
        committed.write(f"{CHANGE}/design.md", "not committed")

        status = refused(committed, "longer-loans", "--yes", "--confirm-prune")["status"][0]

        assert status["code"] == "archive_dirty_change_dir"
        assert "design.md" in status["message"]

    def test_yes_is_no_consent_to_prune(self, committed: World) -> None:
        self.configure(committed, "prune")

        status = refused(committed, "longer-loans", "--yes")["status"][0]

        assert status["code"] == "archive_prune_confirmation_required"
        assert "rasen archive longer-loans --confirm-prune --yes" in status["fix"]

    def test_prune_deletes_and_says_so(self, committed: World) -> None:
        self.configure(committed, "prune")

        result = committed.cli("archive", "longer-loans", "--yes", "--confirm-prune", "--json")

        answer = archived(result)
        assert answer["pruned"] is True
        assert "archivedAs" not in answer
        assert "path" not in answer
        assert not committed.path(CHANGE).exists()
        (log,) = committed.data_dir.rglob("ship-log.md")
        assert log.read_text() == "**Pruned:** true\n**Pruned at:** 2026-01-31T12:00:00.000Z\n"

    def test_external_without_a_home_stays_in_the_repository(self, committed: World) -> None:
        self.configure(committed, "external")
        committed.data_dir.parent.mkdir(parents=True, exist_ok=True)
        committed.data_dir.write_text("a file where the data folder belongs")

        answer = archived(committed.cli("archive", "longer-loans", "--yes", "--json"))

        assert answer["destination"] == "in-repo"
        assert answer["destinationFallback"]
        assert answer["archivedAs"] == "2026-01-31-longer-loans"


def test_an_openspec_tree_is_archived_in_place(desk: World) -> None:
    desk.path("rasen").rename(desk.path("openspec"))

    result = desk.cli(
        "archive", "longer-loans", "--yes", "--json", env={"RASEN_WORKSPACE": "openspec"}
    )

    assert archived(result)["path"] == str(
        desk.path("openspec/changes/archive/2026-01-31-longer-loans")
    )
    assert "Student Loans" in desk.read("openspec/specs/lending/spec.md")


def test_a_rehearsal_says_what_would_be_done_and_does_nothing(desk: World) -> None:
    desk.write(f"{CHANGE}/tasks.md", "- [ ] 1.1 open\n")
    before = tree_digest(desk.base)

    answer = archived(desk.cli("archive", "longer-loans", "--dry-run", "--json"))

    assert tree_digest(desk.base) == before
    assert answer["dryRun"] is True
    assert answer["archivedAs"] == "2026-01-31-longer-loans"
    assert answer["totals"]["added"] == 1


def test_a_rehearsal_is_refused_as_the_archive_would_be(desk: World) -> None:
    delta(desk, ADDED.replace("ADDED", "MODIFIED"))

    document = refused(desk, "longer-loans", "--dry-run")

    assert document["status"][0]["code"] == "archive_spec_update_failed"


class TestConflicts:
    """Two people changed one requirement, and the base tells who did what."""

    @pytest.fixture
    def moved(self, desk: World) -> World:
        desk.write(f"{CHANGE}/.base/lending/spec.md", SPEC)
        later = SPEC.replace("21 days after checkout", "28 days after checkout")
        desk.write("rasen/specs/lending/spec.md", later)
        return desk

    def modified(self, body: str) -> str:
        return (
            f"## MODIFIED Requirements\n\n### Requirement: Loan Period\n{body}\n\n"
            "#### Scenario: Standard loan\n- **WHEN** a member checks out a book\n"
            "- **THEN** the due date is 21 days later\n\n"
            "#### Scenario: Holiday\n- **THEN** the desk is closed\n"
        )

    def test_what_does_not_contradict_goes_together_and_is_listed(self, moved: World) -> None:
        delta(moved, self.modified("The system SHALL set the due date 21 days after checkout."))

        answer = archived(moved.cli("archive", "longer-loans", "--yes", "--json"))

        text = moved.read("rasen/specs/lending/spec.md")
        assert "28 days after checkout" in text
        assert "#### Scenario: Holiday" in text
        assert answer["decisions"] == [
            {"capability": "lending", "requirement": "Loan Period", "place": place, "taken": taken}
            for place, taken in (("body", "theirs"), ("Standard loan", "same"), ("Holiday", "mine"))
        ]

    def test_a_contradiction_is_refused_with_all_three_texts(self, moved: World) -> None:
        delta(moved, self.modified("The system SHALL set the due date 30 days after checkout."))

        document = refused(moved, "longer-loans", "--yes")

        sentence = "The system SHALL set the due date {} days after checkout."
        assert document["status"][0]["code"] == "archive_spec_update_failed"
        assert document["issues"][0]["code"] == "merge_conflict"
        assert document["conflicts"] == [
            {
                "capability": "lending",
                "requirement": "Loan Period",
                "place": "body",
                "line": 3,
                "base": sentence.format(21),
                "theirs": sentence.format(28),
                "mine": sentence.format(30),
            }
        ]
        human = moved.cli("archive", "longer-loans", "--yes")
        assert human.code == 1
        for days in (21, 28, 30):
            assert sentence.format(days) in human.err
