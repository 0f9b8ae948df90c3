"""Five schemas that others wrote, with their templates, as they stood."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.world import World

CORPORA = Path(__file__).parents[2].parent / "shared" / "corpora"
ARCHIVE = CORPORA / "custom-schemas.tar.xz"
NAMES = [
    "behaviour-driven", "event-driven", "intent-driven", "minimalist", "spec-driven-with-adr",
]  # fmt: skip
pytestmark = pytest.mark.skipif(
    not ARCHIVE.is_file(), reason="the corpora are not at ../shared/corpora"
)


@pytest.fixture
def theirs(world: World) -> World:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(world.base, filter="data")
    world.root = world.base / "custom-schemas"
    world.env["RASEN_WORKSPACE"] = "openspec"
    return world


def test_all_are_listed_and_valid(theirs: World) -> None:
    listed = fits("schemas", theirs.cli("schemas", "--json").json)
    checked = theirs.cli("schema", "validate", "--json")

    assert [one["name"] for one in listed if one["source"] == "project"] == NAMES
    assert checked.code == 0
    document = fits("schema-validate", checked.json)
    assert [one["name"] for one in document["schemas"]] == NAMES
    assert [issue for one in document["schemas"] for issue in one["issues"]] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_change_can_go_through_each(theirs: World, name: str) -> None:
    theirs.cli("new", "change", "trial", "--schema", name)
    written = []
    for _ in range(10):
        document = fits("status", theirs.cli("status", "--change", "trial", "--json").json)
        ready = [one for one in document["artifacts"] if one["status"] == "ready"]
        if not ready:
            break
        step = ready[0]["id"]
        told = theirs.cli("instructions", step, "--change", "trial", "--json")
        answer = fits("instructions", told.json)
        assert answer["template"].strip()
        target = Path(answer["changeDir"], answer["outputPath"].replace("**/*.md", "a/spec.md"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(answer["template"])
        written.append(step)

    assert document["isComplete"]
    assert written == [one["id"] for one in document["artifacts"]]
    apply = fits(
        "instructions-apply",
        theirs.cli("instructions", "apply", "--change", "trial", "--json").json,
    )
    assert apply["state"] in ("ready", "blocked")
    assert theirs.cli("instructions", "apply", "--change", "trial").code == 0


def test_every_change_answers(theirs: World) -> None:
    changes = theirs.cli("list", "--json").json["changes"]

    for change in changes:
        call = ("--change", change["name"], "--json")
        fits("status", theirs.cli("status", *call).json)
        fits("instructions-apply", theirs.cli("instructions", "apply", *call).json)
