"""Whose selection the skills in a project are."""

from __future__ import annotations

import json

import pytest
from tests.support.world import World

from rasen.upkeep import profile_migration


def older(world: World, *folders: str, host: str = ".claude") -> None:
    for folder in folders:
        text = f"---\nname: {folder}\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\n"
        world.write(f"{host}/skills/{folder}/SKILL.md", text)


def proposed(world: World, *owned: str) -> tuple[str, ...] | None:
    paths = {world.root / one for one in owned}
    return profile_migration.proposed(world.context(), world.root, paths)


@pytest.mark.parametrize(
    ("folders", "ids"),
    [
        ((), None),
        (("rasen-propose",), ("propose",)),
        (("rasen-help", "rasen-apply-change"), ("apply", "help")),
        (("rasen-review", "rasen-qa"), None),
        (("rasen-mine",), None),
        (("rasen-ship", "rasen-retro"), ("ship-command", "retro-command")),
        (("rasen-ship", "rasen-retro", "rasen-retain"), ("ship-command",)),
    ],
    ids=["none", "one", "in the catalogue's order", "experts", "others", "retro", "retain"],
)
def test_the_workflows_that_were_generated_are_the_selection(
    world: World, folders: tuple[str, ...], ids: tuple[str, ...] | None
) -> None:
    older(world, *folders)

    assert proposed(world) == ids


def test_skills_of_all_agents_count_together(world: World) -> None:
    older(world, "rasen-propose")
    older(world, "rasen-help", host=".cursor")

    assert proposed(world) == ("propose", "help")


def test_what_our_ledger_names_is_no_selection(world: World) -> None:
    older(world, "rasen-propose", "rasen-help")

    found = proposed(world, ".claude/skills/rasen-propose/SKILL.md")

    assert found == ("help",)


@pytest.mark.parametrize("settings", ['{"profile": "core"}', "{"], ids=["named", "broken"])
def test_settings_that_say_something_or_cannot_be_read_are_left(
    world: World, settings: str
) -> None:
    older(world, "rasen-propose")
    world.config_dir.mkdir(parents=True)
    (world.config_dir / "config.json").write_text(settings)

    assert proposed(world) is None


def test_keeping_it_leaves_other_settings_alone(world: World) -> None:
    world.config_dir.mkdir(parents=True)
    place = world.config_dir / "config.json"
    place.write_text('{"language": "ja", "mine": 1}')

    told = profile_migration.keep(world.context(), ("propose", "help"))

    assert json.loads(place.read_text()) == {
        "language": "ja",
        "mine": 1,
        "profile": "custom",
        "workflows": ["propose", "help"],
    }
    assert "propose, help" in told.message


@pytest.mark.parametrize(
    ("version", "ids"),
    [("0.1.4", ("propose",)), ('"0.1.9"', ("propose",)), ("odd", ("propose",)),
     ("0.2.0", None), ("'0.10.3'", None), ("1.0.0", None)],
)  # fmt: skip
def test_only_skills_of_the_originals_tell_a_selection(
    world: World, version: str, ids: tuple[str, ...] | None
) -> None:
    older(world, "rasen-propose")
    place = world.path(".claude/skills/rasen-propose/SKILL.md")
    place.write_text(place.read_text().replace("0.1.4", version))

    assert proposed(world) == ids
