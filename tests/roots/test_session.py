"""The session announced in the environment: read strictly, and never silently left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.stores import Stores
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.roots import ops, session_file
from rasen.roots.model import Root, RootRequest
from rasen.roots.session_file import Execution, Planning, Session


def announce(world: World, value: Any, *, folder: str = "s-1") -> Path:
    path = world.data_dir / "sessions" / folder / "context.json"
    path.parent.mkdir(parents=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    world.env["RASEN_SESSION_CONTEXT"] = str(path)
    return path


def document(root: Path, **changes: Any) -> dict[str, Any]:
    whole = {
        "version": 1,
        "sessionId": "s-1",
        "planning": {"type": "store", "id": "team", "root": str(root)},
        "execution": {"kind": "planning-only"},
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not None}


def select(world: World, **request: Any) -> Root:
    return ops.select(world.context(), RootRequest(**request))


def test_a_session_wins_over_the_working_folder(world: World) -> None:
    world.workspace()
    root = Stores(world).checkout("team")
    announce(world, document(root))

    assert select(world) == Root(root, "store", "rasen", "team")


def test_a_session_of_a_project_is_shown_as_nearest(world: World) -> None:
    other = world.base / "other"
    (other / "rasen" / "specs").mkdir(parents=True)
    announce(world, document(other, planning={"type": "project", "root": str(other)}))

    assert select(world) == Root(other, "nearest", "rasen")


def test_a_byte_order_mark_is_no_harm(world: World) -> None:
    root = Stores(world).checkout("team")
    announce(world, "\ufeff" + json.dumps(document(root)))

    assert select(world).path == root


def test_an_explicit_selector_wins_over_a_session_even_a_broken_one(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.register("team", root)
    announce(world, "{")

    assert select(world, store="team").path == root


@pytest.mark.parametrize("value", ["", "  "])
def test_a_blank_variable_announces_nothing(world: World, value: str) -> None:
    world.workspace()
    world.env["RASEN_SESSION_CONTEXT"] = value

    assert select(world).source == "nearest"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"version": 2}, id="newer version"),
        pytest.param({"version": None}, id="no version"),
        pytest.param({"version": True}, id="version is a boolean"),
        pytest.param({"more": 1}, id="unknown key"),
        pytest.param({"sessionId": "s-2"}, id="another folder's session"),
        pytest.param({"planning": {"type": "store"}}, id="no planning root"),
        pytest.param({"planning": {"type": "team", "root": "/"}}, id="unknown type"),
        pytest.param({"planning": {"type": "store", "root": "x"}}, id="relative root"),
        pytest.param({"planning": {"type": "store", "root": "/not/there"}}, id="root is gone"),
        pytest.param({"planning": {"type": "store", "root": "/", "more": 1}}, id="unknown member"),
        pytest.param({"execution": {"kind": "other"}}, id="unknown kind"),
        pytest.param({"execution": {"kind": "planning-only", "root": "/"}}, id="root without work"),
        pytest.param({"execution": {"kind": "project", "root": "/"}}, id="no identity"),
        pytest.param(
            {"execution": {"kind": "project", "root": "x", "projectId": "p"}},
            id="relative checkout",
        ),
    ],
)
def test_a_broken_session_is_an_error_not_a_reason_to_look_elsewhere(
    world: World, changes: dict[str, Any]
) -> None:
    world.workspace()
    path = announce(world, document(Stores(world).checkout("team"), **changes))

    with pytest.raises(ToolError) as refused:
        select(world)

    assert refused.value.code == "session_context_broken"
    assert str(path) in str(refused.value)
    assert "RASEN_SESSION_CONTEXT" in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version":1,"version":1}', "\x00"])
def test_a_session_that_cannot_be_parsed_is_broken(world: World, text: str) -> None:
    announce(world, text)

    with pytest.raises(ToolError) as refused:
        select(world)

    assert refused.value.code == "session_context_broken"


@pytest.mark.parametrize("name", ["/not/there/context.json", "context.json", "/"])
def test_a_session_that_cannot_be_read_is_broken(world: World, name: str) -> None:
    world.env["RASEN_SESSION_CONTEXT"] = name

    with pytest.raises(ToolError) as refused:
        select(world)

    assert refused.value.code == "session_context_broken"


@pytest.mark.parametrize(
    "session",
    [
        Session("s", Planning(Path("/a"), is_store=True, id="team", uid="u"), None),
        Session(
            "s", Planning(Path("/a"), is_store=False, project_id="p"), Execution("p", Path("/a"))
        ),
        Session(
            "s", Planning(Path("/a"), is_store=True), Execution("p", Path("/b"), Path("/home/p"))
        ),
    ],
    ids=["planning only", "project", "store and checkout"],
)
def test_a_session_is_read_back(session: Session) -> None:
    text = session_file.render(session)

    assert session_file.parse(text, file="f", directory="s") == session


def context(world: World, root: Root) -> dict[str, Any]:
    return ops.action_context(world.context(), root, ["proposal"])


def test_a_session_limits_writing_to_its_own_checkout(world: World) -> None:
    root = Stores(world).checkout("team")
    execution = {"kind": "project", "projectId": "p", "root": str(world.root)}
    announce(world, document(root, execution=execution))

    found = context(world, select(world))

    assert found["codeWriteRoots"] == [str(world.root)]
    assert "allowedEditRoots" not in found
    assert found["version"] == 2


def test_another_store_selected_by_name_does_not_widen_a_session(world: World) -> None:
    stores = Stores(world)
    other = stores.checkout("other")
    stores.register("other", other)
    announce(world, document(stores.checkout("team")))

    found = context(world, select(world, store="other"))

    assert found["codeWriteRoots"] == []
    assert found["planningWriteRoots"] == [
        str(other / "rasen" / "specs"),
        str(other / "rasen" / "changes"),
    ]


def test_permissions_are_never_guessed_from_a_broken_session(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team"))
    announce(world, "{")
    root = select(world, store="team")

    with pytest.raises(ToolError) as refused:
        context(world, root)

    assert refused.value.code == "session_context_broken"
