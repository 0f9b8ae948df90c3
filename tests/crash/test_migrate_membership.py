"""Older data about members is never lost: it goes only when all its records are written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.team import Machine, write
from tests.support.world import World

from rasen.stores import migrate, records

GHOST = "00000000-0000-4000-8000-00000000aaaa"
ADOPTIONS = f"""version: 1
adoptions:
  - projectId: {GHOST}
    alias: ghost
    sourcePath: /srv/someone/ghost
    timestamp: "2025-01-01T00:00:00.000Z"
    specs: [pay]
    changes: [add-x]
"""


class Scene:
    """A store of the older kind, in which one conversion is tried again and again."""

    def __init__(self, world: World) -> None:
        self.machine = Machine(world, "mia")
        self.root = self.machine.store()
        app = self.machine.project()
        self.machine.ok("store", "add-project", str(app), "--to", "team")
        for path in (self.root / records.RECORDS).iterdir():
            path.unlink()
        write(self.root, ".rasen-store/adoptions.yaml", ADOPTIONS)
        self.machine.commit(self.root, "Older data")
        self.copy = world.base / "copy"
        shutil.copytree(self.root, self.copy, symlinks=True)

    def reset(self) -> None:
        shutil.rmtree(self.root)
        shutil.copytree(self.copy, self.root, symlinks=True)

    def records(self) -> dict[str, bytes]:
        folder = self.root / records.RECORDS
        return {one.name: one.read_bytes() for one in folder.glob("*.yaml")}

    def is_old_data_there(self) -> bool:
        return (self.root / ".rasen-store" / "adoptions.yaml").is_file()

    def work(self) -> Callable[[], object]:
        ctx, environ = self.machine.context(), self.machine.environ()

        def run() -> None:
            os.environ.update(environ)
            migrate.migrate(ctx, "team", is_applied=True)

        return run


@pytest.fixture
def scene(world: World) -> Scene:
    return Scene(world)


@pytest.mark.parametrize("fault", ["kill", "torn", "enospc"])
def test_the_old_data_goes_after_every_record_is_written(scene: Scene, fault: str) -> None:
    scene.machine.ok("store", "migrate-membership", "team", "--apply", "--json")
    wanted = scene.records()
    assert len(wanted) == 2
    states = set()

    for at in crash.points(scene.work(), scene.reset):
        scene.reset()
        crash.fork(scene.work(), at=at, fault=fault)
        assert scene.machine.cli("store", "doctor", "team", "--json").code == 0
        found = scene.records()
        assert found.items() <= wanted.items(), at
        assert scene.is_old_data_there() or found == wanted, at
        states.add((len(found), scene.is_old_data_there()))
        again = scene.machine.cli("store", "migrate-membership", "team", "--apply", "--json")
        assert again.code == 0, again.out
        assert (scene.records(), scene.is_old_data_there()) == (wanted, False), at
        left = [path.name for path in Path(scene.root / "rasen").iterdir()]
        assert ".journal" not in left, at

    assert {(0, True), (2, True)} <= states
