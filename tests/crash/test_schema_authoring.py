"""Copying and creating schemas, killed at every change of the disk; the next command settles it."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.planning.schemas import ops


def _fork(world: World) -> None:
    ops.fork(world.context(), "spec-driven", "team", replace=True)


def _create(world: World) -> None:
    draft = ops.Draft("team", "Ours", ("specs", "tasks"), set_default=True, replace=True)
    ops.create(world.context(), draft)


@pytest.mark.parametrize("work", [_fork, _create], ids=["fork", "init"])
def test_an_existing_schema_is_replaced_as_a_whole(
    world: World, work: Callable[[World], None]
) -> None:
    def prepare() -> None:
        shutil.rmtree(world.root)
        world.root.mkdir()
        world.workspace()
        world.write("rasen/schemas/team/schema.yaml", "name: team\n")
        world.write("rasen/schemas/team/templates/own.md", "kept or gone")

    prepare()
    before = snapshot(world.root)
    work(world)
    after = snapshot(world.root)
    for at in crash.points(lambda: work(world), prepare, stride=3):
        prepare()
        crash.fork(lambda: work(world), at=at)
        ops.available(world.context())
        assert snapshot(world.root) in (before, after), f"at {at}"
