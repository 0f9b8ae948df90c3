"""Killed at any change of the disk, an uninstall can be done again, and nothing of ours is left then."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.skill_sets import Set
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.hosts.ops import host
from rasen.upkeep import remove

EDITED = ".codex/skills/rasen-a/SKILL.md"


class Desk:
    """A project with skills for two agents and, in their home, for one that serves the machine."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.places = (world.root, world.home, world.data_dir)
        shutil.rmtree(world.root)
        world.root.mkdir()
        (world.home / ".hermes").mkdir()
        world.write(".claude/skills/own/SKILL.md", "mine\n")
        world.write(".claude/settings.json", '{"model": "x"}\n')
        world.write(EDITED, "mine\n")
        self.bare = self.state()
        world.path(EDITED).unlink()
        assert world.cli("init", "--tools", "none").code == 0
        Set(world).write("claude", "codex", "hermes", teams=True)
        world.write(EDITED, "mine\n")
        for number, place in enumerate(self.places):
            shutil.copytree(place, world.base / f"kept-{number}")
        self.full = self.state()

    def reset(self) -> None:
        for number, place in enumerate(self.places):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(self.world.base / f"kept-{number}", place)

    def state(self) -> tuple[object, ...]:
        """All of the project and the home; of the machine's own folder the files, without locks."""
        machine = snapshot(self.places[2]) if self.places[2].exists() else {}
        kept = {key: one for key, one in machine.items() if one[0] == "file" and ".lock" not in key}
        return snapshot(self.places[0]), snapshot(self.places[1]), kept

    def work(self) -> object:
        ctx = self.world.context()
        return remove.remove(ctx, remove.plan_removal(ctx, self.world.root))

    def again(self) -> None:
        """What a person would do: the command once more, unless there is nothing."""
        result = self.world.cli("uninstall", "--yes", "--json")
        assert result.code == 0 or result.error == "uninstall_no_workspace", result.out


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fault", "stride"), crash.SAMPLES)
def test_killed_anywhere_the_next_one_ends_it(desk: Desk, fault: str, stride: int) -> None:
    for at in crash.points(desk.work, desk.reset, stride):
        desk.reset()
        assert crash.fork(desk.work, at=at, fault=fault).was_killed

        desk.again()

        assert desk.state() == desk.bare, at


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", ["enospc", "eacces", "interrupt"])
def test_a_refusal_of_the_disk_anywhere_loses_nothing(desk: Desk, fault: str) -> None:
    for at in crash.points(desk.work, desk.reset, stride=3):
        desk.reset()
        crash.fork(desk.work, at=at, fault=fault)
        assert desk.world.read(EDITED) == "mine\n"
        assert desk.world.read(".claude/skills/own/SKILL.md") == "mine\n"

        desk.again()

        assert desk.state()[:2] == desk.bare[:2], at  # a registry that was refused is told


def test_one_agent_killed_anywhere_goes_whole_or_not_at_all(desk: Desk) -> None:
    def work() -> object:
        ctx = desk.world.context()
        return remove.remove(ctx, remove.plan_removal(ctx, desk.world.root, [host("claude")]))

    desk.reset()
    work()
    gone = snapshot(desk.world.root)
    for at in crash.points(work, desk.reset):
        desk.reset()
        crash.fork(work, at=at)

        desk.world.cli("list")

        assert snapshot(desk.world.root) in (desk.full[0], gone), at
        assert Path(desk.world.root, ".codex").exists()
