"""Which agents are used in a project, and where their files go."""

from __future__ import annotations

import pytest
from tests.support.world import World

from rasen.hosts import ops
from rasen.hosts.model import Host

SKILL = "---\nname: {name}\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\n\nx\n"


def ids(hosts: tuple[Host, ...]) -> list[str]:
    return [one.id for one in hosts]


def test_nothing_is_found_in_an_empty_project(world: World) -> None:
    assert ops.detected(world.context(), world.root) == ()
    assert ops.configured(world.context(), world.root) == ()


@pytest.mark.parametrize(
    "host", [one for one in ops.HOSTS if not one.is_machine_wide], ids=lambda one: one.id
)
def test_an_agent_is_found_by_its_folder_or_its_markers(world: World, host: Host) -> None:
    for marker in host.markers or (host.folder,):
        (world.root / marker).mkdir(parents=True)

    assert ids(ops.detected(world.context(), world.root)) == [host.id]


@pytest.mark.parametrize("marker", ops.host("github-copilot").markers)
def test_each_marker_alone_shows_copilot(world: World, marker: str) -> None:
    world.write(marker, "")

    assert ids(ops.detected(world.context(), world.root)) == ["github-copilot"]


def test_a_folder_that_everyone_has_on_a_code_host_shows_no_agent(world: World) -> None:
    world.write(".github/workflows/ci.yml", "on: push\n")

    assert ops.detected(world.context(), world.root) == ()


def test_a_file_in_the_place_of_the_folder_shows_no_agent(world: World) -> None:
    world.write(".claude", "x")

    assert ops.detected(world.context(), world.root) == ()


def test_hermes_is_found_in_the_home_of_the_user(world: World) -> None:
    (world.home / ".hermes").mkdir()

    assert ids(ops.detected(world.context(), world.root)) == ["hermes"]


@pytest.mark.parametrize(
    ("value", "place"),
    [(None, "home/.hermes"), ("  ", "home/.hermes"), ("{base}/h", "h"), ("near", "project/near")],
    ids=["unset", "blank", "moved", "relative"],
)
def test_the_home_of_hermes_can_be_moved(world: World, value: str | None, place: str) -> None:
    env = {} if value is None else {"HERMES_HOME": value.format(base=world.base)}
    ctx = world.context(env=env)

    home = ops.skills_home(ctx, world.root, ops.host("hermes"))

    assert home == world.base / place / "skills"


def test_an_agent_is_configured_when_a_skill_of_ours_is_there(world: World) -> None:
    world.write(".claude/skills/rasen-propose/SKILL.md", SKILL.format(name="rasen-propose"))
    world.write(".cursor/skills/rasen-mine/SKILL.md", "---\nname: rasen-mine\n---\nmine\n")
    world.write(".gemini/skills/other/SKILL.md", SKILL.format(name="other"))

    assert ids(ops.configured(world.context(), world.root)) == ["claude"]


def test_a_skill_that_is_no_file_or_cannot_be_read_is_none_of_ours(world: World) -> None:
    world.write(".claude/skills/rasen-a", "a file")
    (world.root / ".claude/skills/rasen-b/SKILL.md").mkdir(parents=True)

    assert ops.configured(world.context(), world.root) == ()


def test_old_command_files_are_found_and_others_are_not(world: World) -> None:
    world.write(".claude/commands/rasen/apply.md", "x")
    world.write(".claude/commands/mine.md", "x")
    world.write(".cursor/commands/rasen-apply.md", "x")
    world.write(".cursor/commands/apply.md", "x")
    ctx = world.context()

    found = {
        host.id: [
            str(one.relative_to(world.root)) for one in ops.old_commands(ctx, world.root, host)
        ]
        for host in ops.HOSTS
    }

    assert {key: value for key, value in found.items() if value} == {
        "claude": [".claude/commands/rasen/apply.md"],
        "cursor": [".cursor/commands/rasen-apply.md"],
    }


@pytest.mark.parametrize("moved", [False, True], ids=["usual", "moved"])
def test_old_prompts_of_codex_lie_in_the_home_of_the_user(world: World, moved: bool) -> None:
    home = world.base / "elsewhere" if moved else world.home / ".codex"
    (home / "prompts").mkdir(parents=True)
    (home / "prompts" / "rasen-apply.md").write_text("x")
    (home / "prompts" / "apply.md").write_text("x")
    ctx = world.context(env={"CODEX_HOME": str(home)} if moved else {})

    found = ops.old_commands(ctx, world.root, ops.host("codex"))

    assert found == [home / "prompts" / "rasen-apply.md"]
