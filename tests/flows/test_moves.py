"""Moving a requirement, or a whole capability, from one spec to another."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.world import World

from rasen.files.tree import tree_digest

HEAD = "# {name} Specification\n\n## Purpose\nWhat the {name} desk does for members of the library, and when.\n\n## Requirements\n"
PERIOD = (
    "\n### Requirement: Loan Period\nThe system SHALL set the due date 21 days after checkout.\n\n"
    "#### Scenario: Standard loan\n- **THEN** the due date is 21 days later\n"
)
RENEWALS = (
    "\n### Requirement: Renewals\nThe system SHALL allow two renewals per loan.\n\n"
    "#### Scenario: Third renewal\n- **THEN** the request is refused\n"
)
FINES = (
    "\n### Requirement: Fines\nThe system SHALL ask for a fine when a book is late.\n\n"
    "#### Scenario: One day late\n- **THEN** a fine is asked for\n"
)
LENDING, DESK = HEAD.format(name="lending") + PERIOD + RENEWALS, HEAD.format(name="desk") + FINES
CHANGE = "rasen/changes/tidy"


@pytest.fixture
def library(world: World) -> World:
    world.workspace()
    world.write("rasen/specs/lending/spec.md", LENDING)
    world.write("rasen/specs/desk/spec.md", DESK)
    return world


def delta(world: World, capability: str, text: str) -> None:
    world.write(f"{CHANGE}/specs/{capability}/spec.md", text)


def archived(world: World) -> dict[str, Any]:
    assert world.cli("validate", "tidy", "--json").code == 0
    result = world.cli("archive", "tidy", "--yes", "--json")
    assert result.code == 0, result.out
    answer: dict[str, Any] = fits("archive", result.json)["archive"]
    return answer


def refused(world: World) -> list[str]:
    before = tree_digest(world.root)
    verdict = world.cli("validate", "tidy", "--json")
    result = world.cli("archive", "tidy", "--yes", "--json")
    assert (verdict.code, result.code) == (1, 1)
    assert tree_digest(world.root) == before
    codes = [issue["code"] for issue in result.json["issues"]]
    told = [one for one in verdict.json["items"][0]["issues"] if one["level"] == "ERROR"]
    assert [one["code"] for one in told] == codes
    return codes


MOVE = "## MOVED Requirements\n- FROM: lending ### Requirement: Renewals\n"


@pytest.mark.parametrize(
    "entry",
    [
        "- FROM: lending ### Requirement: Renewals",
        "* FROM: `lending` `### Requirement: Renewals`",
        "FROM: `lending ### Requirement: Renewals`",
    ],
)
def test_a_requirement_moves_with_its_text(library: World, entry: str) -> None:
    delta(library, "desk", f"## MOVED Requirements\n{entry}\n")

    answer = archived(library)

    assert library.read("rasen/specs/desk/spec.md") == DESK + RENEWALS
    assert library.read("rasen/specs/lending/spec.md") == HEAD.format(name="lending") + PERIOD
    assert answer["totals"] == {"added": 1, "modified": 0, "removed": 1, "renamed": 0}


def test_what_others_changed_meanwhile_moves_along(library: World) -> None:
    library.write(f"{CHANGE}/.base/lending/spec.md", LENDING)
    library.write("rasen/specs/lending/spec.md", LENDING.replace("two renewals", "three renewals"))
    delta(library, "desk", MOVE)

    archived(library)

    assert "three renewals" in library.read("rasen/specs/desk/spec.md")


def test_it_may_get_another_name_and_text_on_the_way(library: World) -> None:
    library.write(f"{CHANGE}/.base/lending/spec.md", LENDING)
    block = RENEWALS.replace("Requirement: Renewals", "Requirement: Extensions").replace(
        "two renewals", "four renewals"
    )
    delta(
        library,
        "desk",
        f"{MOVE}- TO: ### Requirement: Extensions\n\n## MODIFIED Requirements\n{block}",
    )

    archived(library)

    assert library.read("rasen/specs/desk/spec.md") == DESK + block


def test_a_new_capability_may_begin_with_what_moves_there(library: World) -> None:
    delta(
        library,
        "renewing",
        "## Purpose\nHow members keep a book for longer than one loan.\n\n" + MOVE,
    )

    archived(library)

    text = library.read("rasen/specs/renewing/spec.md")
    assert text.startswith("# renewing Specification\n\n## Purpose\nHow members keep")
    assert text.endswith(RENEWALS)


def test_the_last_requirement_takes_the_spec_with_it(library: World) -> None:
    delta(library, "desk", MOVE + "- FROM: lending ### Requirement: Loan Period\n")

    archived(library)

    assert not library.path("rasen/specs/lending").exists()
    assert library.read("rasen/specs/desk/spec.md") == DESK + RENEWALS + PERIOD


def test_archiving_after_the_move_was_done_by_hand_does_nothing(library: World) -> None:
    library.write("rasen/specs/lending/spec.md", HEAD.format(name="lending") + PERIOD)
    library.write("rasen/specs/desk/spec.md", DESK + RENEWALS)
    delta(library, "desk", MOVE)

    assert archived(library)["specsUpdated"] is False


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (MOVE.replace("Renewals", "Renewal"), "merge_requirement_missing"),
        (MOVE.replace("lending", "landing"), "move_source_missing"),
        (MOVE.replace("lending", "desk"), "move_source_is_target"),
        (MOVE + MOVE.partition("\n")[2], "delta_contradiction"),
        ("## MOVED Requirements\n- Renewals\n", "delta_entry_unread"),
        ("## MOVED Requirements\n- TO: ### Requirement: Renewals\n", "delta_rename_unpaired"),
        (MOVE + "- TO: ### Requirement: Fines\n", "merge_name_taken"),
    ],
    ids=["name", "capability", "itself", "twice", "unread", "no from", "taken"],
)
def test_what_cannot_move_is_refused(library: World, text: str, code: str) -> None:
    delta(library, "desk", text)

    assert code in refused(library)


def test_what_the_own_delta_changes_cannot_move_away(library: World) -> None:
    delta(library, "desk", MOVE)
    delta(library, "lending", "## REMOVED Requirements\n- ### Requirement: Renewals\n")

    assert "delta_contradiction" in refused(library)


RENAME = "## MOVED Capability\n- FROM: lending\n"


def test_a_capability_gets_another_name(library: World) -> None:
    delta(library, "loans", RENAME)

    archived(library)

    assert not library.path("rasen/specs/lending").exists()
    expected = LENDING.replace("# lending Specification", "# loans Specification")
    assert library.read("rasen/specs/loans/spec.md") == expected


def test_a_capability_changes_while_it_gets_another_name(library: World) -> None:
    library.write(f"{CHANGE}/.base/lending/spec.md", LENDING)
    delta(library, "loans", f"{RENAME}\n## MODIFIED Requirements\n{RENEWALS.replace('two', 'no')}")

    archived(library)

    assert "no renewals" in library.read("rasen/specs/loans/spec.md")


def test_renaming_a_capability_is_undone(library: World) -> None:
    delta(library, "loans", RENAME)
    before = tree_digest(library.root / "rasen/specs")
    archived(library)

    assert library.cli("undo", "--yes", "--json").code == 0

    assert tree_digest(library.root / "rasen/specs") == before


@pytest.mark.parametrize(
    ("capability", "text", "code"),
    [
        ("desk", RENAME, "move_target_exists"),
        ("loans", RENAME.replace("lending", "landing"), "move_source_missing"),
        ("lending", RENAME, "move_source_is_target"),
        ("loans", "## MOVED Capability\nlending\n", "delta_entry_unread"),
    ],
    ids=["exists", "unknown", "itself", "unread"],
)
def test_a_capability_that_cannot_move_is_refused(
    library: World, capability: str, text: str, code: str
) -> None:
    delta(library, capability, text)

    assert code in refused(library)


def test_show_lists_what_moves(library: World) -> None:
    library.write(f"{CHANGE}/proposal.md", "## Why\nTidy.\n\n## What Changes\n- moves\n")
    delta(library, "desk", MOVE)

    document = fits("show-change", library.cli("show", "tidy", "--json").json)

    assert document["deltas"] == [
        {
            "spec": "desk",
            "operation": "MOVED",
            "description": 'Move requirement "Renewals" from "lending"',
            "move": {"spec": "lending", "requirement": "Renewals", "to": "Renewals"},
        }
    ]
