"""`rasen uninstall`: asks first, removes exactly what is ours, and says what stays and why."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.support.crash import fork
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import Result, World

from rasen.files.atomic import digest

PROPOSE = ".claude/skills/rasen-propose/SKILL.md"
LEDGER = "rasen/.rasen-files.json"


@pytest.fixture
def equipped(world: World) -> World:
    """A project with skills for Claude and Codex."""
    assert world.cli("init", "--tools", "claude,codex").code == 0
    return world


def document(result: Result) -> Any:
    return fits("uninstall", result.json)


def codes(result: Result) -> list[str]:
    return [one["code"] for one in document(result)["kept"]]


def test_without_a_person_it_needs_a_yes(equipped: World) -> None:
    before = snapshot(equipped.root)

    silent = equipped.cli("uninstall", "--tools", "claude")
    counted = equipped.cli("uninstall", "--json")

    assert silent.code == counted.code == 1
    assert "rasen uninstall --tools claude --yes" in silent.err
    assert counted.error == "uninstall_confirmation_required"
    assert document(counted)["removed"] is None
    assert snapshot(equipped.root) == before


def test_a_person_sees_what_would_go_and_may_decline(equipped: World) -> None:
    before = snapshot(equipped.root)

    result = equipped.cli("uninstall", tty=True, input="n\n")

    assert result.code == 0
    assert PROPOSE in result.out
    assert "Nothing was changed" in result.out
    assert snapshot(equipped.root) == before


def test_a_person_may_agree(equipped: World) -> None:
    assert equipped.cli("uninstall", tty=True, input="y\n").code == 0

    assert snapshot(equipped.root) == {}


def test_a_dry_run_says_just_what_will_go_and_writes_nothing(equipped: World) -> None:
    equipped.write(PROPOSE, "mine\n")
    before = snapshot(equipped.root), snapshot(equipped.base / "data")

    told = document(equipped.cli("uninstall", "--dry-run", "--json"))
    assert (snapshot(equipped.root), snapshot(equipped.base / "data")) == before
    done = document(equipped.cli("uninstall", "--yes", "--json"))

    assert (told["dryRun"], done["dryRun"]) == (True, False)
    assert told["removed"] == done["removed"]
    assert told["kept"] == done["kept"]
    gone = {key for key, (kind, _, _) in before[0].items() if kind == "file"}
    gone -= {PROPOSE, LEDGER}
    assert {Path(one).relative_to(equipped.root).as_posix() for one in done["removed"]} == gone


def test_what_was_edited_stays_and_is_named(equipped: World) -> None:
    equipped.write(PROPOSE, "mine\n")

    result = equipped.cli("uninstall", "--yes", "--json")

    assert result.code == 0
    assert [(one["path"], one["code"]) for one in document(result)["kept"]] == [
        (PROPOSE, "owned_path_released")
    ]
    left = {key for key, (kind, _, _) in snapshot(equipped.root).items() if kind == "file"}
    assert left == {PROPOSE}
    assert equipped.read(PROPOSE) == "mine\n"


def test_a_new_version_beside_an_edited_file_goes_and_the_file_stays(equipped: World) -> None:
    path = equipped.path(LEDGER)
    equipped.write(PROPOSE, "mine\n")
    rows = json.loads(path.read_text("utf-8"))
    for row in rows["files"]:
        row["digest"] = digest(b"older\n") if row["path"] == PROPOSE else row["digest"]
    path.write_text(json.dumps(rows), "utf-8")
    equipped.cli("update")
    assert equipped.path(f"{PROPOSE}.new").is_file()

    assert equipped.cli("uninstall", "--yes").code == 0

    assert equipped.read(PROPOSE) == "mine\n"
    assert not equipped.path(f"{PROPOSE}.new").exists()


def test_other_line_ends_are_no_edit(equipped: World) -> None:
    for path in [*equipped.root.rglob("*.md"), equipped.path("rasen/config.yaml")]:
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    result = equipped.cli("uninstall", "--yes", "--json")

    assert codes(result) == []
    assert snapshot(equipped.root) == {}


def test_settings_that_were_edited_stay(equipped: World) -> None:
    text = equipped.read("rasen/config.yaml") + "context: Ours.\n"
    equipped.write("rasen/config.yaml", text)

    result = equipped.cli("uninstall", "--yes", "--json")

    assert codes(result) == ["uninstall_config_kept"]
    assert equipped.read("rasen/config.yaml") == text
    assert list(snapshot(equipped.root)) == ["rasen", "rasen/config.yaml"]


@pytest.mark.parametrize("profile", ["core", "full"])
def test_a_locked_profile_is_no_edit(world: World, profile: str) -> None:
    world.cli("init", "--tools", "claude", "--profile", profile)

    assert world.cli("uninstall", "--yes").code == 0

    assert snapshot(world.root) == {}


def test_specs_changes_and_what_others_put_there_stay(equipped: World) -> None:
    equipped.cli("new", "change", "one")
    equipped.write("rasen/specs/pay/spec.md", "# Pay\n")
    equipped.write("rasen/notes.md", "mine\n")
    theirs = {
        key: value
        for key, value in snapshot(equipped.root).items()
        if key.startswith(("rasen/specs/", "rasen/changes/one", "rasen/notes"))
    }

    result = equipped.cli("uninstall", "--yes", "--json")

    assert [(one["path"], one["code"]) for one in document(result)["kept"]] == [
        ("rasen", "uninstall_planning_kept"),
        ("rasen/notes.md", "uninstall_other_kept"),
    ]
    left = {key: value for key, value in snapshot(equipped.root).items() if value[0] == "file"}
    assert left == {key: value for key, value in theirs.items() if value[0] == "file"}


def test_from_a_folder_below_it_takes_the_project(equipped: World) -> None:
    below = equipped.path("src/deep")
    below.mkdir(parents=True)

    assert equipped.cli("uninstall", "--yes", cwd=below).code == 0

    assert not equipped.path(".claude").exists()


def test_a_named_folder_has_to_be_the_project_itself(equipped: World) -> None:
    below = equipped.path("src")
    below.mkdir()

    result = equipped.cli("uninstall", "src", "--yes", "--json")

    assert (result.code, result.error) == (1, "uninstall_no_workspace")
    assert equipped.path(".claude").exists()
    assert equipped.cli("uninstall", str(equipped.root), "--yes", cwd=equipped.base).code == 0
    assert not equipped.path(".claude").exists()


def test_where_nothing_is_it_says_so(world: World) -> None:
    result = world.cli("uninstall", "--yes", "--json")

    assert (result.code, result.error) == (1, "uninstall_no_workspace")


def test_one_agent_goes_and_the_workspace_stays(equipped: World) -> None:
    result = equipped.cli("uninstall", "--tools", "codex", "--yes", "--json")

    assert result.code == 0
    assert all("/.codex/" in one for one in document(result)["removed"])
    assert not equipped.path(".codex").exists()
    assert equipped.path("rasen/config.yaml").exists()
    assert equipped.path(PROPOSE).exists()
    assert {row["owners"][0]["tool"] for row in json.loads(equipped.read(LEDGER))["files"]} == {
        "claude"
    }


def test_an_agent_that_nobody_knows_is_refused(equipped: World) -> None:
    before = snapshot(equipped.root)

    result = equipped.cli("uninstall", "--tools", "nobody", "--yes", "--json")

    assert (result.code, result.error) == (1, "tool_unknown")
    assert snapshot(equipped.root) == before


@pytest.mark.parametrize("text", ["<<<<<<< ours\n", "{}", '{"version": 9}', "\xff"])
def test_a_damaged_ledger_stops_it_before_anything_is_removed(equipped: World, text: str) -> None:
    equipped.write(LEDGER, text.encode("latin-1"))
    before = snapshot(equipped.root)

    result = equipped.cli("uninstall", "--yes", "--json")

    assert (result.code, result.error) == (1, "files_ledger_invalid")
    assert snapshot(equipped.root) == before


def test_a_ledger_cannot_make_it_remove_what_is_not_ours(equipped: World) -> None:
    equipped.git("init", "-q")
    equipped.write("src/main.py", "print()\n")
    rows = json.loads(equipped.read(LEDGER))
    equipped.write(".claude/skills/own/SKILL.md", "mine\n")
    names = (".claude/skills/own/SKILL.md", ".git/HEAD", "src/main.py", "rasen/config.yaml")
    for name in names:
        path = equipped.path(name)
        owner = {"tool": "claude", "source": "built-in:propose"}
        row = {"path": name, "digest": digest(path.read_bytes()), "version": "1", "owners": [owner]}
        rows["files"].append(row)
    equipped.write(LEDGER, json.dumps(rows))

    result = equipped.cli("uninstall", "--tools", "claude", "--yes", "--json")

    assert result.code == 1
    assert codes(result) == ["owned_path_outside"] * len(names)
    for name in names:
        assert equipped.path(name).is_file(), name
    assert [one.name for one in equipped.path(".claude/skills").iterdir()] == ["own"]
    listed = fits("footprint", equipped.cli("footprint", "--json").json)["files"]
    assert {one["state"] for one in listed if "/.codex/" not in one["path"]} == {"outside"}


def test_a_folder_that_became_a_link_is_not_entered(equipped: World) -> None:
    outside = equipped.base / "dotfiles"
    equipped.path(".claude").rename(outside)
    equipped.path(".claude").symlink_to(outside)
    before = snapshot(outside)

    result = equipped.cli("uninstall", "--yes")

    assert result.code == 0
    assert snapshot(outside) == before
    assert result.err.count("because .claude is not what we made") == 1
    assert list(snapshot(equipped.root)) == [".claude"]


def test_an_agent_that_cannot_be_served_does_not_keep_the_others(equipped: World) -> None:
    def work() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        result = equipped.cli("uninstall", "--yes", "--json")
        assert result.code == 1, result.out
        assert [code for code in codes(result) if code.startswith("file_")] == ["file_not_writable"]
        assert not any("/.codex/" in one for one in document(result)["removed"])

    for folder in (equipped.base, *equipped.base.parents):
        folder.chmod(folder.stat().st_mode | 0o005)
    for path in [equipped.root, equipped.data_dir, *equipped.data_dir.rglob("*")]:
        path.chmod(0o777)
    for path in equipped.root.rglob("*"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    equipped.path(".codex/skills/rasen-propose").chmod(0o555)

    fork(work)

    assert not equipped.path(".claude").exists()
    assert equipped.path(".codex/skills/rasen-propose/SKILL.md").is_file()
    assert equipped.path("rasen/config.yaml").is_file()
    equipped.path(".codex/skills/rasen-propose").chmod(0o777)
    assert equipped.cli("uninstall", "--yes").code == 0
    assert snapshot(equipped.root) == {}


def test_what_cannot_be_read_stays_recorded(equipped: World) -> None:
    def work() -> None:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        result = equipped.cli("uninstall", "--yes", "--json")
        assert result.code == 1, result.out
        assert "owned_path_unreadable" in codes(result)

    for folder in (equipped.base, *equipped.base.parents):
        folder.chmod(folder.stat().st_mode | 0o005)
    for path in [equipped.root, *equipped.root.rglob("*"), *equipped.base.glob("data/**/*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    equipped.path(".codex/skills/rasen-propose").chmod(0o000)

    fork(work)

    equipped.path(".codex/skills/rasen-propose").chmod(0o777)
    assert equipped.path(".codex/skills/rasen-propose/SKILL.md").is_file()
    assert equipped.cli("uninstall", "--yes").code == 0
    assert snapshot(equipped.root) == {}


def test_this_machine_forgets_the_project(equipped: World) -> None:
    other = equipped.base / "other"
    other.mkdir()
    equipped.cli("init", cwd=other)
    registry = equipped.data_dir / "projects/registry.json"
    assert set(json.loads(registry.read_text())["projects"]) == {str(equipped.root), str(other)}

    equipped.cli("uninstall", "--yes")
    assert set(json.loads(registry.read_text())["projects"]) == {str(other)}
    equipped.cli("uninstall", "--yes", cwd=other)

    assert not equipped.data_dir.exists() or snapshot(equipped.data_dir) == {}


def test_a_machine_that_keeps_private_files_of_it_goes_on_knowing_it(equipped: World) -> None:
    registry = equipped.data_dir / "projects/registry.json"
    (row,) = json.loads(registry.read_text())["projects"].values()
    kept = equipped.data_dir / "projects" / row["home"] / "archive/2026-01-01-one/proposal.md"
    kept.parent.mkdir(parents=True)
    kept.write_text("x\n", "utf-8")

    result = equipped.cli("uninstall", "--yes", "--json")

    assert codes(result) == ["uninstall_home_kept"]
    assert json.loads(registry.read_text())["projects"][str(equipped.root)]["home"] == row["home"]
    equipped.cli("doctor", "--gc")
    assert kept.is_file()


def test_planning_that_stays_stays_known(equipped: World) -> None:
    equipped.cli("new", "change", "one")
    registry = (equipped.data_dir / "projects/registry.json").read_bytes()

    equipped.cli("uninstall", "--yes")

    assert (equipped.data_dir / "projects/registry.json").read_bytes() == registry


def test_a_damaged_registry_is_told_and_keeps_nothing_back(equipped: World) -> None:
    (equipped.data_dir / "projects/registry.json").write_text("{", "utf-8")

    result = equipped.cli("uninstall", "--yes", "--json")

    assert (result.code, codes(result)) == (0, ["uninstall_not_released"])
    assert snapshot(equipped.root) == {}


@pytest.fixture
def shared(world: World) -> tuple[World, Path]:
    """Two projects that want the skills in one home of the machine."""
    (world.home / ".hermes").mkdir()
    other = world.base / "other"
    other.mkdir()
    for place in (world.root, other):
        assert world.cli("init", "--tools", "hermes", cwd=place).code == 0
    return world, other


def test_files_in_a_home_of_the_machine_go_with_the_last_project(
    shared: tuple[World, Path],
) -> None:
    world, other = shared
    before = snapshot(world.home)

    first = world.cli("uninstall", "--yes", "--json")
    assert snapshot(world.home) == before
    assert codes(first) == ["uninstall_shared_kept"]
    assert str(other) in document(first)["kept"][0]["message"]
    assert world.cli("uninstall", "--yes", cwd=other).code == 0

    assert list(snapshot(world.home)) == [".hermes"]
    assert not world.data_dir.exists() or snapshot(world.data_dir) == {}


def test_a_project_that_is_gone_wants_nothing_any_more(shared: tuple[World, Path]) -> None:
    world, other = shared
    shutil.rmtree(other)

    result = world.cli("uninstall", "--yes", "--json")

    assert codes(result) == []
    assert list(snapshot(world.home)) == [".hermes"]


def test_an_agent_of_the_machine_can_go_alone(shared: tuple[World, Path]) -> None:
    world, other = shared
    world.cli("uninstall", "--yes", cwd=other)

    assert world.cli("uninstall", "--tools", "hermes", "--yes").code == 0

    assert list(snapshot(world.home)) == [".hermes"]
    assert world.path("rasen/config.yaml").exists()


def test_a_second_time_there_is_nothing(equipped: World) -> None:
    assert equipped.cli("uninstall", "--yes").code == 0

    assert equipped.cli("uninstall", "--yes", "--json").error == "uninstall_no_workspace"


def test_an_openspec_tree_is_left_as_it_was(world: World) -> None:
    world.write("openspec/specs/pay/spec.md", "# Pay\n")
    world.write("openspec/project.md", "mine\n")
    before = snapshot(world.root)
    env = {"RASEN_WORKSPACE": "openspec"}
    assert world.cli("init", "--tools", "claude", env=env).code == 0

    assert world.cli("uninstall", "--yes", env=env).code == 0

    assert snapshot(world.root) == before


@pytest.mark.requirement("GN-009")
def test_the_ledger_of_user_workflows_is_believed_no_more(equipped: World) -> None:
    equipped.write("src/main.py", "print()\n")
    file = {"scope": "project", "path": "src/main.py", "sha256": digest(b"print()\n")}
    home = equipped.home / "precious"
    home.write_text("x\n", "utf-8")
    away = {"scope": "absolute", "path": str(home), "sha256": digest(b"x\n")}
    entry = {"source": "user", "digest": digest(b""), "files": [away, file]}
    tools = {"claude": {"workflows": {"flow": entry}}}
    document = {"version": 1, "workflows": ["flow"], "tools": tools}
    equipped.write("rasen/.workflow-artifacts.json", json.dumps(document))

    result = equipped.cli("uninstall", "--yes", "--json")

    assert (result.code, "owned_path_outside" in codes(result)) == (1, True)
    assert equipped.read("src/main.py") == "print()\n"
    assert home.read_text("utf-8") == "x\n"
    assert not equipped.path(".claude").exists()
