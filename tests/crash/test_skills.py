"""Killed at any change of the disk, writing skills is completed or undone by the next run."""

from __future__ import annotations

import shutil

import pytest
from tests.support import crash
from tests.support.skill_sets import Set
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.files.batch import recover

State = dict[str, tuple[str, int, bytes]]
MINE = "mine\n"
EDITED = ".codex/skills/rasen-a/SKILL.md"


def fresh(world: World) -> Set:
    """A project with files of its own, and no skills of ours."""
    shutil.rmtree(world.root)
    world.root.mkdir()
    world.write(".claude/skills/own/SKILL.md", MINE)
    world.write(".claude/settings.json", '{"model": "x"}\n')
    return Set(world)


def equipped(world: World) -> Set:
    """The same with skills, one of them edited; the texts and the selection have changed since."""
    skills = fresh(world)
    skills.write("claude", "codex")
    world.write(EDITED, MINE)
    return skills.changed(a="Newer.\n", b="Newer, too.\n").only("a", "b")


SCENES = {"fresh": fresh, "equipped": equipped}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fault", "stride"), crash.SAMPLES)
@pytest.mark.parametrize("scene", SCENES)
def test_killed_anywhere_it_is_all_or_nothing_and_the_next_run_completes(
    world: World, scene: str, fault: str, stride: int
) -> None:
    prepare = SCENES[scene]

    def write() -> object:
        return prepared.write("claude", "codex", teams=True)

    prepared = prepare(world)
    before = snapshot(world.root)
    write()
    after = snapshot(world.root)
    prepared = prepare(world)
    total = crash.fork(write).calls
    assert total > 10
    seen: set[str] = set()

    for at in range(1, total + 1, stride):
        prepared = prepare(world)
        assert crash.fork(write, at=at, fault=fault).was_killed, at

        recover(world.root / "rasen/.journal", tell=lambda _: None)
        left = snapshot(world.root)
        assert left in (before, after), at
        seen.add("before" if left == before else "after")
        write()
        assert snapshot(world.root) == after, at

    assert seen == {"before", "after"}


@pytest.mark.parametrize("fault", ["enospc", "eacces", "erofs", "interrupt"])
def test_a_refusal_of_the_disk_anywhere_leaves_everything_or_nothing(
    world: World, fault: str
) -> None:
    prepared = fresh(world)
    before = snapshot(world.root)

    def write() -> object:
        return prepared.write("claude")

    total = crash.fork(write).calls
    after = snapshot(world.root)

    for at in range(1, total + 1):
        prepared = fresh(world)
        crash.fork(write, at=at, fault=fault)

        recover(world.root / "rasen/.journal", tell=lambda _: None)
        assert snapshot(world.root) in (before, after), at


def test_a_refusal_that_passes_is_made_up_for_agent_by_agent(world: World) -> None:
    prepared = fresh(world)

    def write() -> object:
        return prepared.write("claude", "codex")

    total = crash.fork(write).calls
    after = snapshot(world.root)
    made_up = 0

    for at in range(1, total + 1, 2):
        prepared = fresh(world)
        crash.fork(write, at=at, fault="eacces")
        made_up += snapshot(world.root) == after

    assert made_up > total // 4


@pytest.mark.timeout(600)
@pytest.mark.parametrize("count", [4, pytest.param(50, marks=pytest.mark.soak)])
def test_killed_while_all_agents_get_all_skills_the_next_run_completes(
    world: World, count: int
) -> None:
    words = ["init", "--tools", "all"]
    start = world.base / "start"
    shutil.copytree(world.root, start)
    total = crash.count(words, cwd=world.root, env=world.environ())
    after = skills_of(world)
    points = [1 + (total - 1) * number // (count - 1) for number in range(count)]

    for at in points:
        shutil.rmtree(world.root)
        shutil.rmtree(world.base / "data", ignore_errors=True)
        shutil.copytree(start, world.root)
        ended = crash.run_cli(words, cwd=world.root, env=world.environ(), at=at)
        assert ended.returncode == -9, at

        result = world.cli("list", "--json")
        left = skills_of(world)
        assert not (world.root / "rasen/.journal").exists(), (at, result)
        assert left in ({}, after), at
        assert world.cli(*words).code == 0, at
        assert skills_of(world) == after, at


def skills_of(world: World) -> State:
    """Everything in the folders of agents, and the ledger."""
    found = snapshot(world.root)
    is_theirs = {key: value for key, value in found.items() if key.partition("/")[0] != "rasen"}
    ledger = found.get("rasen/.rasen-files.json")
    return is_theirs if ledger is None else {**is_theirs, "ledger": ledger}


def test_killed_while_a_home_of_the_machine_is_written_the_next_run_completes(world: World) -> None:
    """Its ledger lies with the machine's data and its files in a home that has to be made."""
    places = (world.home / ".hermes", world.data_dir)
    prepared = Set(world)

    def work() -> object:
        return prepared.write("hermes")

    def reset() -> None:
        for place in places:
            shutil.rmtree(place, ignore_errors=True)

    def ledgers() -> list[bytes]:
        return [one.read_bytes() for one in world.data_dir.rglob(".rasen-files.json")]

    work()
    after = snapshot(world.home), ledgers()
    assert len(after[1]) == 1
    for at in crash.points(work, reset):
        reset()
        assert crash.fork(work, at=at, fault="kill").was_killed, at

        work()

        assert (snapshot(world.home), ledgers()) == after, at
