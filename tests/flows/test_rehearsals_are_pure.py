"""No rehearsal changes a byte: of the project, the store, its remote, the data and settings folders."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from tests.flows.test_reads_are_pure import ASK_GIT, READS
from tests.support.fixtures import CHANGE, base_spec, change
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.surfaces import table

DRY = "--dry-run"
REHEARSALS = [
    ("archive", CHANGE, "--yes", DRY),
    ("archive", "relocate", "--to", "external", DRY),
    ("init", DRY),
    ("store", "add-project", ".", "--to", "other", DRY),
    ("store", "adopt", ".", "--to", "team", DRY),
    ("store", "migrate-membership", "team", DRY),
    ("store", "sync", "team", DRY),
    ("store", "upgrade-identity", "team", DRY),
    ("undo", "--yes", DRY),
    ("uninstall", DRY),
    ("update", DRY),
    ("validate", "--all", "--fix", DRY),
    ("work", "migrate", DRY),
]
PLANS = [
    ("store", "migrate-membership", "team"),
    ("store", "upgrade-identity", "team"),
    ("workset", "list"),
    ("outdated",),
    ("package", "inspect", "none.rasenpkg"),
]
"""Those that change nothing until they are told to, and reads that end in a refusal here."""
ELSEWHERE = {
    "config ui": "says one line",
    "workflow diff": "tests/flows/test_workflow.py",
    "workflow validate": "tests/flows/test_workflow.py",
}


@pytest.fixture
def place(world: World) -> World:
    """A project in two stores with skills of an agent, an archived change and an open one."""
    base_spec(world)
    change(world)
    hub = world.base / "hub.git"
    world.git("init", "-q", "--bare", str(hub), cwd=world.base)
    for name in ("team", "other"):
        root = world.base / name
        assert world.cli("store", "setup", name, "--path", str(root), "--no-init-git").code == 0
        world.git("init", "-q", cwd=root)
        _commit(world, root)
    team = world.base / "team"
    world.git("remote", "add", "origin", str(hub), cwd=team)
    world.git("push", "-q", "-u", "origin", "HEAD", cwd=team)
    world.git("init", "-q")
    assert world.cli("init", "--tools", "claude").code == 0
    assert world.cli("store", "add-project", ".", "--to", "team").code == 0
    assert world.cli("new", "change", "earlier").code == 0
    assert world.cli("archive", "earlier", "--yes").code == 0
    for root in (world.root, team):
        _commit(world, root)
    return world


def _commit(world: World, root: Path) -> None:
    world.git("add", "-A", cwd=root)
    world.git("commit", "-qm", "all", cwd=root)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("words", REHEARSALS, ids=" ".join)
def test_a_rehearsal_changes_nothing(place: World, words: tuple[str, ...], form: str) -> None:
    before = snapshot(place.base)

    result = place.cli(*words, *(("--json",) if form == "json" else ()))

    assert result.code == 0, result.out + result.err
    assert snapshot(place.base) == before


@pytest.mark.parametrize("words", PLANS, ids=" ".join)
def test_a_plan_and_a_refused_read_change_nothing(place: World, words: tuple[str, ...]) -> None:
    before = snapshot(place.base)

    place.cli(*words, "--json")

    assert snapshot(place.base) == before


def test_every_read_and_every_rehearsal_is_tried() -> None:
    tried = {row.name for words in [*READS, *ASK_GIT, *REHEARSALS, *PLANS] for row in _rows(words)}
    reads = {row.name for row in table.OPERATIONS if row.effect is table.Effect.READS}
    rehearsed = {row.name for words in REHEARSALS for row in _rows(words)}

    assert sorted(reads - tried - set(ELSEWHERE)) == []
    assert {row.name for row in table.OPERATIONS if _can_rehearse(row)} == rehearsed


def _rows(words: tuple[str, ...]) -> list[table.Operation]:
    """The longest row that the words of a call begin with."""
    names = [" ".join(words[:count]) for count in (2, 1)]
    return [row for name in names if (row := table.find(name)) is not None][:1]


def _can_rehearse(row: table.Operation) -> bool:
    command = table.resolve(row.command)
    return any(isinstance(one, click.Option) and DRY in one.opts for one in command.params)
