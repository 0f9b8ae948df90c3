"""`rasen overlap` as a user meets it, with real branches and work trees; and what `validate` tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.fixtures import LOAN_PERIOD, RENEWALS, S1, base_spec, change
from tests.support.world import World

from rasen.files.tree import tree_digest

DAYS_28 = "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("date 21 days", "date 28 days")
DAYS_35 = "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("date 21 days", "date 35 days")
SCENARIO = (
    f"## MODIFIED Requirements\n\n{LOAN_PERIOD}\n#### Scenario: Holiday\n- **THEN** it moves\n"
)
OTHER = "## MODIFIED Requirements\n\n" + RENEWALS.replace("two", "three")


def asked(world: World, *words: str) -> list[dict[str, Any]]:
    result = world.cli("overlap", *words, "--json")
    assert result.code == 0, result.out
    found: list[dict[str, Any]] = fits("overlap", result.json)["overlaps"]
    return found


def pairs(found: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(*(one["name"] for one in pair["changes"]), pair["result"]) for pair in found]  # type: ignore[misc]


@pytest.fixture
def desk(world: World) -> World:
    """A repository with the base spec committed on main."""
    base_spec(world)
    world.write("rasen/changes/archive/.gitkeep", "")
    world.git("init", "-q")
    commit(world, "base")
    return world


def commit(world: World, message: str, cwd: Path | None = None) -> None:
    world.git("add", "-A", cwd=cwd)
    world.git("commit", "-qm", message, cwd=cwd)


def on_branch(world: World, branch: str, name: str, delta: str) -> None:
    """A change that only this branch has."""
    world.git("checkout", "-qb", branch, "main")
    change(world, delta, name=name)
    commit(world, name)
    world.git("checkout", "-q", "main")


def test_open_changes_are_compared_and_tried(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, DAYS_35, name="b-days")
    change(desk, SCENARIO, name="c-scenario")
    change(desk, OTHER, name="d-other")

    assert pairs(asked(desk)) == [
        ("a-days", "b-days", "conflict"),
        ("a-days", "c-scenario", "clean"),
        ("b-days", "c-scenario", "clean"),
    ]
    assert pairs(asked(desk, "c-scenario")) == [
        ("a-days", "c-scenario", "clean"),
        ("b-days", "c-scenario", "clean"),
    ]
    assert asked(desk, "d-other") == []


def test_asked_of_one_change_the_answer_is_what_it_has_part_in(desk: World) -> None:
    for number in range(12):
        change(desk, DAYS_28.replace("28", str(28 + number)), name=f"c{number:02}")
    everything = asked(desk)

    assert len(everything) == 12 * 11 // 2
    assert asked(desk, "c07") == [
        one for one in everything if "c07" in (side["name"] for side in one["changes"])
    ]


def test_text_names_the_places_and_shows_both_sides(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, DAYS_35, name="b-days")

    result = desk.cli("overlap")

    assert result.code == 0
    assert "✗ a-days ↔ b-days: would conflict" in result.out
    assert "lending: Loan Period (MODIFIED/MODIFIED)" in result.out
    assert "b-days after a-days: merge_conflict: Loan Period, body" in result.out
    assert "| The system SHALL set the due date 28 days" in result.out
    assert "| The system SHALL set the due date 35 days" in result.out


def test_nothing_shared_is_said(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")

    assert "No overlap" in desk.cli("overlap").out
    assert desk.cli("overlap", "nothing", "--json").error == "change_error"


def test_changes_of_other_branches_are_seen_without_a_checkout(desk: World) -> None:
    on_branch(desk, "feature/longer", "b-days", DAYS_35)
    change(desk, DAYS_28, name="a-days")
    before = tree_digest(desk.root)

    assert asked(desk) == []
    (pair,) = asked(desk, "--branches")

    assert pair["result"] == "conflict"
    assert pair["changes"] == [
        {"name": "a-days"},
        {"name": "b-days", "where": [{"kind": "branch", "name": "feature/longer"}]},
    ]
    assert tree_digest(desk.root) == before
    assert "b-days (branch feature/longer)" in desk.cli("overlap", "--branches").out


def test_two_branches_can_overlap_with_each_other(desk: World) -> None:
    on_branch(desk, "one", "a-days", DAYS_28)
    on_branch(desk, "two", "c-scenario", SCENARIO)

    assert pairs(asked(desk, "--branches")) == [("a-days", "c-scenario", "clean")]


def test_the_same_change_on_another_branch_is_no_overlap(desk: World) -> None:
    on_branch(desk, "one", "a-days", DAYS_28)
    on_branch(desk, "two", "a-days", DAYS_28)
    change(desk, DAYS_28, name="a-days")

    assert asked(desk, "--branches") == []


def test_another_version_of_a_change_is_one(desk: World) -> None:
    on_branch(desk, "one", "a-days", DAYS_35)
    on_branch(desk, "two", "a-days", DAYS_35)
    change(desk, DAYS_28, name="a-days")

    (pair,) = asked(desk, "--branches")

    assert [one["name"] for one in pair["changes"]] == ["a-days", "a-days"]
    assert [one["name"] for one in pair["changes"][1]["where"]] == ["one", "two"]


def test_what_was_archived_here_or_merged_is_not_open(desk: World) -> None:
    on_branch(desk, "stale", "old", DAYS_28)
    change(desk, DAYS_28, name="old")
    assert desk.cli("archive", "old", "--yes").code == 0
    commit(desk, "archived")
    on_branch(desk, "merged", "done", DAYS_35)
    desk.git("merge", "-q", "merged")
    desk.git("rm", "-rq", "rasen/changes/done")
    change(desk, SCENARIO, name="mine")
    commit(desk, "mine")

    assert asked(desk, "--branches") == []


def test_the_base_of_a_change_elsewhere_counts(desk: World) -> None:
    """A change written before ours was archived conflicts with nothing that it did not touch."""
    on_branch(desk, "feature", "c-scenario", SCENARIO)
    desk.write("rasen/specs/lending/spec.md", S1.replace("date 21 days", "date 28 days"))
    commit(desk, "spec moved on")
    block = LOAN_PERIOD.replace("date 21 days", "date 28 days")
    change(
        desk,
        f"## MODIFIED Requirements\n\n{block}\n#### Scenario: New\n- **THEN** x\n",
        name="mine",
    )

    assert pairs(asked(desk, "--branches")) == [("mine", "c-scenario", "clean")]


def test_changes_of_other_work_trees_are_seen(desk: World, tmp_path: Path) -> None:
    tree = tmp_path / "second"
    desk.git("worktree", "add", "-qb", "second", str(tree))
    delta = tree / "rasen/changes/b-days/specs/lending/spec.md"
    delta.parent.mkdir(parents=True)
    delta.write_text(DAYS_35)
    change(desk, DAYS_28, name="a-days")

    (pair,) = asked(desk, "--worktrees")

    assert pair["result"] == "conflict"
    assert pair["changes"][1] == {
        "name": "b-days",
        "where": [{"kind": "worktree", "name": str(tree.resolve())}],
    }
    assert pairs(asked(desk, "--worktrees", "--branches")) == [("a-days", "b-days", "conflict")]


def test_without_git_it_says_that_nobody_can_be_asked(world: World) -> None:
    base_spec(world)
    change(world, DAYS_28, name="a-days")

    result = world.cli("overlap", "--branches", "--worktrees")

    assert result.code == 0
    assert "Git cannot be asked here" in result.err


# What `validate` tells


def issues(world: World, *words: str) -> dict[str, list[tuple[str, str]]]:
    document = fits("validate", world.cli("validate", *words, "--json").json)
    return {
        item["id"]: [
            (issue["code"], issue["level"])
            for issue in item["issues"]
            if issue["code"].startswith("change_overlap")
        ]
        for item in document["items"]
    }


@pytest.mark.parametrize("words", [("--all",), ("--changes",)], ids=" ".join)
def test_bulk_validation_tells_both_sides(desk: World, words: tuple[str, ...]) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, DAYS_35, name="b-days")
    change(desk, SCENARIO, name="c-scenario")

    found = issues(desk, *words)

    clean, conflict = ("change_overlap", "INFO"), ("change_overlap_conflict", "WARNING")
    assert found["a-days"] == [conflict, clean]
    assert found["b-days"] == [conflict, clean]
    assert found["c-scenario"] == [clean]
    assert desk.cli("validate", *words).code == 0


def test_only_a_conflict_fails_a_strict_run(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, SCENARIO, name="c-scenario")
    assert desk.cli("validate", "--all", "--strict").code == 0

    change(desk, DAYS_35, name="b-days")

    assert desk.cli("validate", "--all", "--strict").code == 1
    assert issues(desk, "a-days", "--strict") == {"a-days": []}


def test_a_bulk_run_in_text_names_the_other_change_and_the_next_step(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, DAYS_35, name="b-days")

    result = desk.cli("validate", "--all")

    assert 'lending "Loan Period": touched by other open changes too (b-days)' in result.err
    assert "rasen overlap a-days" in result.err


def test_many_changes_of_one_requirement_are_told_of_together(desk: World) -> None:
    for number in range(8):
        change(desk, DAYS_28.replace("28", str(30 + number)), name=f"c{number}")

    result = desk.cli("validate", "--changes", "--json")

    (told,) = [
        issue["message"]
        for issue in result.json["items"][0]["issues"]
        if issue["code"] == "change_overlap_conflict"
    ]
    assert "(c1, c2, c3, c4, c5, … (+2))" in told


def test_a_change_with_errors_is_told_of_but_not_tried(desk: World) -> None:
    change(desk, DAYS_28, name="a-days")
    change(desk, f"{DAYS_35}\n## REMOVED Requirements\n- ### Requirement: No\n", name="b-broken")

    assert issues(desk, "--all")["a-days"] == [("change_overlap_untried", "INFO")]
