"""What skills cost an agent, and what to drop first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.support.agents import equipped
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.hosts.ops import host
from rasen.upkeep.budget import built_in, tokens
from rasen.workflows.ops import core, full

README = Path(__file__).resolve().parents[2] / "README.md"
CORE_BYTES, FULL_BYTES = 1_500, 7_000


def budget(world: World, *words: str) -> dict[str, Any]:
    document = fits("budget", world.cli("budget", "--json", *words).json)
    return {one["id"]: one for one in document["hosts"]}


@pytest.fixture
def ready(world: World) -> World:
    return equipped(world)


def test_each_agent_is_told_by_itself(ready: World) -> None:
    found = budget(ready)

    assert list(found) == ["claude", "codex"]
    claude, codex = found["claude"], found["codex"]
    assert claude["onDemand"] == codex["onDemand"]
    assert claude["always"]["bytes"] < codex["always"]["bytes"]
    assert claude["always"]["tokens"] == tokens(claude["always"]["bytes"])
    assert claude["exceeds"] == codex["exceeds"] == []
    by_name = {one["name"]: one for one in claude["skills"]}
    assert by_name["rasen-careful"]["always"] == 0
    assert by_name["rasen-propose"]["source"] == "built-in:propose"
    text = ready.path(".claude/skills/rasen-propose/SKILL.md").stat().st_size
    assert by_name["rasen-propose"]["onDemand"] == text
    assert by_name["rasen-review"]["sidecars"] > 0


def test_the_sums_are_those_of_the_skills(ready: World) -> None:
    one = budget(ready)["claude"]

    assert one["always"]["bytes"] == sum(skill["always"] for skill in one["skills"])
    assert one["onDemand"]["bytes"] == sum(skill["onDemand"] for skill in one["skills"])
    assert one["sidecars"]["bytes"] == sum(skill["sidecars"] for skill in one["skills"])


def test_skills_of_others_count_and_their_faults_are_told(ready: World) -> None:
    ready.write(
        ".claude/skills/mine/SKILL.md",
        f"---\nname: mine\ndescription: {'x' * 1100}\n---\n\nDo it.\n",
    )
    ready.write(".claude/skills/odd/SKILL.md", "---\nname: odd\ndescription: a: b: c\n---\n\nDo.\n")
    ready.write(".claude/skills/other/SKILL.md", "---\nname: another\ndescription: d\n---\n\nDo.\n")

    one = budget(ready)["claude"]

    told = {(row["skill"], row["code"]) for row in one["exceeds"]}
    assert ("mine", "skill_too_long") in told
    assert {skill for skill, _ in told} == {"mine", "odd", "other"}
    assert one["dropFirst"][0]["skill"] == "mine"
    by_name = {row["name"]: row for row in one["skills"]}
    assert (by_name["mine"]["source"], by_name["mine"]["always"]) == ("yours", 1104)
    shown = ready.cli("budget")
    assert shown.code == 0
    assert "drop first: mine" in shown.out
    assert "skill_too_long" not in shown.out


def test_descriptions_that_do_not_fit_together_are_told(ready: World) -> None:
    for number in range(16):
        ready.write(
            f".codex/skills/mine-{number}/SKILL.md",
            f"---\nname: mine-{number}\ndescription: {'x' * 600}\n---\n\nDo it.\n",
        )

    found = budget(ready)

    assert [row["code"] for row in found["codex"]["exceeds"]] == ["skill_listing_long"]
    assert found["claude"]["exceeds"] == []


def test_a_limit_of_characters_is_held_against_characters(ready: World) -> None:
    for number in range(10):
        ready.write(
            f".claude/skills/mine-{number}/SKILL.md",
            f"---\nname: mine-{number}\ndescription: {'查' * 1000}\n---\n\nDo it.\n",
        )

    claude = budget(ready)["claude"]

    assert claude["always"]["bytes"] > 30_000
    assert claude["exceeds"] == []


def test_agents_that_are_not_set_up_yet_can_be_asked_about(world: World) -> None:
    world.workspace()

    assert budget(world) == {}
    assert "--tools" in world.cli("budget").out
    found = budget(world, "--tools", "pi,hermes")
    assert list(found) == ["pi", "hermes"]
    assert found["pi"]["always"]["bytes"] > 0


def test_a_smaller_profile_costs_less(ready: World) -> None:
    large = budget(ready)["claude"]["always"]["bytes"]

    assert ready.cli("profile", "use", "core").code == 0
    assert ready.cli("update").code == 0

    assert budget(ready)["claude"]["always"]["bytes"] < large


def test_asking_changes_nothing(ready: World) -> None:
    before = snapshot(ready.base)

    ready.cli("budget", "-v")
    budget(ready, "--tools", "all")

    assert snapshot(ready.base) == before


def test_the_readme_says_what_our_own_set_costs(world: World) -> None:
    ctx, claude = world.context(), host("claude")
    found = {
        name: built_in(ctx, claude, ids()).always for name, ids in (("core", core), ("full", full))
    }
    told = dict(re.findall(r"`(core|full)`: ([\d,]+) bytes", README.read_text("utf-8")))

    assert {name: int(size.replace(",", "")) for name, size in told.items()} == found
    assert found["core"] <= CORE_BYTES
    assert found["full"] <= FULL_BYTES
    every = built_in(ctx, host("codex"), full()).always
    assert every <= FULL_BYTES
