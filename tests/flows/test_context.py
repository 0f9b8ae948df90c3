"""`rasen context`: a root, what it refers to, and the workspace file for an editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.stores import Stores
from tests.support.world import World

REFERENCES = """references:
  - {id: team, remote: "https://me:secret-word@host/team.git"}
  - project:shop
  - absent
"""


@pytest.fixture
def place(world: World) -> World:
    """A project that refers to a store, to a project, and to something that is not here."""
    stores = Stores(world)
    stores.register("team", stores.checkout("team"))
    stores.register("project:shop", stores.checkout("shop"))
    world.workspace(config=REFERENCES)
    return world


def context(world: World, *words: str) -> dict[str, Any]:
    result = world.cli("context", *words, "--json")
    assert result.code == 0, result.out
    document: dict[str, Any] = fits("context", result.json)
    return document


def test_the_members_and_where_to_read_them(place: World) -> None:
    before = snapshot(place.base)

    found = context(place)

    assert snapshot(place.base) == before
    assert found["root"] == {"path": str(place.root), "source": "nearest", "role": "openspec_root"}
    team, shop, absent = found["members"]
    assert team == {
        "role": "referenced_store",
        "id": "team",
        "path": str(place.base / "stores" / "team"),
        "remote": "https://***@host/team.git",
        "fetch": "rasen show <spec-id> --type spec --store team",
        "status": [],
    }
    assert shop["fetch"] == "rasen show <spec-id> --type spec --project shop"
    assert set(absent) == {"role", "id", "status"}
    told = absent["status"][0]
    assert (told["code"], told["severity"], told["target"]) == (
        "reference_unresolved", "warning", "references"
    )  # fmt: skip
    assert found["status"] == []


def test_a_broken_registry_is_told_for_the_whole(place: World) -> None:
    Stores(place).write("[")

    found = context(place)

    told = [(one["code"], one["severity"], one["target"]) for one in found["status"]]
    assert told == [("relationship_registry_unreadable", "warning", "relationships")]
    assert {one["status"][0]["code"] for one in found["members"]} == {
        "reference_registry_unreadable"
    }


def test_a_selected_store_is_the_root(place: World) -> None:
    found = context(place, "--store", "team")

    assert found["root"]["store_id"] == "team"
    assert found["members"] == []
    assert "It refers to nothing else." in place.cli("context", "--store", "team").out


def test_people_see_what_is_there_and_what_is_not(place: World) -> None:
    told = place.cli("context").out

    there, lacking = told.split("Not available here")
    assert "Referenced stores" in there
    assert "Fetch: rasen show <spec-id> --type spec --store team" in there
    assert "absent: " in lacking
    assert "Fix: " in lacking


@pytest.mark.parametrize("words", [(), ("--json",)], ids=["text", "json"])
def test_a_workspace_file_lists_the_root_first(place: World, words: tuple[str, ...]) -> None:
    result = place.cli("context", "--code-workspace", "../all.code-workspace", *words)

    assert result.code == 0
    assert json.loads((place.base / "all.code-workspace").read_text()) == {
        "folders": [
            {"name": "project", "path": str(place.root)},
            {"name": "ref:team", "path": str(place.base / "stores" / "team")},
            {"name": "ref:shop", "path": str(place.base / "stores" / "shop")},
        ]
    }
    assert len(result.err.splitlines()) == 1
    assert str(place.base / "all.code-workspace") in result.err


def test_a_store_gives_the_folder_its_name(place: World) -> None:
    place.cli("context", "--store", "team", "--code-workspace", "w.code-workspace")

    assert json.loads(place.read("w.code-workspace"))["folders"][0]["name"] == "team"


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ("there", "context_file_exists"),
        ("rasen", "context_file_exists"),
        ("none/w", "context_output_dir_missing"),
        ("there/w", "context_output_dir_missing"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_said(
    place: World, output: str, code: str
) -> None:
    place.write("there", "mine\n")
    before = snapshot(place.base)

    program = place.cli("context", "--code-workspace", output, "--json")
    person = place.cli("context", "--code-workspace", output)

    assert (program.code, program.error) == (1, code)
    assert fits("context", program.json)["root"] is None
    told = program.json["status"][0]
    assert (told["severity"], told["target"]) == ("error", "context.output")
    assert person.err == f"Error: {told['message']}\nFix: {told['fix']}\n"
    assert (person.code, person.out) == (1, "")
    assert snapshot(place.base) == before


def test_a_workspace_file_is_replaced_when_told_to(place: World) -> None:
    file: Path = place.write("w", "mine\n")

    assert place.cli("context", "--code-workspace", "w", "--force").code == 0
    assert "folders" in json.loads(file.read_text())


def test_without_a_root_there_is_nothing_to_show(world: World) -> None:
    result = world.cli("context", "--json")

    assert (result.code, result.error) == (1, "no_openspec_root")
    assert fits("context", result.json)["members"] == []
