"""A `validate --fix` that dies or runs out of room has mended everything or nothing."""

from __future__ import annotations

import shutil

import pytest
from tests.support import crash
from tests.support.fixtures import (
    ADDED,
    DELTA_FILE,
    FOLDER,
    HEAD,
    LOAN_PERIOD,
    RENEWALS,
    SPEC_FILE,
    TASKS,
    base_spec,
    change,
)
from tests.support.world import World

from rasen.files.errors import FileChanged
from rasen.files.tree import tree_digest
from rasen.planning import ops as planning
from rasen.planning.fixes import ops
from rasen.roots.model import RootRequest
from rasen.roots.ops import select


class Desk:
    """A spec and a change that need three fixes in three files and a move, with an untouched copy."""

    def __init__(self, world: World) -> None:
        self.world = world
        base_spec(world, f"{HEAD}{LOAN_PERIOD}\n## Notes\n\nWhy.\n\n{RENEWALS}")
        change(world, ADDED.replace("ADDED", "Add"), tasks=TASKS + "- [] 1.2 Print\n")
        world.write(f"{FOLDER}/specs/fines.md", ADDED.replace("Student Loans", "Fines"))
        self._copy = world.base / "untouched"
        shutil.copytree(world.root, self._copy)
        self.old, self.old_planning = tree_digest(world.root), self.planning()
        self.mend()
        self.new, self.new_planning = tree_digest(world.root), self.planning()

    def planning(self) -> tuple[str, str]:
        """What specs and changes hold, the journal left aside."""
        folder = self.world.path("rasen")
        return tree_digest(folder / "specs"), tree_digest(folder / "changes")

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self._copy, self.world.root)

    def mend(self) -> None:
        ctx = self.world.context()
        root = select(ctx, RootRequest())
        items = planning.all_items(root, ("change", "spec"))
        ops.apply(ctx, root, ops.prepare(ctx, root, items))


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


def test_the_run_does_what_the_others_interrupt(desk: Desk) -> None:
    world = desk.world

    assert world.cli("validate", "--all", "--strict").code == 0
    assert world.read(DELTA_FILE) == ADDED
    assert world.read(SPEC_FILE).endswith("## Notes\n\nWhy.\n")
    assert not world.path(f"{FOLDER}/specs/fines.md").exists()
    assert world.path(f"{FOLDER}/specs/fines/spec.md").exists()


def test_a_kill_at_any_moment_leaves_old_or_new(desk: Desk) -> None:
    outcomes = set()
    for at in crash.points(desk.mend, desk.reset):
        desk.reset()
        assert crash.fork(desk.mend, at=at, fault="kill").was_killed
        is_between = desk.planning() not in (desk.old_planning, desk.new_planning)

        result = desk.world.cli("list", "--json")

        assert result.code == 0, result.out + result.err
        after = desk.planning()
        assert after in (desk.old_planning, desk.new_planning), f"killed before change {at}"
        assert not is_between or "interrupted write" in result.err
        outcomes.add(after)

    assert outcomes == {desk.old_planning, desk.new_planning}


def test_a_full_disk_at_any_moment_leaves_the_old_state(desk: Desk) -> None:
    for at in crash.points(desk.mend, desk.reset):
        desk.reset()

        ending = crash.fork(desk.mend, at=at, fault="enospc")

        desk.world.cli("list", "--json")
        wanted = desk.old_planning if ending.code else desk.new_planning
        assert desk.planning() == wanted, f"full at change {at}"
        assert ending.code in ("", "disk_full", "busy", "lock_busy", "recovery_needed"), ending


def test_a_file_edited_after_the_look_is_not_overwritten(desk: Desk) -> None:
    desk.reset()
    ctx = desk.world.context()
    root = select(ctx, RootRequest())
    items = planning.all_items(root, ("change", "spec"))
    mending = ops.prepare(ctx, root, items)
    desk.world.write(DELTA_FILE, "mine\n")
    before = desk.planning()

    with pytest.raises(FileChanged):
        ops.apply(ctx, root, mending)

    assert desk.planning() == before
