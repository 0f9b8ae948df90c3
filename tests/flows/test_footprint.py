"""`rasen footprint`: every file of ours, who wants it, since which version, and how it is now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen import __version__

PROPOSE = ".claude/skills/rasen-propose/SKILL.md"
EXPERT = ".claude/skills/rasen-qa/SKILL.md"


@pytest.fixture
def equipped(world: World) -> World:
    """A project with skills for Claude, and its experimental setting."""
    world.write(".claude/settings.json", '{"model": "x"}\n')
    assert world.cli("init", "--tools", "claude", "--claude-agent-teams").code == 0
    return world


def listed(world: World, *words: str, cwd: Path | None = None) -> dict[str, Any]:
    """The rows by path, below the project."""
    answer = fits("footprint", world.cli("footprint", *words, "--json", cwd=cwd).json)
    return {one["path"].removeprefix(f"{world.root}/"): one for one in answer["files"]}


def test_it_lists_every_file_that_came_with_init(world: World) -> None:
    world.write("mine.md", "mine\n")
    world.cli("init")
    before = snapshot(world.root)
    world.cli("init", "--tools", "claude,codex")

    rows = listed(world)

    came = {key for key, (kind, _, _) in snapshot(world.root).items() if kind == "file"}
    assert set(rows) == came - before.keys() - {"rasen/.rasen-files.json"}
    assert {one["state"] for one in rows.values()} == {"unchanged"}
    assert {one["version"] for one in rows.values()} == {__version__}


def test_it_says_who_wants_a_file_and_why(equipped: World) -> None:
    rows = listed(equipped)

    assert rows[PROPOSE]["owners"] == [{"tool": "claude", "source": "built-in:propose"}]
    assert rows[EXPERT]["owners"] == [{"tool": "claude", "source": "expert:qa"}]
    setting = rows[".claude/settings.json"]
    assert setting["owners"] == [{"tool": "claude", "source": "setting:agent-teams"}]
    assert setting["part"] == "env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"


def test_it_says_what_became_of_each(equipped: World) -> None:
    settings = equipped.read(".claude/settings.json")
    equipped.write(".claude/settings.json", settings.replace('"x"', '"y"'))
    ends = ".claude/skills/rasen-apply-change/SKILL.md"
    equipped.write(ends, equipped.read(ends).replace("\n", "\r\n"))
    equipped.write(PROPOSE, "mine\n")
    equipped.path(EXPERT).unlink()

    rows = listed(equipped)

    assert rows[".claude/settings.json"]["state"] == "unchanged"
    assert rows[ends]["state"] == "line-endings-only"
    assert rows[PROPOSE]["state"] == "edited"
    assert rows[EXPERT]["state"] == "missing"
    equipped.write(".claude/settings.json", settings.replace('"1"', '"0"'))
    assert listed(equipped)[".claude/settings.json"]["state"] == "edited"


def test_it_shows_people_the_same_in_lines(equipped: World) -> None:
    equipped.write(PROPOSE, "mine\n")

    result = equipped.cli("footprint")

    (line,) = [line for line in result.out.splitlines() if line.startswith(PROPOSE)]
    assert line.split() == [PROPOSE, __version__, "claude", "built-in:propose", "edited"]
    assert len(result.out.splitlines()) == len(listed(equipped))


def test_it_is_a_look_only(equipped: World) -> None:
    before = snapshot(equipped.base)

    equipped.cli("footprint")
    equipped.cli("footprint", "--json")

    assert snapshot(equipped.base) == before


def test_in_a_home_of_the_machine_it_lists_what_this_project_wants(world: World) -> None:
    (world.home / ".hermes").mkdir()
    other = world.base / "other"
    other.mkdir()
    world.cli("init", "--tools", "hermes")
    world.cli("init", "--tools", "claude", cwd=other)

    assert all(path.startswith(f"{world.home}/.hermes/skills/") for path in listed(world))
    assert not any(".hermes" in path for path in listed(world, cwd=other))


def test_a_named_folder_and_a_folder_below_find_the_project(equipped: World) -> None:
    below = equipped.path("src")
    below.mkdir()

    assert listed(equipped, cwd=below) == listed(equipped)
    assert listed(equipped, str(equipped.root), cwd=equipped.base) == listed(equipped)


def test_without_anything_of_ours_it_says_so(world: World) -> None:
    world.cli("init")

    assert "Nothing of ours" in world.cli("footprint").out
    assert listed(world) == {}


def test_without_a_project_it_is_refused(world: World) -> None:
    result = world.cli("footprint", "--json")

    assert (result.code, result.error) == (1, "uninstall_no_workspace")
    assert fits("footprint", result.json)["files"] == []


def test_a_damaged_ledger_is_refused(equipped: World) -> None:
    equipped.write("rasen/.rasen-files.json", json.dumps({"version": 2}))

    result = equipped.cli("footprint", "--json")

    assert (result.code, result.error) == (1, "files_ledger_invalid")
