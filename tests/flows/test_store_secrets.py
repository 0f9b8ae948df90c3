"""Addresses with a password: refused where they would be written or used, hidden wherever shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.store_commands import metadata, planning, registry_text
from tests.support.stores import Stores
from tests.support.team import Machine, bare, every_text, planned, write
from tests.support.world import World

SECRET = "hunter2word"
URL = f"https://ada:{SECRET}@h.example/team.git"
PROJECT_ID = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
UID = "0b0e1d52-1111-4222-8333-444455556666"


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world, "mia")


@pytest.fixture
def everywhere(machine: Machine) -> tuple[Path, Path]:
    """A store and a project of it that have the secret in every place that holds an address."""
    store, app = machine.store(), machine.project()
    planned(app)
    machine.ok("store", "add-project", str(app), "--to", "team")
    (record,) = (store / ".rasen-store" / "projects").iterdir()
    record.write_text(record.read_text().replace("roles:", f"remote: {URL}\nroles:"))
    file = store / ".rasen-store" / "store.yaml"
    file.write_text(file.read_text() + f"remote: {URL}\n")
    settings = app / "rasen" / "config.yaml"
    uid = file.read_text().partition("uid: ")[2].splitlines()[0]
    hints = f"storeMemberships:\n  - uid: {UID}\n    remote: {URL}\n"
    settings.write_text(
        settings.read_text().partition("storeMemberships")[0]
        + hints
        + f"store:\n  uid: {uid}\n  remote: {URL}\nreferences:\n  - id: absent\n    remote: {URL}\n"
    )
    for root in (store, app):
        machine.git(root, "branch", "-M", "main")
        machine.git(root, "remote", "add", "origin", URL)
        machine.commit(root, "All of it")
        machine.git(root, "config", "branch.main.remote", "origin")
        machine.git(root, "config", "branch.main.merge", "refs/heads/main")
    registry = machine.data_dir / "stores" / "registry.yaml"
    registry.write_text(
        registry.read_text().replace("type: git", f"type: git\n      remote: {URL}")
    )
    return store, app


CALLS = [
    ("store", "list"),
    ("store", "doctor"),
    ("store", "doctor", "team"),
    ("store", "register", "../team"),
    ("store", "setup", "team", "--path", "../team"),
    ("store", "setup", "team", "--path", "../team", "--remote", URL),
    ("store", "setup", "new", "--path", "../new", "--remote", URL),
    ("store", "sync", "team"),
    ("store", "sync", "team", "--dry-run"),
    ("store", "upgrade-identity", "team", "--apply"),
    ("store", "add-project", ".", "--to", "team"),
    ("store", "add-project", ".", "--to", "team", "--set-primary", "--dry-run"),
    ("store", "migrate-membership", "team", "--apply"),
    ("store", "adopt", ".", "--to", "team"),
    ("store", "eject", "app", "--from", "team"),
    ("store", "unregister", "team"),
    ("store", "remove", "team", "--yes"),
    ("archive", "relocate", "--to", "external"),
    ("doctor",),
    ("doctor", "--fix"),
    ("doctor", "--store", "team"),
    ("context",),
    ("context", "--store", "team"),
    ("list",),
    ("status", "--change", "add-x"),
    ("instructions", "proposal", "--change", "add-x"),
    ("instructions", "apply", "--change", "add-x"),
    ("new", "change", "another"),
    ("session", "start"),
    ("config", "list"),
]


@pytest.mark.parametrize("form", [["--json"], []], ids=["json", "human"])
@pytest.mark.parametrize("words", CALLS, ids=lambda words: " ".join(words).replace(URL, "URL"))
def test_no_output_shows_a_secret(
    machine: Machine, everywhere: tuple[Path, Path], words: tuple[str, ...], form: list[str]
) -> None:
    _, app = everywhere

    result = machine.world.process(*words, *form, cwd=app, env=machine.env)

    assert result.out + result.err
    assert SECRET not in result.out + result.err
    assert "Traceback" not in result.err


REFUSED = {
    "store setup": ("setup", "new", "--path", "../new", "--remote", URL),
    "store add-project": ("add-project", ".", "--to", "team"),
    "store adopt": ("adopt", ".", "--to", "team"),
    "store sync": ("sync", "team"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_write_or_use_it_is_refused_with_a_step(
    machine: Machine, everywhere: tuple[Path, Path], name: str
) -> None:
    _, app = everywhere

    program = machine.cli("store", *REFUSED[name], "--json", cwd=app)
    person = machine.cli("store", *REFUSED[name], cwd=app)

    assert (program.code, person.code) == (1, 1)
    told = program.json["status"][0]
    assert (told["code"], told["severity"]) == ("store_remote_credentials", "error")
    assert "https://h.example/team.git" in told["fix"]
    assert f"Error: {told['message']}\nFix: {told['fix']}" in person.err


def test_doctor_names_every_file_with_a_secret(
    machine: Machine, everywhere: tuple[Path, Path]
) -> None:
    store, app = everywhere

    of_app = machine.ok("doctor", "--json", cwd=app).json
    of_store = machine.ok("store", "doctor", "team", "--json").json

    told = [one for one in of_app["status"] if one["code"] == "store_remote_credentials"]
    assert len(told) == 3
    assert all(str(app / "rasen" / "config.yaml") in one["fix"] for one in told)
    places = {
        one["fix"] for one in of_store["stores"][0]["status"]
        if one["code"] == "store_remote_credentials"
    }  # fmt: skip
    assert any(str(store / ".rasen-store" / "store.yaml") in place for place in places)
    assert any(str(store / ".git") in place for place in places)


def test_an_upgrade_does_not_write_the_secret_again(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team", metadata=f"version: 1\nid: team\nremote: {URL}\n")
    stores.register("team", root)
    before = every_text(root)

    result = world.cli("store", "upgrade-identity", "team", "--apply", "--json")

    assert result.error == "store_remote_credentials"
    assert every_text(root) == before


def test_older_metadata_with_a_secret_is_not_copied_forward(world: World) -> None:
    root = planning(world.base / "team")
    older = metadata(root, f"version: 1\nid: team\nremote: {URL}\n")
    older.parent.rename(root / ".openspec-store")

    result = world.cli("store", "setup", "team", "--path", str(root), "--no-init-git", "--json")

    assert result.error == "store_remote_credentials"
    assert not (root / ".rasen-store").exists()


def test_a_record_with_a_secret_is_not_written_again(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    machine.ok("store", "add-project", str(app), "--to", "team")
    (record,) = (store / ".rasen-store" / "projects").iterdir()
    text = record.read_text().replace("roles:", f"remote: {URL}\nroles:")
    record.write_text(text.replace("knowledge: true", "knowledge: false"))
    before = record.read_text()

    result = machine.cli("store", "add-project", str(app), "--to", "team", "--json")

    assert result.error == "store_remote_credentials"
    assert record.read_text() == before


def test_the_registry_loses_its_secret_with_the_next_change(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team"), remote=URL)
    other = metadata(planning(world.base / "other"), "version: 1\nid: other\n").parents[1]

    assert world.cli("store", "register", str(other)).code == 0

    assert SECRET not in registry_text(world)
    assert "remote: https://h.example/team.git\n" in registry_text(world)


def test_a_mended_pointer_has_no_secret(machine: Machine) -> None:
    store, app = machine.store(), machine.place / "app"
    uid = (store / ".rasen-store" / "store.yaml").read_text().partition("uid: ")[2].splitlines()[0]
    write(app, "rasen/config.yaml", f"store:\n  uid: {uid}\n  id: crew\n  remote: {URL}\n")

    machine.ok("doctor", "--fix", "--json", cwd=app)

    assert SECRET not in every_text(app)
    assert "id: team" in every_text(app)


@pytest.mark.parametrize("how", ["url", "pushurl", "branch"])
def test_a_sync_uses_no_address_with_a_secret(machine: Machine, how: str) -> None:
    store = machine.store()
    bare(machine.world, store, "team")
    if how == "branch":
        machine.git(store, "config", "branch.main.remote", URL)
    else:
        machine.git(store, "config", f"remote.origin.{how}", URL)

    result = machine.cli("store", "sync", "team", "--json")

    assert result.error == "store_remote_credentials"
    assert SECRET not in result.out + result.err
    step = result.json["status"][0]["fix"].partition("`")[2].partition("`")[0]
    done = machine.world.shell("/bin/sh", step)
    assert done.code == 0, done.err
    assert SECRET not in (store / ".git" / "config").read_text()
