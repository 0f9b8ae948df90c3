"""Which projects belong to a store: adding them, binding them, and what is written where."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.team import Machine, bare, every_text, planned, write
from tests.support.world import World

from rasen.stores import add_project
from rasen.stores.membership import BaseCommitMoved
from rasen.syntax import yaml

BOUND_KEYS = ["requested", "changed", "refused", "bound_to", "bound_to_uid"]


@pytest.fixture
def machine(world: World) -> Machine:
    return Machine(world, "mia")


def _record(store: Path) -> Path:
    found = list((store / ".rasen-store" / "projects").iterdir())
    assert len(found) == 1
    return found[0]


def _config(root: Path) -> dict[str, object]:
    text = (root / "rasen" / "config.yaml").read_text()
    value = yaml.load(text, file="config.yaml")
    assert isinstance(value, dict)
    return value


def _bare_config(root: Path) -> None:
    """Make a project that plans nowhere: only settings are left."""
    for name in ("specs/.gitkeep", "changes/archive/.gitkeep"):
        (root / "rasen" / name).unlink(missing_ok=True)
    for name in ("specs", "changes/archive", "changes"):
        if (root / "rasen" / name).exists():
            (root / "rasen" / name).rmdir()


def test_a_project_gets_a_record_a_reference_and_a_locator(machine: Machine) -> None:
    store, app = machine.store(), machine.project()

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    project_id = _config(app)["projectId"]
    assert list(told) == [
        "project", "target", "membership", "planning_binding", "dry_run", "status",
    ]  # fmt: skip
    assert told["project"] == {
        "id": "app",
        "root": str(app),
        "metadata_created": True,
        "already_registered": False,
    }
    assert told["target"] == {"id": "team", "root": str(store), "reference_added": True}
    assert told["membership"]["project_id"] == project_id
    assert told["membership"]["roles"] == {"planning": False, "knowledge": True}
    assert told["membership"]["repair_needed"] is False
    assert told["membership"]["store_writes"] == [
        str(_record(store)), str(store / "rasen" / "config.yaml"),
    ]  # fmt: skip
    assert told["membership"]["project_writes"] == [
        str(app / ".rasen-store" / "store.yaml"), str(app / "rasen" / "config.yaml"),
    ]  # fmt: skip
    assert list(told["planning_binding"])[:5] == BOUND_KEYS
    assert _record(store).name == f"{project_id}.yaml"
    assert _config(store)["references"] == ["project:app"]
    uid = told["planning_binding"]["requested_store_uid"]
    assert _config(app)["storeMemberships"] == [{"uid": uid, "id": "team"}]
    assert machine.ok("list", "--project", "app").code == 0


def test_people_are_told_the_same(machine: Machine) -> None:
    store, app = machine.store(), machine.project()

    said = machine.ok("store", "add-project", str(app), "--to", "team").out

    assert "app is a member of team." in said
    assert str(_record(store)) in said
    assert said.count("git -C ") == 4


def test_adding_twice_changes_nothing(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    machine.ok("store", "add-project", str(app), "--to", "team")
    before = snapshot(machine.place, without=(".git",))

    again = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    assert again["project"]["already_registered"] is True
    assert again["membership"]["store_writes"] == again["membership"]["project_writes"] == []
    assert snapshot(machine.place, without=(".git",)) == before
    assert store.is_dir()


def test_the_suggested_commits_take_exactly_what_was_written(machine: Machine) -> None:
    store = machine.place / "sto're x"
    machine.process("store", "setup", "team", "--path", str(store))
    app = machine.project("app y")
    write(store, "rasen/specs/other/spec.md", "mine\n")
    write(app, "loose.txt", "mine\n")
    machine.git(app, "add", "loose.txt")

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json
    heads = machine.git(store, "rev-parse", "HEAD"), machine.git(app, "rev-parse", "HEAD")
    for commit in told["membership"]["suggested_commits"]:
        subprocess.run(commit["command"], shell=True, check=True, env=machine.environ(),
                       cwd="/", capture_output=True)  # fmt: skip

    assert heads[0] != machine.git(store, "rev-parse", "HEAD")
    assert heads[1] != machine.git(app, "rev-parse", "HEAD")
    assert machine.git(store, "status", "--porcelain").split() == ["??", "rasen/specs/other/"]
    assert machine.git(app, "status", "--porcelain").split() == ["A", "loose.txt"]
    assert [commit["repo_root"] for commit in told["membership"]["suggested_commits"]] == [
        str(store), str(app),
    ]  # fmt: skip
    for commit in told["membership"]["suggested_commits"]:
        assert shlex.split(commit["command"])[:3] == ["git", "-C", commit["repo_root"]]


def test_nothing_is_ever_committed_or_staged(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    before = [machine.git(root, "rev-parse", "HEAD") for root in (store, app)]

    machine.ok("store", "add-project", str(app), "--to", "team")

    assert [machine.git(root, "rev-parse", "HEAD") for root in (store, app)] == before
    for root in (store, app):
        assert machine.git(root, "diff", "--cached", "--name-only") == ""


@pytest.mark.parametrize("form", [[], ["--set-primary"], ["--as", "web"]], ids=" ".join)
def test_a_dry_run_writes_nothing_at_all(machine: Machine, form: list[str]) -> None:
    machine.store()
    app = machine.project()
    _bare_config(app)
    config = app / "rasen" / "config.yaml"
    config.write_text("schema: spec-driven\n")
    before = snapshot(machine.world.base)

    told = machine.ok(
        "store", "add-project", str(app), "--to", "team", "--dry-run", "--json", *form
    ).json

    assert told["dry_run"] is True
    assert told["membership"]["project_id"] is None
    assert told["membership"]["suggested_commits"] == []
    assert str(config) in told["membership"]["project_writes"]
    assert snapshot(machine.world.base) == before


def test_a_dry_run_foretells_what_is_written(machine: Machine) -> None:
    machine.store()
    app = machine.project()
    call = ("store", "add-project", str(app), "--to", "team", "--json")

    foretold = machine.ok(*call, "--dry-run").json
    done = machine.ok(*call).json

    for key in ("store_writes", "project_writes", "roles", "project_id"):
        assert foretold["membership"][key] == done["membership"][key]
    assert foretold["target"] == done["target"]


def test_a_project_without_identity_gets_one(machine: Machine) -> None:
    store = machine.store()
    app = machine.place / "app"
    config = write(app, "rasen/config.yaml", "schema: spec-driven\n")

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    assert told["membership"]["project_id"] == _config(app)["projectId"]
    assert str(config) in told["membership"]["project_writes"]
    assert _record(store).stem == told["membership"]["project_id"]


def test_roles_are_only_ever_added(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    project_id = _config(app)["projectId"]
    write(store, f".rasen-store/projects/{project_id}.yaml",
          f"version: 1\nprojectId: {project_id}\nid: mine\n"
          "roles:\n  planning: true\n  knowledge: false\n")  # fmt: skip

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    assert told["membership"]["roles"] == {"planning": True, "knowledge": True}
    assert "id: mine" in _record(store).read_text()


def test_comments_and_order_of_settings_stay(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    config = store / "rasen" / "config.yaml"
    text = (
        "# ours\nreferences: # listed\n  # first\n  - other # why\n\nschema: spec-driven # fine\n"
    )
    config.write_text(text)

    machine.ok("store", "add-project", str(app), "--to", "team")

    assert config.read_text() == text.replace("- other # why\n", "- other # why\n  - project:app\n")


def test_the_other_spelling_of_the_call_works(machine: Machine) -> None:
    machine.store()
    app = machine.project()
    machine.ok("store", "add-project", str(app), "--to", "team")
    project_id = str(_config(app)["projectId"])

    by_name = machine.ok("store", "add-project", "team", "--project", "app", "--json").json
    by_identity = machine.ok("store", "add-project", "team", "--project", project_id, "--json").json

    assert by_name["project"]["root"] == by_identity["project"]["root"] == str(app)


class TestPrimary:
    def test_a_project_that_plans_nowhere_is_bound(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        _bare_config(app)

        told = machine.ok(
            "store", "add-project", str(app), "--to", "team", "--set-primary", "--json"
        ).json

        binding = told["planning_binding"]
        assert (binding["requested"], binding["changed"], binding["refused"]) == (True, True, False)
        assert "already_bound" not in binding
        assert binding["bound_to"] == "team"
        assert _config(app)["store"] == {"uid": binding["bound_to_uid"], "id": "team"}
        assert told["membership"]["roles"]["planning"] is True
        assert machine.ok("list", "--json", cwd=app).json["root"]["source"] == "declared"

    def test_being_there_already_is_success(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        _bare_config(app)
        call = ("store", "add-project", str(app), "--to", "team", "--set-primary", "--json")
        machine.ok(*call)
        before = snapshot(app)

        told = machine.ok(*call).json

        assert told["planning_binding"]["already_bound"] is True
        assert told["planning_binding"]["changed"] is False
        assert snapshot(app) == before

    def test_another_store_is_never_left_unasked(self, machine: Machine) -> None:
        machine.store("one")
        two = machine.store("two")
        app = machine.project()
        _bare_config(app)
        machine.ok("store", "add-project", str(app), "--to", "one", "--set-primary")
        before = _config(app)["store"]

        told = machine.ok(
            "store", "add-project", str(app), "--to", "two", "--set-primary", "--json"
        ).json

        binding, status = told["planning_binding"], told["status"]
        assert (binding["changed"], binding["refused"]) == (False, True)
        assert binding["bound_to"] == "one"
        assert binding["requested_store"] == "two"
        assert _config(app)["store"] == before
        assert _record(two).exists(), "the membership stands"
        assert [(s["severity"], s["code"], s["target"]) for s in status] == [
            ("warning", "project_planning_binding_refused", "store.pointer")
        ]
        for uid in (binding["bound_to_uid"], binding["requested_store_uid"]):
            assert uid in status[0]["message"]
        assert binding["rebind_command"] in status[0]["fix"]

        words = shlex.split(binding["rebind_command"])
        again = machine.ok(*words[1:], "--json").json
        assert again["planning_binding"]["changed"] is True
        assert _config(app)["store"] == {"uid": binding["requested_store_uid"], "id": "two"}

    def test_a_project_that_plans_itself_is_sent_to_adopt(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        planned(app)

        result = machine.ok("store", "add-project", str(app), "--to", "team", "--set-primary")

        assert "plans in its own folder, not in 'team'" in result.err
        assert f"Fix: to move it, run: rasen store adopt {app}" in result.err
        assert "store" not in _config(app)

    def test_it_is_never_inferred(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        _bare_config(app)

        told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

        assert told["planning_binding"]["requested"] is False
        assert "store" not in _config(app)


def _refusal(machine: Machine, *args: str) -> tuple[str, str]:
    """The code and target of a refused call; people get the same message and step."""
    before = snapshot(machine.world.base)
    told = machine.cli("store", *args, "--json")
    said = machine.cli("store", *args)
    assert (told.code, said.code) == (1, 1)
    assert snapshot(machine.world.base) == before
    status = told.json["status"][0]
    assert status["severity"] == "error"
    assert f"Error: {status['message']}" in said.err
    if "fix" in status:
        assert f"Fix: {status['fix']}" in said.err
    return status["code"], status.get("target", "")


class TestRefusals:
    def test_the_null_shape(self, machine: Machine) -> None:
        told = machine.cli("store", "add-project", "--json")

        assert list(told.json) == [
            "project", "target", "membership", "planning_binding", "status",
        ]  # fmt: skip
        assert all(told.json[key] is None for key in list(told.json)[:-1])

    def test_words_that_are_missing(self, machine: Machine) -> None:
        machine.store()
        machine.project()

        assert _refusal(machine, "add-project", "app") == (
            "store_add_project_to_required", "store.id",
        )  # fmt: skip
        assert _refusal(machine, "add-project", "--to", "team") == (
            "store_add_project_path_required", "store.root",
        )  # fmt: skip

    @pytest.mark.parametrize("has_others", [True, False], ids=["unknown", "none at all"])
    def test_an_unknown_store(self, machine: Machine, has_others: bool) -> None:
        machine.project()
        if has_others:
            machine.store()

        assert _refusal(machine, "add-project", "app", "--to", "other") == (
            "store_add_project_target_not_found", "store.id",
        )  # fmt: skip

    def test_the_store_itself_and_its_clones(self, machine: Machine) -> None:
        store = machine.store()
        clone = machine.clone(bare(machine.world, store, "team"), "twin")

        for root in (store, clone):
            assert _refusal(machine, "add-project", str(root), "--to", "team") == (
                "store_add_project_self_reference", "store.root",
            )  # fmt: skip

    def test_paths_that_are_no_project(self, machine: Machine) -> None:
        machine.store()
        write(machine.place, "file.txt", "x")
        (machine.place / "empty").mkdir()

        codes = [
            _refusal(machine, "add-project", name, "--to", "team")[0]
            for name in ("nowhere", "file.txt", "empty")
        ]

        assert codes == [
            "store_path_missing", "store_path_not_directory", "store_register_root_unhealthy",
        ]  # fmt: skip

    def test_an_identity_that_cannot_name_a_file(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        for bad in ("con", "My Project", "../up"):
            write(app, "rasen/config.yaml", f"schema: spec-driven\nprojectId: {bad}\n")

            assert _refusal(machine, "add-project", "app", "--to", "team")[0] == (
                "project_identity_unrecordable"
            )

    def test_names_that_contradict(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        machine.project("other")
        machine.ok("store", "add-project", str(app), "--to", "team", "--as", "web")

        assert _refusal(machine, "add-project", "app", "--to", "team", "--as", "shop")[0] == (
            "store_metadata_id_mismatch"
        )
        assert _refusal(machine, "add-project", "other", "--to", "team", "--as", "web")[0] == (
            "store_id_conflict"
        )
        assert _refusal(machine, "add-project", "other", "--to", "team", "--as", "No!")[0] == (
            "invalid_store_id"
        )

    def test_a_record_that_is_not_one(self, machine: Machine) -> None:
        store, app = machine.store(), machine.project()
        project_id = _config(app)["projectId"]
        path = f".rasen-store/projects/{project_id}.yaml"
        write(store, path, "version: 1\nrole: any\n")
        assert _refusal(machine, "add-project", "app", "--to", "team") == (
            "invalid_store_project_record", "store.membership",
        )  # fmt: skip

        write(store, path, "version: 1\nprojectId: someone-else\n"
              "roles:\n  planning: false\n  knowledge: true\n")  # fmt: skip
        assert _refusal(machine, "add-project", "app", "--to", "team")[0] == (
            "store_project_record_key_mismatch"
        )

    def test_a_pointer_that_cannot_be_read(self, machine: Machine) -> None:
        machine.store()
        app = machine.project()
        write(app, "rasen/config.yaml", "schema: spec-driven\nprojectId: app-one\nstore: [x]\n")

        assert _refusal(machine, "add-project", "app", "--to", "team", "--set-primary") == (
            "invalid_store_pointer", "store.pointer",
        )  # fmt: skip

    def test_a_remote_of_the_store_that_carries_a_secret(self, machine: Machine) -> None:
        store = machine.store()
        machine.project()
        metadata = store / ".rasen-store" / "store.yaml"
        metadata.write_text(metadata.read_text() + "remote: https://u:hunter2@example.com/t.git\n")

        told = machine.cli("store", "add-project", "app", "--to", "team", "--json")

        assert told.error == "store_remote_credentials"
        assert "hunter2" not in told.out + told.err
        assert _refusal(machine, "add-project", "app", "--to", "team")[0] == (
            "store_remote_credentials"
        )


def test_no_secret_and_no_path_of_this_machine_gets_into_shared_files(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    machine.git(store, "remote", "add", "origin", str(machine.world.base / "remotes" / "t.git"))
    machine.git(app, "remote", "add", "origin", "https://u:hunter2@example.com/app.git")

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json")

    shared = every_text(store) + every_text(app)
    assert str(machine.world.base) not in shared
    assert "hunter2" not in shared + told.out + told.err
    assert "remote: https://example.com/app.git" in _record(store).read_text()


def test_a_store_without_an_identity_gets_a_record_but_no_locator(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    machine.ok("store", "unregister", "team")
    write(store, ".rasen-store/store.yaml", "version: 1\nid: team\n")
    machine.ok("store", "register", str(store))

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    assert _record(store).exists()
    assert "storeMemberships" not in _config(app)
    assert [item["code"] for item in told["status"]] == ["store_metadata_legacy"]


def test_a_locator_that_cannot_be_written_leaves_the_record_and_names_the_step(
    machine: Machine,
) -> None:
    store, app = machine.store(), machine.project()
    config = app / "rasen" / "config.yaml"
    text = config.read_text()
    config.write_text(text + "storeMemberships: &kept [{uid: other-store}]\nmore: *kept\n")

    result = machine.cli("store", "add-project", str(app), "--to", "team", "--json")

    assert result.code == 1
    told = result.json
    assert told["membership"]["repair_needed"] is True
    problem = told["status"][0]
    assert (problem["severity"], problem["code"]) == (
        "error", "project_membership_locator_unwritten",
    )  # fmt: skip
    assert _record(store).exists()

    config.write_text(text)
    machine.ok(*shlex.split(problem["fix"].partition("run: ")[2])[1:])
    assert "storeMemberships" in _config(app)


def test_without_git_it_works_and_suggests_nothing(machine: Machine) -> None:
    machine.ok("store", "setup", "team", "--path", str(machine.place / "team"), "--no-init-git")
    app = machine.place / "app"
    write(app, "rasen/config.yaml", "schema: spec-driven\n")

    told = machine.ok("store", "add-project", str(app), "--to", "team", "--json").json

    assert told["membership"]["suggested_commits"] == []


def test_a_commit_since_planning_stops_it(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    ctx = machine.context()
    plan = add_project.plan(ctx, add_project.Request(str(app), "team"))
    for root in (store, app):
        write(root, "note.txt", "x")
        machine.commit(root, "Meanwhile")
        before = snapshot(machine.place)

        with pytest.raises(BaseCommitMoved) as refusal:
            add_project.apply(ctx, plan)

        assert refusal.value.code == "membership_base_commit_moved"
        assert snapshot(machine.place) == before


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("fault", "stride"), crash.SAMPLES)
def test_killed_anywhere_a_second_run_completes_it(
    machine: Machine, fault: str, stride: int
) -> None:
    store, app = machine.store(), machine.project()
    call = ("store", "add-project", str(app), "--to", "team")
    kept = machine.world.base / "kept"
    shutil.copytree(machine.place, kept, symlinks=True)
    steps = crash.count(call, cwd=machine.place, env=machine.environ())
    wanted = snapshot(store), snapshot(app)

    for at in range(1, steps + 1, stride):
        shutil.rmtree(machine.place)
        shutil.copytree(kept, machine.place, symlinks=True)

        machine.break_off(*call, at=at, fault=fault)
        machine.ok(*call)

        assert (snapshot(store), snapshot(app)) == wanted, at
        names = {path.name for path in (machine.data_dir / "stores").iterdir()}
        drafts = {name for name in names if ".lock." in name}  # of a lock that was never taken
        assert names - drafts == {"registry.yaml"}, at


_READS = {
    "rev-parse", "config", "status", "ls-files", "cat-file", "--version", "var", "ls-tree", "log",
}  # fmt: skip


def test_git_is_only_ever_asked(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    planned(app)
    machine.commit(app, "Plan")
    log = machine.place / "git.log"
    wrapper = write(
        machine.place,
        "bin/git",
        f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{log}"\nexec {shutil.which("git")} "$@"\n',
    )
    wrapper.chmod(0o755)
    machine.env["PATH"] = f"{wrapper.parent}:{os.environ['PATH']}"

    machine.process("store", "add-project", str(app), "--to", "team")
    machine.process("store", "adopt", str(app), "--to", "team")
    machine.process("store", "migrate-membership", "team", "--apply")
    machine.process("store", "eject", "app", "--from", "team", cwd=app)
    machine.process("archive", "relocate", "--to", "external", cwd=app)

    verbs = set()
    for line in log.read_text().splitlines():
        words = iter(line.split())
        for word in words:
            if word == "-c":
                next(words)
            elif word == "--version" or not word.startswith("-"):
                verbs.add(word)
                break
    assert verbs
    assert verbs <= _READS
    assert store.is_dir()


def test_a_machine_without_git_is_no_obstacle(machine: Machine) -> None:
    store, app = machine.store(), machine.project()
    machine.env["PATH"] = str(machine.home)

    result = machine.process("store", "add-project", str(app), "--to", "team", "--json")

    assert result.json["membership"]["suggested_commits"] == []
    assert _record(store).exists()
