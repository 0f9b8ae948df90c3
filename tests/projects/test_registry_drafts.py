"""What a killed writer left beside the registry of projects is gone after the next write."""

from __future__ import annotations

import os
import time

from tests.support.crash import NOBODY
from tests.support.world import World


def test_drafts_are_swept_and_a_waiters_lock_draft_is_not(world: World) -> None:
    world.workspace()
    folder = world.data_dir / "projects"
    folder.mkdir(parents=True)
    old = time.time() - 3600
    for name in (
        f".registry.json.{NOBODY}-ab.tmp",
        "registry.json.lock.12-0a",
        "registry.json.lock.12-0b",
    ):
        (folder / name).write_text("half", "utf-8")
    os.utime(folder / "registry.json.lock.12-0a", (old, old))
    (folder / "home").mkdir()

    assert world.cli("init", "--tools", "none").code == 0

    left = {one.name for one in folder.iterdir() if one.is_file()}
    assert left == {"registry.json", "registry.json.lock.12-0b"}
    assert (folder / "home").is_dir()
