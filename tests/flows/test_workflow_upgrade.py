"""`rasen workflow diff` and `upgrade`: another version takes the place, and the former can come back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.workflow_makers import install, lay, select, skill, workflow
from tests.support.world import World

OLD = workflow("flow", sidecars={"references/a.md": "one\ntwo\n", "references/gone.md": "x\n"})
NEW = workflow("flow", sidecars={"references/a.md": "one\nTWO\n", "references/new.md": "y\n"})


@pytest.fixture
def world(world: World) -> World:
    install(world, "flow", OLD)
    lay(world.root / "new/flow", NEW)
    return world


def run(world: World, verb: str, *args: str) -> tuple[int, Any]:
    result = world.cli("workflow", verb, *args, "--json")
    return result.code, fits(f"workflow-{verb}", result.json)


def installed(world: World) -> dict[str, bytes]:
    place = world.data_dir / "workflows/flow"
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


def test_the_difference_names_every_file_and_changes_nothing(world: World) -> None:
    before = snapshot(world.base)

    code, answer = run(world, "diff", "flow", "new/flow")
    told = world.cli("workflow", "diff", "flow", "new/flow").out

    assert code == 0
    assert [(one["path"], one["change"]) for one in answer["diff"]["files"]] == [
        ("references/a.md", "changed"),
        ("references/gone.md", "removed"),
        ("references/new.md", "added"),
        ("workflow.yaml", "changed"),
    ]
    assert answer["diff"]["same"] is False
    assert "-two\n+TWO\n" in told
    assert snapshot(world.base) == before


def test_the_same_version_has_no_difference(world: World) -> None:
    lay(world.root / "same/flow", OLD)

    assert run(world, "diff", "flow", "same/flow")[1]["diff"]["same"] is True
    assert world.cli("workflow", "diff", "flow", "same/flow").out == "flow is the same.\n"


def test_an_upgrade_needs_a_yes_and_keeps_what_was_there(world: World) -> None:
    code, answer = run(world, "upgrade", "new/flow")
    assert (code, answer["status"][0]["code"]) == (1, "confirmation_required")
    assert installed(world) == OLD

    code, answer = run(world, "upgrade", "new/flow", "--yes")

    assert code == 0
    assert installed(world) == NEW
    (change,) = answer["upgraded"]
    assert change["from"] != change["to"]
    assert sorted(one.name for one in world.data_dir.iterdir()) == [
        "workflow-versions",
        "workflows",
    ]


def test_the_former_version_comes_back_and_the_new_one_again(world: World) -> None:
    run(world, "upgrade", "new/flow", "--yes")

    assert run(world, "upgrade", "--back", "flow")[0] == 0
    assert installed(world) == OLD
    assert run(world, "upgrade", "--back", "flow")[0] == 0
    assert installed(world) == NEW


def test_without_a_former_version_there_is_no_way_back(world: World) -> None:
    code, answer = run(world, "upgrade", "--back", "flow")

    assert (code, answer["status"][0]["code"]) == (1, "workflow_no_former_version")


def test_agents_follow_with_the_next_update(world: World) -> None:
    select(world, "flow")
    assert world.cli("init", "--tools", "claude").code == 0
    run(world, "upgrade", "new/flow", "--yes")

    assert world.cli("update").code == 0

    assert world.read(".claude/skills/flow/references/new.md") == "y\n"
    assert not (world.root / ".claude/skills/flow/references/gone.md").exists()


def test_a_package_upgrades_installs_and_reuses_in_one_go(world: World) -> None:
    install(world, "same")
    (world.base / "other").mkdir()
    other = World(world.base / "other")
    for id, files in (
        ("flow", workflow("flow", requires={"workflows": ["same", "fresh"]})),
        ("same", workflow("same")),
        ("fresh", workflow("fresh")),
    ):
        install(other, id, files)
    package = str(world.root / "all.rasenpkg")
    assert other.cli("workflow", "export", "flow", package).code == 0

    _, answer = run(world, "upgrade", package, "--yes")

    assert [one["id"] for one in answer["upgraded"]] == ["flow"]
    assert (answer["imported"], answer["reused"]) == (["fresh"], ["same"])


def test_what_would_not_work_is_not_installed(world: World) -> None:
    install(world, "other")
    before = snapshot(world.data_dir)
    cases = {
        "workflow_dependency_missing": workflow("flow", requires={"workflows": ["nowhere"]}),
        "skill_name_collision": {**workflow("flow"), "SKILL.md": skill("other").encode()},
        "workflow_invalid": {**workflow("flow"), "SKILL.md": b"x"},
    }

    for code, files in cases.items():
        lay(world.root / code / "flow", files)
        exit_code, answer = run(world, "upgrade", f"{code}/flow", "--yes")
        assert (exit_code, answer["status"][0]["code"]) == (1, code)
    assert snapshot(world.data_dir) == before


def test_only_what_is_installed_can_be_upgraded_or_compared(world: World) -> None:
    lay(world.root / "fresh", workflow("fresh"))

    assert run(world, "upgrade", "fresh", "--yes")[1]["status"][0]["code"] == (
        "workflow_upgrade_nothing_installed"
    )
    assert run(world, "upgrade", "nowhere")[1]["status"][0]["code"] == "import_source_not_found"
    assert run(world, "diff", "nowhere", "fresh")[1]["status"][0]["code"] == "workflow_not_found"
    assert run(world, "diff", "flow", "fresh")[1]["status"][0]["code"] == "workflow_not_in_package"
    assert run(world, "diff", "propose", "fresh")[1]["status"][0]["code"] == "builtin_collision"


def test_a_few_former_versions_are_kept_and_deletion_takes_them_all(world: World) -> None:
    for number in range(8):
        lay(world.root / "next/flow", workflow("flow", body=f"Version {number}.\n"))
        assert run(world, "upgrade", "next/flow", "--yes")[0] == 0

    kept = sorted(one.name[:4] for one in (world.data_dir / "workflow-versions/flow").iterdir())
    assert kept == ["0004", "0005", "0006", "0007", "0008"]

    assert world.cli("workflow", "delete", "flow", "--yes").code == 0
    assert sorted(one.name for one in world.data_dir.iterdir()) == ["workflows"]


def test_people_are_asked_with_both_digests(world: World) -> None:
    result = world.cli("workflow", "upgrade", "new/flow", tty=True, input="\n")

    assert result.code == 1
    assert "→" in result.out + result.err
    assert installed(world) == OLD
    assert (
        json.loads(world.cli("workflow", "which", "flow", "--json").out)["workflow"]["id"] == "flow"
    )
