"""Moving the planning of a project into a store."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.team import Machine, every_text, planned, write
from tests.support.world import World

from rasen.files.tree import tree_digest
from rasen.stores import adopt
from rasen.stores.membership import BaseCommitMoved, Edit
from rasen.stores.parcels import Measures, MigrationVerifyFailed, Parcel
from rasen.syntax import yaml


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world, "mia")


@pytest.fixture
def store(machine: Machine) -> Path:
    return machine.store()


@pytest.fixture
def app(machine: Machine, store: Path) -> Path:
    """A project with planning, committed. (The store comes first.)"""
    root = machine.project()
    planned(root)
    machine.commit(root, "Plan")
    assert store.is_dir()
    return root


def _config(root: Path) -> dict[str, object]:
    value = yaml.load((root / "rasen" / "config.yaml").read_text(), file="config.yaml")
    assert isinstance(value, dict)
    return value


def _mode(machine: Machine, root: Path) -> str:
    text = (machine.data_dir / "projects" / "registry.json").read_text()
    return str(json.loads(text)["projects"][str(root)]["mode"])


def _files(root: Path) -> set[str]:
    return {
        path.relative_to(root).as_posix()
        for path in (root / "rasen").rglob("*")
        if path.is_file() and path.name != ".gitkeep"
    }


def test_everything_moves_and_the_project_plans_in_the_store(
    machine: Machine, store: Path, app: Path
) -> None:
    spec = (app / "rasen/specs/pay/spec.md").read_bytes()

    told = machine.ok("store", "adopt", "--to", "team", "--verify-hash", "--json", cwd=app).json

    assert list(told) == ["adoption", "membership", "dry_run", "status"]
    assert told["adoption"]["specs"] == ["area", "pay"]
    assert told["adoption"]["changes"] == ["add-x"]
    assert told["adoption"]["archived"] == ["2026-01-01-old"]
    assert told["adoption"]["verified"] == "sha256"
    assert told["membership"]["roles"] == {"planning": True, "knowledge": False}
    assert _files(app) == {"rasen/config.yaml"}
    assert not (app / "rasen/specs").exists()
    assert not (app / "rasen/changes").exists()
    assert (store / "rasen/specs/pay/spec.md").read_bytes() == spec
    assert (store / "rasen/changes/archive/2026-01-01-old/proposal.md").is_file()
    uid = told["adoption"]["store"]["uid"]
    assert _config(app)["store"] == {"uid": uid, "id": "team"}
    assert _mode(machine, app) == "store"
    record = yaml.load(Path(told["membership"]["store_writes"][0]).read_text(), file="r")
    assert isinstance(record, dict)
    assert record["adoption"] == {
        "specs": ["area", "pay"],
        "changes": ["add-x", "archive/2026-01-01-old"],
        "adoptedAt": "2026-01-31T12:00:00.000Z",
    }
    assert str(machine.place) not in every_text(store) + every_text(app)
    assert machine.ok("list", "--json", cwd=app).json["root"]["store_id"] == "team"


def test_the_suggested_commits_leave_both_repositories_clean(
    machine: Machine, store: Path, app: Path
) -> None:
    told = machine.ok("store", "adopt", "--to", "team", "--json", cwd=app).json

    for commit in told["membership"]["suggested_commits"]:
        subprocess.run(commit["command"], shell=True, check=True, capture_output=True,
                       env=machine.environ(), cwd="/")  # fmt: skip

    assert machine.git(store, "status", "--porcelain") == ""
    assert machine.git(app, "status", "--porcelain") == ""


def test_a_dry_run_writes_nothing_and_foretells(machine: Machine, app: Path) -> None:
    before = snapshot(machine.world.base)

    foretold = machine.ok("store", "adopt", "--to", "team", "--dry-run", "--json", cwd=app).json

    assert snapshot(machine.world.base) == before
    done = machine.ok("store", "adopt", "--to", "team", "--json", cwd=app).json
    assert foretold["adoption"] == done["adoption"]
    for key in ("store_writes", "project_writes", "roles"):
        assert foretold["membership"][key] == done["membership"][key]


@pytest.mark.parametrize("mode", ["leave", "external"])
def test_archived_changes_go_where_they_are_wanted(
    machine: Machine, store: Path, app: Path, mode: str
) -> None:
    told = machine.ok("store", "adopt", "--to", "team", "--archive", mode, "--json", cwd=app).json

    place = Path(told["adoption"]["archive"]["path"])
    assert (place / "2026-01-01-old" / "proposal.md").read_text() == "# Old\n"
    assert place == app / "rasen/archive" if mode == "leave" else machine.data_dir in place.parents
    assert not (store / "rasen/changes/archive/2026-01-01-old").exists()
    assert machine.ok("list", "--json", cwd=app).json["root"]["store_id"] == "team"
    record = Path(told["membership"]["store_writes"][0]).read_text()
    assert "2026-01-01-old" not in record


def test_a_home_is_made_only_when_it_is_needed(machine: Machine, app: Path) -> None:
    registry = machine.data_dir / "projects" / "registry.json"
    registry.unlink()
    call = ("store", "adopt", "--to", "team", "--archive", "external", "--json")

    foretold = machine.ok(*call, "--dry-run", cwd=app).json
    assert foretold["adoption"]["archived"] == ["2026-01-01-old"]
    assert not registry.exists()

    machine.ok(*call, cwd=app)
    found = list((machine.data_dir / "projects").glob("*/archive/2026-01-01-old"))
    assert len(found) == 1


def test_a_second_run_says_so(machine: Machine, app: Path) -> None:
    machine.ok("store", "adopt", "--to", "team", cwd=app)
    before = snapshot(machine.place)

    told = machine.ok("store", "adopt", "--to", "team", "--json", cwd=app).json
    said = machine.ok("store", "adopt", "--to", "team", cwd=app).out

    assert told["adoption"]["already_adopted"] is True
    assert "plans in team already; nothing was moved" in said
    assert snapshot(machine.place) == before


def test_areas_of_one_name_are_joined(machine: Machine, store: Path, app: Path) -> None:
    write(store, "rasen/specs/area/bill/spec.md", "# bill\n")

    told = machine.ok("store", "adopt", "--to", "team", "--json", cwd=app).json

    assert told["adoption"]["specs"] == ["area/ship", "pay"]
    assert (store / "rasen/specs/area/bill/spec.md").read_text() == "# bill\n"
    assert (store / "rasen/specs/area/ship/spec.md").exists()
    assert not (app / "rasen/specs").exists()


def test_schemas_that_stay_are_told(machine: Machine, app: Path) -> None:
    write(app, "rasen/schemas/ours/schema.yaml", "name: ours\n")

    told = machine.ok("store", "adopt", "--to", "team", "--json", cwd=app).json

    assert [(row["severity"], row["code"]) for row in told["status"]] == [
        ("warning", "adopt_schemas_stay")
    ]
    assert (app / "rasen/schemas/ours/schema.yaml").exists()


def _problems(machine: Machine, app: Path) -> list[str]:
    """The codes of a refusal that changes nothing; people are told the same."""
    before = snapshot(machine.world.base)
    result = machine.cli("store", "adopt", "--to", "team", "--json", cwd=app)
    said = machine.cli("store", "adopt", "--to", "team", cwd=app)
    assert (result.code, said.code) == (1, 1)
    assert snapshot(machine.world.base) == before
    assert result.json["adoption"] is None
    for row in result.json["status"]:
        assert row["severity"] == "error"
        assert row["target"]
        assert row["message"] in said.err
        assert row["fix"] in said.err
    return [row["code"] for row in result.json["status"]]


class TestPrechecks:
    def test_all_that_stands_in_the_way_is_told_at_once(
        self, machine: Machine, store: Path, app: Path
    ) -> None:
        write(store, "rasen/specs/PAY/spec.md", "# pay\n")
        write(store, "rasen/changes/Add-X/proposal.md", "# x\n")
        config = app / "rasen/config.yaml"
        config.write_text(config.read_text() + "store: another\n")

        assert _problems(machine, app) == [
            "adopt_precheck_failed",
            "adopt_pointer_declared",
            "adopt_name_collision",
            "adopt_name_collision",
        ]

    def test_a_store_that_is_not_well(self, machine: Machine, store: Path, app: Path) -> None:
        (store / "rasen/config.yaml").unlink()

        assert _problems(machine, app) == ["adopt_precheck_failed", "adopt_store_unhealthy"]

    def test_a_project_without_planning(self, machine: Machine, store: Path) -> None:
        bare = machine.place / "bare"
        write(bare, "rasen/config.yaml", "schema: spec-driven\n")

        assert store.is_dir()
        assert _problems(machine, bare) == ["adopt_precheck_failed", "adopt_no_planning"]

    def test_no_store_or_an_unknown_one(self, machine: Machine, app: Path) -> None:
        assert machine.cli("store", "adopt", "--json", cwd=app).error == (
            "store_add_project_to_required"
        )
        assert machine.cli("store", "adopt", "--to", "other", "--json", cwd=app).error == (
            "store_add_project_target_not_found"
        )

    def test_a_store_adopts_not_itself(self, machine: Machine, store: Path) -> None:
        assert machine.cli("store", "adopt", "--to", "team", "--json", cwd=store).error == (
            "store_add_project_self_reference"
        )


def test_a_commit_since_planning_stops_it(machine: Machine, store: Path, app: Path) -> None:
    ctx = machine.context()
    plan = adopt.plan(ctx, adopt.Request(str(app), "team"))
    write(store, "note.txt", "x")
    machine.commit(store, "Meanwhile")
    before = snapshot(machine.place)

    with pytest.raises(BaseCommitMoved):
        adopt.apply(ctx, plan)

    assert snapshot(machine.place) == before


@pytest.mark.parametrize("with_hash", [True, False], ids=["hash", "size"])
def test_what_arrives_changed_is_sent_back(tmp_path: Path, *, with_hash: bool) -> None:
    source = write(tmp_path, "from/pay/spec.md", "one\n").parent
    target = tmp_path / "to" / "pay"
    config = write(tmp_path, "from/config.yaml", "store: x\n")
    parcel = Parcel("specs", "pay", source, target)
    measures = Measures([parcel], with_hash=with_hash)
    target.parent.mkdir()
    source.rename(target)
    (target / "spec.md").write_text("two\n" if with_hash else "longer\n")

    with pytest.raises(MigrationVerifyFailed) as refusal:
        measures.check(tmp_path / ".journal", Edit(config, "before: 1\n", "store: x\n"))

    assert refusal.value.code == "migration_verify_failed"
    assert source.is_dir()
    assert not target.exists()
    assert config.read_text() == "before: 1\n"


def _planning(machine: Machine) -> str:
    """A digest of both working trees but git's files, times aside."""
    places = [machine.place / name / "rasen" for name in ("team", "app")]
    records = machine.place / "team" / ".rasen-store"
    return " ".join(tree_digest(place) for place in (*places, records))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fault", "stride"), crash.SAMPLES)
def test_killed_anywhere_a_second_run_completes_it(
    machine: Machine, app: Path, fault: str, stride: int
) -> None:
    call = ("store", "adopt", str(app), "--to", "team")
    kept = machine.world.base / "kept"
    shutil.copytree(machine.place, kept, symlinks=True)
    steps = crash.count(call, cwd=machine.place, env=machine.environ())
    wanted = _files(machine.place / "team"), _config(app)
    assert steps > 20

    for at in range(1, steps + 1, stride):
        shutil.rmtree(machine.place)
        shutil.copytree(kept, machine.place, symlinks=True)

        machine.break_off(*call, at=at, fault=fault)
        machine.ok(*call)

        assert (_files(machine.place / "team"), _config(app)) == wanted, at
        assert not (app / "rasen/specs").exists(), at
        assert not (app / "rasen/.journal").exists(), at
        assert _mode(machine, app) == "store", at
    assert _planning(machine)
