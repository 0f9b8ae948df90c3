"""What a command tells you to run on a selected store can be pasted where you stand, and works."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.fixtures import ADDED, CHANGE, PROPOSAL, S1, TASKS
from tests.support.stores import Stores
from tests.support.team import write
from tests.support.world import Result, World

from rasen.roots.model import Root
from rasen.surfaces.cli.pasteable import selecting, takes_selection

UID = "0b0e1d52-1111-4222-8333-444455556666"
TWIN = UID.replace("0b", "1b")
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
_CALL = re.compile(r"[`'](rasen [^`'\n]+)[`']|(?:^|: |then )(rasen [^`'\n]+)$", re.M)
_LOST = {
    "no_root_with_registered_stores", "no_openspec_root", "unknown_store", "store_alias_ambiguous",
}  # fmt: skip
MODIFIED = ADDED.replace("ADDED", "MODIFIED")
SAME = "## ADDED Requirements\n" + S1.partition("## Requirements\n")[2]


def _planned(root: Path) -> None:
    """Everything that commands have something to say about."""
    write(root, "rasen/specs/lending/spec.md", S1)
    for name, delta in ((CHANGE, ADDED), ("gone", MODIFIED), ("twin", ADDED), ("late", SAME)):
        write(root, f"rasen/changes/{name}/proposal.md", PROPOSAL)
        write(root, f"rasen/changes/{name}/tasks.md", TASKS)
        write(root, f"rasen/changes/{name}/specs/lending/spec.md", delta)
    write(root, "rasen/changes/empty/.openspec.yaml", "schema: spec-driven\n")
    write(root, "rasen/changes/noted/.openspec.yaml", "schema: spec-driven\nlane: note\n")
    write(root, "rasen/changes/noted/proposal.md", PROPOSAL)
    write(root, "rasen/changes/noted/specs/lending/spec.md", ADDED)
    write(root, f"rasen/changes/{CHANGE}/handoff.md", "x\n")
    write(root, "rasen/specs/broken/spec.md", "# broken\n")
    write(root, "rasen/config.yaml", f"schema: spec-driven\nprojectId: {PROJECT_ID}\n")


@pytest.fixture
def word(world: World, request: pytest.FixtureRequest) -> str:
    """What selects the store: its name, or, where two share it, its identity."""
    stores = Stores(world)
    root = stores.checkout("team", metadata=f"version: 2\nuid: {UID}\nid: team\n")
    _planned(root)
    stores.register("team", root, uid=UID)
    if request.param == "team":
        return "team"
    other = stores.checkout("other", metadata=f"version: 2\nuid: {TWIN}\nid: team\n")
    stores.register("team", other, uid=TWIN)
    return UID


CALLS = [
    ("validate", "--all"), ("validate", "--all", "--strict"), ("validate", "gone"),
    ("validate", "broken", "--type", "spec"), ("validate", "nothing"),
    ("archive", "gone", "--yes"), ("archive", "nothing", "--yes"), ("archive",), ("archive", CHANGE),
    ("archive", "late", "--yes"), ("archive", "empty", "--yes"),
    ("sync",), ("sync", "nothing"), ("sync", "gone", "--yes"), ("sync", CHANGE, "--yes"),
    ("show", "nothing"), ("show", "empty"), ("show", CHANGE),
    ("status", "--change", "nothing"), ("status", "--change", "noted"), ("status",),
    ("instructions",), ("instructions", "nothing", "--change", CHANGE),
    ("instructions", "apply", "--change", "empty"), ("instructions", "tasks", "--change", "empty"),
    ("new", "change", CHANGE), ("new", "change", "fresh"), ("new", "change", "Bad Name"),
    ("change", "base", CHANGE), ("change", "base", "gone", "--rebase"),
    ("change", "base", "nothing", "--record"), ("change", "lane", "noted"),
    ("change", "lane", CHANGE, "note"), ("change", "lane", CHANGE),
    ("diff", "gone"), ("diff", "nothing"), ("explain", "gone"), ("explain", "nothing"),
    ("overlap",), ("overlap", CHANGE), ("history", "nothing"), ("history", "lending"),
    ("undo",), ("list",), ("list", "--specs"), ("view",), ("doctor",), ("context",),
    ("task", "list", "nothing"), ("task", "done", CHANGE, "99"), ("task", "list", CHANGE),
    ("work", "migrate", "--change", "nothing"), ("pipeline", "show", "nothing"),
    ("pipeline", "validate", "nothing"), ("session", "start"),
]  # fmt: skip


@pytest.mark.parametrize("word", ["team", "shared name"], indirect=True)
@pytest.mark.parametrize("form", [["--json"], []], ids=["json", "human"])
def test_every_call_that_is_told_selects_the_store_and_works(
    world: World, word: str, form: list[str]
) -> None:
    kept = world.base.with_name(f"{world.base.name}-kept")
    shutil.copytree(world.base, kept, symlinks=True)
    told: set[str] = set()

    for words in CALLS:
        result = world.cli(*words, "--store", word, *form)
        told |= {_plain(call) for call in _calls(result, is_json=bool(form))}
        _put_back(world, kept)

    assert len(told) > 12
    assert sorted(call for call in told if _lacks_selection(call, word)) == []
    for call in sorted(told):
        if "<" in call or call.startswith(("rasen init", "rasen store")):
            continue
        again = world.cli(*shlex.split(call)[1:], "--json")
        assert "Usage" not in again.out + again.err, (call, again.out)
        assert not _LOST & _codes(again), call
        _put_back(world, kept)


@pytest.mark.parametrize(
    ("step", "source", "expected"),
    [
        ("run `rasen list`", "store", "run `rasen list --store team`"),
        (
            "run 'rasen list' or 'rasen init'",
            "store",
            "run 'rasen list --store team' or 'rasen init'",
        ),
        ("go on: rasen status --change a", "store", "go on: rasen status --change a --store team"),
        ("run `rasen list --project x`", "store", "run `rasen list --project x`"),
        ("run 'rasen doctor --fix'", "declared", "run 'rasen doctor --fix'"),
        ("run 'rasen doctor --fix'", "store", "run 'rasen doctor --fix --store team'"),
        ("run 'rasen store list'", "store", "run 'rasen store list'"),
        ("the rasen list of things", "store", "the rasen list of things"),
    ],
)
def test_only_calls_are_given_the_selection(step: str, source: str, expected: str) -> None:
    assert selecting(step, Root(Path("/x"), source, "rasen", "team")) == expected
    assert selecting(step, Root(Path("/x"), "nearest", "rasen")) == step


def _calls(result: Result, *, is_json: bool) -> Iterator[str]:
    """Every call that a document or a text tells to run."""
    texts = _steps(result.json) if is_json else iter([result.out + result.err])
    for text in texts:
        yield from (one or other for one, other in _CALL.findall(text))


def _steps(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _steps(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _steps(inner, key)
    elif isinstance(value, str) and key in ("fix", "message", "nextSteps", "command"):
        yield value


def _plain(call: str) -> str:
    return call.strip().rstrip(".;,")


def _lacks_selection(call: str, word: str) -> bool:
    words = shlex.split(call)[1:]
    takes = takes_selection(" ".join(words[:2])) or takes_selection(words[0])
    return takes and f"--store {word}" not in call


def _codes(result: Result) -> set[str]:
    try:
        return {one["code"] for one in result.json.get("status", []) if isinstance(one, dict)}
    except (ValueError, AttributeError):
        return set()


def _put_back(world: World, kept: Path) -> None:
    for path in world.base.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(kept, world.base, symlinks=True, dirs_exist_ok=True)
