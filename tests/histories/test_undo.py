"""Undoing a random history step by step gives back the exact bytes of each moment before."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random

import pytest
from tests.histories.authors import Written, write_change
from tests.histories.engine import CAPABILITY, first_spec
from tests.support.archiving import Days
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.files.tree import tree_digest
from rasen.planning.archive import ops
from rasen.planning.archive.model import Request
from rasen.planning.archive.sync import sync
from rasen.planning.archive.undo import UndoRequest, undo
from rasen.roots.model import RootRequest
from rasen.roots.ops import select

SHORT, LONG = 20, 1_500
SPEC = f"rasen/specs/{CAPABILITY}/spec.md"


def live_and_undo(world: World, seed: int) -> Counter[str]:
    """Archive and sync changes of several authors, then take everything back; what was done."""
    rng = Random(seed)
    _reset(world, first_spec(rng))
    world.clock = Days()  # type: ignore[assignment]
    moments: list[str] = []
    came: Counter[str] = Counter()
    seen = [_text(world)]
    for number in range(rng.randint(2, 5)):
        name = f"{rng.choice('abc')}{number}"
        _write(world, name, write_change(rng, name, rng.choice(seen)))
        for kind in rng.choice([("archive",), ("sync",), ("sync", "archive"), ("sync", "sync")]):
            before = tree_digest(world.root)
            outcome = _attempt(world, name, kind)
            came[outcome] += 1
            if outcome == "refused":
                assert tree_digest(world.root) == before
                break
            if outcome != "nothing":
                moments.append(before)
        seen.append(_text(world))
    _take_back(world, moments)
    return came


def _attempt(world: World, name: str, kind: str) -> str:
    """Archive or sync a change; `kind`, or what came of it instead."""
    ctx = world.context()
    root = select(ctx, RootRequest())
    try:
        if kind == "archive":
            ops.archive(ctx, root, Request(name, yes=True))
        elif not sync(ctx, root, Request(name, yes=True, is_sync=True)).updates:
            return "nothing"
    except ToolError as problem:
        if not problem.code.startswith("archive_"):
            raise
        return "refused"
    return kind


def _take_back(world: World, moments: list[str]) -> None:
    """Undo the last step as long as there is one; folders of later changes are left aside."""
    ctx = world.context()
    root = select(ctx, RootRequest())
    for before in reversed(moments):
        undone = undo(ctx, root, UndoRequest(yes=True))
        _drop_later(world, undone.change)
        assert tree_digest(world.root) == before


def _drop_later(world: World, change: str) -> None:
    """Delete the open changes that were written after `change`; the number in the name says when."""
    for folder in world.path("rasen/changes").iterdir():
        if folder.name[1:].isdigit() and int(folder.name[1:]) > int(change[1:]):
            shutil.rmtree(folder)


def _reset(world: World, text: str | None) -> None:
    shutil.rmtree(world.root)
    world.root.mkdir()
    world.workspace()
    if text is not None:
        world.write(SPEC, text)


def _text(world: World) -> str | None:
    return world.read(SPEC) if world.path(SPEC).exists() else None


def _write(world: World, name: str, change: Written) -> None:
    folder = f"rasen/changes/{name}"
    world.write(f"{folder}/specs/{CAPABILITY}/spec.md", change.delta)
    world.write(f"{folder}/tasks.md", "- [ ] 1.1 open\n")
    if change.base is None:
        world.write(f"{folder}/.base/{CAPABILITY}/.absent", "There was no such spec.\n")
    else:
        world.write(f"{folder}/.base/{CAPABILITY}/spec.md", change.base)


def _run(world: World, seeds: range) -> Counter[str]:
    came: Counter[str] = Counter()
    for seed in seeds:
        try:
            came += live_and_undo(world, seed)
        except AssertionError as error:
            raise AssertionError(f"history {seed}") from error
    return came


def test_random_histories_are_undone_to_the_byte(world: World) -> None:
    came = _run(world, range(SHORT))

    assert min(came["archive"], came["sync"]) > SHORT / 2, came


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_random_histories_are_undone_to_the_byte(world: World) -> None:
    came = _run(world, range(SHORT, SHORT + LONG))

    assert min(came["archive"], came["sync"]) > LONG / 2, came
