"""What an older program left for agents is told, and nothing of it is touched."""

from __future__ import annotations

import pytest
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.upkeep import legacy

BLOCK = "# Mine\n<!-- OPENSPEC:START -->\ntheirs\n<!-- OPENSPEC:END -->\n"
LEFT = [
    ".claude/commands/openspec/apply.md",
    ".gemini/commands/openspec/apply.toml",
    ".cospec/openspec/commands/openspec-apply.md",
    ".cursor/commands/openspec-apply.md",
    ".github/prompts/openspec-apply.prompt.md",
    ".continue/prompts/openspec-apply.prompt",
    ".qwen/commands/openspec-apply.toml",
    ".clinerules/workflows/openspec-apply.md",
    ".codex/prompts/openspec-apply.md",
    ".opencode/command/opsx-apply.md",
    ".opencode/command/openspec-apply.md",
    ".junie/commands/opsx-apply.md",
    ".claude/skills/openspec-gstack-qa/SKILL.md",
    "openspec/AGENTS.md",
    "openspec/project.md",
]


@pytest.mark.parametrize("name", LEFT)
def test_each_thing_that_an_older_program_left_is_told(world: World, name: str) -> None:
    world.write(name, "x")

    told = legacy.artifacts(world.root)

    assert len(told) == 1
    assert (world.root / name).is_relative_to(told[0])


@pytest.mark.parametrize("name", legacy.SHARED_FILES)
def test_a_marked_block_is_told(world: World, name: str) -> None:
    world.write(name, BLOCK)

    assert legacy.artifacts(world.root) == [world.root / name]


@pytest.mark.parametrize(
    "name",
    [
        ".cursor/commands/mine.md",
        ".claude/commands/rasen/apply.md",
        ".claude/skills/rasen-qa/SKILL.md",
        ".cursor/commands/openspec-apply.txt",
        "AGENTS.md",
    ],
)
def test_other_files_are_not(world: World, name: str) -> None:
    world.write(name, "x")

    assert legacy.artifacts(world.root) == []


def test_there_is_one_notice_whatever_there_is(world: World) -> None:
    for name in LEFT:
        world.write(name, "x")
    before = snapshot(world.root)

    told = [one for one in legacy.notices(world.context(), world.root) if "artifacts" in one.code]

    assert [one.code for one in told] == ["legacy_artifacts_found"]
    assert ".cl" in told[0].message
    assert "…" in told[0].message
    assert snapshot(world.root) == before


def test_in_a_tree_that_is_used_as_it_is_nothing_is_old(world: World) -> None:
    world.write("openspec/AGENTS.md", "x")

    assert legacy.notices(world.context(workspace="openspec"), world.root) == ()
