"""An archive that dies or runs out of room at any change of the disk is there wholly or not at all."""

from __future__ import annotations

import shutil

import pytest
from tests.support import crash
from tests.support.world import CountedIds, World

from rasen.files.tree import tree_digest
from rasen.planning.archive import ops
from rasen.planning.archive.model import Request
from rasen.planning.archive.refusals import InputsChanged
from rasen.roots.model import RootRequest
from rasen.roots.ops import select

SPEC = (
    "# {name} Specification\n\n## Purpose\nWhat this capability does, in more than fifty characters.\n\n"
    "## Requirements\n\n### Requirement: One\nIt SHALL work.\n\n#### Scenario: s\n- **THEN** it works\n"
)
MODIFIED = (
    "## MODIFIED Requirements\n\n### Requirement: One\nIt SHALL work well.\n\n"
    "#### Scenario: s\n- **THEN** it works well\n"
)
ADDED = (
    "## ADDED Requirements\n\n### Requirement: New\nIt SHALL be new.\n\n"
    "#### Scenario: s\n- **THEN** it is new\n"
)
REMOVED = "## REMOVED Requirements\n- ### Requirement: One\n"


class Shop:
    """One change that modifies a spec, makes one and retires one, with an untouched copy."""

    def __init__(self, world: World) -> None:
        self.world = world
        world.workspace()
        for name in ("changed", "area/retired", "other"):
            world.write(f"rasen/specs/{name}/spec.md", SPEC.format(name=name))
        folder = "rasen/changes/big"
        world.write(f"{folder}/specs/changed/spec.md", MODIFIED)
        world.write(f"{folder}/specs/brand-new/spec.md", ADDED)
        world.write(f"{folder}/specs/area/retired/spec.md", REMOVED)
        world.write(f"{folder}/.openspec.yaml", "schema: spec-driven\n")
        world.write(f"{folder}/code-review.md", "Findings: 2\n")
        self._copy = world.base / "untouched"
        shutil.copytree(world.root, self._copy)
        self.old, self.old_planning = tree_digest(world.root), self.planning()
        self.archive()
        self.new, self.new_planning = tree_digest(world.root), self.planning()
        assert self.new != self.old

    def planning(self) -> tuple[str, str]:
        """What specs and changes hold, the journal left aside."""
        folder = self.world.path("rasen")
        return tree_digest(folder / "specs"), tree_digest(folder / "changes")

    def reset(self) -> None:
        shutil.rmtree(self.world.root)
        shutil.copytree(self._copy, self.world.root)

    def archive(self) -> None:
        self.world.ids = CountedIds()  # every run gives its journal the same identity
        ctx = self.world.context()
        ops.archive(ctx, select(ctx, RootRequest()), Request("big", yes=True))


@pytest.fixture
def shop(world: World) -> Shop:
    return Shop(world)


def test_a_kill_at_any_moment_leaves_old_or_new(shop: Shop) -> None:
    outcomes = set()
    for at in crash.points(shop.archive, shop.reset):
        shop.reset()
        assert crash.fork(shop.archive, at=at, fault="kill").was_killed
        is_between = shop.planning() not in (shop.old_planning, shop.new_planning)

        result = shop.world.cli("list", "--json")

        assert result.code == 0, result.out + result.err
        assert result.json["root"]
        after = tree_digest(shop.world.root)
        assert after in (shop.old, shop.new), f"killed before change {at}"
        assert not is_between or "interrupted write" in result.err
        outcomes.add(after)

    assert outcomes == {shop.old, shop.new}


def test_a_full_disk_at_any_moment_leaves_the_old_state(shop: Shop) -> None:
    for at in crash.points(shop.archive, shop.reset):
        shop.reset()

        ending = crash.fork(shop.archive, at=at, fault="enospc")

        shop.world.cli("list", "--json")
        after = tree_digest(shop.world.root)
        assert after == (shop.old if ending.code else shop.new), f"full at change {at}"
        assert ending.code in ("", "archive_error", "busy", "recovery_needed"), ending


def test_a_second_kill_during_recovery_is_recovered_too(shop: Shop) -> None:
    def recover() -> None:
        select(shop.world.context(), RootRequest())

    middle = len(crash.points(shop.archive, shop.reset)) // 2

    def prepare() -> None:
        shop.reset()
        crash.fork(shop.archive, at=middle, fault="kill")

    for at in crash.points(recover, prepare):
        prepare()
        crash.fork(recover, at=at, fault="kill")

        assert shop.world.cli("list", "--json").code == 0
        assert tree_digest(shop.world.root) in (shop.old, shop.new)


def test_a_delta_edited_meanwhile_refuses_the_archive(shop: Shop) -> None:
    shop.reset()
    world = shop.world
    ctx = world.context()
    root = select(ctx, RootRequest())
    work = ops.prepare(ctx, root, Request("big", yes=True))
    world.write("rasen/changes/big/specs/changed/spec.md", MODIFIED + "\nmore\n")
    before = tree_digest(world.root)

    with pytest.raises(InputsChanged) as refusal:
        ops.finish(ctx, root, work)

    assert refusal.value.code == "archive_error"
    assert tree_digest(world.root) == before


@pytest.mark.parametrize("fault", ["enospc", "eacces"])
def test_a_disk_that_refuses_has_the_one_code_of_an_archive(shop: Shop, fault: str) -> None:
    codes = set()
    for at in crash.points(shop.archive, shop.reset, stride=5):
        shop.reset()
        codes.add(crash.fork(shop.archive, at=at, fault=fault).code)

    assert codes <= {"", "archive_error", "busy", "recovery_needed"}
    assert "archive_error" in codes
    shop.reset()
    assert tree_digest(shop.world.root) == shop.old
