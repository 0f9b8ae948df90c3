"""One verdict: what `validate` says of a change and what `archive` does with it agree."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from tests.support.documents import fits
from tests.support.fixtures import CHANGE
from tests.support.world import Result, World

from rasen.files.tree import tree_digest


def checked(world: World, change: str = CHANGE, *flags: str) -> dict[str, Any]:
    """The one item of `validate <change> --json`, its exit code seen to fit."""
    result = world.cli("validate", change, "--type", "change", "--json", *flags)
    document = fits("validate", result.json)
    item: dict[str, Any] = document["items"][0]
    assert (item["id"], item["type"]) == (change, "change")
    assert result.code == (0 if item["valid"] else 1)
    return item


def codes(item: dict[str, Any], level: str = "ERROR") -> list[tuple[str, int | None]]:
    """Code and line of the issues of one level, in order."""
    return [(one["code"], one.get("line")) for one in item["issues"] if one["level"] == level]


def messages(item: dict[str, Any]) -> str:
    """All messages and fixes of an item as one text."""
    return "\n".join(f"{one['message']}\n{one.get('fix', '')}" for one in item["issues"])


def assert_same_verdict(world: World, change: str = CHANGE) -> dict[str, Any]:
    """The validated item, once `archive` was seen to agree with it on a copy of the project.

    Refused: the tree stays as it was and the errors of `validate` are among archive's issues.
    """
    item = checked(world, change)
    copy = _copy_of(world)
    before = tree_digest(copy)
    result = world.cli("archive", change, "--yes", "--json", cwd=copy)
    if item["valid"]:
        assert result.code == 0, result.out
    else:
        _assert_refused(result, item)
        assert tree_digest(copy) == before
    shutil.rmtree(copy)
    return item


def archived(world: World, change: str = CHANGE) -> Result:
    """The outcome of archiving `change` for good, which must succeed."""
    result = world.cli("archive", change, "--yes", "--json")
    assert result.code == 0, result.out
    return result


def _assert_refused(result: Result, item: dict[str, Any]) -> None:
    assert result.code == 1, result.out
    document = fits("archive", result.json)
    found = {(one["code"], one.get("line")) for one in document.get("issues", [])}
    assert set(codes(item)) <= found, document


def _copy_of(world: World) -> Path:
    copy = world.base / "copy"
    shutil.copytree(world.root, copy, symlinks=True)
    return copy
