"""`store doctor`: every status, and that it looks only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import commit, setup, statuses, without_git
from tests.support.stores import Stores
from tests.support.world import World

UID = "0b0e1d52-1111-4222-8333-444455556666"
TWIN = UID.replace("0b", "1b")
V2 = f"version: 2\nuid: {UID}\nid: team\n"


def doctor(world: World, *more: str, env: dict[str, str | None] | None = None) -> object:
    result = world.process("store", "doctor", *more, "--json", env=env)
    assert result.code == 0, result.out
    return fits("store-doctor", result.json)


def plain(
    *, text: str | None = V2, uid: str | None = UID, **backend: str
) -> Callable[[World], Path]:
    def prepare(world: World) -> Path:
        stores = Stores(world)
        root = stores.checkout("team", metadata=text)
        stores.register("team", root, uid=uid, **backend)
        return root

    return prepare


def gone(world: World) -> Path:
    Stores(world).register("team", world.base / "gone", uid=UID)
    return world.base / "gone"


def a_file(world: World) -> Path:
    (world.base / "plain").write_text("x")
    Stores(world).register("team", world.base / "plain", uid=UID)
    return world.base / "plain"


def twice(world: World) -> Path:
    stores = Stores(world)
    root = stores.checkout("one", metadata=V2)
    stores.register("team", root, uid=UID)
    stores.register("team", stores.checkout("two", metadata=V2.replace(UID, TWIN)), uid=TWIN)
    return root


def digits(world: World) -> Path:
    stores = Stores(world)
    root = stores.checkout("7", metadata=V2.replace("team", "'7'"))
    stores.register("7", root, uid=UID)
    return root


def unhealthy(world: World) -> Path:
    root = plain()(world)
    (root / "rasen" / "config.yaml").unlink()
    return root


def with_git(*remotes: str) -> Callable[[World], Path]:
    def prepare(world: World) -> Path:
        root = plain(text=V2 + f"remote: {remotes[0]}\n" if remotes else V2)(world)
        (root / "rasen" / "specs" / "keep.md").write_text("x")
        world.git("init", "-q", cwd=root)
        for remote in remotes[1:]:
            world.git("remote", "add", "origin", remote, cwd=root)
        return root

    return prepare


def hollow(world: World) -> Path:
    root = with_git()(world)
    (root / "rasen" / "changes" / "archive").mkdir(parents=True)
    commit(world, root)
    return root


CASES: list[tuple[str, str, str, Callable[[World], Path]]] = [
    ("store_root_missing", "error", "store.root", gone),
    ("store_root_not_directory", "error", "store.root", a_file),
    ("store_metadata_missing", "error", "store.metadata", plain(text=None)),
    ("store_metadata_invalid", "error", "store.metadata", plain(text="version: 9\n")),
    (
        "store_metadata_id_mismatch",
        "error",
        "store.metadata",
        plain(text=V2.replace("team", "crew")),
    ),
    ("store_uid_mismatch", "error", "store.metadata", plain(text=V2.replace(UID, TWIN))),
    (
        "store_metadata_legacy",
        "info",
        "store.metadata",
        plain(text="version: 1\nid: team\n", uid=None),
    ),
    ("store_alias_repeated", "warning", "store.id", twice),
    ("store_alias_numeric", "warning", "store.id", digits),
    ("openspec_config_missing", "error", "openspec.config", unhealthy),
    (
        "store_remote_credentials",
        "error",
        "store.remote",
        plain(text=V2 + "remote: https://a:secret@h.example/p\n"),
    ),
    (
        "store_remote_credentials",
        "error",
        "store.remote",
        with_git("git@h.example:p", "https://a:secret@h.example/p"),
    ),
    (
        "store_remote_credentials",
        "error",
        "store.remote",
        plain(remote="https://a:secret@h.example/p"),
    ),
    (
        "store_remote_divergence",
        "info",
        "store.remote",
        with_git("git@h.example:p", "git@h.example:q"),
    ),
    ("store_git_no_commits", "warning", "store.git", with_git()),
    ("store_clone_fragile_directories", "warning", "store.git", hollow),
]


@pytest.mark.parametrize(
    ("code", "severity", "target", "prepare"),
    CASES,
    ids=[f"{c[0]}-{n}" for n, c in enumerate(CASES)],
)
def test_a_status_has_its_severity_and_target(
    world: World, code: str, severity: str, target: str, prepare: Callable[[World], Path]
) -> None:
    root = prepare(world)
    before = snapshot(world.base)

    document = doctor(world)
    text = world.process("store", "doctor")

    assert snapshot(world.base) == before
    assert isinstance(document, dict)
    found = next(one for one in document["stores"] if one["root"] == str(root))
    status = next(one for one in found["status"] if one["code"] == code)
    assert (status["severity"], status["target"]) == (severity, target)
    assert text.code == 0
    assert f"[{severity.upper()}] {target}: " in text.err
    assert "secret" not in str(document) + text.out + text.err


def test_a_sound_store_has_nothing_to_tell(world: World) -> None:
    root = setup(world, "team", "--remote", "git@h.example:p.git")
    world.git("remote", "add", "origin", "ssh://git@h.example/p", cwd=root)

    document = doctor(world, "team")

    assert isinstance(document, dict)
    (store,) = document["stores"]
    assert (document["status"], store["status"]) == ([], [])
    assert store["openspec_root"]["healthy"] is True
    assert store["metadata"]["remote"] == "git@h.example:p.git"
    assert store["git"] == {
        "is_repository": True,
        "has_commits": True,
        "has_uncommitted_changes": False,
        "has_remote": True,
        "origin_url": "ssh://git@h.example/p",
    }
    assert "team: ok" in world.process("store", "doctor", "team").out


def test_what_is_unknown_is_null(world: World) -> None:
    root = setup(world)
    gone(world)

    document = doctor(world, env=without_git(world))

    assert isinstance(document, dict)
    (store,) = document["stores"]
    assert store["git"] == dict.fromkeys(store["git"], None)
    Stores(world).register("team", root)
    document = doctor(world, env=without_git(world))
    assert isinstance(document, dict)
    (store,) = document["stores"]
    assert store["git"] == {**dict.fromkeys(store["git"], None), "is_repository": True}


def test_a_nested_store_does_not_tell_its_parent_s_git(world: World) -> None:
    world.git("init", "-q", str(world.base))
    world.git("remote", "add", "origin", "git@h.example:parent.git", cwd=world.base)
    plain()(world)

    document = doctor(world)

    assert isinstance(document, dict)
    (store,) = document["stores"]
    assert store["git"]["is_repository"] is False
    assert store["git"]["origin_url"] is None


def test_uncommitted_work_and_a_detached_head_are_seen(world: World) -> None:
    root = setup(world)
    world.git("checkout", "-q", "--detach", cwd=root)
    (root / "new.txt").write_text("x")

    document = doctor(world)

    assert isinstance(document, dict)
    git = document["stores"][0]["git"]
    assert (git["has_commits"], git["has_uncommitted_changes"]) == (True, True)


def test_stores_without_identity_keep_the_registry_keyed_by_name(world: World) -> None:
    plain(text="version: 1\nid: team\n", uid=None)(world)

    result = world.process("store", "doctor", "--json")

    assert statuses(result)["store_registry_rekey_blocked"]["severity"] == "info"
    assert "team" in statuses(result)["store_registry_rekey_blocked"]["message"]


def test_nothing_registered_is_no_failure(world: World) -> None:
    assert doctor(world) == {"stores": [], "status": []}
