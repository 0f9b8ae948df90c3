"""`rasen explain` as a user meets it: each line with its mark, reasons below, a legend."""

from __future__ import annotations

from tests.support.documents import fits
from tests.support.fixtures import ADDED, CHANGE, FOLDER, LOAN_PERIOD, RENEWALS, S1, desk
from tests.support.world import World

MODIFIED = "## MODIFIED Requirements\n\n" + LOAN_PERIOD.replace("date 21 days", "date 35 days")


def test_each_line_has_a_mark_and_the_marks_a_legend(world: World) -> None:
    desk(world, f"{ADDED}\n## REMOVED Requirements\n- ### Requirement: Renewals\n")

    result = world.cli("explain", CHANGE)

    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0] == "specs/lending/spec.md"
    assert lines[1] == "#    1  ## ADDED Requirements"
    assert lines[3].startswith("+    3  ### Requirement: Student Loans  → specs/lending/spec.md:")
    assert "-   11  - ### Requirement: Renewals" in lines
    assert "+  merged: takes effect as it stands" in lines
    assert "-  removes a requirement" in lines
    assert "unread" not in result.out


def test_a_conflict_shows_its_three_sides_below_the_entry(world: World) -> None:
    desk(world, MODIFIED)
    world.write(f"{FOLDER}/.base/lending/spec.md", S1)
    world.write("rasen/specs/lending/spec.md", S1.replace("date 21 days", "date 28 days"))

    result = world.cli("explain", CHANGE)

    assert result.code == 0
    sides = [
        line.strip() for line in result.out.splitlines() if "days after" in line or "---" in line
    ]
    assert sides[:6] == [
        "--- base", "| The system SHALL set the due date 21 days after checkout.",
        "--- in the spec now", "| The system SHALL set the due date 28 days after checkout.",
        "--- in the change", "| The system SHALL set the due date 35 days after checkout.",
    ]  # fmt: skip
    assert sides[6].startswith("!    4  ")
    assert "merge_conflict" not in result.err
    document = fits("explain", world.cli("explain", CHANGE, "--json").json)
    assert document["files"][0]["conflicts"][0]["place"] == "body"


def test_a_delta_in_the_wrong_place_is_shown_unread(world: World) -> None:
    desk(world)
    world.write(f"{FOLDER}/specs/lending.md", f"## ADDED Requirements\n\n{RENEWALS}")

    result = world.cli("explain", CHANGE)

    assert "?    3  ### Requirement: Renewals" in result.out
    assert "delta_file_misplaced: specs/lending.md" in result.out
    document = fits("explain", world.cli("explain", CHANGE, "--json").json)
    assert [file["capability"] for file in document["files"]] == [None, "lending"]


def test_a_change_without_deltas_is_explained_too(world: World) -> None:
    desk(world)
    world.path(f"{FOLDER}/specs/lending/spec.md").unlink()

    result = world.cli("explain", CHANGE)

    assert result.code == 0
    assert "no delta files" in result.out
    assert "no delta" in result.err
    assert fits("explain", world.cli("explain", CHANGE, "--json").json)["files"] == []
