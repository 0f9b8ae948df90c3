"""A store has several checkouts: every command works in a clone, in a linked work tree, and by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support.desks import Desk, Desks, desks
from tests.support.snapshot import snapshot
from tests.support.world import World

CHANGE = "bells"
DELTA = (
    "## ADDED Requirements\n\n### Requirement: Bell\nThe service SHALL sell bells.\n\n"
    "#### Scenario: Usual\n- **WHEN** a bell is asked for\n- **THEN** it is sold\n"
)
READS = [
    ("list",),
    ("list", "--specs"),
    ("view",),
    ("show", "rental"),
    ("show", CHANGE),
    ("validate", "--all"),
    ("status", "--change", CHANGE),
    ("instructions", "design", "--change", CHANGE),
    ("instructions", "apply", "--change", CHANGE),
    ("task", "list", CHANGE),
    ("explain", CHANGE),
    ("diff", CHANGE),
    ("overlap",),
    ("history", "rental"),
    ("change", "base", CHANGE),
    ("templates",),
    ("schemas",),
    ("archive", CHANGE, "--yes", "--dry-run"),
]


@pytest.fixture
def two(world: World) -> Desks:
    both = desks(world)
    both.ada.commit({f"rasen/changes/{CHANGE}/specs/rental/spec.md": DELTA})
    assert both.ada.sync().code == 0
    assert both.bea.sync().code == 0
    return both


def linked(desk: Desk) -> Path:
    """A linked work tree of the checkout, on a branch of its own."""
    place = desk.root.parent / "linked"
    desk.git("worktree", "add", "-q", "-b", "linked", str(place), "--track", "origin/main")
    return place


def plain(answer: Any, *roots: Path) -> Any:
    """An answer without what differs from run to run: places, and times of files."""
    if isinstance(answer, dict):
        return {
            key: plain(value, *roots)
            for key, value in answer.items()
            if key not in ("lastModified", "durationMs", "duration_ms")
        }
    if isinstance(answer, list):
        return [plain(one, *roots) for one in answer]
    if isinstance(answer, str):
        for root in roots:
            answer = answer.replace(str(root), "<root>")
    return answer


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_reads_answer_alike_in_a_linked_work_tree(two: Desks, words: tuple[str, ...]) -> None:
    place = linked(two.bea)
    before = snapshot(place)

    here = two.bea.cli(*words, "--json")
    there = two.bea.cli(*words, "--json", cwd=place)

    assert (there.code, plain(there.json, place)) == (here.code, plain(here.json, two.bea.root))
    assert snapshot(place) == before


@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_reads_by_name_use_the_checkout_that_is_registered(
    two: Desks, world: World, words: tuple[str, ...]
) -> None:
    place = linked(two.bea)
    direct = two.bea.cli(*words, "--json", "--store", "team", cwd=world.root)
    two.bea.register(place)

    result = two.bea.cli(*words, "--json", "--store", "team", cwd=world.root)

    assert (result.code, plain(result.json, place)) == (
        direct.code,
        plain(direct.json, two.bea.root),
    )
    root = result.json.get("root") or result.json.get("actionContext", {}).get("root")
    if isinstance(root, dict):
        assert root["path"] == str(place)


def test_work_in_a_linked_work_tree_leaves_the_other_alone(two: Desks) -> None:
    place = linked(two.bea)
    before = snapshot(two.bea.root, without=(".git",))

    for words in (
        ("new", "change", "more-bells"),
        ("task", "done", CHANGE, "1.1"),
        ("sync", CHANGE, "--yes"),
        ("archive", CHANGE, "--yes"),
        ("undo", "--yes"),
    ):
        result = two.bea.cli(*words, "--json", cwd=place)
        assert result.code == 0, (words, result.out, result.err)

    assert (place / "rasen/changes/more-bells").is_dir()
    assert snapshot(two.bea.root, without=(".git",)) == before


def test_two_checkouts_of_one_machine_meet_through_the_remote(two: Desks) -> None:
    place = linked(two.bea)
    second = Desk(two.bea.world, "bea", place, two.bea.env)
    assert two.bea.cli("task", "done", CHANGE, "1.1", "--json").code == 0
    two.bea.git("commit", "-qam", "Done here")
    assert two.bea.sync().code == 0
    assert second.cli("task", "done", CHANGE, "1.2", "--json").code == 0
    second.git("commit", "-qam", "Done there")
    second.register(place)

    result = second.sync()

    assert result.code == 0, result.out
    assert result.json["store"]["root"] == str(place)
    assert result.json["merged"] == [{"file": f"rasen/changes/{CHANGE}/tasks.md", "how": "tasks"}]
    second.register(two.bea.root)
    assert two.bea.sync().json["outcome"] == "fast-forwarded"
    assert two.bea.cli("task", "list", CHANGE, "--json").json["progress"]["done"] == 2
    assert two.ada.sync().code == 0
    assert two.ada.cli("task", "list", CHANGE, "--json").json["progress"]["done"] == 2


def test_one_checkout_is_registered_at_a_time(two: Desks) -> None:
    place = linked(two.bea)

    refused = two.bea.cli("store", "register", str(place), "--yes", "--json")
    assert refused.error == "store_id_conflict"
    assert str(two.bea.root) in refused.json["status"][0]["message"]

    assert two.bea.cli("store", "unregister", "team", "--json").code == 0
    assert two.bea.cli("store", "register", str(place), "--yes", "--json").code == 0
    assert two.bea.sync().json["store"]["root"] == str(place)
