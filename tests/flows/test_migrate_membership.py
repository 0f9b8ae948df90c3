"""Older data about members of a store becomes one record each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.snapshot import snapshot
from tests.support.team import Machine, every_text, write
from tests.support.world import World

from rasen.stores import membership, migrate, records
from rasen.stores.migrate import VerifyFailed
from rasen.syntax import yaml

GHOST = "00000000-0000-4000-8000-00000000aaaa"
ADOPTIONS = """version: 1
adoptions:
  - projectId: {ghost}
    alias: ghost
    sourcePath: /srv/someone/ghost
    timestamp: "2025-01-01T00:00:00.000Z"
    specs: [pay]
    changes: [add-x]
"""


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world, "mia")


@pytest.fixture
def store(machine: Machine) -> Path:
    """A store of the older kind: an adoption, and references to a project here and one elsewhere."""
    root = machine.store()
    app = machine.project()
    machine.ok("store", "add-project", str(app), "--to", "team")
    for path in (root / records.RECORDS).iterdir():
        path.unlink()
    config = root / "rasen" / "config.yaml"
    config.write_text(config.read_text() + "  - project:elsewhere\n  - a-store\n")
    write(root, ".rasen-store/adoptions.yaml", ADOPTIONS.format(ghost=GHOST))
    machine.commit(root, "Older data")
    return root


def _records(store: Path) -> dict[str, str]:
    folder = store / records.RECORDS
    return (
        {path.stem: path.read_text() for path in folder.glob("*.yaml")} if folder.is_dir() else {}
    )


@pytest.mark.parametrize("form", [[], ["--dry-run"], ["--apply", "--dry-run"]], ids=" ".join)
def test_a_preview_is_the_default_and_writes_nothing(
    machine: Machine, store: Path, form: list[str]
) -> None:
    before = snapshot(machine.world.base)

    told = machine.ok("store", "migrate-membership", "team", "--json", *form).json

    assert list(told) == [
        "store", "applied", "converted", "unresolved", "store_writes", "legacy_manifest_removed",
        "legacy_manifest_path", "suggested_commits", "status",
    ]  # fmt: skip
    assert told["applied"] is False
    assert [(row["alias"], row["source"], row["roles"]) for row in told["converted"]] == [
        ("app", "legacy-reference", {"planning": False, "knowledge": True}),
        ("ghost", "legacy-adoption", {"planning": True, "knowledge": False}),
    ]
    assert told["unresolved"] == [{"alias": "elsewhere", "source": "legacy-reference"}]
    assert [(row["severity"], row["code"]) for row in told["status"]] == [
        ("warning", "store_legacy_reference_unresolved")
    ]
    assert told["legacy_manifest_path"] == str(store / ".rasen-store" / "adoptions.yaml")
    assert snapshot(machine.world.base) == before


def test_applied_each_project_has_a_record_without_paths(machine: Machine, store: Path) -> None:
    told = machine.ok("store", "migrate-membership", "team", "--apply", "--json").json

    records = _records(store)
    assert told["applied"] is True
    assert sorted(told["store_writes"]) == sorted(row["record_path"] for row in told["converted"])
    assert len(records) == 2
    ghost = yaml.load(records[GHOST], file="record")
    assert isinstance(ghost, dict)
    assert ghost["adoption"] == {
        "specs": ["pay"],
        "changes": ["add-x"],
        "adoptedAt": "2025-01-01T00:00:00.000Z",
    }
    assert "/srv/someone" not in every_text(store)
    assert told["legacy_manifest_removed"] is True
    assert not (store / ".rasen-store" / "adoptions.yaml").exists()
    command = told["suggested_commits"][0]["command"]
    assert ".rasen-store/adoptions.yaml" in command
    assert GHOST in command


def test_a_second_run_has_nothing_to_do(machine: Machine, store: Path) -> None:
    machine.ok("store", "migrate-membership", "team", "--apply")
    before = snapshot(store)

    told = machine.ok("store", "migrate-membership", "team", "--apply", "--json").json

    assert told["converted"] == told["store_writes"] == []
    assert told["legacy_manifest_path"] is None
    assert snapshot(store) == before


def test_one_project_named_by_both_gets_both_roles(machine: Machine, store: Path) -> None:
    project_id = machine.ok(
        "store", "add-project", str(machine.place / "app"), "--to", "team", "--dry-run", "--json"
    ).json["membership"]["project_id"]
    text = ADOPTIONS.format(ghost=GHOST).replace(GHOST, project_id.upper()).replace("ghost", "app")
    write(store, ".rasen-store/adoptions.yaml", text)

    machine.ok("store", "migrate-membership", "team", "--apply")

    record = _records(store)[project_id]
    assert "planning: true" in record
    assert "knowledge: true" in record


def test_a_list_that_would_lose_a_row_is_kept(machine: Machine, store: Path) -> None:
    text = ADOPTIONS.format(ghost=GHOST).replace(f"projectId: {GHOST}\n    alias", "alias")
    write(store, ".rasen-store/adoptions.yaml", text)

    told = machine.ok("store", "migrate-membership", "team", "--apply", "--json").json

    assert told["legacy_manifest_removed"] is False
    assert (store / ".rasen-store" / "adoptions.yaml").read_text() == text
    assert {"alias": "ghost", "source": "legacy-adoption"} in told["unresolved"]


@pytest.mark.parametrize("text", ["a: [", "just text\n", "adoptions: [1]\n"], ids=repr)
def test_a_broken_list_is_refused(machine: Machine, store: Path, text: str) -> None:
    write(store, ".rasen-store/adoptions.yaml", text)

    result = machine.cli("store", "migrate-membership", "team", "--apply", "--json")

    assert result.error == "store_adoptions_invalid"
    assert result.json["store"] is None
    assert _records(store) == {}


def test_a_commit_since_the_preview_stops_it(machine: Machine, store: Path) -> None:
    ctx = machine.context()
    from rasen.stores import ops

    planned = migrate.plan(ctx, ops.resolve(ctx, "team"))
    write(store, "note.txt", "x")
    machine.commit(store, "Meanwhile")

    with pytest.raises(membership.BaseCommitMoved) as refusal:
        migrate.apply(ctx, planned)

    assert refusal.value.code == "membership_base_commit_moved"
    assert _records(store) == {}


def test_records_that_do_not_read_back_keep_the_list(machine: Machine, store: Path) -> None:
    ctx = machine.context()
    from rasen.stores import ops

    planned = migrate.plan(ctx, ops.resolve(ctx, "team"))
    migrate.apply(ctx, planned)
    planned.converted[0].path.write_text("version: 1\n")

    with pytest.raises(VerifyFailed) as refusal:
        migrate._verify(planned)

    assert refusal.value.code == "migrate_membership_verify_failed"
    assert len(_records(store)) == 2
