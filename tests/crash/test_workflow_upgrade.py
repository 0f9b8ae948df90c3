"""An upgrade, a way back and a deletion that die have done everything or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.workflow_makers import install, lay, workflow
from tests.support.world import World

from rasen.base.context import Context
from rasen.packages import ops as packages
from rasen.workflows import ops as workflows

OLD = workflow("flow", sidecars={"references/a.md": "one\n"})
NEW = workflow("flow", sidecars={"references/b.md": "two\n"}, requires={"workflows": ["base"]})


class Desk:
    """A library with two workflows, and another version of one; what it is before and after."""

    def __init__(self, world: World, work: Callable[[Context], object]) -> None:
        self.world, self._work = world, work
        self.ctx: Context = world.context()
        install(world, "flow", OLD)
        install(world, "base")
        lay(world.root / "new/flow", NEW)
        packages.upgrade(self.ctx, "new/flow")
        packages.upgrade_back(self.ctx, "flow")
        self._kept = world.base / "kept"
        shutil.copytree(world.data_dir, self._kept)
        self.old = self.state()
        self.work()
        self.new = self.state()
        assert self.old != self.new

    def reset(self) -> None:
        shutil.rmtree(self.world.data_dir)
        shutil.copytree(self._kept, self.world.data_dir)

    def work(self) -> None:
        self._work(self.ctx)

    def state(self) -> dict[str, Any]:
        found = snapshot(self.world.data_dir).items()
        return {path: what for path, what in found if "/." not in f"/{path}"}


WORKS: dict[str, Callable[[Context], object]] = {
    "upgrade": lambda ctx: packages.upgrade(ctx, "new/flow"),
    "back": lambda ctx: packages.upgrade_back(ctx, "flow"),
    "delete": lambda ctx: workflows.delete(ctx, "flow"),
}


@pytest.mark.requirement("WC-019")
@pytest.mark.parametrize("work", WORKS)
def test_a_kill_at_any_moment_leaves_everything_or_nothing(world: World, work: str) -> None:
    desk = Desk(world, WORKS[work])
    outcomes = []
    for at in crash.points(desk.work, desk.reset):
        desk.reset()
        assert crash.fork(desk.work, at=at, fault="kill").was_killed

        workflows.catalogue(desk.ctx)

        state = desk.state()
        assert state in (desk.old, desk.new), f"killed before change {at}"
        outcomes.append(state == desk.new)
        if state == desk.old:
            desk.work()
            assert desk.state() == desk.new

    assert outcomes == sorted(outcomes)


@pytest.mark.requirement("WC-019")
@pytest.mark.parametrize("fault", ["enospc", "eacces", "interrupt"])
@pytest.mark.parametrize("work", WORKS)
def test_whatever_the_disk_does_it_is_everything_or_nothing(
    world: World, work: str, fault: str
) -> None:
    desk = Desk(world, WORKS[work])
    for at in crash.points(desk.work, desk.reset, stride=3):
        desk.reset()

        crash.fork(desk.work, at=at, fault=fault)

        workflows.catalogue(desk.ctx)
        assert desk.state() in (desk.old, desk.new), f"{fault} at change {at}"
