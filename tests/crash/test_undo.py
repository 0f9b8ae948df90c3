"""An undo or a sync that dies at any change of the disk is there wholly or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from tests.support import crash
from tests.support.archiving import (
    Days,
    added,
    archive,
    change,
    modified,
    removed,
    requirement,
    spec,
)
from tests.support.world import CountedIds, World

from rasen.files.tree import tree_digest
from rasen.planning.archive.model import Request
from rasen.planning.archive.sync import sync
from rasen.planning.archive.undo import UndoRequest, undo
from rasen.roots.model import RootRequest
from rasen.roots.ops import select


class Stage:
    """A world in one state, work that brings it into another, and both as digests."""

    def __init__(self, world: World, work: Callable[[], object]) -> None:
        self.world = world
        self._work = work
        self._copy = world.base / "untouched"
        shutil.copytree(world.root, self._copy)
        self.old, self.old_planning = tree_digest(world.root), self.planning()
        self.work()
        self.new, self.new_planning = tree_digest(world.root), self.planning()
        assert self.new != self.old

    def work(self) -> None:
        self.world.ids = CountedIds()
        self.world.clock = Days()  # type: ignore[assignment]
        self._work()

    def planning(self) -> tuple[str, str]:
        """What specs and changes hold, the journal of the write left aside."""
        folder = self.world.path("rasen")
        return tree_digest(folder / "specs"), tree_digest(folder / "changes")

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self._copy, self.world.root)


def _shop(world: World) -> None:
    """One change that modifies a spec, makes one and retires one."""
    world.workspace()
    for name in ("changed", "area/retired", "other"):
        world.write(f"rasen/specs/{name}/spec.md", spec(requirement("One")))
    change(world, "big", modified(requirement("One", "It SHALL be better.")), "changed")
    change(world, "big", added(requirement("New")), "brand-new")
    change(world, "big", removed("One"), "area/retired")
    world.write("rasen/changes/big/code-review.md", "Findings: 2\n")


def _sync(world: World) -> None:
    ctx = world.context()
    sync(ctx, select(ctx, RootRequest()), Request("big", yes=True, is_sync=True))


def _undo(world: World) -> None:
    ctx = world.context()
    undo(ctx, select(ctx, RootRequest()), UndoRequest(yes=True))


@pytest.fixture(params=["sync", "undo of an archive", "undo of a sync"])
def stage(request: pytest.FixtureRequest, world: World) -> Stage:
    _shop(world)
    if request.param == "sync":
        return Stage(world, lambda: _sync(world))
    if request.param == "undo of a sync":
        _sync(world)
    else:
        archive(world, "big")
    return Stage(world, lambda: _undo(world))


def test_a_kill_at_any_moment_leaves_old_or_new(stage: Stage) -> None:
    outcomes = set()
    for at in crash.points(stage.work, stage.reset):
        stage.reset()
        assert crash.fork(stage.work, at=at, fault="kill").was_killed
        is_between = stage.planning() not in (stage.old_planning, stage.new_planning)

        result = stage.world.cli("list", "--json")

        assert result.code == 0, result.out + result.err
        after = tree_digest(stage.world.root)
        assert after in (stage.old, stage.new), f"killed before change {at}"
        assert not is_between or "interrupted write" in result.err
        outcomes.add(after)

    assert outcomes == {stage.old, stage.new}


def test_a_full_disk_at_any_moment_leaves_the_old_state(stage: Stage) -> None:
    for at in crash.points(stage.work, stage.reset):
        stage.reset()

        ending = crash.fork(stage.work, at=at, fault="enospc")

        stage.world.cli("list", "--json")
        after = tree_digest(stage.world.root)
        assert after == (stage.old if ending.code else stage.new), f"full at change {at}"
        assert ending.code in ("", "disk_full", "archive_error", "busy", "recovery_needed"), ending


def test_an_external_undo_survives_a_kill_at_any_moment(world: World) -> None:
    _shop(world)
    world.write(
        "rasen/config.yaml",
        "schema: spec-driven\nprojectId: 6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d\n"
        "archive:\n  destination: external\n",
    )
    world.git("init", "-q")
    world.git("add", ".")
    world.git("commit", "-qm", "one")
    before = tree_digest(world.path("rasen/specs")), tree_digest(world.path("rasen/changes"))
    archive(world, "big")
    data, copy = world.data_dir, world.base / "data-copy"
    shutil.copytree(data, copy)
    stage = Stage(world, lambda: _undo(world))

    def reset() -> None:
        stage.reset()
        shutil.rmtree(data)
        shutil.copytree(copy, data)

    reset()
    old = stage.planning(), tree_digest(data / "projects")
    stage.work()
    new = stage.planning(), tree_digest(data / "projects")
    assert new[0] == before
    for at in crash.points(stage.work, reset):
        reset()
        assert crash.fork(stage.work, at=at, fault="kill").was_killed

        assert world.cli("list", "--json").code == 0
        assert (stage.planning(), tree_digest(data / "projects")) in (old, new), f"killed at {at}"
