"""Every refusal of the store commands: code, target, step to take, exit code, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import (
    commit,
    metadata,
    nameless,
    planning,
    setup,
    without_git,
)
from tests.support.stores import Stores
from tests.support.world import World

UID = "0b0e1d52-1111-4222-8333-444455556666"
Words = tuple[str, ...]
Env = dict[str, str | None]


class Case(NamedTuple):
    """A world and a call that is refused. env: what is different in the environment."""

    code: str
    target: str
    prepare: Callable[[World], Words | tuple[Words, Env]]


NULLS = {
    "setup": {"store": None, "registry": None, "git": None, "created_files": []},
    "register": {"store": None, "registry": None, "git": None, "created_files": []},
    "unregister": {"store": None, "registry": None, "files": None},
    "remove": {"store": None, "registry": None, "files": None},
    "list": {"stores": []},
    "doctor": {"stores": []},
    "upgrade-identity": {
        "store": None,
        "applied": False,
        "steps": [],
        "filesToCommit": [],
        "repairNeeded": False,
        "diagnostics": [],
    },
}


def at(world: World, name: str = "team") -> str:
    return str(world.base / name)


def in_setup(*more: str) -> Callable[[World], Words]:
    return lambda world: ("setup", "team", "--path", at(world), *more)


def onto_a_file(world: World) -> Words:
    (world.base / "team").write_text("x")
    return ("setup", "team", "--path", at(world, "team/inner"))


def in_a_repository(world: World) -> Words:
    world.git("init", "-q")
    return ("setup", "team", "--path", str(world.root / "plans"))


def among_other_things(world: World) -> Words:
    (world.base / "team").mkdir()
    (world.base / "team" / "notes.txt").write_text("mine")
    return ("setup", "team", "--path", at(world))


def with_pointer(text: str, *words: str) -> Callable[[World], Words]:
    def prepare(world: World) -> Words:
        root = planning(world.base / "team")
        (root / "rasen" / "config.yaml").write_text(f"schema: spec-driven\nstore: {text}\n")
        return (*words, at(world)) if words == ("register",) else (*words, "--path", at(world))

    return prepare


def with_metadata(text: str, *words: str) -> Callable[[World], Words]:
    def prepare(world: World) -> Words:
        metadata(planning(world.base / "team"), text)
        return tuple(word.format(root=at(world)) for word in words)

    return prepare


def nobody_commits(world: World) -> tuple[Words, Env]:
    return in_setup()(world), nameless(world)


def no_git(world: World) -> tuple[Words, Env]:
    return in_setup()(world), without_git(world)


def refusing_hook(world: World) -> tuple[Words, Env]:
    template = world.base / "template"
    (template / "hooks").mkdir(parents=True)
    hook = template / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\necho 'see https://bob:secret@h.example/rules' >&2\nexit 1\n")
    hook.chmod(0o755)
    return in_setup()(world), {"GIT_TEMPLATE_DIR": str(template)}


def name_taken(world: World) -> Words:
    stores = Stores(world)
    stores.register("team", stores.checkout("team"))
    return ("setup", "team", "--path", at(world, "elsewhere"))


def place_taken(world: World) -> Words:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.register("other", root)
    return ("register", str(root))


def broken_registry(*words: str) -> Callable[[World], Words]:
    def prepare(world: World) -> Words:
        Stores(world).write("version: 9\n")
        return words

    return prepare


def busy_registry(world: World) -> Words:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.register("team", root)
    lock = world.data_dir / "stores" / "registry.yaml.lock"
    lock.mkdir()  # nobody's lock, which cannot be read or taken
    return ("unregister", "team")


def names_collide(world: World) -> Words:
    stores = Stores(world)
    other = stores.checkout("other", metadata=f"version: 2\nuid: {UID}\nid: team\n")
    stores.register("team", other, uid=UID)
    twin = UID.replace("0b", "1b")
    second = stores.checkout("second", metadata=f"version: 2\nuid: {twin}\nid: team\n")
    stores.register("team", second, uid=twin)
    third = stores.checkout("third")
    return ("register", str(third))


def missing(world: World) -> Words:
    return ("register", at(world))


def a_file(world: World) -> Words:
    (world.base / "team").write_text("x")
    return ("register", at(world))


def unhealthy(world: World) -> Words:
    (world.base / "team").mkdir()
    return ("register", at(world))


def empty_clone(world: World) -> Words:
    world.git("init", "-q", at(world))
    return ("register", at(world))


def no_metadata(world: World) -> Words:
    planning(world.base / "team")
    return ("register", at(world))


def bad_folder_name(world: World) -> Words:
    planning(world.base / "Our Plans")
    return ("register", at(world, "Our Plans"), "--yes")


def registered(*words: str, text: str | None = "") -> Callable[[World], Words]:
    def prepare(world: World) -> Words:
        stores = Stores(world)
        stores.register("team", stores.checkout("team", metadata=text))
        return words

    return prepare


def two_of_one_name(world: World) -> Words:
    stores = Stores(world)
    for place, uid in (("one", UID), ("two", UID.replace("0b", "1b"))):
        root = stores.checkout(place, metadata=f"version: 2\nuid: {uid}\nid: team\n")
        stores.register("team", root, uid=uid)
    return ("remove", "team", "--yes")


def replaced_by_a_file(world: World) -> Words:
    stores = Stores(world)
    (world.base / "plain").write_text("x")
    stores.register("team", world.base / "plain")
    return ("remove", "team", "--yes")


def other_identity(world: World) -> Words:
    stores = Stores(world)
    other = UID.replace("0b", "1b")
    root = stores.checkout("team", metadata=f"version: 2\nuid: {other}\nid: team\n")
    stores.register("team", root, uid=UID)
    return ("remove", "team", "--yes")


def real_store(spoil: Callable[[World, Path], object]) -> Callable[[World], Words]:
    """`remove` of a store made with real git, after something was done to it."""

    def prepare(world: World) -> Words:
        root = setup(world)
        spoil(world, root)
        return ("remove", "team", "--yes")

    return prepare


def another_root_inside(world: World, root: Path) -> None:
    inner = metadata(planning(root / "inner"), "version: 1\nid: inner\n").parents[1]
    assert world.process("store", "register", str(inner)).code == 0


def unpushed(world: World, root: Path) -> None:
    bare = world.base / "origin.git"
    world.git("init", "-q", "--bare", str(bare))
    world.git("remote", "add", "origin", str(bare), cwd=root)
    world.git("push", "-q", "origin", "HEAD", cwd=root)
    (root / "rasen" / "specs" / "notes.md").write_text("x")
    commit(world, root)


def home_inside(world: World, root: Path) -> Env:
    (root / "home").mkdir()
    world.env["HOME"] = str(root / "home")
    return {}


CASES = [
    Case("store_setup_id_required", "store.id", lambda _: ("setup",)),
    Case("invalid_store_id", "store.id", lambda w: ("setup", "My Store", "--path", at(w))),
    Case("store_setup_path_required", "store.root", lambda _: ("setup", "team")),
    Case("store_setup_path_not_directory", "store.root", onto_a_file),
    Case("store_setup_inside_git_repo", "store.root", in_a_repository),
    Case("store_setup_non_empty_directory", "store.root", among_other_things),
    Case("store_root_pointer_declared", "store.pointer", with_pointer("team", "setup", "team")),
    Case("invalid_store_pointer", "store.pointer", with_pointer("[1]", "setup", "team")),
    Case("store_root_pointer_declared", "store.pointer", with_pointer("team", "register")),
    Case("invalid_store_pointer", "store.pointer", with_pointer("[1]", "register")),
    Case(
        "store_metadata_id_mismatch",
        "store.metadata",
        with_metadata("version: 1\nid: crew\n", "setup", "team", "--path", "{root}"),
    ),
    Case(
        "invalid_store_metadata",
        "store.metadata",
        with_metadata("version: 3\n", "setup", "team", "--path", "{root}"),
    ),
    Case("store_remote_empty", "store.remote", in_setup("--remote", " ")),
    Case(
        "store_remote_credentials", "store.remote", in_setup("--remote", "https://a:b@h.example/p")
    ),
    Case(
        "store_remote_requires_hand_edit",
        "store.remote",
        with_metadata(
            "version: 1\nid: team\nremote: https://a:secret@h.example/p\n",
            *("setup", "team", "--path", "{root}", "--remote", "git@h.example:p"),
        ),
    ),
    Case("store_git_identity_missing", "store.git", nobody_commits),
    Case("store_git_init_failed", "store.git", no_git),
    Case("store_git_commit_failed", "store.git", refusing_hook),
    Case("store_id_conflict", "store.id", name_taken),
    Case("store_path_conflict", "store.root", place_taken),
    Case("invalid_store_registry", "store.registry", broken_registry("list")),
    Case("invalid_store_registry", "store.registry", broken_registry("doctor")),
    Case("invalid_store_registry", "store.registry", broken_registry("unregister", "team")),
    Case("store_registry_busy", "store.registry", busy_registry),
    Case("store_registry_names_collide", "store.registry", names_collide),
    Case("store_path_required", "store.root", lambda _: ("register",)),
    Case("store_path_missing", "store.root", missing),
    Case("store_path_not_directory", "store.root", a_file),
    Case("store_register_root_unhealthy", "openspec.root", unhealthy),
    Case("store_register_root_unhealthy", "openspec.root", empty_clone),
    Case("store_register_identity_confirmation_required", "store.metadata", no_metadata),
    Case("invalid_store_id", "store.id", bad_folder_name),
    Case(
        "store_metadata_id_mismatch",
        "store.metadata",
        with_metadata("version: 1\nid: crew\n", "register", "{root}", "--id", "team"),
    ),
    Case("no_store_registry", "store.registry", lambda _: ("unregister", "team")),
    Case("no_store_registry", "store.registry", lambda _: ("doctor", "team")),
    Case("invalid_store_id", "store.id", lambda _: ("unregister", "A B")),
    Case("store_not_found", "store.id", registered("unregister", "crew")),
    Case("store_not_found", "store.id", registered("remove", "crew", "--yes")),
    Case("store_not_found", "store.id", registered("doctor", "crew")),
    Case("store_not_found", "store.id", registered("upgrade-identity", "crew")),
    Case("store_not_found", "store.id", registered("unregister", "team", "--project-namespace")),
    Case("store_alias_ambiguous", "store.id", two_of_one_name),
    Case("store_remove_confirmation_required", "store.root", registered("remove", "team")),
    Case("store_remove_path_not_directory", "store.root", replaced_by_a_file),
    Case(
        "store_remove_metadata_missing",
        "store.metadata",
        registered("remove", "team", "--yes", text=None),
    ),
    Case(
        "store_metadata_id_mismatch",
        "store.metadata",
        registered("remove", "team", "--yes", text="version: 1\nid: crew\n"),
    ),
    Case(
        "invalid_store_metadata",
        "store.metadata",
        registered("remove", "team", "--yes", text="id: team\n"),
    ),
    Case("store_uid_mismatch", "store.metadata", other_identity),
    Case("store_remove_registered_root_inside", "store.root", real_store(another_root_inside)),
    Case("store_remove_protected_folder", "store.root", real_store(home_inside)),
    Case(
        "store_remove_repository_inside",
        "store.root",
        real_store(lambda w, root: w.git("init", "-q", str(root / "inner"))),
    ),
    Case(
        "store_remove_links_outside",
        "store.root",
        real_store(lambda w, root: (root / "out").symlink_to(w.root)),
    ),
    Case(
        "store_remove_uncommitted_work",
        "store.git",
        real_store(lambda _, root: (root / "rasen" / "specs" / "new.md").write_text("x")),
    ),
    Case("store_remove_unpushed_work", "store.git", real_store(unpushed)),
    Case(
        "store_remove_has_worktrees",
        "store.git",
        real_store(lambda w, r: w.git("worktree", "add", "-q", str(w.base / "second"), cwd=r)),
    ),
    Case(
        "store_remove_work_unknown",
        "store.git",
        real_store(lambda _, root: (root / ".git" / "HEAD").write_text("no head")),
    ),
    Case(
        "invalid_store_metadata",
        "store.metadata",
        registered("upgrade-identity", "team", text=None),
    ),
]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("form", ["json", "human"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.target}")
def test_a_refusal_has_its_code_and_changes_nothing(world: World, case: Case, form: str) -> None:
    prepared = case.prepare(world)
    words, env = (
        prepared if len(prepared) == 2 and isinstance(prepared[1], dict) else (prepared, {})
    )
    before = snapshot(world.base)

    run = world.process if env else world.cli  # git sees the environment of a process only

    result = run("store", *words, *(["--json"] if form == "json" else []), env=env)

    assert result.code == 1
    assert snapshot(world.base) == before or _only_empty_folders_came(world, before)
    assert "secret" not in result.out + result.err
    if form == "json":
        _check_document(case, str(words[0]), result.json)
    else:
        said = [line for line in result.err.splitlines() if not line.startswith("waiting for")]
        assert result.out == ""
        assert said[0].startswith("Error: ")
        assert [line for line in said[1:] if line.startswith("Fix: ")]


def _check_document(case: Case, command: str, document: dict[str, object]) -> None:
    fits(f"store-{command}", document)
    status = document.pop("status")
    assert isinstance(status, list)
    assert document == NULLS[command]
    assert [(one["severity"], one["code"], one["target"]) for one in status] == [
        ("error", case.code, case.target)
    ]
    assert status[0]["fix"]


def _only_empty_folders_came(world: World, before: dict[str, tuple[str, int, bytes]]) -> bool:
    """The data folder may have come to be; it holds nothing."""
    now = snapshot(world.base)
    fresh = {name: kind for name, (kind, *_) in now.items() if name not in before}
    same = {name: now.get(name) for name in before} == before
    return same and set(fresh) <= {"data", "data/rasen", "data/rasen/stores"}


def test_an_unknown_word_has_a_code_of_its_own(world: World) -> None:
    result = world.cli("store", "frobnicate", "--json")

    assert result.code == 1
    assert [one["code"] for one in result.json["status"]] == ["unknown_store_subcommand"]
    assert set(result.json) == {"status"}
    assert world.cli("store", "frobnicate").err.startswith("Error: 'rasen store' has no command")


def test_an_empty_clone_is_told_where_the_first_commit_belongs(world: World) -> None:
    result = world.process("store", *empty_clone(world), "--json")

    assert "clone without a commit" in result.json["status"][0]["fix"]


def test_without_a_data_folder_nothing_is_made(world: World) -> None:
    (world.base / "data").write_text("a file in the place of the data folder")

    result = world.process("store", "setup", "team", "--path", at(world), "--json")

    assert result.code == 1
    assert not (world.base / "team").exists()
