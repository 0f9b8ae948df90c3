"""Random workspaces whose archive dies at random moments: what is there wholly, or not at all."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random

import pytest
from tests.histories.authors import write_change
from tests.histories.engine import first_spec
from tests.support import crash
from tests.support.world import CountedIds, World

from rasen.base.errors import ToolError
from rasen.files.tree import tree_digest
from rasen.planning.archive import ops
from rasen.planning.archive.model import Request
from rasen.roots.model import RootRequest
from rasen.roots.ops import select

SHORT, LONG, KILLS = 3, 400, 6
CAPABILITIES = ("canal", "canal/locks", "桥梁", "tolls")
NAME = "change"


def die_at_random(world: World, seed: int) -> Counter[str]:
    """Kill the archive of one random change at some moments; in which state the disk was found."""
    rng = Random(seed)
    untouched = world.base / "untouched"
    _make(world, rng)
    if untouched.exists():
        shutil.rmtree(untouched)
    shutil.copytree(world.root, untouched)
    old = tree_digest(world.root)
    refusal = _refusal(world)
    if refusal is not None:
        assert refusal.startswith("archive_")
        assert tree_digest(world.root) == old
        return Counter(refused=1)
    new = tree_digest(world.root)

    def reset() -> None:
        shutil.rmtree(world.root)
        shutil.copytree(untouched, world.root)

    found: Counter[str] = Counter()
    moments = crash.points(lambda: archive(world), reset)
    for at in rng.sample(moments, min(KILLS, len(moments))):
        reset()
        assert crash.fork(lambda: archive(world), at=at, fault=rng.choice(["kill", "torn"]))
        recovered = world.cli("list", "--json")
        assert recovered.code == 0, recovered.out
        after = tree_digest(world.root)
        assert after in (old, new), f"killed at change {at}"
        if after == old:
            archive(world)
            assert tree_digest(world.root) == new
        found["old" if after == old else "new"] += 1
    return found


def archive(world: World) -> None:
    world.ids = CountedIds()  # every run gives its journal the same identity
    ctx = world.context()
    ops.archive(ctx, select(ctx, RootRequest()), Request(NAME, yes=True))


def _refusal(world: World) -> str | None:
    """The code with which the archive refuses; None when it goes through."""
    try:
        archive(world)
    except ToolError as problem:
        return problem.code
    return None


def _make(world: World, rng: Random) -> None:
    shutil.rmtree(world.root)
    world.root.mkdir()
    world.workspace()
    world.write(f"rasen/changes/{NAME}/tasks.md", "- [x] 1.1 done\n")
    if rng.random() < 0.3:
        world.write(f"rasen/changes/{NAME}/code-review.md", "Findings: 2\n")
        world.write(f"rasen/changes/{NAME}/.openspec.yaml", "schema: spec-driven\n")
    for number, capability in enumerate(rng.sample(CAPABILITIES, rng.randint(1, 3))):
        base = first_spec(rng)
        written = write_change(rng, f"a{number}", base)
        folder = f"rasen/changes/{NAME}"
        world.write(f"{folder}/specs/{capability}/spec.md", written.delta)
        if base is not None:
            world.write(f"rasen/specs/{capability}/spec.md", base)
            world.write(f"{folder}/.base/{capability}/spec.md", base)


def _run(world: World, seeds: range) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        try:
            found += die_at_random(world, seed)
        except AssertionError as error:
            raise AssertionError(f"workspace {seed}") from error
    return found


def test_a_random_archive_that_dies_is_there_wholly_or_not_at_all(world: World) -> None:
    assert _run(world, range(SHORT)).total() > SHORT


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_random_archives_that_die_are_there_wholly_or_not_at_all(world: World) -> None:
    found = _run(world, range(SHORT, SHORT + LONG))

    assert min(found["old"], found["new"]) > LONG / 4, found
