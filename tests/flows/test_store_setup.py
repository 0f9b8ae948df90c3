"""`store setup` and `store register` with real git: what is made, committed, kept and taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import (
    commit,
    metadata,
    planning,
    registry_text,
    setup,
    statuses,
    without_git,
)
from tests.support.world import World

from rasen.base.errors import ToolError
from rasen.stores.setup import Request
from rasen.stores.setup import setup as use_case
from rasen.stores.setup_plan import Picture


def head_files(world: World, root: Path) -> list[str]:
    shown = world.git("show", "--name-only", "--format=", "HEAD", cwd=root)
    return sorted(shown.split())


def test_a_new_store_is_complete_committed_and_registered(world: World) -> None:
    root = world.base / "plans" / "team"

    result = world.process(
        "store", "setup", "team", "--path", str(root), "--remote", "git@h.example:p.git", "--json"
    )

    assert result.code == 0, result.err
    document = fits("store-setup", result.json)
    assert document["store"]["root"] == str(root)
    assert document["registry"] == {
        "path": str(world.data_dir / "stores" / "registry.yaml"),
        "registered": True,
        "already_registered": False,
    }
    assert document["git"] == {"is_repository": True, "initialized": True, "committed": True}
    assert head_files(world, root) == sorted(document["created_files"])
    assert world.git("status", "--porcelain", cwd=root) == ""
    assert "team" in world.git("log", "-1", "--format=%s", cwd=root)
    assert "version: 2\n" in registry_text(world)
    assert "remote: git@h.example:p.git\n" in (root / ".rasen-store" / "store.yaml").read_text()
    assert (root / "rasen" / "changes" / "archive" / ".gitkeep").is_file()
    assert re.fullmatch(
        r"schema: spec-driven\nprojectId: [0-9a-f-]{36}\n", (root / "rasen/config.yaml").read_text()
    )
    assert sorted(path.name for path in (world.data_dir / "stores").iterdir()) == ["registry.yaml"]


def test_doing_it_again_changes_nothing(world: World) -> None:
    root = setup(world)
    before = snapshot(world.base)

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert snapshot(world.base) == before
    assert list(statuses(result)) == ["store_already_registered"]
    assert result.json["registry"]["already_registered"] is True
    assert result.json["git"] == {"is_repository": True, "initialized": False, "committed": False}
    assert result.json["created_files"] == []


def test_a_home_is_meant_by_a_tilde(world: World) -> None:
    result = world.process("store", "setup", "team", "--path", "~/rasen/team", "--json")

    assert result.json["store"]["root"] == str(world.home / "rasen" / "team")


def test_without_git_only_files_are_made(world: World) -> None:
    root = world.base / "team"

    result = world.process(
        *("store", "setup", "team", "--path", str(root), "--no-init-git", "--json"),
        env=without_git(world),
    )

    assert result.code == 0, result.out
    assert result.json["git"] == {"is_repository": False, "initialized": False, "committed": False}
    assert not (root / ".git").exists()


def test_what_is_staged_in_a_repository_of_others_stays_staged(world: World) -> None:
    root = planning(world.base / "team")
    world.git("init", "-q", cwd=root)
    commit(world, root)
    (root / "mine.txt").write_text("staged")
    world.git("add", "mine.txt", cwd=root)
    (root / "loose.txt").write_text("loose")

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert result.code == 0, result.out
    assert result.json["git"] == {"is_repository": True, "initialized": False, "committed": True}
    assert head_files(world, root) == sorted(result.json["created_files"])
    assert world.git("status", "--porcelain", cwd=root) == "A  mine.txt\n?? loose.txt\n"


@pytest.mark.parametrize("is_born", [True, False], ids=["with a commit", "before the first"])
def test_a_refused_commit_leaves_the_index_as_it_was(world: World, is_born: bool) -> None:
    root = planning(world.base / "team")
    world.git("init", "-q", cwd=root)
    if is_born:
        commit(world, root)
    (root / "mine.txt").write_text("staged")
    world.git("add", "mine.txt", cwd=root)
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    before = world.git("status", "--porcelain", cwd=root)
    files = snapshot(root, without=(".git",))

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert result.error == "store_git_commit_failed"
    assert world.git("status", "--porcelain", cwd=root) == before
    assert snapshot(root, without=(".git",)) == files
    assert registry_text(world) == ""


def test_an_empty_clone_gets_the_first_commit(world: World) -> None:
    bare = world.base / "origin.git"
    world.git("init", "-q", "--bare", str(bare))
    root = world.base / "team"
    world.git("clone", "-q", str(bare), str(root))

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert result.json["git"] == {"is_repository": True, "initialized": False, "committed": True}
    assert f"remote: {bare}\n" in registry_text(world)
    assert world.git("for-each-ref", cwd=bare) == ""


def test_a_detached_head_moves_on(world: World) -> None:
    root = planning(world.base / "team")
    world.git("init", "-q", cwd=root)
    first = commit(world, root)
    world.git("checkout", "-q", "--detach", cwd=root)

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert result.code == 0
    assert world.git("rev-parse", "HEAD^", cwd=root).strip() == first
    assert world.git("rev-parse", "main", cwd=root).strip() == first


def test_older_metadata_is_copied_forward(world: World) -> None:
    root = planning(world.base / "team")
    (root / ".openspec-store").mkdir()
    (root / ".openspec-store" / "store.yaml").write_text("version: 1\nid: team\n")

    result = world.process("store", "setup", "team", "--path", str(root), "--json")

    assert result.code == 0, result.out
    assert (root / ".rasen-store" / "store.yaml").read_text() == "version: 1\nid: team\n"
    assert list(statuses(result)) == ["store_registry_rekey_blocked"]
    assert "version: 1\n" in registry_text(world)


def test_a_folder_that_changed_after_the_question_is_left_alone(world: World) -> None:
    root = world.base / "team"
    seen = Picture(root, None)
    root.mkdir()

    with pytest.raises(ToolError) as refusal:
        use_case(world.context(), Request("team", str(root), has_git=False, asks=True, agreed=seen))

    assert (refusal.value.code, refusal.value.target) == ("store_setup_path_changed", "store.root")
    assert list(root.iterdir()) == []


def test_a_person_is_asked_for_what_is_missing(world: World) -> None:
    result = world.cli("store", "setup", "--no-init-git", tty=True, input="team\n\ny\n")

    assert result.code == 0, result.err
    assert (world.home / "rasen" / "team" / ".rasen-store" / "store.yaml").is_file()
    assert "Store 'team' is registered" in result.out


def test_a_no_cancels_the_setup(world: World) -> None:
    before = snapshot(world.base)

    result = world.cli("store", "setup", "--no-init-git", tty=True, input="team\n\nn\n")

    assert result.code == 1
    assert "the setup was cancelled" in result.err
    assert snapshot(world.base) == before


def test_registering_records_the_origin_without_its_secret(world: World) -> None:
    root = metadata(planning(world.base / "team"), "version: 1\nid: team\n").parents[1]
    world.git("init", "-q", cwd=root)
    world.git("remote", "add", "origin", "https://a:secret@h.example/p.git", cwd=root)

    result = world.process("store", "register", str(root), "--json")

    assert fits("store-register", result.json)["store"]["id"] == "team"
    assert "remote: https://h.example/p.git\n" in registry_text(world)
    assert "secret" not in registry_text(world) + result.out
    assert world.git("for-each-ref", cwd=root) == ""


def test_a_nested_checkout_does_not_report_its_parent_s_origin(world: World) -> None:
    world.git("init", "-q")
    world.git("remote", "add", "origin", "git@h.example:parent.git")
    root = metadata(planning(world.root / "team"), "version: 1\nid: team\n").parents[1]

    result = world.process("store", "register", str(root), "--json")

    assert result.json["git"]["is_repository"] is False
    assert "parent" not in registry_text(world)


def test_metadata_is_written_only_with_a_yes(world: World) -> None:
    root = planning(world.base / "team")

    result = world.process("store", "register", str(root), "--id", "crew", "--yes", "--json")

    assert result.json["created_files"] == [".rasen-store/store.yaml"]
    assert "id: crew\n" in (root / ".rasen-store" / "store.yaml").read_text()
    assert "version: 2\n" in registry_text(world)


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_a_person_is_asked_before_metadata_is_written(world: World, answer: str, code: int) -> None:
    root = planning(world.base / "team")

    result = world.cli("store", "register", str(root), tty=True, input=answer)

    assert result.code == code
    assert (root / ".rasen-store").exists() is (code == 0)
    assert ("nothing was registered" in result.err) is (code == 1)


def test_a_moved_checkout_takes_its_registration_along(world: World) -> None:
    root = setup(world)
    root.rename(world.base / "elsewhere")

    result = world.process("store", "register", str(world.base / "elsewhere"), "--json")

    assert list(statuses(result)) == ["store_registration_moved"]
    assert registry_text(world).count("local_path") == 1


def test_two_stores_of_one_name_are_told_apart_by_identity(world: World) -> None:
    setup(world)
    second = planning(world.base / "second")

    result = world.process("store", "register", str(second), "--id", "team", "--yes", "--json")

    assert list(statuses(result)) == ["store_alias_repeated"]
    assert registry_text(world).count("id: team\n") == 2


def test_a_renamed_store_is_known_by_its_identity(world: World) -> None:
    root = setup(world)
    file = root / ".rasen-store" / "store.yaml"
    file.write_text(file.read_text().replace("id: team", "id: crew"))

    result = world.process("store", "register", str(root), "--json")

    assert list(statuses(result)) == ["store_alias_renamed"]
    assert "id: crew\n" in registry_text(world)


def test_a_name_of_digits_is_warned_about(world: World) -> None:
    result = world.process("store", "setup", "7", "--path", str(world.base / "x"), "--json")

    assert [(s["severity"], c) for c, s in statuses(result).items()] == [
        ("warning", "store_alias_numeric")
    ]
