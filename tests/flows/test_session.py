"""Sessions on the command line: started, shown, obeyed, checked against, and ended."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.stores import Stores
from tests.support.world import Result, World

from rasen.roots import session_file

UID = "0b0e1d52-1111-4222-8333-444455556666"
VARIABLE = "RASEN_SESSION_CONTEXT"


@pytest.fixture
def place(world: World) -> World:
    """A project with an identity, and a store."""
    world.cli("init")
    stores = Stores(world)
    stores.register(
        "team",
        stores.checkout("team", metadata=f"version: 2\nuid: {UID}\nid: team\n"),
        uid=UID,
    )
    return world


def team(world: World) -> Path:
    return world.base / "stores" / "team"


def identity(world: World, root: Path | None = None) -> str:
    text = ((root or world.root) / "rasen" / "config.yaml").read_text()
    return text.split("projectId: ")[1].split()[0]


def start(world: World, *words: str, cwd: Path | None = None) -> Result:
    result = world.cli("session", "start", *words, "--json", cwd=cwd)
    if result.code == 0:
        world.env[VARIABLE] = result.json["env"][VARIABLE]
    return result


def context(world: World) -> dict[str, object]:
    """The action context that `status` gives; the very one of `session show`."""
    world.cli("new", "change", "add-x")
    shown: dict[str, object] = world.cli("session", "show", "--json").json["actionContext"]
    status = world.cli("status", "--change", "add-x", "--json").json["actionContext"]
    assert {**status, "planningArtifacts": []} == shown
    return shown


def dirs(root: Path) -> list[str]:
    return [str(root / "rasen" / name) for name in ("specs", "changes")]


def test_without_a_session_there_is_none_to_show(place: World) -> None:
    result = place.cli("session", "show", "--json")

    assert fits("session-show", result.json) == {"session": None, "status": []}
    assert VARIABLE in place.cli("session", "show").out


def test_a_session_in_a_project(place: World) -> None:
    made = fits("session-start", start(place).json)

    path = Path(made["env"][VARIABLE])
    assert path == place.data_dir / "sessions" / made["session"]["sessionId"] / "context.json"
    read = session_file.parse(path.read_text(), file=str(path), directory=path.parent.name)
    assert read.planning.root == place.root
    assert made["session"]["planning"] == {
        "type": "project",
        "projectId": identity(place),
        "root": str(place.root),
    }
    home = Path(made["session"]["execution"].pop("home"))
    assert home.parent == place.data_dir / "projects"
    assert made["session"]["execution"] == {
        "kind": "project",
        "projectId": identity(place),
        "root": str(place.root),
    }
    found = context(place)
    assert (found["version"], found["allowedEditRoots"]) == (1, [str(place.root)])
    assert found["planningWriteRoots"] == dirs(place.root)


def test_a_session_that_plans_in_a_store_and_works_here(place: World) -> None:
    made = start(place, "--store", "team").json["session"]

    assert made["planning"] == {"type": "store", "id": "team", "uid": UID, "root": str(team(place))}
    found = context(place)
    assert found["version"] == 2
    assert "allowedEditRoots" not in found
    assert found["planningWriteRoots"] == dirs(team(place))
    assert found["codeWriteRoots"] == [str(place.root)]
    assert found["readRoots"] == [str(team(place)), str(place.root)]
    assert (team(place) / "rasen" / "changes" / "add-x").is_dir()


def test_a_session_that_only_plans(place: World) -> None:
    made = start(place, "--store", "team", "--planning-only", cwd=place.base).json["session"]

    assert made["execution"] == {"kind": "planning-only"}
    found = context(place)
    assert (found["version"], found["codeWriteRoots"]) == (1, [])
    assert found["readRoots"] == [str(team(place))]
    assert found["allowedEditRoots"] == dirs(team(place))
    assert isinstance(found["constraints"], list)
    assert "no code write root" in found["constraints"][0]
    assert "no project-scoped materialization" in found["constraints"][0]


def test_a_session_that_works_in_another_checkout(place: World) -> None:
    other = place.base / "other"
    other.mkdir()
    place.cli("init", cwd=other)

    start(place, "--checkout", "../other")

    found = context(place)
    assert found["version"] == 2
    assert found["planningWriteRoots"] == dirs(place.root)
    assert found["codeWriteRoots"] == [str(other)]


def test_a_session_started_in_a_store_s_own_checkout_plans_in_the_store(place: World) -> None:
    made = start(place, "--planning-only", cwd=team(place)).json["session"]

    assert made["planning"] == {"type": "store", "id": "team", "uid": UID, "root": str(team(place))}


def test_a_pointer_s_project_plans_in_its_store(place: World) -> None:
    code = place.base / "code"
    (code / "rasen").mkdir(parents=True)
    (code / "rasen" / "config.yaml").write_text(f"store: team\nprojectId: {UID}\n")

    made = start(place, cwd=code).json["session"]

    assert made["planning"]["type"] == "store"
    assert (made["execution"]["root"], made["execution"]["projectId"]) == (str(code), UID)


def test_people_get_a_path_to_put_into_the_variable(place: World) -> None:
    result = place.cli("session", "start", "--id", "mine")

    assert result.out == f"{place.data_dir / 'sessions' / 'mine' / 'context.json'}\n"
    place.env[VARIABLE] = result.out.strip()
    shown = place.cli("session", "show").out
    assert "Session: mine" in shown
    assert f"Works in: {place.root}" in shown


@pytest.mark.parametrize(
    ("words", "where", "code"),
    [
        pytest.param(("--id", "../x"), "project", "session_id_invalid", id="id leads out"),
        pytest.param(("--id", ".x"), "project", "session_id_invalid", id="hidden id"),
        pytest.param(("--id", ""), "project", "session_id_invalid", id="empty id"),
        pytest.param(("--id", "taken"), "project", "session_exists", id="id is taken"),
        pytest.param(
            ("--store", "team"), ".", "session_checkout_required", id="nothing to work in"
        ),
        pytest.param(
            ("--store", "team"), "stores/team", "session_identity_missing", id="no identity"
        ),
        pytest.param(("--checkout", ".."), "project", "session_checkout_required", id="no project"),
        pytest.param((), ".", "no_root_with_registered_stores", id="nowhere to plan"),
    ],
)
def test_a_session_that_cannot_be_is_refused(
    place: World, words: tuple[str, ...], where: str, code: str
) -> None:
    place.cli("session", "start", "--id", "taken")
    before = snapshot(place.base)

    result = place.cli("session", "start", *words, "--json", cwd=place.base / where)

    assert (result.code, result.error) == (1, code)
    fits("session-start", result.json)
    assert result.json["status"][0]["fix"]
    assert snapshot(place.base) == before


def test_a_session_ends_without_a_trace(place: World) -> None:
    start(place)

    result = place.cli("session", "end", "--json")

    assert fits("session-end", result.json)["ended"]["sessionId"]
    assert list((place.data_dir / "sessions").iterdir()) == []
    assert place.cli("list", "--json").error == "session_context_broken"


def test_a_broken_session_can_be_ended_by_its_name(place: World) -> None:
    start(place, "--id", "mine")
    Path(place.env[VARIABLE]).write_text("{")

    assert place.cli("session", "show", "--json").error == "session_context_broken"
    assert place.cli("session", "end", "mine").code == 0
    assert place.cli("session", "end", "mine", "--json").error == "session_not_found"


@pytest.mark.parametrize(
    ("words", "announced", "code"),
    [
        pytest.param((), "", "session_not_announced", id="none"),
        pytest.param(("absent",), "", "session_not_found", id="unknown"),
        pytest.param(("../x",), "", "session_id_invalid", id="leads out"),
        pytest.param((), "elsewhere", "session_not_found", id="a file of others"),
    ],
)
def test_only_our_own_sessions_are_ended(
    place: World, words: tuple[str, ...], announced: str, code: str
) -> None:
    foreign = place.base / "elsewhere" / "s" / "context.json"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("{}")
    if announced:
        place.env[VARIABLE] = str(foreign)
    before = snapshot(place.base)

    result = place.cli("session", "end", *words, "--json")

    assert (result.code, result.error) == (1, code)
    fits("session-end", result.json)
    assert snapshot(place.base) == before


def check(world: World, frozen: str, *words: str, cwd: Path | None = None) -> Result:
    result = world.cli("session", "check", "--frozen", frozen, *words, "--json", cwd=cwd)
    fits("session-check", result.json)
    return result


@pytest.fixture
def clone(place: World) -> Path:
    """Another checkout of the same project, registered too."""
    other = place.base / "clone"
    shutil.copytree(place.root, other)
    place.cli("init", cwd=other)
    return other


def test_the_checkout_we_are_in_is_the_one(place: World, clone: Path) -> None:
    found = check(place, identity(place).upper(), cwd=clone)

    assert found.json["binding"] == {
        "projectId": identity(place), "root": str(clone), "source": "checkout"
    }  # fmt: skip


def test_the_only_registered_checkout_is_the_one(place: World) -> None:
    found = check(place, identity(place), cwd=place.base)

    assert found.json["binding"]["root"] == str(place.root)
    assert found.json["binding"]["source"] == "registry"


def test_several_registered_checkouts_are_all_named(place: World, clone: Path) -> None:
    found = check(place, identity(place), cwd=place.base)

    assert (found.code, found.error) == (1, "project_binding_ambiguous")
    assert f"{clone}, {place.root}" in found.json["status"][0]["message"]


def test_a_checkout_that_is_gone_or_another_project_by_now_does_not_count(
    place: World, clone: Path
) -> None:
    frozen = identity(place)
    shutil.rmtree(place.root)
    config = clone / "rasen" / "config.yaml"
    config.write_text(config.read_text().replace(frozen, UID))

    assert check(place, frozen, cwd=place.base).error == "project_binding_missing"


def test_a_link_to_a_checkout_is_no_second_one(place: World) -> None:
    link = place.base / "link"
    link.symlink_to(place.root)
    registry = place.data_dir / "projects" / "registry.json"
    value = json.loads(registry.read_text())
    value["projects"][str(link)] = value["projects"][str(place.root)]
    registry.write_text(json.dumps(value))

    assert check(place, identity(place), cwd=place.base).json["binding"]["root"] == str(place.root)


def test_another_project_is_never_gone_on_in(place: World) -> None:
    other = place.base / "other"
    other.mkdir()
    place.cli("init", cwd=other)

    found = check(place, identity(place), cwd=other)

    assert found.error == "project_binding_mismatch"
    message = found.json["status"][0]["message"]
    assert all(text in message for text in (identity(place), identity(place, other), str(other)))


def test_a_session_decides_before_where_we_are(place: World, clone: Path) -> None:
    start(place, cwd=clone)

    assert check(place, identity(place)).json["binding"] == {
        "projectId": identity(place), "root": str(clone), "source": "session"
    }  # fmt: skip
    assert check(place, UID).error == "project_binding_mismatch"


def test_a_session_that_only_plans_works_nowhere(place: World) -> None:
    start(place, "--planning-only")

    assert check(place, identity(place)).error == "project_binding_mismatch"


def test_a_broken_session_is_no_reason_to_look_elsewhere(place: World) -> None:
    place.env[VARIABLE] = str(place.base / "none" / "context.json")

    assert check(place, identity(place)).error == "session_context_broken"


def test_a_selector_only_confirms(place: World) -> None:
    stores = Stores(place)
    stores.register("project:shop", place.root)

    assert check(place, identity(place), "--project", "shop").code == 0
    assert check(place, identity(place), "--project", identity(place)).code == 0
    refused = check(place, identity(place), "--project", "till")
    assert refused.error == "project_binding_selector_conflict"


def test_planning_binds_nothing(place: World) -> None:
    assert check(place, "planning-only").json == {"binding": None, "status": []}
    assert "nothing to check" in place.cli("session", "check", "--frozen", "planning-only").out
