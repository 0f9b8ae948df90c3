"""`store unregister`, `remove` and `list`: what is forgotten, what is deleted, and what is left."""

from __future__ import annotations

import codecs
import json

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.store_commands import registry_text, setup, statuses
from tests.support.stores import Stores
from tests.support.terminal import Terminal
from tests.support.unprivileged import as_nobody
from tests.support.world import World


def test_unregistering_leaves_the_files(world: World) -> None:
    root = setup(world)
    before = snapshot(root)

    result = world.process("store", "unregister", "team", "--json")

    assert fits("store-unregister", result.json)["files"] == {
        "deleted": False,
        "deleted_path": None,
        "left_on_disk": str(root),
    }
    assert snapshot(root) == before
    assert registry_text(world) == "version: 1\nstores: {}\n"


def test_a_store_is_named_by_its_identity_too(world: World) -> None:
    setup(world)
    uid = world.process("store", "list", "--json").json["stores"][0]["uid"]

    assert world.process("store", "unregister", uid.upper(), "--json").code == 0
    assert world.process("store", "list", "--json").json["stores"] == []


def test_removing_deletes_the_folder(world: World) -> None:
    root = setup(world)

    result = world.process("store", "remove", "team", "--yes", "--json")

    assert fits("store-remove", result.json) == {
        "store": {"id": "team", "root": str(root)},
        "registry": {"path": str(world.data_dir / "stores" / "registry.yaml"), "removed": True},
        "files": {"deleted": True, "deleted_path": str(root), "left_on_disk": None},
        "status": [],
    }
    assert not root.exists()
    assert [path.name for path in world.base.iterdir() if path.name.startswith(".")] == []


def test_pushed_work_does_not_stop_it(world: World) -> None:
    bare = world.base / "origin.git"
    world.git("init", "-q", "--bare", str(bare))
    root = setup(world)
    world.git("remote", "add", "origin", str(bare), cwd=root)
    world.git("push", "-q", "origin", "HEAD", cwd=root)

    assert world.process("store", "remove", "team", "--yes").code == 0
    assert not root.exists()


def test_links_inside_the_store_do_not_stop_it(world: World) -> None:
    root = setup(world, "team", "--no-init-git")
    (root / "alias").symlink_to("rasen")

    assert world.process("store", "remove", "team", "--yes").code == 0
    assert not root.exists()


def test_a_folder_that_is_gone_is_only_a_warning(world: World) -> None:
    stores = Stores(world)
    stores.register("team", world.base / "gone")

    result = world.process("store", "remove", "team", "--yes", "--json")

    assert result.code == 0
    assert statuses(result)["store_root_missing"]["severity"] == "warning"
    assert result.json["files"] == {"deleted": False, "deleted_path": None, "left_on_disk": None}


def test_a_folder_that_cannot_be_deleted_is_left_and_told(world: World) -> None:
    """Neither it nor the folder above can be written, while the registry can."""
    root = setup(world, "team", "--no-init-git")
    places = (world.data_dir, world.data_dir / "stores")
    for path in (*places, world.data_dir / "stores" / "registry.yaml"):
        path.chmod(0o777)
    answer = world.data_dir / "answer.json"
    world.cli("store", "remove", "team", "--json")  # the child may not read what it would load
    codecs.lookup("ascii")

    ending = as_nobody(
        lambda: answer.write_text(world.cli("store", "remove", "team", "--yes", "--json").out), root
    )

    assert (ending.was_killed, ending.code) == (False, "")
    document = fits("store-remove", json.loads(answer.read_text()))
    assert document["files"]["left_on_disk"] == str(root)
    assert [one["code"] for one in document["status"]] == ["store_files_left_on_disk"]
    assert (root / "rasen" / "config.yaml").is_file()
    assert "local_path" not in registry_text(world)


@pytest.mark.parametrize(("answer", "is_gone"), [("y\n", True), ("n\n", False), ("\n", False)])
def test_a_person_is_asked_before_deleting(world: World, answer: str, is_gone: bool) -> None:
    root = setup(world, "team", "--no-init-git")

    result = world.cli("store", "remove", "team", tty=True, input=answer)

    assert root.exists() is not is_gone
    assert result.code == (0 if is_gone else 1)
    assert ("the removal was cancelled" in result.err) is not is_gone
    assert ("local_path" in registry_text(world)) is not is_gone


def test_ctrl_c_at_the_question_ends_with_130(world: World) -> None:
    root = setup(world, "team", "--no-init-git")

    with Terminal(world, "store", "remove", "team") as terminal:
        terminal.wait_for("Delete the folder")
        terminal.type("\x03")
        assert terminal.code() == 130

    assert "Cancelled." in terminal.seen
    assert root.exists()


def test_projects_are_in_a_namespace_of_their_own(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("shop", metadata="version: 1\nid: shop\n")
    stores.register("project:shop", root)

    assert world.process("store", "unregister", "shop", "--json").error == "store_not_found"
    assert world.process("store", "unregister", "shop", "--project-namespace").code == 0


def test_the_list_names_everything(world: World) -> None:
    stores = Stores(world)
    one, shop = stores.checkout("team"), stores.checkout("shop")
    stores.register("team", one)
    stores.register("project:shop", shop)

    result = world.cli("store", "ls", "--json")
    text = world.cli("store", "list")

    assert fits("store-list", result.json) == {
        "stores": [
            {"id": "shop", "root": str(shop), "type": "project"},
            {"id": "team", "root": str(one), "type": "store"},
        ],
        "status": [],
    }
    assert text.out.splitlines() == [
        "Registered: 2",
        "",
        "ID               Type       Location",
        f"shop             project    {shop}",
        f"team             store      {one}",
    ]


def test_an_empty_list_shows_how_to_begin(world: World) -> None:
    lines = world.cli("store", "list").out.splitlines()

    assert len([line for line in lines if "rasen store" in line]) == 2
    assert world.cli("store", "list", "--json").json == {"stores": [], "status": []}
