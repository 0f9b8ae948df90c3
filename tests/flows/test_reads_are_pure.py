"""No read changes a byte: of the workspace, of the home, of the data and settings folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.fixtures import CHANGE, FOLDER, base_spec, change
from tests.support.snapshot import snapshot
from tests.support.stores import Stores
from tests.support.unprivileged import as_nobody
from tests.support.world import World

from rasen.files.tree import tree_digest

EXAMPLE = Path(__file__).parents[2] / "examples" / "harbour-bikes"
READS = [
    ("list",),
    ("list", "--long", "--sort", "name"),
    ("list", "--specs"),
    ("list", "--specs", "--long"),
    ("view",),
    ("show", CHANGE),
    ("show", "lending"),
    ("show", "lending", "-r", "1"),
    ("show", "lending", "--at", "2026-01-31"),
    ("history", "lending"),
    ("validate", "--all"),
    ("validate", "--all", "--strict"),
    ("validate", "--all", "--fix", "--dry-run"),
    ("validate", CHANGE),
    ("validate", "lending"),
    ("status", "--change", CHANGE),
    ("instructions", "design", "--change", CHANGE),
    ("instructions", "apply", "--change", CHANGE),
    ("task", "list", CHANGE),
    ("explain", CHANGE),
    ("diff", CHANGE),
    ("diff", CHANGE, "--unified"),
    ("overlap",),
    ("overlap", CHANGE),
    ("templates",),
    ("schemas",),
    ("schema", "which", "--all"),
    ("schema", "which", "spec-driven"),
    ("schema", "validate", "spec-driven"),
    ("store", "list"),
    ("store", "doctor"),
    ("doctor",),
    ("doctor", "--store", "team"),
    ("context",),
    ("session", "show"),
    ("session", "check", "--frozen", "planning-only"),
    ("work", "migrate", "--dry-run"),
    ("workset", "list"),
    ("store", "ls"),
    ("change", "lane", CHANGE),
    ("footprint",),
    ("budget",),
    ("pipeline", "list"),
    ("pipeline", "show", "bug-fix"),
    ("pipeline", "validate", "bug-fix"),
    ("pipeline", "classify", "correct the due date"),
    ("profile", "list"),
    ("workflow", "list"),
    ("workflow", "show", "propose"),
    ("workflow", "which", "propose"),
    ("config", "path"),
    ("config", "list"),
    ("config", "get", "language"),
    ("completion", "generate", "bash"),
    ("__complete", "changes"),
    ("--help",),
    ("--version",),
    ("show", "nothing"),
    ("validate", "nothing"),
]

ASK_GIT: list[tuple[str, ...]] = [
    ("overlap", "--branches", "--worktrees"),
    ("change", "base", CHANGE),
]
"""Git tells nothing to another user than the owner of the repository; so these are not asked as one."""


def _takes_no(form: str, words: tuple[str, ...]) -> bool:
    """True for the calls that have no --json."""
    plain = ("completion", "__complete", "--help", "--version", "path", "get")
    return form == "json" and any(word in plain for word in words)


@pytest.fixture
def place(world: World) -> World:
    """A project under git with settings, an identity, a registered store and a reference to it."""
    base_spec(world)
    change(world)
    world.write(f"{FOLDER}/.openspec.yaml", "schema: spec-driven\ncreated: 2026-01-31\n")
    world.write(
        "rasen/config.yaml",
        "schema: spec-driven\nprojectId: 6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d\nreferences: [team]\n",
    )
    stores = Stores(world)
    root = stores.checkout("team")
    stores.spec(root, "fines", "# fines Specification\n\n## Purpose\nFines.\n")
    stores.register("team", root)
    world.config_dir.mkdir(parents=True)
    (world.config_dir / "config.json").write_text('{"language": "en"}\n')
    world.git("init", "-q")
    world.git("add", ".")
    world.git("commit", "-qm", "one")
    return world


@pytest.mark.parametrize("words", READS + ASK_GIT, ids=" ".join)
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_read_changes_nothing(place: World, words: tuple[str, ...], form: str) -> None:
    before = snapshot(place.base)

    result = place.cli(*words, *(("--json",) if form == "json" else ()))

    assert snapshot(place.base) == before
    assert result.code == (1 if "nothing" in words or _takes_no(form, words) else 0)


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_a_read_works_where_nothing_can_be_written(place: World, words: tuple[str, ...]) -> None:
    open_answer = place.cli(*words)
    before = snapshot(place.base)

    def read() -> None:
        locked = place.cli(*words)
        assert (locked.code, locked.out, locked.err) == (
            open_answer.code,
            open_answer.out,
            open_answer.err,
        )

    ending = as_nobody(read, place.base)

    assert (ending.was_killed, ending.calls, ending.code) == (False, 0, "")
    assert snapshot(place.base) == before


def test_reads_of_the_example_leave_it_as_it_is(world: World) -> None:
    shutil.copytree(EXAMPLE, world.root, dirs_exist_ok=True)
    before = tree_digest(world.base)

    for words in (("list",), ("view",), ("validate", "--all"), ("status",), ("schemas",)):
        world.process(*words, "--json")
        world.process(*words)

    assert tree_digest(world.base) == before


def test_a_read_outside_a_workspace_makes_none(world: World) -> None:
    before = tree_digest(world.base)

    for words in (("list",), ("view",), ("validate", "--all"), ("status",), ("config", "list")):
        world.cli(*words)

    assert tree_digest(world.base) == before
