"""Changing the registry: which version it takes, who may write, and what the dead leave behind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import yaml
from tests.support.crash import NOBODY
from tests.support.stores import Stores
from tests.support.unprivileged import as_nobody
from tests.support.world import World

from rasen.stores.enrol import enrol
from rasen.stores.model import Registration, Registry
from rasen.stores.registry_change import StoreRegistryBusy, change
from rasen.stores.registry_file import RegistryNeedsIdentities

ONE = "00000000-0000-4000-8000-00000000000a"
TWO = "00000000-0000-4000-8000-00000000000b"


def v2(name: str, uid: str) -> str:
    return f"version: 2\nuid: {uid}\nid: {name}\n"


def text(world: World) -> str:
    return (world.data_dir / "stores" / "registry.yaml").read_text()


def add(world: World, row: Registration) -> list[str]:
    """Register a row; the codes of what was told."""
    changed = change(
        world.context(), lambda known: enrol(known, row, exists=lambda _: True).registry
    )
    return [finding.code for finding in changed.findings]


def test_it_is_keyed_by_identity_once_every_store_has_one(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team", metadata=v2("team", ONE))
    stores.register("team", root)
    other = stores.checkout("crew")

    assert add(world, Registration("crew", str(other))) == ["store_registry_rekey_blocked"]
    assert yaml.safe_load(text(world))["version"] == 1
    (other / ".rasen-store" / "store.yaml").write_text(v2("crew", TWO))
    assert change(world.context(), lambda known: known).findings == ()

    document = yaml.safe_load(text(world))
    assert document["version"] == 2
    assert list(document["stores"]) == [ONE, TWO]


def test_it_goes_back_to_names_when_a_store_without_identity_comes(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team", metadata=v2("team", ONE)), uid=ONE)
    crew = stores.checkout("crew")

    assert add(world, Registration("crew", str(crew))) == ["store_registry_rekey_blocked"]

    assert list(yaml.safe_load(text(world))["stores"]) == ["crew", "team"]


def test_it_refuses_to_go_back_where_names_would_collide(world: World) -> None:
    stores = Stores(world)
    for place, uid in (("one", ONE), ("two", TWO)):
        stores.register("team", stores.checkout(place, metadata=v2("team", uid)), uid=uid)
    before = text(world)

    with pytest.raises(RegistryNeedsIdentities):
        add(world, Registration("crew", str(stores.checkout("crew"))))

    assert text(world) == before


def test_no_identity_is_taken_from_a_checkout_of_another_name(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team", metadata=v2("crew", ONE)))

    change(world.context(), lambda known: known)

    assert yaml.safe_load(text(world))["version"] == 1


def test_an_old_map_of_repositories_is_dropped(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team", metadata=v2("team", ONE))
    stores.write(
        "version: 1\nrepos: {x: 1}\nstores:\n  team:\n    backend:\n      type: git\n"
        f"      local_path: {root}\n"
    )

    change(world.context(), lambda known: known)

    assert "repos" not in yaml.safe_load(text(world))


def test_the_lock_of_a_foreign_machine_is_taken_when_it_is_old(world: World) -> None:
    folder = Stores(world).write("version: 1\nstores: {}\n").parent
    lock = folder / "registry.yaml.lock"
    lock.write_text('{"pid": 1, "started": "x", "host": "elsewhere"}')
    old = time.time() - 31
    os.utime(lock, (old, old))

    change(world.context(), lambda known: known)

    assert not lock.exists()


def test_a_lock_in_use_is_named_with_the_way_out(world: World) -> None:
    folder = Stores(world).write("version: 1\nstores: {}\n").parent
    (folder / "registry.yaml.lock").write_text('{"pid": 1, "started": "x", "host": "elsewhere"}')

    began = time.monotonic()
    with pytest.raises(StoreRegistryBusy) as refusal:
        change(world.context(), lambda known: known)

    assert 4.5 < time.monotonic() - began < 15
    assert refusal.value.target == "store.registry"
    assert refusal.value.params["lock"] == str(folder / "registry.yaml.lock")
    assert "{lock}" in refusal.value.fix_text


def test_a_folder_that_cannot_be_written_is_the_same_code_with_other_words(world: World) -> None:
    Stores(world).write("version: 1\nstores: {}\n")

    ending = as_nobody(lambda: change(world.context(), lambda known: known), world.base)

    assert ending.code == "store_registry_busy"
    assert ending.text.startswith("cannot create the lock")


def test_what_killed_writers_left_is_swept(world: World) -> None:
    folder = Stores(world).write("version: 1\nstores: {}\n").parent
    (folder / f".registry.yaml.{NOBODY}-abc.tmp").write_text("half")
    young, old = folder / "registry.yaml.lock.99-a", folder / "registry.yaml.lock.99-b"
    for draft in (young, old):
        draft.write_text("{}")
    past = time.time() - 120
    os.utime(old, (past, past))

    change(world.context(), lambda known: known)

    assert sorted(path.name for path in folder.iterdir()) == ["registry.yaml", young.name]


def test_nothing_new_is_not_written_anew(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team", metadata=v2("team", ONE)), uid=ONE)
    change(world.context(), lambda known: known)
    path = world.data_dir / "stores" / "registry.yaml"
    before = path.stat().st_ino

    change(world.context(), lambda known: known)

    assert path.stat().st_ino == before


def test_files_come_to_be_with_the_change_or_not_at_all(world: World) -> None:
    stores = Stores(world)
    stores.write("version: 1\nstores: {}\n")
    fresh, taken = world.base / "fresh", world.base / "taken"
    taken.write_text("mine")
    row = Registration("team", "/work/team")

    def edit(known: Registry) -> Registry:
        return Registry((*known.rows, row))

    with pytest.raises(Exception, match="changed by someone else"):
        change(world.context(), edit, files={fresh: b"x", taken: b"y"})

    assert _state(fresh, taken) == (False, "mine")
    assert yaml.safe_load(text(world))["stores"] == {}
    change(world.context(), edit, files={fresh: b"x"})
    assert fresh.read_text() == "x"
    assert "team" in yaml.safe_load(text(world))["stores"]


def _state(fresh: Path, taken: Path) -> tuple[bool, str]:
    return fresh.exists(), taken.read_text()
