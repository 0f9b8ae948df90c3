"""`init`, then `uninstall`: the tree is as it was, byte for byte, for every agent."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.hosts.model import Host
from rasen.hosts.ops import HOSTS

OWN = "---\nname: own\ndescription: Mine\n---\n\nMine.\n"


def empty(world: World, host: Host) -> None:
    """Nothing at all."""


def bare_folder(world: World, host: Host) -> None:
    """The agent's folder is there, and empty."""
    place(world, host, "").mkdir(parents=True)


def bare_skills(world: World, host: Host) -> None:
    """The folder for skills is there, and empty."""
    place(world, host, "skills").mkdir(parents=True)


def lived_in(world: World, host: Host) -> None:
    """Skills, settings and instructions of the user's own, under names close to ours."""
    for name in ("skills/own/SKILL.md", "skills/rasen-of-mine/SKILL.md", "skills/README.md"):
        put(world, host, name, OWN)
    put(world, host, "settings.json", '{"model": "x",\n "env": {"A":"b"}}')
    put(world, host, "skills/rasen-help/notes.md", "mine\n")
    put(world, host, "commands/rasen-mine.md", "mine\n")
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"):
        world.write(name, "Mine.\r\nNo end of line")
    world.write("src/main.py", "print()\n").chmod(0o755)
    world.write("secret", "x\n").chmod(0o600)
    if not (world.root / "link").is_symlink():
        (world.root / "link").symlink_to("src")
    world.write(".gitignore", "build/\n")


SCENES = [empty, bare_folder, bare_skills, lived_in]
FAR_APART = [empty, lived_in]


@pytest.mark.parametrize(
    ("host", "prepare"),
    [
        pytest.param(one, scene, id=f"{one.id}-{scene.__name__}")
        for one in HOSTS
        for scene in (SCENES if one.id in ("claude", "github-copilot", "hermes") else FAR_APART)
    ],
)
def test_what_came_goes_and_all_else_is_as_it_was(
    world: World, host: Host, prepare: object
) -> None:
    assert callable(prepare)
    prepare(world, host)
    (world.home / ".hermes").mkdir(exist_ok=True)
    before = snapshot(world.root), snapshot(world.home)

    made = world.cli("init", "--tools", host.id, "--claude-agent-teams")
    assert made.code == 0, made.err
    assert (snapshot(world.root), snapshot(world.home)) != before
    gone = world.cli("uninstall", "--yes")

    assert gone.code == 0, gone.err
    assert (snapshot(world.root), snapshot(world.home)) == before


def test_a_home_of_the_machine_that_was_not_there_is_not_there_again(world: World) -> None:
    before = snapshot(world.home)

    for words in ("init", "init", "update", "uninstall --yes"):
        tools = ["--tools", "hermes"] if words == "init" else []
        assert world.cli(*words.split(), *tools).code == 0

    assert snapshot(world.home) == before


def test_what_came_into_such_a_home_since_keeps_it(world: World) -> None:
    world.cli("init", "--tools", "hermes")
    world.write("../home/.hermes/config.yaml", "mine\n")

    assert world.cli("uninstall", "--yes").code == 0

    assert [one.name for one in (world.home / ".hermes").iterdir()] == ["config.yaml"]


@pytest.mark.parametrize("prepare", FAR_APART, ids=lambda one: str(one.__name__))
def test_the_same_for_all_agents_at_once(world: World, prepare: object) -> None:
    assert callable(prepare)
    for host in HOSTS:
        prepare(world, host)
    (world.home / ".hermes").mkdir(exist_ok=True)
    before = snapshot(world.root), snapshot(world.home)

    every = ",".join(one.id for one in HOSTS)
    assert world.cli("init", "--tools", every, "--claude-agent-teams").code == 0
    world.cli("init", "--tools", "all", "--profile", "core")
    world.cli("update")
    assert world.cli("uninstall", "--yes").code == 0

    assert (snapshot(world.root), snapshot(world.home)) == before


def test_of_several_agents_one_can_go_alone(world: World) -> None:
    world.cli("init", "--tools", "codex")
    before = snapshot(world.root)
    world.cli("init", "--tools", "claude")

    assert world.cli("uninstall", "--tools", "claude", "--yes").code == 0

    assert snapshot(world.root) == before


def place(world: World, host: Host, name: str) -> Path:
    base = world.home if host.is_machine_wide else world.root
    return base / host.folder / name


def put(world: World, host: Host, name: str, text: str) -> None:
    base = "../home" if host.is_machine_wide else "."
    world.write(f"{base}/{host.folder}/{name}", text)
