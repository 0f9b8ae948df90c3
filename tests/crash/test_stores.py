"""Changes of stores that die or run out of room: the next command finds everything or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.store_commands import metadata, planning, registry_text
from tests.support.world import World

from rasen.projects import ops as projects
from rasen.stores import identity, register, remove, setup
from rasen.stores.setup_recovery import note_path

FAULTS = ("kill", "torn")


class Place:
    """A world in which one change of a store is tried again and again."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.root = world.base / "team"
        self.copy = world.base / "copy"
        world.data_dir.parent.mkdir()

    def keep(self) -> None:
        """Remember the store's folder and the data folder as they are."""
        for path in (self.root, self.world.data_dir):
            if path.exists():
                shutil.copytree(path, self.copy / path.name, symlinks=True)

    def reset(self) -> None:
        """Put both back."""
        for path in (self.root, self.world.data_dir):
            shutil.rmtree(path, ignore_errors=True)
            if (self.copy / path.name).exists():
                shutil.copytree(self.copy / path.name, path, symlinks=True)

    def in_world(self, work: Callable[[], object]) -> Callable[[], object]:
        """`work` with the world's environment, for git; to be run in a child."""

        def run() -> None:
            os.environ.update(self.world.env)
            work()

        return run

    def settle(self) -> list[dict[str, str]]:
        """What the next command sees. It leaves no lock and no note."""
        result = self.world.cli("store", "list", "--json")
        assert result.code == 0, result.out
        folder = self.world.data_dir / "stores"
        left = {path.name for path in folder.iterdir()} if folder.exists() else set()
        drafts = {name for name in left if ".lock" in name or name.endswith(".tmp")}
        # A registry lock of the dead is taken by the next writer at once.
        assert {name for name in drafts if not name.startswith((".registry", "registry"))} <= {
            name for name in drafts if ".lock." in name
        }
        assert left - drafts <= {"registry.yaml"}
        stores = result.json["stores"]
        assert isinstance(stores, list)
        return stores

    def may_write(self) -> None:
        """A writer after the dead one gets through and leaves nothing of it."""
        other = self.world.base / "other"
        if not other.exists():
            planning(other)
        call = ("store", "register", str(other), "--yes", "--json")
        assert self.world.cli(*call).code == 0
        left = {path.name for path in (self.world.data_dir / "stores").iterdir()}
        assert {name for name in left if ".lock." not in name} == {"registry.yaml"}


@pytest.fixture
def place(world: World) -> Place:
    return Place(world)


def set_up(place: Place) -> Callable[[], object]:
    request = setup.Request("team", str(place.root))
    return place.in_world(lambda: setup.setup(place.world.context(), request))


def is_complete(place: Place) -> bool:
    world, root = place.world, place.root
    return (
        world.git("status", "--porcelain", cwd=root) == ""
        and len(world.git("ls-files", cwd=root).split()) == 4
        and (root / ".rasen-store" / "store.yaml").is_file()
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_a_killed_setup_is_completed_or_undone(place: Place, fault: str) -> None:
    work = set_up(place)
    outcomes = set()

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        stores = place.settle()
        if place.root.exists():
            assert is_complete(place)
            assert [row["id"] for row in stores] == ["team"]
        else:
            assert stores == []
        outcomes.add(place.root.exists())
        place.may_write()

    assert outcomes == {True, False}


def test_any_command_settles_a_killed_setup(place: Place) -> None:
    work, outcomes = set_up(place), set()
    place.world.workspace()

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault="kill").was_killed
        result = place.world.cli("list", "--json")
        assert result.code == 0, result.out
        folder = place.world.data_dir / "stores"
        notes = [one.name for one in folder.glob("setup-*.json")] if folder.exists() else []
        assert notes == []
        assert not place.root.exists() or is_complete(place)
        outcomes.add(place.root.exists())

    assert outcomes == {True, False}


def test_what_cannot_be_settled_stops_only_the_work_on_stores(place: Place) -> None:
    world = place.world
    world.workspace()
    planning(place.root)
    assert world.cli("store", "register", str(place.root), "--yes").code == 0
    note = note_path(world.context(), place.root)
    note.write_text("{")

    elsewhere = world.cli("list", "--json")
    selected = world.cli("list", "--store", "team", "--json")
    inside = world.cli("list", "--json", cwd=place.root)

    assert elsewhere.code == 0
    assert str(note) in elsewhere.err
    assert (selected.error, inside.error) == ("store_setup_note_invalid",) * 2
    assert world.cli("store", "list", "--json").error == "store_setup_note_invalid"


@pytest.mark.parametrize("fault", FAULTS)
def test_any_command_settles_a_killed_registration(place: Place, fault: str) -> None:
    world = place.world
    planning(place.root)
    world.workspace()
    place.keep()
    request = register.Request(str(place.root), yes=True)
    work = place.in_world(lambda: register.register(world.context(), request))

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        assert world.cli("list", "--json").code == 0
        is_registered = "local_path" in registry_text(world)
        assert (place.root / ".rasen-store" / "store.yaml").exists() is is_registered, at


def test_a_killed_setup_takes_nothing_of_others_with_it(place: Place) -> None:
    planning(place.root)
    (place.root / "notes.txt").write_text("mine")
    place.world.git("init", "-q", cwd=place.root)
    place.world.git("add", "notes.txt", cwd=place.root)
    place.keep()
    before = snapshot(place.root, without=(".git",))
    work = set_up(place)
    outcomes = set()

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at).was_killed
        stores = place.settle()
        after = snapshot(place.root, without=(".git",))
        staged = place.world.git("diff", "--cached", "--name-only", cwd=place.root).split()
        assert "notes.txt" in staged
        if stores == []:
            assert after == before
            assert staged == ["notes.txt"]
        assert {name: after[name] for name in before} == before
        outcomes.add(bool(stores))

    assert outcomes == {True, False}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("fault", ["enospc", "eacces", "interrupt"])
def test_a_setup_that_cannot_go_on_leaves_nothing_or_all(place: Place, fault: str) -> None:
    work = set_up(place)

    for at in crash.points(work, place.reset, stride=3):
        place.reset()
        ending = crash.fork(work, at=at, fault=fault)
        assert not ending.was_killed
        stores = place.settle()
        if place.root.exists():
            assert is_complete(place)
        else:
            assert stores == []
            assert ending.code


@pytest.mark.parametrize("fault", FAULTS)
def test_a_killed_registration_has_metadata_and_row_or_neither(place: Place, fault: str) -> None:
    planning(place.root)
    place.keep()
    request = register.Request(str(place.root), yes=True)
    work = place.in_world(lambda: register.register(place.world.context(), request))
    outcomes = set()

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        stores = place.settle()
        assert (place.root / ".rasen-store" / "store.yaml").exists() is bool(stores)
        assert (place.root / "rasen" / "config.yaml").is_file()
        outcomes.add(bool(stores))
        place.may_write()

    assert outcomes == {True, False}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_killed_removal_leaves_the_folder_whole_or_none_of_it(place: Place, fault: str) -> None:
    crash.fork(set_up(place))
    place.keep()
    whole = _files(place.root)
    request = remove.Request("team", yes=True)
    work = place.in_world(lambda: remove.remove(place.world.context(), request))
    outcomes = set()

    for at in crash.points(work, place.reset, stride=2):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        stores = place.settle()
        if place.root.exists():
            assert _files(place.root) == whole
        else:
            assert stores == []
        outcomes.add(place.root.exists())
        assert not [path for path in place.root.parent.iterdir() if path.name.startswith(".rasen")]

    assert outcomes == {True, False}
    assert "local_path" not in registry_text(place.world)


def _files(root: Path) -> dict[str, tuple[str, int, bytes]]:
    return snapshot(root)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_killed_upgrade_is_completed_by_the_next_and_mints_once(place: Place, fault: str) -> None:
    world, file = place.world, place.root / ".rasen-store" / "store.yaml"
    metadata(planning(place.root), "version: 1\nid: team\n")
    assert world.cli("store", "register", str(place.root)).code == 0
    place.keep()
    work = place.in_world(
        lambda: identity.upgrade_identity(world.context(), "team", is_applied=True)
    )
    outcomes = set()

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        minted = file.read_text()
        again = world.cli("store", "upgrade-identity", "team", "--apply", "--json")
        assert again.code == 0, again.out
        if "version: 2" in minted:
            assert file.read_text() == minted
        assert f"  {again.json['store']['uid']}:\n" in registry_text(world)
        assert [path.name for path in file.parent.iterdir()] == ["store.yaml"], at
        outcomes.add("version: 2" in minted)

    assert outcomes == {True, False}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_killed_minting_leaves_no_draft_beside_the_settings(place: Place, fault: str) -> None:
    world = place.world
    planning(place.root)
    place.keep()
    work = place.in_world(lambda: projects.register(world.context(), place.root))

    for at in crash.points(work, place.reset):
        place.reset()
        assert crash.fork(work, at=at, fault=fault).was_killed
        projects.register(world.context(), place.root)
        names = {path.name for path in (place.root / "rasen").iterdir()}
        assert names == {"config.yaml", "specs"}, at
        folder = world.data_dir / "projects"
        left = {path.name for path in folder.iterdir()}
        assert {name for name in left if ".lock." not in name} == {"registry.json"}, at
