"""Registering checkouts and looking for their homes, with real files and real git."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.world import World

from rasen.files.lock import hold
from rasen.projects import ops
from rasen.projects.model import (
    InvalidProjectRegistry,
    ProjectConfigMissing,
    ProjectRegistryBusy,
)


def registry(world: World) -> dict[str, Any]:
    text = (world.data_dir / "projects" / "registry.json").read_text()
    projects: dict[str, Any] = json.loads(text)["projects"]
    return projects


def committed(world: World) -> None:
    world.workspace(config="schema: spec-driven\nprojectId: shop-id\n")
    world.write("rasen/specs/.gitkeep", "")
    world.git("init", "-q")
    world.git("add", ".")
    world.git("commit", "-qm", "start")


def test_registering_mints_an_identity_and_a_home(world: World) -> None:
    world.workspace()

    home = ops.register(world.context(), world.root)

    assert home.is_new
    assert home.is_minted
    assert f"projectId: {home.project_id}\n" in world.read("rasen/config.yaml")
    assert registry(world)[str(world.root)] == {
        "projectId": home.project_id,
        "name": "project",
        "mode": "in-repo",
        "home": home.path.name,
        "lastSeen": "2026-01-31T12:00:00.000Z",
    }


def test_registering_again_changes_nothing(world: World) -> None:
    world.workspace()
    first = ops.register(world.context(), world.root)
    before = registry(world)

    second = ops.register(world.context(), world.root)

    assert (second.path, second.project_id) == (first.path, first.project_id)
    assert not second.is_new
    assert not second.is_minted
    assert registry(world) == before


def test_a_project_without_configuration_cannot_be_registered(world: World) -> None:
    world.write("rasen/specs/a/spec.md", "# a\n")

    with pytest.raises(ProjectConfigMissing) as refused:
        ops.register(world.context(), world.root)

    assert refused.value.code == "project_config_missing"
    assert not (world.root / "rasen" / "config.yaml").exists()


def test_a_folder_that_only_points_to_a_store_is_registered_as_such(world: World) -> None:
    world.write("rasen/config.yaml", "store: team\n")

    ops.register(world.context(), world.root)

    assert registry(world)[str(world.root)]["mode"] == "store"


def test_a_worktree_shares_the_home_named_after_the_main_repository(world: World) -> None:
    committed(world)
    tree = world.base / "elsewhere"
    world.git("worktree", "add", "-q", str(tree))

    from_tree = ops.register(world.context(), tree)
    from_main = ops.register(world.context(), world.root)

    assert from_tree.path == from_main.path
    assert from_tree.path.name.startswith("project-")
    assert not from_main.is_new
    assert len(registry(world)) == 2


def test_a_clone_gets_a_home_of_its_own(world: World) -> None:
    committed(world)
    clone = world.base / "clone" / "project"
    world.git("clone", "-q", str(world.root), str(clone))

    first = ops.register(world.context(), world.root)
    second = ops.register(world.context(), clone)

    assert second.path.name == first.path.name + "-2"


def test_a_moved_checkout_keeps_its_home(world: World) -> None:
    committed(world)
    first = ops.register(world.context(), world.root)
    moved = world.base / "moved"
    world.root.rename(moved)

    assert ops.home_of(world.context(cwd=moved), moved) == first.path
    second = ops.register(world.context(cwd=moved), moved)

    assert second.path == first.path
    assert list(registry(world)) == [str(moved)]


def test_a_look_for_a_home_registers_nothing(world: World) -> None:
    committed(world)

    assert ops.home_of(world.context(), world.root) is None
    assert ops.work_dir(world.context(), world.root, "add-x") is None
    assert ops.archive_dir_external(world.context(), world.root) is None

    assert not world.data_dir.exists()


def test_the_places_in_a_home(world: World) -> None:
    world.workspace()
    home = ops.register(world.context(), world.root).path

    assert ops.work_dir(world.context(), world.root, "add-x") == home / "changes/add-x/work"
    assert ops.archive_dir_external(world.context(), world.root) == home / "archive"


def test_a_linked_path_finds_the_home_of_the_real_one(world: World) -> None:
    world.workspace()
    home = ops.register(world.context(), world.root).path
    link = world.base / "link"
    link.symlink_to(world.root)

    assert ops.home_of(world.context(), link) == home


def test_a_broken_registry_is_refused_when_writing_and_passed_over_when_looking(
    world: World,
) -> None:
    world.workspace()
    place = world.data_dir / "projects" / "registry.json"
    place.parent.mkdir(parents=True)
    place.write_text('{"version": 9}')

    assert ops.home_of(world.context(), world.root) is None
    with pytest.raises(InvalidProjectRegistry):
        ops.register(world.context(), world.root)

    assert place.read_text() == '{"version": 9}'
    assert "projectId" not in world.read("rasen/config.yaml")
    assert [entry.name for entry in place.parent.iterdir()] == ["registry.json"]


def test_a_busy_registry_has_its_own_code_and_names_the_lock(tmp_path: Path) -> None:
    place = tmp_path / "registry.json.lock"

    with hold(place), pytest.raises(ProjectRegistryBusy) as busy:  # noqa: SIM117
        with hold(place, busy=ProjectRegistryBusy, wait_s=0.05):
            pass

    assert busy.value.code == "project_registry_busy"
    assert str(place) in str(busy.value)
