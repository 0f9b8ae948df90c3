"""Starting a change, killed or refused by the disk at every single change it makes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.planning import new_change
from rasen.planning.new_change import ChangeRequest
from rasen.roots import ops as roots
from rasen.roots.model import Root, RootRequest

REQUEST = ChangeRequest("x", description="d", goal="g", proposal="p")


def _fresh(world: World, *, has_workspace: bool) -> None:
    shutil.rmtree(world.root)
    world.root.mkdir()
    if has_workspace:
        world.workspace()


def _create(world: World) -> None:
    ctx = world.context()
    new_change.create(ctx, roots.select(ctx, RootRequest()), REQUEST)


@pytest.mark.parametrize("has_workspace", [True, False], ids=["workspace", "bare-folder"])
@pytest.mark.parametrize("fault", ["enospc", "eacces"])
def test_a_refusal_of_the_disk_leaves_all_or_nothing(
    world: World, fault: str, has_workspace: bool
) -> None:
    def prepare() -> None:
        _fresh(world, has_workspace=has_workspace)

    def work() -> None:
        _create(world)

    prepare()
    before = snapshot(world.root)
    work()
    after = snapshot(world.root)
    for at in crash.points(work, prepare):
        prepare()
        ending = crash.fork(work, at=at, fault=fault)
        left = snapshot(world.root, without=(".journal",))
        assert left in (before, after), f"at {at}"
        assert left == after or ending.code, f"at {at}"


@pytest.mark.parametrize("has_workspace", [True, False], ids=["workspace", "bare-folder"])
def test_a_kill_leaves_all_or_nothing_once_the_next_command_ran(
    world: World, has_workspace: bool
) -> None:
    def prepare() -> None:
        _fresh(world, has_workspace=has_workspace)

    prepare()
    before = snapshot(world.root)
    _create(world)
    after = snapshot(world.root)
    for at in crash.points(lambda: _create(world), prepare):
        prepare()
        crash.fork(lambda: _create(world), at=at)
        ctx = world.context()
        root: Root = roots.select(ctx, RootRequest())
        left = snapshot(world.root)
        if not has_workspace and _is_bare(world.root / root.workspace):
            del left[root.workspace]
        assert left in (before, after), f"at {at}"


def _is_bare(folder: Path) -> bool:
    return folder.is_dir() and not list(folder.iterdir())
