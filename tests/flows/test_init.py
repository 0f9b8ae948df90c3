"""`rasen init`: a workspace is made, completed or refused, and nothing of anyone's is touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.agents import answered
from tests.support.documents import fits
from tests.support.world import World

FIRST_ID = "00000000-0000-4000-8000-000000000001"


def tree(root: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
        if ".git/" not in str(path)
    }


def document(world: World, *args: str, **options: Any) -> tuple[int, Any]:
    return answered(world, "init", *args, **options)


def registry(world: World) -> dict[str, Any]:
    text = (world.data_dir / "projects" / "registry.json").read_text()
    projects: dict[str, Any] = json.loads(text)["projects"]
    return projects


def test_a_workspace_is_made_with_folders_configuration_identity_and_home(world: World) -> None:
    code, answer = document(world)

    assert code == 0
    home = world.data_dir / "projects" / registry(world)[str(world.root)]["home"]
    assert answer == {
        "root": str(world.root),
        "workspace": str(world.root / "rasen"),
        "created": ["rasen/specs", "rasen/changes", "rasen/changes/archive", "rasen/config.yaml"],
        "config": {"path": str(world.root / "rasen/config.yaml"), "created": True},
        "projectId": FIRST_ID,
        "projectIdMinted": True,
        "home": str(home),
        "status": [],
    }
    assert set(tree(world.root)) == {
        "rasen",
        "rasen/specs",
        "rasen/changes",
        "rasen/changes/archive",
        "rasen/config.yaml",
    }


def test_the_new_configuration_is_two_settings_and_help(world: World) -> None:
    world.cli("init")

    lines = world.read("rasen/config.yaml").split("\n")
    assert lines[:3] == ["schema: spec-driven", f"projectId: {FIRST_ID}", ""]
    assert all(line == "" or line.startswith("#") for line in lines[2:])
    assert any("context:" in line for line in lines)
    assert any("rules:" in line for line in lines)


def test_the_help_in_the_configuration_is_good_configuration(world: World) -> None:
    from rasen.config import ops as config

    world.cli("init")
    text = world.read("rasen/config.yaml")
    told: list[object] = []
    parts = ("context: |", "  ", "rules:", "- ")
    real = [
        line[2:] if line.startswith("# ") and line[2:].startswith(parts) else line
        for line in text.split("\n")
    ]
    world.write("rasen/config.yaml", "\n".join(real))

    found = config.project_config(world.root / "rasen", tell=told.append)

    assert told == []
    assert found is not None
    assert found.context
    assert set(found.rules) == {"proposal", "tasks"}


def test_making_it_again_changes_no_byte(world: World) -> None:
    world.cli("init")
    before, known = tree(world.base), registry(world)

    code, answer = document(world)

    assert code == 0
    assert answer["created"] == []
    assert answer["projectIdMinted"] is False
    assert tree(world.base) == before
    assert registry(world) == known


@pytest.mark.parametrize("name", ["config.yaml", "config.yml"])
def test_an_existing_configuration_only_gets_an_identity(world: World, name: str) -> None:
    text = "# mine\r\nschema: own   # kept\r\ncontext: |\r\n  x\r\n"
    world.write(f"rasen/{name}", text.encode())

    _, answer = document(world)

    assert answer["created"] == ["rasen/specs", "rasen/changes", "rasen/changes/archive"]
    assert answer["config"]["created"] is False
    assert answer["projectIdMinted"] is True
    assert world.read(f"rasen/{name}") == text + f"projectId: {answer['projectId']}\r\n"
    assert sum((world.root / "rasen" / n).exists() for n in ("config.yaml", "config.yml")) == 1


def test_an_existing_identity_stays(world: World) -> None:
    world.write("rasen/config.yaml", "projectId: mine\n")

    _, answer = document(world)

    assert answer["projectId"] == "mine"
    assert world.read("rasen/config.yaml") == "projectId: mine\n"


def test_a_missing_folder_is_made_and_said(world: World) -> None:
    result = world.cli("init", "new/app")

    assert result.code == 0
    assert (world.root / "new/app/rasen/config.yaml").is_file()
    assert "made the folder" in result.err


def test_a_file_is_no_place_for_a_workspace(world: World) -> None:
    world.write("notes.txt", "x")

    result = world.cli("init", "notes.txt", "--json")

    assert (result.code, result.error) == (1, "init_path_not_directory")
    fits("init", result.json)
    assert world.read("notes.txt") == "x"


@pytest.mark.parametrize("taken", ["rasen", "rasen/specs", "rasen/changes/archive"])
def test_a_file_in_the_place_of_a_folder_is_refused_and_nothing_is_made(
    world: World, taken: str
) -> None:
    world.write(taken, "mine")
    before = tree(world.root)

    result = world.cli("init", "--json")

    assert result.code == 1
    assert str(world.root / taken) in result.json["status"][0]["message"]
    assert tree(world.root) == before


@pytest.mark.parametrize("below", ["", "src/deep"])
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("store: team\n", "init_store_pointer"),
        ("store: 7\n", "invalid_store_pointer"),
        ("store: [\n", "invalid_store_pointer"),
    ],
)
def test_where_a_pointer_decides_nothing_is_made(
    world: World, below: str, text: str, code: str
) -> None:
    world.write("rasen/config.yaml", text)
    (world.root / below).mkdir(parents=True, exist_ok=True)
    before = tree(world.root)

    result = world.cli("init", below or ".", "--force", "--json")

    assert (result.code, result.error) == (1, code)
    assert result.json["status"][0]["target"] == "store.pointer"
    assert str(world.root / "rasen/config.yaml") in result.json["status"][0]["message"]
    assert tree(world.root) == before
    assert not world.data_dir.exists()


def test_a_pointer_beside_planning_does_not_stop_it(world: World) -> None:
    world.write("rasen/config.yaml", "store: team\nprojectId: x\n")
    (world.root / "rasen/specs").mkdir()

    assert world.cli("init").code == 0


def test_a_workspace_inside_another_is_made_only_when_forced(world: World) -> None:
    world.workspace()
    (world.root / "part").mkdir()

    refused = world.cli("init", "part", "--json")
    assert (refused.code, refused.error) == (1, "init_inside_workspace")
    assert str(world.root) in refused.json["status"][0]["message"]
    assert not (world.root / "part/rasen").exists()

    assert world.cli("init", "part", "--force").code == 0
    assert (world.root / "part/rasen/config.yaml").is_file()


def test_a_repository_inside_a_workspace_may_have_its_own(world: World) -> None:
    world.workspace()
    inner = world.root / "vendor/lib"
    inner.mkdir(parents=True)
    world.git("init", "-q", cwd=inner)

    assert world.cli("init", cwd=inner).code == 0
    assert (inner / "rasen/specs").is_dir()


def test_a_worktree_shares_home_and_identity(world: World) -> None:
    world.cli("init")
    world.write("rasen/specs/.keep", "")
    world.git("init", "-q")
    world.git("add", ".")
    world.git("commit", "-qm", "start")
    inner = world.root / "trees/two"
    world.git("worktree", "add", "-q", str(inner))
    first = registry(world)[str(world.root)]["home"]

    _, answer = document(world, cwd=inner)

    assert Path(answer["home"]).name == first
    assert answer["projectIdMinted"] is False


def test_when_the_machine_cannot_register_it_that_is_a_warning(world: World) -> None:
    place = world.data_dir / "projects" / "registry.json"
    place.parent.mkdir(parents=True)
    place.write_text("{")

    code, answer = document(world)

    assert code == 0
    assert [(s["severity"], s["code"]) for s in answer["status"]] == [
        ("warning", "machine_home_not_registered")
    ]
    assert "home" not in answer
    assert answer["projectId"] == FIRST_ID
    assert place.read_text() == "{"
    human = world.cli("init")
    assert human.code == 0
    assert str(place) in human.err


def test_no_agents_is_nothing_to_mention(world: World) -> None:
    result = world.cli("init", "--tools", "none")

    assert result.code == 0
    assert result.err == ""


@pytest.mark.parametrize("tools", ["", " ", "claude,,codex", "all,claude", "none,codex"])
def test_a_list_of_agents_that_makes_no_sense_is_refused(world: World, tools: str) -> None:
    result = world.cli("init", "--tools", tools, "--json")

    assert (result.code, result.error) == (1, "usage_error")
    assert not (world.root / "rasen").exists()


@pytest.mark.parametrize(
    ("profile", "line"), [("core", "profile: core\n"), ("full", "profile: full\n"), ("custom", "")]
)
def test_a_profile_is_locked_in_the_configuration(world: World, profile: str, line: str) -> None:
    world.cli("init", "--profile", profile)

    head = f"schema: spec-driven\nprojectId: {FIRST_ID}\n{line}\n"
    assert world.read("rasen/config.yaml").startswith(head)


def test_a_profile_is_locked_in_an_existing_configuration_keeping_its_text(world: World) -> None:
    world.write("rasen/config.yaml", "# mine\nprojectId: x # kept\n")

    world.cli("init", "--profile", "core")

    text = world.read("rasen/config.yaml")
    assert text.startswith("# mine\nprojectId: x # kept\n")
    assert "profile: core\n" in text


@pytest.mark.parametrize("profile", ["other", "../x", ""])
def test_an_unknown_profile_is_refused(world: World, profile: str) -> None:
    result = world.cli("init", "--profile", profile, "--json")

    assert (result.code, result.error) == (1, "profile_unknown")
    assert not (world.root / "rasen").exists()


def test_a_saved_profile_may_be_named(world: World) -> None:
    place = world.config_dir / "profiles" / "ours.yaml"
    place.parent.mkdir(parents=True)
    place.write_text("{}")

    assert world.cli("init", "--profile", "ours").code == 0
    assert "profile: ours\n" in world.read("rasen/config.yaml")


def test_an_older_folder_is_named_and_left_alone(world: World) -> None:
    world.write("openspec/specs/a/spec.md", "# a\n")
    before = tree(world.root / "openspec")

    _, first = document(world)
    _, second = document(world)

    assert [s["code"] for s in first["status"]] == ["legacy_workspace_found"]
    assert "rasen migrate" in first["status"][0]["fix"]
    assert [s["code"] for s in second["status"]] == ["legacy_workspace_beside"]
    assert tree(world.root / "openspec") == before


def test_a_person_is_offered_the_migration(world: World) -> None:
    world.write("openspec/specs/a/spec.md", "# a\n")

    result = world.cli("init", tty=True, input="\n\n")

    assert result.code == 0
    assert world.read("rasen/specs/a/spec.md") == "# a\n"
    assert world.read("openspec/specs/a/spec.md") == "# a\n"
    assert (world.root / "rasen/config.yaml").is_file()


def test_a_person_may_decline_the_migration(world: World) -> None:
    world.write("openspec/specs/a/spec.md", "# a\n")

    result = world.cli("init", tty=True, input="n\n\n")

    assert result.code == 0
    assert not (world.root / "rasen/specs/a").exists()


def test_an_openspec_tree_in_use_is_completed_in_place(world: World) -> None:
    world.write("openspec/specs/a/spec.md", "# a\n")

    _, answer = document(world, env={"RASEN_WORKSPACE": "openspec"})

    assert answer["created"] == [
        "openspec/changes",
        "openspec/changes/archive",
        "openspec/config.yaml",
    ]
    assert answer["status"] == []
    assert not (world.root / "rasen").exists()


def test_the_report_for_people_names_everything_made(world: World) -> None:
    result = world.cli("init")

    for part in ("rasen/specs", "rasen/changes/archive", "config.yaml", "Machine home", FIRST_ID):
        assert part in result.out


_UNPRIVILEGED = """
import os, sys
from pathlib import Path
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.upkeep.init import Plan, prepare
if os.getuid() == 0:
    os.setuid(65534)
start = Path(sys.argv[1])
ctx = Context(start, start, start / "c", start / "d", {}, "rasen", None, None, print)
try:
    prepare(ctx, Plan(start))
except ToolError as error:
    print(error.code)
"""


def test_a_folder_that_may_not_be_written_is_refused_at_once(world: World) -> None:
    import shutil
    import tempfile

    top = Path(tempfile.mkdtemp())
    top.chmod(0o555)
    try:
        result = world.python("-c", _UNPRIVILEGED, str(top))

        assert result.out == "init_not_writable\n", result.err
        assert list(top.iterdir()) == []
    finally:
        top.chmod(0o755)
        shutil.rmtree(top)
