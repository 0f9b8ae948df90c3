"""Moving the planning of a project out of a store again, and archives in and out of a repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.team import Machine, bare, planned, write
from tests.support.world import World

from rasen.projects import ops as projects
from rasen.stores import eject
from rasen.stores.membership import BaseCommitMoved
from rasen.syntax import yaml


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world, "mia")


@pytest.fixture
def store(machine: Machine) -> Path:
    return machine.store()


@pytest.fixture
def app(machine: Machine, store: Path) -> Path:
    """A project whose planning is in the store, all committed."""
    root = machine.project()
    planned(root)
    machine.commit(root, "Plan")
    machine.ok("store", "adopt", str(root), "--to", "team")
    for place in (root, store):
        machine.commit(place, "Adopt")
    return root


def _config(root: Path) -> dict[str, object]:
    value = yaml.load((root / "rasen" / "config.yaml").read_text(), file="config.yaml")
    assert isinstance(value, dict)
    return value


def _records(store: Path) -> list[str]:
    return [path.read_text() for path in (store / ".rasen-store" / "projects").glob("*.yaml")]


def _files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in (root / "rasen").rglob("*")
        if path.is_file() and path.name not in (".gitkeep", "config.yaml")
    }


def _mode(machine: Machine, root: Path) -> str:
    text = (machine.data_dir / "projects" / "registry.json").read_text()
    return str(json.loads(text)["projects"][str(root)]["mode"])


def test_out_and_in_again_gives_the_same_planning(machine: Machine, store: Path, app: Path) -> None:
    before = _files(store)

    told = machine.ok("store", "eject", "app", "--from", "team", "--json", cwd=app).json

    assert list(told) == ["ejection", "membership", "status"]
    assert told["ejection"]["specs"] == ["area", "pay"]
    assert told["ejection"]["changes"] == ["add-x"]
    assert told["ejection"]["archived"] == ["2026-01-01-old"]
    assert told["ejection"]["record_removed"] is True
    assert told["membership"]["roles"] is None
    assert _files(app) == before
    assert _files(store) == {}
    assert "store" not in _config(app)
    assert "storeMemberships" not in _config(app)
    assert _records(store) == []
    assert _mode(machine, app) == "in-repo"
    assert machine.ok("list", "--json", cwd=app).json["root"]["source"] == "nearest"
    for commit in told["membership"]["suggested_commits"]:
        subprocess.run(commit["command"], shell=True, check=True, capture_output=True,
                       env=machine.environ(), cwd="/")  # fmt: skip
    assert machine.git(store, "status", "--porcelain") == ""
    assert machine.git(app, "status", "--porcelain") == ""


def test_that_it_shares_knowledge_stays(machine: Machine, store: Path, app: Path) -> None:
    machine.ok("store", "add-project", str(app), "--to", "team")

    told = machine.ok("store", "eject", "app", "--from", "team", "--json", cwd=app).json

    assert told["membership"]["roles"] == {"planning": False, "knowledge": True}
    assert told["ejection"]["record_removed"] is False
    assert "adoption" not in _records(store)[0]
    assert "storeMemberships" in _config(app)


def test_a_change_archived_in_the_store_comes_back_archived(
    machine: Machine, store: Path, app: Path
) -> None:
    archive = store / "rasen/changes/archive"
    (store / "rasen/changes/add-x").rename(archive / "2026-01-30-add-x")

    told = machine.ok("store", "eject", "app", "--from", "team", "--json", cwd=app).json

    assert told["ejection"]["archived"] == ["2026-01-30-add-x", "2026-01-01-old"]
    assert (app / "rasen/changes/archive/2026-01-30-add-x").is_dir()


def test_an_archive_that_had_stayed_becomes_the_archive_again(
    machine: Machine, store: Path
) -> None:
    app = machine.project()
    planned(app)
    machine.ok("store", "adopt", str(app), "--to", "team", "--archive", "leave")

    machine.ok("store", "eject", "app", "--from", "team", cwd=app)

    assert store.is_dir()
    assert (app / "rasen/changes/archive/2026-01-01-old/proposal.md").is_file()
    assert not (app / "rasen/archive").exists()


def test_what_others_plan_in_the_store_stays_unless_all_is_wanted(
    machine: Machine, store: Path, app: Path
) -> None:
    write(store, "rasen/specs/theirs/spec.md", "# theirs\n")

    refused = machine.cli("store", "eject", "app", "--from", "team", "--all", "--json", cwd=app)
    assert refused.error == "eject_all_confirmation_required"
    declined = machine.cli(
        "store", "eject", "app", "--from", "team", "--all", cwd=app, tty=True, input="n\n"
    )
    assert declined.code == 1
    assert (store / "rasen/specs/theirs/spec.md").exists()

    machine.ok("store", "eject", "app", "--from", "team", "--all", "--yes", cwd=app)
    assert (app / "rasen/specs/theirs/spec.md").exists()
    assert _files(store) == {}


def test_without_all_the_rest_stays(machine: Machine, store: Path, app: Path) -> None:
    write(store, "rasen/specs/theirs/spec.md", "# theirs\n")

    machine.ok("store", "eject", "app", "--from", "team", cwd=app)

    assert list(_files(store)) == ["rasen/specs/theirs/spec.md"]


def _refused(machine: Machine, *args: str, cwd: Path | None = None) -> str:
    """The code of a refusal that changes nothing; people are told the same."""
    before = snapshot(machine.world.base)
    told = machine.cli("store", "eject", *args, "--json", cwd=cwd)
    said = machine.cli("store", "eject", *args, cwd=cwd)
    assert (told.code, said.code) == (1, 1)
    assert snapshot(machine.world.base) == before
    assert list(told.json) == ["ejection", "membership", "status"]
    (row,) = told.json["status"]
    assert row["severity"] == "error"
    assert row["target"]
    assert f"Error: {row['message']}\nFix: {row['fix']}" in said.err
    return str(row["code"])


def test_a_broken_record_of_another_project_is_no_obstacle(
    machine: Machine, store: Path, app: Path
) -> None:
    write(store, ".rasen-store/projects/another.yaml", "broken: [")

    told = machine.ok("store", "eject", "app", "--from", "team", "--json", cwd=app).json

    assert told["ejection"]["record_removed"] is True


class TestRefusals:
    def test_missing_content_is_drift(self, machine: Machine, store: Path, app: Path) -> None:
        shutil.rmtree(store / "rasen/specs/pay")
        call = ("app", "--from", "team")
        assert _refused(machine, *call, cwd=app) == "eject_manifest_drift"

        told = machine.ok("store", "eject", *call, "--force", "--json", cwd=app).json

        assert told["ejection"]["missing"] == ["specs/pay"]
        assert [row["code"] for row in told["status"]] == ["eject_missing_left_out"]

    def test_no_manifest(self, machine: Machine, store: Path) -> None:
        app = machine.place / "app"
        write(app, "rasen/config.yaml", "schema: spec-driven\n")
        machine.ok("store", "add-project", str(app), "--to", "team", "--set-primary")

        assert store.is_dir()
        assert _refused(machine, "app", "--from", "team", cwd=app) == "eject_manifest_missing"

    def test_names_taken_at_home(self, machine: Machine, app: Path) -> None:
        write(app, "rasen/specs/PAY/spec.md", "# other\n")

        assert _refused(machine, "app", "--from", "team", cwd=app) == "eject_target_exists"

    def test_a_project_nobody_knows(self, machine: Machine, app: Path) -> None:
        assert _refused(machine, "nobody", "--from", "team", cwd=app) == "eject_project_unknown"

    def test_a_destination_that_is_another_project(self, machine: Machine, app: Path) -> None:
        other = machine.project("other")
        call = ("app", "--from", "team", "--into", str(other))

        assert _refused(machine, *call, cwd=app) == "eject_destination_mismatch"

    def test_two_checkouts_and_none_of_them_here(self, machine: Machine, app: Path) -> None:
        twin = machine.clone(bare(machine.world, app, "app"), "twin")
        projects.register(machine.context(), twin)

        told = machine.cli("store", "eject", "app", "--from", "team", "--json")

        assert told.error == "eject_destination_required"
        for root in (app, twin):
            assert str(root) in told.json["status"][0]["message"]
        assert _refused(machine, "app", "--from", "team") == "eject_destination_required"


class TestDestination:
    def test_the_one_live_checkout(self, machine: Machine, app: Path) -> None:
        told = machine.ok("store", "eject", "app", "--from", "team", "--json").json

        assert told["ejection"]["project"]["root"] == str(app)

    def test_here_before_elsewhere(self, machine: Machine, app: Path) -> None:
        twin = machine.clone(bare(machine.world, app, "app"), "twin")

        told = machine.ok("store", "eject", "app", "--from", "team", "--json", cwd=twin).json

        assert told["ejection"]["project"]["root"] == str(twin)

    def test_as_said_before_here(self, machine: Machine, app: Path) -> None:
        twin = machine.clone(bare(machine.world, app, "app"), "twin")
        call = ("store", "eject", "app", "--from", "team", "--into", str(twin), "--json")

        told = machine.ok(*call, cwd=app).json

        assert told["ejection"]["project"]["root"] == str(twin)


def test_a_second_run_says_so(machine: Machine, app: Path) -> None:
    identity = str(_config(app)["projectId"])
    machine.ok("store", "eject", identity, "--from", "team", cwd=app)
    before = snapshot(machine.place)

    told = machine.ok("store", "eject", identity, "--from", "team", "--json", cwd=app).json

    assert told["ejection"]["already_ejected"] is True
    assert snapshot(machine.place) == before


def test_a_commit_since_planning_stops_it(machine: Machine, store: Path, app: Path) -> None:
    ctx = machine.context()
    plan = eject.plan(ctx, eject.Request("app", "team", str(app)))
    write(app, "note.txt", "x")
    machine.commit(app, "Meanwhile")
    before = snapshot(machine.place)

    with pytest.raises(BaseCommitMoved):
        eject.apply(ctx, plan)

    assert store.is_dir()
    assert snapshot(machine.place) == before


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fault", "stride"), crash.SAMPLES)
def test_killed_anywhere_a_second_run_completes_it(
    machine: Machine, store: Path, app: Path, fault: str, stride: int
) -> None:
    call = ("store", "eject", str(_config(app)["projectId"]), "--from", "team")
    wanted = _files(store)
    kept = machine.world.base / "kept"
    shutil.copytree(machine.place, kept, symlinks=True)
    steps = crash.count(call, cwd=app, env=machine.environ())
    assert steps > 20

    for at in range(1, steps + 1, stride):
        shutil.rmtree(machine.place)
        shutil.copytree(kept, machine.place, symlinks=True)

        machine.break_off(*call, cwd=app, at=at, fault=fault)
        machine.ok(*call, cwd=app)

        assert _files(app) == wanted, at
        assert (_files(store), _records(store)) == ({}, []), at
        assert "store" not in _config(app), at
        assert not (app / "rasen/.journal").exists(), at


class TestRelocate:
    def test_out_and_in_again(self, machine: Machine) -> None:
        app = machine.project()
        planned(app)
        machine.commit(app, "Plan")
        before = _files(app)
        call = ("archive", "relocate", "--json", "--to")

        out = machine.ok(*call, "external", cwd=app).json
        assert "rasen/changes/archive/2026-01-01-old/proposal.md" not in _files(app)
        back = machine.ok(*call, "in-repo", "--verify-hash", cwd=app).json

        assert list(out) == ["relocation", "dry_run", "root", "status"]
        assert out["relocation"]["moved"] == back["relocation"]["moved"] == ["2026-01-01-old"]
        assert out["relocation"]["to_path"] == back["relocation"]["from_path"]
        assert len(out["relocation"]["suggested_commits"]) == 1
        assert back["relocation"]["verified"] == "sha256"
        assert _files(app) == before

    @pytest.mark.parametrize("to", ["external", "in-repo"])
    def test_a_dry_run_writes_nothing(self, machine: Machine, to: str) -> None:
        app = machine.project()
        planned(app)
        before = snapshot(machine.world.base)

        told = machine.ok("archive", "relocate", "--to", to, "--dry-run", "--json", cwd=app).json

        assert told["relocation"]["moved"] == (["2026-01-01-old"] if to == "external" else [])
        assert snapshot(machine.world.base) == before

    def test_the_settings_decide(self, machine: Machine) -> None:
        app = machine.project()
        planned(app)
        machine.ok("config", "set", "archive.destination", "external", "--scope", "project",
                   cwd=app)  # fmt: skip
        assert machine.ok("archive", "relocate", "--json", cwd=app).json["relocation"]["moved"]

        machine.ok("config", "set", "archive.destination", "prune", "--scope", "project", cwd=app)
        refused = machine.cli("archive", "relocate", "--json", cwd=app)
        assert refused.error == "relocate_destination_required"
        assert refused.json["relocation"] is None

    def test_names_that_are_taken(self, machine: Machine) -> None:
        app = machine.project()
        planned(app)
        machine.ok("archive", "relocate", "--to", "external", cwd=app)
        write(app, "rasen/changes/archive/2026-01-01-old/proposal.md", "# Another\n")
        before = snapshot(machine.world.base)

        refused = machine.cli("archive", "relocate", "--to", "external", "--json", cwd=app)

        assert refused.error == "relocate_target_exists"
        assert snapshot(machine.world.base) == before

    def test_a_change_of_that_name_can_be_archived(self, machine: Machine) -> None:
        app = machine.project()
        machine.ok("new", "change", "relocate", cwd=app)

        told = machine.cli("archive", "--yes", "--json", "--", "relocate", cwd=app)

        assert told.json["archive"]["change"] == "relocate"

    def test_killed_anywhere_a_second_run_completes_it(self, machine: Machine) -> None:
        app = machine.project()
        planned(app)
        call = ("archive", "relocate", "--to", "external")
        kept = machine.world.base / "kept"
        shutil.copytree(machine.place, kept, symlinks=True)
        steps = crash.count(call, cwd=app, env=machine.environ())

        for at in range(1, steps + 1):
            shutil.rmtree(machine.place)
            shutil.copytree(kept, machine.place, symlinks=True)

            machine.break_off(*call, cwd=app, at=at)
            machine.ok(*call, cwd=app)

            found = list((machine.data_dir / "projects").glob("*/archive/*/proposal.md"))
            assert [path.read_text() for path in found] == ["# Old\n"], at
