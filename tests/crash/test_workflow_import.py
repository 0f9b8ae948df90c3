"""An import that dies, or runs out of room, has brought everything or nothing, and can be repeated."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.support import crash
from tests.support.packages import entry, envelope, jcs, workflow_files
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.base.context import Context
from rasen.packages import ops
from rasen.profiles import ops as profiles
from rasen.workflows import ops as workflows

FINE_ENDS = (
    "", "disk_full", "file_not_writable", "busy", "recovery_needed", "workflow_registry_busy",
    "workflow_install_rollback_failed", "profile_registry_busy",
)  # fmt: skip


class Desk:
    """A library with one workflow, and a package with that one, two more and a profile."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ctx: Context = world.context()
        base = workflow_files("base", more={"references/old.md": b"old"})
        top = workflow_files("top", requires=["base"], more={"references/a/b.md": b"new"})
        made = [entry("base", base), entry("left", workflow_files("left")), entry("top", top)]
        first = envelope("workflow", ["base"], workflows=made[:1])
        both = envelope(
            "profile",
            ["base", "left", "top"],
            name="team",
            profile={
                "version": 2,
                "workflows": ["apply", "base", "left", "top"],
                "retention": "off",
            },
            workflows=made,
        )
        world.path("first.rasenpkg").write_bytes(jcs(first))
        world.path("both.rasenpkg").write_bytes(jcs(both))
        ops.import_workflows(self.ctx, "first.rasenpkg")
        self._kept = world.base / "kept"
        self._places = (world.base / "data", world.base / "config")
        for place in self._places:
            place.mkdir(exist_ok=True)
            shutil.copytree(place, self._kept / place.name)
        self.old = self.state()
        self.work()
        self.new = self.state()

    def reset(self) -> None:
        for place in self._places:
            shutil.rmtree(place)
            shutil.copytree(self._kept / place.name, place)

    def work(self) -> None:
        ops.import_profile(self.ctx, "both.rasenpkg")

    def state(self) -> list[dict[str, Any]]:
        """What is installed and saved, apart from what is hidden."""
        return [
            {path: what for path, what in snapshot(place).items() if "/." not in f"/{path}"}
            for place in (self.world.data_dir, self.world.config_dir)
        ]

    def left(self) -> list[str]:
        """What is hidden in our folders, but for drafts of locks: old ones are swept."""
        places = [place for place in (self.world.data_dir, self.world.config_dir) if place.exists()]
        names = [one.name for place in places for one in place.glob(".*")]
        return sorted(name for name in names if ".lock." not in name)


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


@pytest.mark.requirement("PK-080", "PK-081", "PR-033")
def test_a_kill_at_any_moment_leaves_everything_or_nothing(desk: Desk) -> None:
    outcomes = []
    for at in crash.points(desk.work, desk.reset):
        desk.reset()
        assert crash.fork(desk.work, at=at, fault="kill").was_killed

        seen = {one.id for one in workflows.catalogue(desk.ctx).definitions if one.digest}
        named = [row.name for row in profiles.listing(desk.ctx)]

        is_there = "team" in named
        assert desk.state() == (desk.new if is_there else desk.old), f"killed before change {at}"
        assert seen == ({"base", "left", "top"} if is_there else {"base"})
        outcomes.append(is_there)
        ops.import_profile(desk.ctx, "both.rasenpkg", is_replacing=True)
        assert desk.state() == desk.new
        assert desk.left() == []

    assert outcomes == sorted(outcomes)
    assert set(outcomes) == {False, True}


@pytest.mark.requirement("PK-081", "PR-033")
@pytest.mark.parametrize("fault", ["torn", "enospc", "eacces", "erofs", "interrupt"])
def test_whatever_the_disk_does_it_is_everything_or_nothing(desk: Desk, fault: str) -> None:
    for at in crash.points(desk.work, desk.reset, stride=3):
        desk.reset()

        ending = crash.fork(desk.work, at=at, fault=fault)

        if not ending.was_killed:
            assert ending.code in (*FINE_ENDS, "interrupted"), ending
        workflows.catalogue(desk.ctx)
        assert desk.state() in (desk.old, desk.new), f"{fault} at change {at}"
        ops.import_profile(desk.ctx, "both.rasenpkg", is_replacing=True)
        assert desk.state() == desk.new


@pytest.mark.requirement("PK-083", "SP-040", "SP-041")
def test_two_imports_at_once_both_end_well(desk: Desk) -> None:
    desk.reset()
    call = ("profile", "import", "both.rasenpkg", "--force", "--json")

    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: desk.world.process(*call), range(3)))

    codes = {json.loads(one.out)["status"][0]["code"] for one in results if one.code}
    assert codes <= {"workflow_registry_busy", "profile_registry_busy"}
    assert any(one.code == 0 for one in results)
    assert desk.state() == desk.new
    assert desk.left() == []
