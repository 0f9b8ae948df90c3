"""Workflows of the user's own in the skills of agents: written, healed, left alone, taken out."""

from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.support.agents import codes
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.workflow_makers import install, select, workflow
from tests.support.world import World

from rasen.workflows.digest import file_digest
from rasen.workflows.ops import experts as experts_of_ours

LEDGER = "rasen/.workflow-artifacts.json"
HOME = ".claude/skills/team-release"
POLICY = f"{HOME}/references/deep/policy.md"
SCRIPT = f"{HOME}/scripts/check.sh"
FILES = workflow(
    "team-release",
    body="Follow `references/deep/policy.md`, then run `scripts/check.sh`.\n",
    sidecars={"references/deep/policy.md": "Be careful.\n"},
    scripts={"scripts/check.sh": "#!/bin/sh\ntouch /tmp/it-ran\n"},
)


@pytest.fixture
def world(world: World) -> World:
    install(world, "team-release", FILES)
    select(world, "propose", "team-release")
    result = world.cli("init", "--tools", "claude,codex")
    assert result.code == 0, result.err
    return world


def ledger(world: World) -> Any:
    return json.loads(world.read(LEDGER))


def update(world: World, *args: str) -> Any:
    return fits("update", world.cli("update", *args, "--json").json)


def problems(answer: Any) -> set[str]:
    return set(codes(answer))


@pytest.mark.requirement("GN-001", "GN-002", "GN-011", "WF-002", "WF-004")
def test_a_selected_workflow_reaches_every_agent_with_all_its_files(world: World) -> None:
    for folder in (".claude", ".codex"):
        home = world.root / folder / "skills" / "team-release"
        names = sorted(one.relative_to(home).as_posix() for one in home.rglob("*") if one.is_file())
        assert names == ["SKILL.md", "references/deep/policy.md", "scripts/check.sh"]
    text = world.read(f"{HOME}/SKILL.md")
    assert text.startswith('---\nname: team-release\ndescription: "How to do team-release."\n')
    assert "workflow.yaml" not in text
    assert (world.root / ".claude/skills/rasen-review/SKILL.md").is_file()


@pytest.mark.requirement("GN-003")
def test_experts_are_there_whatever_is_selected_and_in_no_profile(world: World) -> None:
    experts = [one.folder for one in experts_of_ours() if one.is_available]
    assert len(experts) > 15
    for chosen in (["team-release"], ["propose"]):
        select(world, *chosen)
        update(world)
        for folder in (".claude", ".codex"):
            home = world.root / folder / "skills"
            assert [name for name in experts if not (home / name / "SKILL.md").is_file()] == []
    current = world.cli("profile", "list", "--json").json["current"]
    assert current["workflows"] == ["propose"]


@pytest.mark.requirement("GN-009")
@pytest.mark.parametrize("path", ["src/main.py", ".claude/settings.json", "../secret"])
def test_a_row_that_leads_elsewhere_removes_nothing_there(world: World, path: str) -> None:
    """As one who wants our clean-up to delete somebody's file would write it."""
    target = world.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(b"theirs\n")
    found = ledger(world)
    row = {"scope": "project", "path": path, "sha256": file_digest(b"theirs\n")}
    found["tools"]["claude"]["workflows"]["team-release"]["files"].append(row)
    world.write(LEDGER, json.dumps(found))
    select(world, "propose")

    world.cli("update", "--json")
    world.cli("uninstall", "--yes", "--json")

    assert target.read_bytes() == b"theirs\n"


@pytest.mark.requirement("GN-012", "WF-035")
def test_scripts_can_be_run_and_nothing_else_can(world: World) -> None:
    def mode(path: str) -> int:
        return stat.S_IMODE((world.root / path).stat().st_mode)

    assert (mode(SCRIPT), mode(POLICY)) == (0o700, 0o600)
    assert not Path("/tmp/it-ran").exists()


@pytest.mark.requirement("GN-004", "GN-005")
def test_the_ledger_names_every_file_of_every_agent_and_nothing_of_ours(world: World) -> None:
    found = ledger(world)

    assert list(found) == ["version", "workflows", "tools"]
    assert (found["version"], found["workflows"]) == (1, ["team-release"])
    assert list(found["tools"]) == ["claude", "codex"]
    entry = found["tools"]["claude"]["workflows"]["team-release"]
    assert list(entry) == ["source", "digest", "files"]
    assert entry["source"] == "user"
    listed = world.cli("workflow", "list", "--json").json["workflows"]
    assert entry["digest"] == next(one["digest"] for one in listed if one["id"] == "team-release")
    assert [one["path"] for one in entry["files"]] == [f"{HOME}/SKILL.md", POLICY, SCRIPT]
    assert {one["scope"] for one in entry["files"]} == {"project"}
    ours = json.loads(world.read("rasen/.rasen-files.json"))
    assert not [one for one in ours["files"] if "team-release" in one["path"]]


def test_a_second_time_nothing_changes(world: World) -> None:
    before = snapshot(world.base)

    assert update(world)["upToDate"] is True
    assert snapshot(world.base) == before


@pytest.mark.requirement("GN-006")
def test_a_new_version_of_the_workflow_is_brought_to_every_agent(world: World) -> None:
    before = ledger(world)["tools"]["codex"]["workflows"]["team-release"]["digest"]
    install(world, "team-release", {**FILES, "references/deep/policy.md": b"Be bold.\n"})

    update(world)

    assert world.read(POLICY) == "Be bold.\n"
    after = ledger(world)["tools"]
    digests = {one["workflows"]["team-release"]["digest"] for one in after.values()}
    assert before not in digests
    assert len(digests) == 1


@pytest.mark.requirement("GN-006")
def test_a_missing_file_is_written_again(world: World) -> None:
    (world.root / POLICY).unlink()

    update(world)

    assert world.read(POLICY) == "Be careful.\n"


@pytest.mark.requirement("GN-006", "GN-007")
def test_an_edited_file_stays_and_is_told(world: World) -> None:
    world.write(POLICY, "Mine.\n")

    answer = update(world)

    assert world.read(POLICY) == "Mine.\n"
    assert "owned_path_edited" in problems(answer)


@pytest.mark.requirement("GN-006", "GN-007", "GN-009")
def test_what_is_no_longer_selected_goes_but_for_edited_and_added_files(world: World) -> None:
    world.write(POLICY, "Mine.\n")
    world.write(f"{HOME}/notes.md", "Also mine.\n")
    select(world, "propose")

    answer = update(world)

    left = [one for one in (world.root / HOME).rglob("*") if one.is_file()]
    assert sorted(one.name for one in left) == ["notes.md", "policy.md"]
    assert not (world.root / HOME / "scripts").exists()
    assert not (world.root / ".codex/skills/team-release").exists()
    assert (world.root / ".codex/skills").is_dir()
    assert not (world.root / LEDGER).exists()
    assert "owned_path_released" in problems(answer)


@pytest.mark.requirement("GN-009")
def test_nothing_is_removed_behind_a_link(world: World, tmp_path: Path) -> None:
    shutil.move(world.root / HOME, tmp_path / "elsewhere")
    (world.root / HOME).symlink_to(tmp_path / "elsewhere")
    select(world, "propose")

    update(world)

    assert (tmp_path / "elsewhere/SKILL.md").is_file()
    assert (world.root / HOME).is_symlink()


@pytest.mark.requirement("GN-010", "GN-006")
def test_what_came_from_a_workflow_that_is_gone_stays(world: World) -> None:
    shutil.rmtree(world.data_dir / "workflows/team-release")
    before = ledger(world)

    answer = update(world)

    assert (world.root / POLICY).is_file()
    assert ledger(world) == before
    assert "workflow_source_missing" in problems(answer)


@pytest.mark.requirement("GN-008")
def test_a_folder_without_a_row_is_neither_taken_over_nor_removed(world: World) -> None:
    (world.root / LEDGER).unlink()
    before = world.read(f"{HOME}/SKILL.md")
    install(world, "team-release", {**FILES, "SKILL.md": FILES["SKILL.md"] + b"More.\n"})

    answer = update(world)
    assert world.read(f"{HOME}/SKILL.md") == before
    assert "owned_path_foreign" in problems(answer)

    select(world, "propose")
    update(world, "--adopt")
    assert world.read(f"{HOME}/SKILL.md") == before


@pytest.mark.requirement("GN-006")
@pytest.mark.parametrize("text", ["{", '{"version": 1}', '{"version": 3}'])
def test_a_broken_ledger_stops_this_part_only_and_stays_as_it_is(world: World, text: str) -> None:
    world.write(LEDGER, text)
    (world.root / ".claude/skills/rasen-help/SKILL.md").unlink(missing_ok=True)
    install(world, "team-release", {**FILES, "references/deep/policy.md": b"Be bold.\n"})

    result = world.cli("update", "--json")

    assert result.code == 1
    assert "ledger_invalid" in problems(result.json)
    assert world.read(LEDGER) == text
    assert world.read(POLICY) == "Be careful.\n"
    assert (world.root / ".claude/skills/rasen-propose/SKILL.md").is_file()


@pytest.mark.requirement("GN-006")
def test_a_ledger_that_is_a_folder_is_unreadable(world: World) -> None:
    (world.root / LEDGER).unlink()
    (world.root / LEDGER).mkdir()

    assert "ledger_unreadable" in problems(world.cli("update", "--json").json)


@pytest.mark.requirement("WF-073", "WF-082")
def test_an_invalid_workflow_is_not_generated_and_stops_nothing_else(world: World) -> None:
    install(world, "team-release", {**FILES, "SKILL.md": b"no front matter\n"})

    answer = update(world)

    assert "Be careful" in world.read(POLICY)
    assert "workflow_source_missing" in problems(answer)
    assert (world.root / ".claude/skills/rasen-propose/SKILL.md").is_file()


@pytest.mark.requirement("WF-043", "WF-073")
def test_a_workflow_whose_pipeline_is_not_there_is_left_out_and_told(world: World) -> None:
    install(world, "needy", workflow("needy", requires={"pipelines": ["nightly"]}))
    select(world, "propose", "needy")

    answer = update(world)
    assert "workflow_not_generated" in problems(answer)
    assert not (world.root / ".claude/skills/needy").exists()

    world.write("rasen/pipelines/nightly/pipeline.yaml", "name: nightly\nstages: []\n")
    assert "workflow_not_generated" not in problems(update(world))
    assert (world.root / ".claude/skills/needy/SKILL.md").is_file()


def test_footprint_and_uninstall_know_them(world: World) -> None:
    rows = fits("footprint", world.cli("footprint", "--json").json)["files"]
    assert any(row["path"].endswith(POLICY) for row in rows)

    assert world.cli("uninstall", "--yes").code == 0

    assert not (world.root / ".claude").exists()
    assert not (world.root / ".codex").exists()
    assert not (world.root / LEDGER).exists()


def test_one_agent_leaves_and_the_other_keeps_its_files(world: World) -> None:
    assert world.cli("uninstall", "--tools", "codex", "--yes").code == 0

    assert list(ledger(world)["tools"]) == ["claude"]
    assert not (world.root / ".codex").exists()
    assert (world.root / POLICY).is_file()


@pytest.mark.requirement("GN-005")
def test_the_later_form_is_read_and_written_in_the_first(world: World) -> None:
    later = {**ledger(world), "version": 2, "stores": {}}
    world.write(LEDGER, json.dumps(later))
    assert update(world)["upToDate"] is True
    assert ledger(world)["version"] == 2

    install(world, "team-release", {**FILES, "references/deep/policy.md": b"Be bold.\n"})
    update(world)

    assert ledger(world)["version"] == 1
    assert world.read(POLICY) == "Be bold.\n"


@pytest.mark.requirement("GN-013")
def test_files_that_learned_skills_would_have_do_not_stop_workflows(world: World) -> None:
    later = {**ledger(world), "version": 2, "stores": {"x": {"anything": 1}}}
    later["tools"]["claude"]["learned"] = {"broken": "whatever"}
    world.write(LEDGER, json.dumps(later))
    (world.root / POLICY).unlink()

    update(world)
    assert world.read(POLICY) == "Be careful.\n"

    select(world, "propose")
    update(world)
    assert not (world.root / LEDGER).exists()
    assert json.loads(world.read("rasen/.workflow-artifacts.v2.json")) == later


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(world: World) -> None:
    (world.root / POLICY).unlink()
    before = snapshot(world.base)

    answer = update(world, "--dry-run")

    assert next(one for one in answer["tools"] if one["tool"] == "claude")["written"] == 1
    assert snapshot(world.base) == before


def test_other_line_ends_of_a_checkout_are_no_edit_in_either_direction(world: World) -> None:
    install(world, "team-release", {**FILES, "references/deep/policy.md": b"Be\r\ncareful.\r\n"})
    assert codes(update(world)) == []
    world.write(POLICY, b"Be\ncareful.\n")
    world.write(SCRIPT, world.path(SCRIPT).read_bytes().replace(b"\n", b"\r\n"))

    answer = update(world)

    assert set(codes(answer)) == {"owned_path_line_endings_only"}
    assert answer["upToDate"] is True
    assert world.cli("uninstall", "--yes").code == 0
    assert not (world.root / ".claude").exists()
