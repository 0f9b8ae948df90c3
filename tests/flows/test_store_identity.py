"""`store upgrade-identity`: one identity, minted once, known to metadata, registry and pointer."""

from __future__ import annotations

import pytest
import yaml
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import registry_text
from tests.support.stores import Stores
from tests.support.world import World


def legacy_store(world: World, name: str = "team") -> None:
    stores = Stores(world)
    root = stores.checkout(name, metadata=f"version: 1\nid: {name}\nremote: git@h.example:p.git\n")
    stores.register(name, root)


def upgrade(world: World, *more: str) -> dict[str, object]:
    result = world.cli("store", "upgrade-identity", "team", *more, "--json")
    assert result.code == 0, result.out
    document = fits("store-upgrade-identity", result.json)
    assert isinstance(document, dict)
    return document


def test_the_preview_changes_nothing(world: World) -> None:
    legacy_store(world)
    world.write("rasen/config.yaml", "store: team # ours\n")
    before = snapshot(world.base)

    document = upgrade(world, "--uid")
    text = world.cli("store", "upgrade-identity", "team", "--dry-run")

    assert snapshot(world.base) == before
    assert document["applied"] is False
    assert document["store"]["uid"] is None  # type: ignore[index]
    steps = document["steps"]
    assert isinstance(steps, list)
    assert [(one["target"], one["needed"]) for one in steps] == [
        ("store-metadata", True),
        ("registry", True),
        ("project-pointer", True),
    ]
    assert "--apply" in text.out


def test_applying_reaches_metadata_registry_and_pointer(world: World) -> None:
    legacy_store(world)
    world.write("rasen/config.yaml", "schema: spec-driven # x\nstore: team\n")

    document = upgrade(world, "--apply")

    uid = document["store"]["uid"]  # type: ignore[index]
    root = world.base / "stores" / "team"
    metadata = yaml.safe_load((root / ".rasen-store" / "store.yaml").read_text())
    assert metadata == {"version": 2, "uid": uid, "id": "team", "remote": "git@h.example:p.git"}
    assert yaml.safe_load(registry_text(world))["version"] == 2
    assert uid in yaml.safe_load(registry_text(world))["stores"]
    config = world.read("rasen/config.yaml")
    assert config.startswith("schema: spec-driven # x\n")
    assert yaml.safe_load(config)["store"] == {
        "uid": uid,
        "id": "team",
        "remote": "git@h.example:p.git",
    }
    assert document["filesToCommit"] == [
        str(root / ".rasen-store" / "store.yaml"),
        str(world.path("rasen/config.yaml")),
    ]
    assert document["repairNeeded"] is False


def test_applying_again_does_nothing(world: World) -> None:
    legacy_store(world)
    first = upgrade(world, "--apply")
    before = snapshot(world.base)

    second = upgrade(world, "--apply")

    assert snapshot(world.base) == before
    assert second["store"] == first["store"]
    assert second["filesToCommit"] == []
    assert "Nothing is to be done." in world.cli("store", "upgrade-identity", "team").out


def test_other_stores_without_identity_block_the_registry_only(world: World) -> None:
    stores = Stores(world)
    for name in ("team", "crew"):
        stores.register(name, stores.checkout(name))

    preview = upgrade(world)
    document = upgrade(world, "--apply")

    steps = preview["steps"]
    assert isinstance(steps, list)
    assert "crew" in steps[1]["blocked"]
    assert "version: 1\n" in registry_text(world)
    assert [one["code"] for one in document["diagnostics"]] == [  # type: ignore[attr-defined]
        "store_registry_rekey_blocked"
    ]
    world.cli("store", "upgrade-identity", "crew", "--apply")
    assert "version: 2\n" in registry_text(world)


@pytest.mark.usefixtures("impatient")
def test_a_registry_that_is_in_use_leaves_a_repair_to_finish(world: World) -> None:
    legacy_store(world)
    lock = world.data_dir / "stores" / "registry.yaml.lock"
    lock.mkdir()

    result = world.cli("store", "upgrade-identity", "team", "--apply", "--json")

    assert result.code == 1
    assert result.json["repairNeeded"] is True
    assert [one["code"] for one in result.json["diagnostics"]] == ["store_registry_busy"]
    assert len(result.json["filesToCommit"]) == 1
    lock.rmdir()
    upgrade(world, "--apply")
    assert "version: 2\n" in registry_text(world)


def test_preview_and_apply_exclude_each_other(world: World) -> None:
    result = world.cli("store", "upgrade-identity", "team", "--dry-run", "--apply", "--json")

    assert (result.code, result.error) == (1, "usage_error")
