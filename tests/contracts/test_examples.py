"""The example workspaces are what the documentation says about them, and valid by our own rules."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.support.world import World

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OURS = EXAMPLES / "harbour-bikes"
THEIRS = EXAMPLES / "harbour-bikes-openspec"


@pytest.fixture
def bikes(world: World) -> World:
    shutil.copytree(OURS, world.root, dirs_exist_ok=True)
    return world


def test_both_examples_hold_the_same_bytes() -> None:
    trees = [
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (OURS / "rasen", THEIRS / "openspec")
    ]

    assert trees[0] == trees[1]


def test_the_example_is_as_large_as_promised(bikes: World) -> None:
    specs = bikes.cli("list", "--specs", "--json").json["specs"]
    changes = bikes.cli("list", "--json").json["changes"]
    archived = list((OURS / "rasen" / "changes" / "archive").iterdir())

    assert len(specs) >= 6
    assert sum(spec["requirementCount"] for spec in specs) >= 25
    assert len(changes) == 3
    assert len(archived) == 4


def test_everything_in_the_example_is_strictly_valid(bikes: World) -> None:
    report = bikes.cli("validate", "--all", "--strict", "--json")

    assert report.code == 0, report.out
    issues = [issue for item in report.json["items"] for issue in item["issues"]]
    assert [issue for issue in issues if issue["level"] != "INFO"] == []


@pytest.mark.parametrize("change", ["hold-a-bike", "one-statement-a-month", "add-group-pass"])
def test_every_open_change_of_the_example_can_be_archived(bikes: World, change: str) -> None:
    result = bikes.cli("archive", change, "--yes", "--json")

    assert result.code == 0, result.out
    report = bikes.cli("validate", "--all", "--strict", "--json")
    assert report.code == 0, report.out


def test_one_spec_has_windows_line_endings_only() -> None:
    crlf = [path for path in OURS.rglob("*.md") if b"\r\n" in path.read_bytes()]

    assert [path.parent.name for path in crlf] == ["maintenance"]
    assert not re.search(rb"[^\r]\n", crlf[0].read_bytes())


def test_one_open_change_is_in_chinese() -> None:
    texts = sorted((OURS / "rasen" / "changes" / "add-group-pass").rglob("spec.md"))

    assert len(texts) == 2
    assert all("必须" in path.read_text(encoding="utf-8") for path in texts)
