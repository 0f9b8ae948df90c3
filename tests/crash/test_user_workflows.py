"""An update that dies while it writes user workflows: never a file without its row, and the next one ends it."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.workflow_makers import install, select, workflow
from tests.support.world import World

LEDGER = "rasen/.workflow-artifacts.json"
HOME = ".claude/skills/flow"


class Desk:
    """A project with an agent, and a workflow that is selected and not yet generated."""

    def __init__(self, world: World) -> None:
        self.world = world
        select(world, "propose")
        assert world.cli("init", "--tools", "claude").code == 0
        beside = {"references/deep/a.md": "x\n"}
        install(world, "flow", workflow("flow", sidecars=beside, scripts={"scripts/run.sh": "y\n"}))
        select(world, "propose", "flow")
        shutil.copytree(world.root, world.base / "kept")
        self.old = snapshot(world.root)
        self.work()
        self.new = snapshot(world.root)

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self.world.base / "kept", self.world.root)

    def work(self) -> None:
        assert self.world.cli("update").code == 0


@pytest.mark.requirement("GN-004")
def test_a_kill_at_any_moment_leaves_files_with_their_rows_or_neither(world: World) -> None:
    desk = Desk(world)
    for at in crash.points(desk.work, desk.reset):
        desk.reset()
        assert crash.fork(desk.work, at=at, fault="kill").was_killed

        world.cli("status")
        is_written = (world.root / HOME).exists()
        assert is_written == (world.root / LEDGER).exists(), f"killed before change {at}"
        if is_written:
            rows = json.loads(world.read(LEDGER))["tools"]["claude"]["workflows"]["flow"]["files"]
            assert all((world.root / row["path"]).is_file() for row in rows)
            assert len(rows) == 3
        desk.work()
        assert snapshot(world.root) == desk.new
