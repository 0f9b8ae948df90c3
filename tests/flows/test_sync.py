"""`rasen sync` as a user meets it: merged now, archived later without doing anything twice."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.world import Result, World

from rasen.files.tree import tree_digest

PURPOSE = "## Purpose\nRules for lending books and other stock to members at the branch desk.\n"


def requirement(name: str, text: str = "The system SHALL do it.") -> str:
    return f"### Requirement: {name}\n{text}\n\n#### Scenario: s\n- **THEN** it is done\n"


def spec(*blocks: str) -> str:
    return f"# lending Specification\n\n{PURPOSE}\n## Requirements\n\n" + "\n".join(blocks)


SPEC = spec(requirement("One"), requirement("Two"), requirement("Three"))
DELTA = (
    "## ADDED Requirements\n\n" + requirement("New") + "\n"
    "## MODIFIED Requirements\n\n" + requirement("One", "The system SHALL do it well.") + "\n"
    "## REMOVED Requirements\n- ### Requirement: Two\n\n"
    "## RENAMED Requirements\n- FROM: ### Requirement: Three\n- TO: ### Requirement: Third\n"
)
MERGED = spec(
    requirement("One", "The system SHALL do it well."), requirement("Third"), requirement("New")
)
CHANGE = "rasen/changes/better"
TARGET = "rasen/specs/lending/spec.md"


@pytest.fixture
def desk(world: World) -> World:
    world.workspace()
    world.write(TARGET, SPEC)
    world.write(f"{CHANGE}/tasks.md", "- [ ] 1.1 not done yet\n")
    world.write(f"{CHANGE}/specs/lending/spec.md", DELTA)
    return world


def synced(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.out + result.err
    answer: dict[str, Any] = fits("sync", result.json)["sync"]
    return answer


def archived(world: World) -> dict[str, Any]:
    result = world.cli("archive", "better", "--yes", "--json")
    assert result.code == 0, result.out
    answer: dict[str, Any] = fits("archive", result.json)["archive"]
    return answer


def refused(world: World, *args: str) -> dict[str, Any]:
    before = tree_digest(world.root)
    result = world.cli("sync", *args, "--json")
    assert result.code == 1, result.out
    assert tree_digest(world.root) == before
    document: dict[str, Any] = fits("sync", result.json)
    assert document["sync"] is None
    return document


def test_a_sync_merges_and_keeps_the_change_open(desk: World) -> None:
    answer = synced(desk.cli("sync", "better", "--yes", "--json"))

    counts = {"added": 1, "modified": 1, "removed": 1, "renamed": 1}
    assert {made["taken"] for made in answer.pop("decisions")} == {"mine"}
    assert answer == {
        "change": "better",
        "specsUpdated": True,
        "totals": counts,
        "specs": [{"capability": "lending", **counts, "isNew": False, "isRetired": False}],
    }
    assert desk.read(TARGET) == MERGED
    assert desk.read(f"{CHANGE}/specs/lending/spec.md") == DELTA
    assert desk.cli("list", "--json").json["changes"][0]["name"] == "better"


def test_archiving_what_was_synced_changes_no_spec(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))

    answer = archived(desk)

    assert answer["specsUpdated"] is False
    assert answer["totals"] == {"added": 0, "modified": 0, "removed": 0, "renamed": 0}
    assert desk.read(TARGET) == MERGED


def test_a_second_sync_does_nothing_and_writes_nothing(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    before = tree_digest(desk.root)

    answer = synced(desk.cli("sync", "better", "--json"))

    assert answer["specsUpdated"] is False
    assert tree_digest(desk.root) == before


def test_a_synced_change_is_valid_in_strict_mode(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))

    result = desk.cli("validate", "better", "--strict", "--json")

    assert result.code == 0, result.out
    codes = [issue["code"] for issue in result.json["items"][0]["issues"]]
    assert [code for code in codes if code != "base_unknown"] == ["merge_already_synced"] * 4


@pytest.mark.parametrize(
    ("later", "kept"),
    [
        pytest.param(
            MERGED.replace("do it well.", "do it well and fast."), "well and fast", id="modified"
        ),
        pytest.param(
            MERGED.replace(requirement("New"), requirement("New", "It SHALL be newer.")),
            "It SHALL be newer.",
            id="added",
        ),
        pytest.param(MERGED + "\n" + requirement("Two"), "Requirement: Two", id="removed"),
        pytest.param(MERGED + "\n" + requirement("Three"), "Requirement: Three", id="renamed"),
        pytest.param(MERGED.replace("\n" + requirement("New"), ""), "Third", id="added and gone"),
    ],
)
def test_work_of_others_after_the_sync_survives_the_archive(
    desk: World, later: str, kept: str
) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    desk.write(TARGET, later)

    answer = archived(desk)

    assert answer["specsUpdated"] is False
    assert desk.read(TARGET) == later
    assert kept in later


def test_what_comes_back_after_a_synced_removal_is_told(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    desk.write(TARGET, MERGED + "\n" + requirement("Two"))

    answer = archived(desk)

    assert 'REMOVED "Two" was carried out by an earlier sync' in answer["warnings"][0]


@pytest.mark.parametrize("name", ["New", "One"])
def test_an_entry_edited_after_its_sync_is_merged_again(desk: World, name: str) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    old = requirement(name) if name == "New" else requirement(name, "The system SHALL do it well.")
    edited = requirement(name, "The system SHALL do it best.")
    desk.write(f"{CHANGE}/specs/lending/spec.md", DELTA.replace(old, edited))

    answer = archived(desk)

    assert answer["totals"] == {"added": 0, "modified": 1, "removed": 0, "renamed": 0}
    assert desk.read(TARGET) == MERGED.replace(old, edited)


def test_an_added_entry_that_both_edited_is_refused_with_both_shown(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    desk.write(TARGET, MERGED.replace(requirement("New"), requirement("New", "It SHALL be mine.")))
    mine = DELTA.replace(requirement("New"), requirement("New", "It SHALL be yours."))
    desk.write(f"{CHANGE}/specs/lending/spec.md", mine)

    document = refused(desk, "better", "--yes")

    assert document["status"][0]["code"] == "archive_spec_update_failed"
    message = document["issues"][0]["message"]
    assert "It SHALL be mine." in message
    assert "It SHALL be yours." in message


def test_swapped_names_are_not_swapped_back(desk: World) -> None:
    swap = "## RENAMED Requirements\n" + "".join(
        f"- FROM: ### Requirement: {one}\n- TO: ### Requirement: {other}\n"
        for one, other in (("One", "Two"), ("Two", "One"))
    )
    desk.write(TARGET, spec(requirement("One", "It SHALL be 1."), requirement("Two")))
    desk.write(f"{CHANGE}/specs/lending/spec.md", swap)
    synced(desk.cli("sync", "better", "--yes", "--json"))
    swapped = desk.read(TARGET)

    archived(desk)

    assert desk.read(TARGET) == swapped
    assert swapped == spec(requirement("Two", "It SHALL be 1."), requirement("One"))


def test_a_spec_retired_by_a_sync_stays_away(desk: World) -> None:
    desk.write(TARGET, spec(requirement("One")))
    desk.write(
        f"{CHANGE}/specs/lending/spec.md", "## REMOVED Requirements\n- ### Requirement: One\n"
    )
    synced(desk.cli("sync", "better", "--yes", "--json"))
    assert not desk.path("rasen/specs/lending").exists()

    answer = archived(desk)

    assert answer["specsUpdated"] is False


def test_the_journal_of_a_sync_travels_into_the_archive(desk: World) -> None:
    synced(desk.cli("sync", "better", "--yes", "--json"))
    journal = desk.read(f"{CHANGE}/.sync.json")

    archived(desk)

    folder = "rasen/changes/archive/2026-01-31-better"
    assert desk.read(f"{folder}/.sync.json") == journal
    assert json.loads(journal)["syncs"][0]["specs"][0]["before"]["text"] == SPEC
    assert str(desk.base) not in journal


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "archive_change_name_required"),
        (["nothing", "--yes"], "archive_change_not_found"),
        (["../changes/better", "--yes"], "archive_change_not_found"),
        (["better"], "archive_confirmation_required"),
        (["better", "--no-validate"], "archive_confirmation_required"),
    ],
    ids=["no name", "unknown", "with separators", "unasked", "unchecked"],
)
def test_refusals_have_the_codes_of_archive(desk: World, arguments: list[str], code: str) -> None:
    assert refused(desk, *arguments)["status"][0]["code"] == code


def test_a_delta_that_does_not_fit_is_refused(desk: World) -> None:
    delta = "## REMOVED Requirements\n- ### Requirement: Onne\n"
    desk.write(f"{CHANGE}/specs/lending/spec.md", delta)

    document = refused(desk, "better", "--yes")

    assert document["status"][0]["code"] == "archive_spec_update_failed"
    assert document["issues"][0]["code"] == "merge_requirement_missing"


def test_wording_may_be_left_unchecked(desk: World) -> None:
    delta = "## ADDED Requirements\n\n" + requirement("Loose", "It works somehow.")
    desk.write(f"{CHANGE}/specs/lending/spec.md", delta)
    assert refused(desk, "better", "--yes")["status"][0]["code"] == "archive_validation_failed"

    synced(desk.cli("sync", "better", "--no-validate", "--yes", "--json"))

    assert "It works somehow." in desk.read(TARGET)


def test_a_broken_sync_journal_refuses_archive_and_sync(desk: World) -> None:
    desk.write(f"{CHANGE}/.sync.json", '{"version": 2}\n')

    document = refused(desk, "better", "--yes")

    assert document["status"][0]["code"] == "archive_validation_failed"
    assert document["issues"][0]["code"] == "change_sync_unusable"


def test_a_person_is_asked_and_may_decline(desk: World) -> None:
    before = tree_digest(desk.root)

    result = desk.cli("sync", "better", tty=True, input="n\n")

    assert result.code == 0
    assert "Sync cancelled" in result.out
    assert tree_digest(desk.root) == before


def test_a_person_who_agrees_is_told_what_was_done(desk: World) -> None:
    result = desk.cli("sync", "better", tty=True, input="y\n")

    assert result.code == 0
    assert "lending: +1 ~1 -1 →1" in result.out
    assert "stays open" in result.out
    assert desk.read(TARGET) == MERGED
