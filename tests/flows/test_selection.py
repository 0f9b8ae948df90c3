"""Root selection as a person and a program meet it on the command line."""

from __future__ import annotations

import pytest
from tests.support.snapshot import snapshot
from tests.support.stores import Stores
from tests.support.world import World


@pytest.fixture
def stores(world: World) -> Stores:
    return Stores(world)


def test_the_notice_about_a_pointer_goes_to_stderr_in_both_modes(
    world: World, stores: Stores
) -> None:
    stores.register("team", stores.checkout("team"))
    world.workspace(config="store: team\n")

    program, person = world.cli("list", "--json"), world.cli("list")

    assert program.json["root"] == {"path": str(world.root), "source": "nearest"}
    for result in (program, person):
        assert result.code == 0
        assert result.err.count("names the store team") == 1


def test_a_store_is_named_to_people_only(world: World, stores: Stores) -> None:
    root = stores.checkout("team")
    stores.register("team", root)
    stores.register("project:shop", stores.checkout("shop"))

    program = world.cli("list", "--json", "--store", "team")
    person = world.cli("list", "--store", "team")
    project = world.cli("list", "--project", "shop")

    assert program.json["root"] == {"path": str(root), "source": "store", "store_id": "team"}
    assert program.err == ""
    assert f"Using Rasen root: team ({root})" in person.err
    assert "Using Rasen root: project shop (" in project.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--store", "Bad Id"), "invalid_store_id"),
        (("--store", "absent"), "unknown_store"),
        (("--project", "absent"), "no_registered_stores"),
        (("--store", "team", "--project", "x"), "store_project_mutually_exclusive"),
        (("--store-path", "x"), "store_path_not_supported"),
        ((), "no_root_with_registered_stores"),
    ],
)
@pytest.mark.parametrize(
    ("command", "null"),
    [
        (("list",), {"changes": [], "root": None}),
        (("show", "x"), {}),
        (("validate", "--all"), {}),
        (("status",), {}),
        (("new", "change", "x"), {"change": None}),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_refused_selection_is_one_document_with_the_commands_shape(
    world: World,
    stores: Stores,
    command: tuple[str, ...],
    null: dict[str, object],
    words: tuple[str, ...],
    code: str,
) -> None:
    stores.register("team", stores.checkout("team"))

    result = world.cli(*command, *words, "--json")

    assert result.code == 1
    assert result.error == code
    assert {k: v for k, v in result.json.items() if k != "status"} == null
    assert result.json["status"][0]["message"]
    assert result.json["status"][0]["target"]


def test_people_get_the_error_and_its_fix(world: World, stores: Stores) -> None:
    stores.register("team", stores.checkout("team"))

    result = world.cli("list", "--store", "absent")

    assert result.code == 1
    assert result.out == ""
    first, second = result.err.rstrip("\n").split("\n")
    assert first.startswith("Error: ")
    assert second.startswith("Fix: ")


def test_a_broken_session_stops_every_command(world: World) -> None:
    world.workspace()
    world.env["RASEN_SESSION_CONTEXT"] = str(world.base / "absent" / "context.json")

    for command in (("list",), ("status",), ("validate", "--all"), ("new", "change", "x")):
        assert world.cli(*command, "--json").error == "session_context_broken"

    assert not (world.root / "rasen/changes/x").exists()


def test_reading_a_registered_project_touches_nothing(world: World, stores: Stores) -> None:
    stores.register("team", stores.checkout("team"))
    world.cli("init")
    config = world.read("rasen/config.yaml")
    world.write("rasen/config.yaml", config + "store: team\nreferences: [team]\n")
    world.cli("new", "change", "add-x")
    before = snapshot(world.base)

    for command in (("list",), ("status", "--change", "add-x"), ("validate", "--all")):
        world.cli(*command, "--json")
    world.cli("instructions", "proposal", "--change", "add-x", "--json")

    assert snapshot(world.base) == before
