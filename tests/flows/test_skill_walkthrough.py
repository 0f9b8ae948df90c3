"""An agent that follows propose, apply and archive to the letter ends with a merged spec."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support import skills
from tests.support.documents import fits
from tests.support.walking import Agent
from tests.support.world import World

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "harbour-bikes"
NAME = "lock-a-lost-bike"
CYCLE = ("rasen-propose", "rasen-apply-change", "rasen-archive-change")
RENTAL = """## ADDED Requirements

### Requirement: Locking a lost bike

The service SHALL lock a bike that is treated as lost as soon as it stands still for 5 minutes.

#### Scenario: It stands still

- **GIVEN** a bike that is treated as lost
- **WHEN** it has not moved for 5 minutes
- **THEN** its lock closes
- **AND** the street crew is told where it is
"""
FINDERS = """## Purpose

What somebody who finds one of our bikes can do about it, without being a rider.

## ADDED Requirements

### Requirement: Telling us of a bike

The service SHALL take the number of a bike from anybody, without an account.

#### Scenario: A bike that is not lost

- **WHEN** somebody tells the number of a bike that is not lost
- **THEN** they are thanked and nothing else happens
"""
TEXTS = {
    "proposal": "# Change: Lock a lost bike\n\n## Why\n\nThe street crew drives to lost bikes that "
    "have been ridden on before it arrives, four times a week.\n\n## What Changes\n\n- A lost bike "
    "locks itself when it stands still.\n\n## Capabilities\n\n### New Capabilities\n\n- `finders`: "
    "what finders can do.\n\n### Modified Capabilities\n\n- `rental`\n\n## Impact\n\nThe crew.\n",
    "design": "## Context\n\nLocks report every minute.\n\n## Decisions\n\nThe lock decides.\n",
    "tasks": "## 1. Locks\n\n- [ ] 1.1 Close the lock; the test of that scenario passes\n"
    "- [ ] 1.2 Tell the crew\n\n## 2. Finders\n\n- [ ] 2.1 Take a number without an account\n",
}


def write(artifact: str, place: Path) -> None:
    """Write an artifact where the program said; a pattern means one file per capability."""
    if artifact != "specs":
        place.write_text(TEXTS[artifact], encoding="utf-8")
        return
    specs = Path(str(place).partition("*")[0])
    for capability, text in {"rental": RENTAL, "finders": FINDERS}.items():
        (specs / capability).mkdir(parents=True)
        (specs / capability / "spec.md").write_text(text, encoding="utf-8")


def agent(world: World, lane: str, *, store: str = "") -> Agent:
    shutil.copytree(EXAMPLE / "rasen", world.path(f"{store}/rasen" if store else "rasen"))
    known = {
        "name": NAME,
        "lane": lane,
        "goal": "No lost bike rides on",
        "capability": "rental",
        "capabilities": "" if lane == "note" else "rental,finders",
    }
    return Agent(world, known, write, store=store)


@pytest.mark.parametrize("lane", ["light", "full"])
def test_the_texts_lead_from_an_idea_to_a_merged_spec(world: World, lane: str) -> None:
    walker = agent(world, lane)

    walker.follow("rasen-propose")
    proposed = walker.answers["validate " + NAME]
    walker.follow("rasen-apply-change")
    walker.follow("rasen-archive-change")

    assert proposed["items"][0]["valid"] is True
    assert walker.answers["task list"]["progress"]["remaining"] == 0
    archived = fits("archive", walker.answers["archive " + NAME])["archive"]
    assert archived["totals"] == {"added": 2, "modified": 0, "removed": 0, "renamed": 0}
    assert "### Requirement: Locking a lost bike" in world.read("rasen/specs/rental/spec.md")
    assert "### Requirement: Lost bikes" in world.read("rasen/specs/rental/spec.md")
    assert "### Requirement: Telling us of a bike" in world.read("rasen/specs/finders/spec.md")
    assert not world.path(f"rasen/changes/{NAME}").exists()
    assert world.path(f"rasen/changes/archive/{archived['archivedAs']}/tasks.md").exists()
    design = world.path(f"rasen/changes/archive/{archived['archivedAs']}/design.md")
    assert design.exists() is (lane == "full")


def test_a_note_goes_the_same_way_without_a_spec(world: World) -> None:
    walker = agent(world, "note")
    before = world.read("rasen/specs/rental/spec.md")

    for skill in CYCLE:
        walker.follow(skill)

    archived = walker.answers["archive " + NAME]["archive"]
    assert archived["specsUpdated"] is False
    assert [path.name for path in Path(archived["path"]).glob("*.md")] == ["proposal.md"]
    assert world.read("rasen/specs/rental/spec.md") == before


def test_a_store_is_carried_through_all_commands(world: World) -> None:
    walker = agent(world, "light", store="plans")
    assert world.cli("store", "register", "plans", "--id", "plans", "--yes").code == 0

    for skill in CYCLE:
        walker.follow(skill)

    spec = world.read("plans/rasen/specs/rental/spec.md")
    assert "### Requirement: Locking a lost bike" in spec
    assert walker.answers["archive " + NAME]["root"]["store_id"] == "plans"
    assert not world.path("rasen").exists()


def test_the_specs_can_be_merged_early_by_the_text_of_sync(world: World) -> None:
    walker = agent(world, "light")

    for skill in ("rasen-propose", "rasen-sync-specs"):
        walker.follow(skill)

    assert "### Requirement: Locking a lost bike" in world.read("rasen/specs/rental/spec.md")
    assert world.path(f"rasen/changes/{NAME}").exists()


def test_verifying_and_clearing_up_lead_to_the_archive_too(world: World) -> None:
    walker = agent(world, "light")

    for skill in (*CYCLE[:2], "rasen-verify-change", "rasen-bulk-archive-change"):
        walker.follow(skill)

    assert not world.path(f"rasen/changes/{NAME}").exists()
    assert "### Requirement: Locking a lost bike" in world.read("rasen/specs/rental/spec.md")


def test_a_first_change_goes_through_from_one_text(world: World) -> None:
    walker = agent(world, "light")

    walker.follow("rasen-onboard")

    assert "### Requirement: Locking a lost bike" in walker.answers["show rental"]
    assert "Locking a lost bike" in walker.answers["history rental"]


@pytest.mark.parametrize(
    ("skill", "right", "wrong"),
    [
        ("rasen-propose", "rasen new change <name> --lane", "rasen new change <name> --size"),
        ("rasen-propose", "rasen instructions <artifact>", "rasen instruct <artifact>"),
        ("rasen-propose", "`resolvedOutputPath`", "`outputFile`"),
        ("rasen-propose", "`applyRequires`", "`needed`"),
        ("rasen-apply-change", "rasen task done <name> <id>", "rasen task done <id>"),
        ("rasen-apply-change", "rasen task start <name> <id>", "rasen task begin <name> <id>"),
        ("rasen-archive-change", "rasen archive <name> --yes", "rasen archive <name> --agree"),
        (
            "rasen-archive-change",
            "rasen archive <name> --yes --json",
            "rasen archive <name> --json",
        ),
    ],
)
def test_a_wrong_command_in_a_text_is_noticed(
    world: World, skill: str, right: str, wrong: str
) -> None:
    walker = agent(world, "light")
    for before in CYCLE[: CYCLE.index(skill)]:
        walker.follow(before)
    text = (skills.ASSETS / "workflows" / skill / "SKILL.md").read_text(encoding="utf-8")
    assert right in text

    with pytest.raises(AssertionError):
        walker.follow(skill, text=text.replace(right, wrong))
