"""`rasen history`: which change made a requirement what it is, through all its names."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.archiving import (
    TARGET,
    Days,
    added,
    archive,
    change,
    modified,
    removed,
    renamed,
    requirement,
    spec,
)
from tests.support.documents import fits
from tests.support.world import Result, World

from rasen.files.tree import tree_digest


@pytest.fixture
def desk(world: World) -> World:
    """A spec with four archives: Loans added, renamed to Lending, changed, and One removed."""
    clock = Days("2026-01-10")
    world.clock = clock  # type: ignore[assignment]
    world.workspace()
    world.write(TARGET, spec(requirement("One"), requirement("Two")))
    steps = {
        "2026-01-11": ("bring", added(requirement("Loans"))),
        "2026-01-12": ("name", renamed("Loans", "Lending")),
        "2026-01-13": ("better", modified(requirement("Lending", "It SHALL be better."))),
        "2026-01-14": ("drop", removed("One")),
    }
    for day, (name, delta) in steps.items():
        clock.day(day)
        change(world, name, delta)
        archive(world, name)
    return world


def events(result: Result) -> list[tuple[str, ...]]:
    assert result.code == 0, result.out + result.err
    rows: list[dict[str, Any]] = fits("history", result.json)["history"]["events"]
    return [(one["name"], one["operation"], one["requirement"]) for one in rows]


def test_all_events_of_a_spec_are_told_oldest_first(desk: World) -> None:
    result = desk.cli("history", "lending", "--json")

    assert events(result) == [
        ("2026-01-11-bring", "ADDED", "Loans"),
        ("2026-01-12-name", "RENAMED", "Lending"),
        ("2026-01-13-better", "MODIFIED", "Lending"),
        ("2026-01-14-drop", "REMOVED", "One"),
    ]
    assert result.json["history"]["events"][1] == {
        "at": result.json["history"]["events"][1]["at"],
        "kind": "archive",
        "name": "2026-01-12-name",
        "change": "name",
        "capability": "lending",
        "operation": "RENAMED",
        "requirement": "Lending",
        "from": "Loans",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Lending", ["ADDED", "RENAMED", "MODIFIED"]),
        ("Loans", ["ADDED", "RENAMED"]),
        ("One", ["REMOVED"]),
        ("Two", []),
    ],
)
def test_a_requirement_is_followed_through_its_names(
    desk: World, name: str, expected: list[str]
) -> None:
    found = events(desk.cli("history", "lending", name, "--json"))

    assert [operation for _, operation, _ in found] == expected


def test_a_sync_of_an_open_change_is_told_too(desk: World) -> None:
    change(desk, "open", modified(requirement("Two", "It SHALL be two.")))
    assert desk.cli("sync", "open", "--yes").code == 0

    result = desk.cli("history", "lending", "Two", "--json")

    assert events(result) == [("open", "MODIFIED", "Two")]
    assert result.json["history"]["events"][0]["kind"] == "sync"


def test_an_archive_without_a_journal_tells_by_its_deltas(desk: World) -> None:
    folder = "rasen/changes/archive/2025-12-24-old"
    desk.write(f"{folder}/specs/lending/spec.md", added(requirement("Two")))

    result = desk.cli("history", "lending", "--json")

    first = result.json["history"]["events"][0]
    assert first == {
        "at": "2025-12-24",
        "kind": "delta-only",
        "name": "2025-12-24-old",
        "change": "old",
        "capability": "lending",
        "operation": "ADDED",
        "requirement": "Two",
    }


def test_a_damaged_journal_is_told_and_its_deltas_speak(desk: World) -> None:
    desk.write("rasen/changes/archive/2026-01-11-bring/.archive.json", "{")

    result = desk.cli("history", "lending", "Loans", "--json")

    assert "the journal of 2026-01-11-bring tells nothing" in result.err
    kinds = [one["kind"] for one in result.json["history"]["events"]]
    assert kinds == ["delta-only", "archive"]


def test_a_retired_spec_still_has_a_history(desk: World) -> None:
    change(desk, "end", removed("Two") + "- ### Requirement: Lending\n")
    archive(desk, "end")
    assert not desk.path(TARGET).exists()

    found = events(desk.cli("history", "lending", "Two", "--json"))

    assert [operation for _, operation, _ in found] == ["REMOVED"]


def test_a_requirement_that_moved_is_followed_into_its_former_spec(desk: World) -> None:
    change(
        desk, "move", "## MOVED Requirements\n- FROM: lending ### Requirement: Lending\n", "desk"
    )
    archive(desk, "move")
    change(desk, "after", modified(requirement("Lending", "It SHALL be best.")), "desk")
    archive(desk, "after")

    result = desk.cli("history", "desk", "Lending", "--json")

    assert [operation for _, operation, _ in events(result)] == [
        "ADDED",
        "RENAMED",
        "MODIFIED",
        "ADDED",
        "MODIFIED",
    ]
    arrived = result.json["history"]["events"][3]
    assert arrived["movedFrom"] == {"capability": "lending", "requirement": "Lending"}
    assert 'moved "Lending" here from lending' in desk.cli("history", "desk").out
    assert 'moved "Lending" away to desk' in desk.cli("history", "lending").out


def test_an_archive_that_is_undone_is_no_history(desk: World) -> None:
    assert desk.cli("undo", "--yes").code == 0

    assert len(events(desk.cli("history", "lending", "--json"))) == 3


@pytest.mark.parametrize(
    ("words", "near"),
    [(("lendin",), "lending"), (("lending", "Lendin"), "Lending"), (("../lending",), "lending")],
)
def test_an_unknown_name_brings_the_nearest(desk: World, words: tuple[str, ...], near: str) -> None:
    result = desk.cli("history", *words, "--json")

    assert result.code == 1
    assert fits("history", result.json)["status"][0]["code"] == "unknown_item"
    assert near in result.json["status"][0]["message"].partition("nearest:")[2]


def test_people_read_one_line_for_each_event(desk: World) -> None:
    result = desk.cli("history", "lending", "Lending")

    assert result.out.splitlines() == [
        '2026-01-11  2026-01-11-bring  added "Loans"',
        '2026-01-12  2026-01-12-name  renamed "Loans" to "Lending"',
        '2026-01-13  2026-01-13-better  changed "Lending"',
    ]


def test_people_are_told_when_nothing_is_known(desk: World) -> None:
    assert desk.cli("history", "lending", "Two").out == "No archive and no sync here tells of it.\n"


def test_telling_writes_nothing(desk: World) -> None:
    before = tree_digest(desk.base)

    desk.cli("history", "lending")

    assert tree_digest(desk.base) == before
