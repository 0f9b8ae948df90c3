"""`rasen init` for agents: which get skills, what is said, and that nothing of anyone's is touched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml as other
from tests.support.agents import answered, outcomes
from tests.support.snapshot import snapshot
from tests.support.terminal import Terminal
from tests.support.world import World

from rasen.hosts.lint import check_written
from rasen.hosts.ops import HOSTS, host, skills_home
from rasen.workflows import ops as workflows

LOCAL = [one.id for one in HOSTS if not one.is_machine_wide]


def document(world: World, *args: str, **options: Any) -> tuple[int, Any]:
    return answered(world, "init", *args, **options)


def folders(world: World, home: str = ".claude/skills") -> set[str]:
    place = world.root / home
    return {one.name for one in place.iterdir()} if place.is_dir() else set()


def test_named_agents_get_every_skill_of_the_profile_and_the_experts(world: World) -> None:
    code, answer = document(world, "--tools", "claude,codex")

    assert code == 0
    assert outcomes(answer) == {"claude": "created", "codex": "created"}
    ready = [one.folder for one in workflows.built_in() if one.is_available]
    always = [one.folder for one in workflows.always()]
    assert folders(world) == folders(world, ".codex/skills") == {*ready, *always}
    assert answer["profile"]["name"] == "full"
    assert answer["profile"]["source"] == "machine"
    assert answer["tools"][0]["home"] == ".claude/skills"
    assert answer["status"] == []


def test_the_profile_core_brings_less_but_every_expert(world: World) -> None:
    document(world, "--tools", "claude", "--profile", "core")

    ready = {one.folder for one in workflows.built_in() if one.is_available and one.is_core}
    assert folders(world) == ready | {one.folder for one in workflows.always()}
    assert "profile: core\n" in world.read("rasen/config.yaml")


def test_making_it_again_changes_no_byte_anywhere(world: World) -> None:
    document(world, "--tools", "all")
    before = snapshot(world.base)

    code, answer = document(world, "--tools", "all")

    assert code == 0
    assert set(outcomes(answer).values()) == {"unchanged"}
    assert snapshot(world.base) == before


def test_all_means_every_agent_with_skills_in_the_project(world: World) -> None:
    _, answer = document(world, "--tools", "all")

    assert sorted(outcomes(answer)) == sorted(LOCAL)
    assert not (world.home / ".hermes").exists()


def test_an_agent_of_the_whole_machine_has_to_be_named(world: World) -> None:
    (world.home / ".hermes").mkdir()
    document(world)
    assert folders(world, "../home/.hermes/skills") == set()

    _, answer = document(world, "--tools", "hermes")

    assert outcomes(answer) == {"hermes": "created"}
    assert "rasen-help" in folders(world, "../home/.hermes/skills")
    assert answer["tools"][0]["home"] == str(world.home / ".hermes/skills")


def test_without_a_choice_the_agents_that_are_found_get_skills(world: World) -> None:
    (world.root / ".cursor").mkdir()
    world.write(".github/copilot-instructions.md", "mine\n")

    _, answer = document(world)

    assert outcomes(answer) == {"cursor": "created", "github-copilot": "created"}


def test_without_any_agent_there_is_only_a_workspace_and_a_hint(world: World) -> None:
    result = world.cli("init")

    assert result.code == 0
    assert "--tools" in result.out
    assert sorted(one.name for one in world.root.iterdir()) == ["rasen"]


def test_an_agent_that_was_given_skills_before_keeps_getting_them(world: World) -> None:
    document(world, "--tools", "claude")
    (world.root / ".claude/skills/rasen-help/SKILL.md").unlink()

    _, answer = document(world)

    assert outcomes(answer) == {"claude": "refreshed"}
    assert "rasen-help" in folders(world)


@pytest.mark.parametrize("words", ["claude,none", "all,codex", "", ",", "nope"])
def test_a_choice_that_makes_no_sense_makes_nothing(world: World, words: str) -> None:
    result = world.cli("init", "--tools", words, "--json")

    assert result.code == 1
    assert result.error in ("usage_error", "tool_unknown")
    assert list(world.root.iterdir()) == []


def test_a_dry_run_says_what_would_be_made_and_makes_nothing(world: World) -> None:
    before = snapshot(world.base)

    code, answer = document(world, "--tools", "claude", "--profile", "core", "--dry-run")

    assert code == 0
    assert answer["dryRun"] is True
    assert answer["created"] == [
        "rasen/specs",
        "rasen/changes",
        "rasen/changes/archive",
        "rasen/config.yaml",
    ]
    assert "projectId" not in answer
    assert snapshot(world.base) == before
    _, done = document(world, "--tools", "claude", "--profile", "core")
    assert done["tools"] == answer["tools"]


def test_a_dry_run_for_people_lists_the_files(world: World) -> None:
    result = world.cli("init", "new", "--tools", "claude", "--dry-run")

    assert "would create rasen/config.yaml" in result.out
    assert "would write .claude/skills/rasen-propose/SKILL.md" in result.out
    assert not (world.root / "new").exists()


def test_one_agent_that_cannot_be_served_does_not_stop_the_others(world: World) -> None:
    world.write(".claude/skills", "in the way\n")

    code, answer = document(world, "--tools", "claude,codex")

    assert code == 1
    assert outcomes(answer) == {"claude": "failed", "codex": "created"}
    assert [(one["target"], one["severity"]) for one in answer["status"]] == [("claude", "error")]
    assert world.read(".claude/skills") == "in the way\n"
    human = world.cli("init", "--tools", "claude,codex")
    assert human.code == 1
    assert "Incomplete: Claude Code" in human.out
    assert ".claude/skills" in human.err


def test_a_folder_that_may_not_be_written_is_told_for_its_agent(world: World) -> None:
    from tests.support.crash import fork
    from tests.support.skill_sets import Set

    skills = Set(world)
    (world.root / ".claude").mkdir()

    def as_somebody() -> None:
        import os

        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        claude, codex = skills.write("claude", "codex")
        assert [one.code for one in claude.problems] == ["owned_path_not_writable"]
        assert codex.problems == []

    for folder in (world.base, *world.base.parents):
        folder.chmod(folder.stat().st_mode | 0o005)
    world.root.chmod(0o777)
    (world.root / "rasen").chmod(0o777)
    (world.root / ".claude").chmod(0o555)

    ending = fork(as_somebody)

    assert ending.code == ""
    assert list((world.root / ".claude").iterdir()) == []
    assert (world.root / ".codex/skills/rasen-a/SKILL.md").is_file()


def test_an_experimental_setting_is_switched_on_only_by_its_flag(world: World) -> None:
    document(world, "--tools", "claude")
    assert not (world.root / ".claude/settings.json").exists()

    document(world, "--tools", "claude", "--claude-agent-teams")
    assert json.loads(world.read(".claude/settings.json")) == {
        "env": {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}
    }

    document(world, "--tools", "claude", "--no-claude-agent-teams")
    assert not (world.root / ".claude/settings.json").exists()


def test_its_flag_without_its_agent_is_said_to_do_nothing(world: World) -> None:
    result = world.cli("init", "--tools", "codex", "--claude-agent-teams")

    assert "claude is not among the agents" in result.err
    assert not (world.root / ".claude").exists()


@pytest.mark.parametrize("id", [one.id for one in HOSTS])
def test_every_skill_that_is_written_would_be_loaded(world: World, id: str) -> None:
    document(world, "--tools", id)

    home = skills_home(world.context(), world.root, host(id))
    files = sorted(home.glob("*/SKILL.md"))
    assert len(files) > 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert check_written(host(id), file.parent.name, text) == []
        head = other.load(text.split("---\n")[1], Loader=other.SafeLoader)
        assert head["name"] == file.parent.name
        assert 0 < len(head["description"]) <= 1024


def test_no_generated_text_knows_the_machine_the_time_or_the_path(
    world: World, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    far = World(tmp_path / "elsewhere")
    far.env |= {"TZ": "Asia/Tokyo", "LANG": "ja_JP.UTF-8", "USER": "somebody"}

    world.cli("init", "--tools", "claude,pi")
    far.cli("init", "--tools", "claude,pi")

    for name in (".claude", ".pi"):
        assert snapshot(world.root / name) == snapshot(far.root / name)
    ledger = "rasen/.rasen-files.json"
    assert world.read(ledger) == far.read(ledger)


def test_a_person_ticks_agents_those_found_are_ticked_already(world: World) -> None:
    (world.root / ".codex").mkdir()

    result = world.cli("init", tty=True, input="\n")

    assert "1. [x] Codex (codex)" in result.err
    assert "[ ] Claude Code (claude)" in result.err
    assert "rasen-help" in folders(world, ".codex/skills")
    assert folders(world) == set()


def test_a_person_who_ticks_nothing_gets_a_workspace(world: World) -> None:
    result = world.cli("init", tty=True, input="\n")

    assert result.code == 0
    assert sorted(one.name for one in world.root.iterdir()) == ["rasen"]


def test_on_a_real_terminal_there_is_a_list_to_tick(world: World) -> None:
    (world.root / ".codex").mkdir()
    world.env["TERM"] = "xterm"

    with Terminal(world, "init") as terminal:
        terminal.wait_for("Which agents do you work with here?")
        terminal.wait_for("Claude Code (claude)")
        terminal.type("\r")
        assert terminal.code() == 0, terminal.seen

    assert "rasen-help" in folders(world, ".codex/skills")
    assert folders(world) == set()


def test_later_the_agents_that_have_skills_are_ticked(world: World) -> None:
    document(world, "--tools", "claude")
    (world.root / ".codex").mkdir()

    result = world.cli("init", tty=True, input="\n")

    assert "[x] Claude Code (claude)" in result.err
    assert "[ ] Codex (codex)" in result.err
    assert folders(world, ".codex/skills") == set()


def test_nobody_is_asked_for_a_dry_document(world: World) -> None:
    result = world.cli("init", "--json", tty=True)

    assert result.code == 0
    assert "tools" not in result.json


def test_the_selection_of_an_older_program_is_kept(world: World) -> None:
    for folder in ("rasen-propose", "rasen-apply-change", "rasen-auto"):
        world.write(
            f".claude/skills/{folder}/SKILL.md",
            f"---\nname: {folder}\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\nx\n",
        )
    world.workspace()
    world.git("init", "-q")
    world.git("add", "-A")
    world.git("commit", "-qm", "before")

    _, answer = document(world, "--tools", "claude")

    settings = json.loads((world.config_dir / "config.json").read_text())
    assert settings["profile"] == "custom"
    assert settings["workflows"] == ["propose", "apply", "auto-command"]
    assert [one["code"] for one in answer["status"]].count("profile_migrated") == 1
    assert answer["profile"]["name"] == "custom"
    assert "rasen-explore" not in folders(world)
    again, second = document(world, "--tools", "claude")
    assert again == 0
    assert "profile_migrated" not in [one["code"] for one in second["status"]]


def test_our_own_skills_are_no_older_selection(world: World) -> None:
    document(world, "--tools", "claude", "--profile", "core")
    document(world, "--tools", "claude")

    assert not (world.config_dir / "config.json").exists()


def test_what_an_older_program_kept_for_this_machine_is_copied_first(world: World) -> None:
    older = world.base / "data/openspec/schemas/own/schema.yaml"
    older.parent.mkdir(parents=True)
    older.write_text("name: own\n")

    _, answer = document(world, "--tools", "none")

    assert [one["code"] for one in answer["status"]] == ["older_data_copied"]
    assert (world.data_dir / "schemas/own/schema.yaml").read_text() == "name: own\n"
    assert older.is_file()
    assert document(world, "--tools", "none")[1]["status"] == []


def test_the_old_name_of_init_still_works_and_says_the_new_one(world: World) -> None:
    result = world.cli("experimental", "--tool", "claude", "--no-interactive")

    assert result.code == 0
    assert "rasen init --tools" in result.err
    assert "rasen-help" in folders(world)
    assert "  experimental " not in world.cli("--help").out
