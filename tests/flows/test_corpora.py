"""Every read command on real workspaces: an answer in form, never a traceback, nothing written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.corpora import IN_PLACE, MIGRATED, NAMES, settled, unpacked
from tests.support.documents import fits
from tests.support.source import rules
from tests.support.world import Result, World

from rasen.files.tree import tree_digest

CASES = [(name, layout) for name in NAMES for layout in (IN_PLACE, MIGRATED)]
REPLAYS = ("replay-custom-schemas", "replay-modulus-zh", "replay-openspec-self")


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> World:
    """A real workspace; the tests of this module only read it."""
    name, layout = request.param
    return settled(name, tmp_path_factory.mktemp(f"{name}-{layout}"), layout)


@pytest.fixture
def real(corpus: World) -> Any:
    """The same, held against its state before the test."""
    before = tree_digest(corpus.base)
    yield corpus
    assert tree_digest(corpus.base) == before


def answered(world: World, schema: str, *words: str) -> Any:
    """The document of a call, seen to fit its schema, with the exit code that belongs to it."""
    result = world.cli(*words, "--json")
    _without_crash(result)
    document = fits(schema, result.json)
    if schema == "validate" and "items" in document:
        expected = int(not all(item["valid"] for item in document["items"]))
    else:
        failures = document.get("status", []) if isinstance(document, dict) else []
        expected = int(any(one["severity"] == "error" for one in failures))
    assert result.code == expected, words
    return document


def told(world: World, *words: str) -> Result:
    """The text of a call; whatever it says, it says it in form."""
    result = world.cli(*words)
    _without_crash(result)
    assert result.code in (0, 1)
    return result


def _without_crash(result: Result) -> None:
    assert "Traceback" not in result.err
    assert "a bug in rasen" not in result.out
    assert "crash-reports" not in result.err


def changes(world: World) -> list[str]:
    return [row["name"] for row in answered(world, "list", "list")["changes"]]


def specs(world: World) -> list[str]:
    return [row["id"] for row in answered(world, "list-specs", "list", "--specs")["specs"]]


def test_lists(real: World) -> None:
    assert specs(real) or changes(real)
    answered(real, "list", "list", "--sort", "name")
    for flags in ((), ("--long",), ("--specs",), ("--specs", "--long")):
        assert told(real, "list", *flags).code == 0


def test_view(real: World) -> None:
    summary = answered(real, "view", "view")["summary"]

    assert summary["specs"] == len(specs(real))
    assert summary["draft"] + summary["active"] + summary["completed"] == len(changes(real))
    assert told(real, "view").code == 0


def test_validate_all_and_one_by_one_agree(real: World) -> None:
    items = answered(real, "validate", "validate", "--all")["items"]

    for item in items:
        words = ("validate", item["id"], "--type", item["type"])
        (alone,) = answered(real, "validate", *words)["items"]
        assert {**alone, "durationMs": 0} == {**_by_itself(item), "durationMs": 0}
    told(real, "validate", "--all")
    answered(real, "validate", "validate", "--all", "--strict")


def _by_itself(item: Any) -> Any:
    """A report without what only a run over all changes can know."""
    issues = [one for one in item["issues"] if not one["code"].startswith("change_overlap")]
    return {**item, "issues": issues}


def test_changes_are_explained_and_compared(real: World) -> None:
    for name in changes(real):
        files = answered(real, "explain", "explain", name)["files"]
        assert all(line["fate"] for file in files for line in file["lines"])
        answered(real, "diff", "diff", name)
        told(real, "explain", name)
        told(real, "diff", name)
        told(real, "diff", name, "--unified")


def test_overlaps(real: World) -> None:
    document = answered(real, "overlap", "overlap", "--branches", "--worktrees")

    assert document["considered"] <= len(changes(real))
    told(real, "overlap")


def test_every_finding_comes_from_a_rule(real: World) -> None:
    known = {rule.code for rule in rules()}

    for item in answered(real, "validate", "validate", "--all")["items"]:
        for issue in item["issues"]:
            assert issue["code"] in known
            assert issue["message"].strip()


def test_show(real: World) -> None:
    for name in changes(real):
        answered(real, "show-change", "show", name, "--type", "change")
        told(real, "show", name, "--type", "change")
    for name in specs(real):
        answered(real, "show-spec", "show", name, "--type", "spec")
        answered(real, "show-spec", "show", name, "--type", "spec", "--requirements")
        told(real, "show", name, "--type", "spec")


def test_status(real: World) -> None:
    answered(real, "status", "status")
    for name in changes(real):
        answered(real, "status", "status", "--change", name)
        told(real, "status", "--change", name)


def test_instructions(real: World) -> None:
    for name in changes(real):
        status = answered(real, "status", "status", "--change", name)
        for artifact in status.get("artifacts", []):
            words = ("instructions", artifact["id"], "--change", name)
            answered(real, "instructions", *words)
            told(real, *words)
        answered(real, "instructions-apply", "instructions", "apply", "--change", name)
        told(real, "instructions", "apply", "--change", name)


def test_tasks(real: World) -> None:
    listed = answered(real, "list", "list")["changes"]

    for row in listed:
        document = answered(real, "task-list", "task", "list", row["name"])
        progress = document["progress"]
        assert (progress["done"], progress["total"]) == (row["completedTasks"], row["totalTasks"])


def test_schemas_and_settings(real: World) -> None:
    schemas = answered(real, "schemas", "schemas")
    answered(real, "templates", "templates")
    answered(real, "schema-which", "schema", "which", "--all")
    for one in schemas:
        answered(real, "schema-validate", "schema", "validate", one["name"])
    for words in (("schemas",), ("templates",), ("config", "list"), ("config", "path")):
        told(real, *words)


@pytest.mark.parametrize("name", REPLAYS)
def test_every_moment_of_a_history_can_be_read(name: str, tmp_path: Any) -> None:
    folder = unpacked(name, tmp_path / "unpacked")
    (tmp_path / "world").mkdir()
    world = World(tmp_path / "world")
    world.env["RASEN_WORKSPACE"] = "openspec"

    for moment in sorted(path for path in folder.iterdir() if path.is_dir()):
        world.root = moment / "ws"
        change = json.loads((moment / "case.json").read_text())["change"]
        answered(world, "list", "list")
        answered(world, "validate", "validate", "--all")
        answered(world, "show-change", "show", change, "--type", "change")
        answered(world, "status", "status", "--change", change)
        answered(world, "explain", "explain", change)
        answered(world, "diff", "diff", change)
        answered(world, "overlap", "overlap", change)
