"""The skills of agents: written, refreshed, kept and removed as the ledger and the user's edits say."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.skill_sets import Set, definition
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.base.context import Note
from rasen.base.errors import ToolError
from rasen.hosts.model import Host
from rasen.process.liveness import me
from rasen.upkeep.refresh import write
from rasen.upkeep.refreshed import Outcome, Tool

A = ".claude/skills/rasen-a/SKILL.md"


@pytest.fixture
def skills(world: World) -> Set:
    return Set(world)


def codes(tool: Tool) -> list[str]:
    return [str(one.code) for one in tool.problems]


def test_the_first_time_everything_is_written(world: World, skills: Set) -> None:
    claude, codex = skills.write("claude", "codex")

    assert (claude.outcome, codex.outcome) == (Outcome.CREATED, Outcome.CREATED)
    for folder in (".claude", ".codex"):
        for name in (
            "rasen-a/SKILL.md",
            "rasen-b/SKILL.md",
            "rasen-b/scripts/run.sh",
            "rasen-c/SKILL.md",
        ):
            assert (world.root / folder / "skills" / name).is_file()
    assert os.access(world.root / ".claude/skills/rasen-b/scripts/run.sh", os.X_OK)
    assert not os.access(world.root / A, os.X_OK)


def test_a_second_time_nothing_changes(world: World, skills: Set) -> None:
    skills.write("claude", "codex")
    before = snapshot(world.base)

    assert {one.outcome for one in skills.write("claude", "codex")} == {Outcome.UNCHANGED}
    assert snapshot(world.base) == before


def test_a_dry_run_says_the_same_and_writes_nothing(world: World, skills: Set) -> None:
    before = snapshot(world.base)

    (foreseen,) = skills.write("claude", is_dry=True)

    assert snapshot(world.base) == before
    (done,) = skills.write("claude")
    assert foreseen.written == done.written
    assert foreseen.outcome is done.outcome is Outcome.CREATED


def test_an_agent_that_comes_later_leaves_the_other_alone(world: World, skills: Set) -> None:
    skills.write("claude")
    before = snapshot(world.root / ".claude")

    (codex,) = skills.write("codex")

    assert codex.outcome is Outcome.CREATED
    assert snapshot(world.root / ".claude") == before


def test_what_was_edited_stays_and_that_is_said(world: World, skills: Set) -> None:
    skills.write("claude")
    world.write(A, "mine\n")

    (claude,) = skills.write("claude")

    assert world.read(A) == "mine\n"
    assert codes(claude) == ["owned_path_edited"]
    assert claude.outcome is Outcome.UNCHANGED


def test_a_new_version_of_what_was_edited_is_laid_beside(world: World, skills: Set) -> None:
    skills.write("claude")
    world.write(A, "mine\n")

    (claude,) = skills.changed(a="Newer.\n").write("claude")

    assert world.read(A) == "mine\n"
    assert "Newer." in world.read(f"{A}.new")
    assert claude.beside == [f"{A}.new"]
    assert codes(claude) == ["owned_path_edited_new_version"]
    assert claude.outcome is Outcome.REFRESHED


def test_force_replaces_what_was_edited_and_clears_what_lay_beside(
    world: World, skills: Set
) -> None:
    skills.write("claude")
    world.write(A, "mine\n")
    newer = skills.changed(a="Newer.\n")
    newer.write("claude")

    (claude,) = newer.write("claude", is_forced=True)

    assert "Newer." in world.read(A)
    assert not (world.root / f"{A}.new").exists()
    assert codes(claude) == []


def test_an_unedited_file_gets_the_new_version(world: World, skills: Set) -> None:
    skills.write("claude")

    (claude,) = skills.changed(a="Newer.\n").write("claude")

    assert "Newer." in world.read(A)
    assert claude.written == [A]
    assert claude.outcome is Outcome.REFRESHED


def test_what_is_selected_no_longer_goes_with_its_folder(world: World, skills: Set) -> None:
    skills.write("claude")

    (claude,) = skills.only("a").write("claude")

    assert sorted(one.name for one in (world.root / ".claude/skills").iterdir()) == ["rasen-a"]
    assert len(claude.removed) == 3


def test_what_is_selected_no_longer_but_was_edited_stays(world: World, skills: Set) -> None:
    skills.write("claude")
    world.write(A, "mine\n")

    (claude,) = skills.only("b").write("claude")

    assert world.read(A) == "mine\n"
    assert codes(claude) == ["owned_path_released"]


def test_what_a_user_added_to_our_folder_stays(world: World, skills: Set) -> None:
    skills.write("claude")
    world.write(".claude/skills/rasen-a/notes.md", "mine\n")

    skills.only("b").write("claude")

    assert snapshot(world.root / ".claude/skills/rasen-a") == {
        "notes.md": ("file", 0o644, b"mine\n")
    }


def test_a_file_of_somebody_else_is_left_and_its_skill_is_not_written_by_halves(
    world: World, skills: Set
) -> None:
    world.write(".claude/skills/rasen-b/SKILL.md", "theirs\n")

    claude, codex = skills.write("claude", "codex")

    assert snapshot(world.root / ".claude/skills/rasen-b") == {
        "SKILL.md": ("file", 0o644, b"theirs\n")
    }
    assert codes(claude) == ["owned_path_foreign"]
    assert claude.outcome is Outcome.FAILED
    assert (world.root / A).is_file()
    assert codex.outcome is Outcome.CREATED


def link(world: World, name: str) -> None:
    (world.root / "elsewhere").mkdir()
    place = world.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(world.root / "elsewhere", target_is_directory=True)


def file(world: World, name: str) -> None:
    world.write(name, "theirs\n")


def dangling(world: World, name: str) -> None:
    place = world.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to("nowhere")


def folder(world: World, name: str) -> None:
    (world.root / name).mkdir(parents=True)


def pipe(world: World, name: str) -> None:
    place = world.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(place)


IN_THE_WAY = [
    (file, ".claude", "owned_path_not_a_file"),
    (file, ".claude/skills", "owned_path_not_a_file"),
    (file, ".claude/skills/rasen-a", "owned_path_not_a_file"),
    (link, ".claude", "owned_path_link"),
    (link, ".claude/skills", "owned_path_link"),
    (link, ".claude/skills/rasen-a", "owned_path_link"),
    (dangling, ".claude/skills", "owned_path_link"),
    (dangling, A, "owned_path_link"),
    (folder, A, "owned_path_not_a_file"),
    (pipe, A, "owned_path_not_a_file"),
    (folder, ".claude/Skills", "owned_path_case_collision"),
    (folder, ".claude/skills/Rasen-A", "owned_path_case_collision"),
    (file, ".claude/skills/rasen-a/skill.md", "owned_path_case_collision"),
]


@pytest.mark.parametrize(
    ("put", "name", "code"), IN_THE_WAY, ids=[f"{one[0].__name__} {one[1]}" for one in IN_THE_WAY]
)
def test_what_is_in_the_way_is_told_once_and_stops_no_other_agent(
    world: World, skills: Set, put: Any, name: str, code: str
) -> None:
    put(world, name)
    before = snapshot(world.root)

    claude, codex = skills.write("claude", "codex")

    assert claude.outcome is Outcome.FAILED
    assert codes(claude) == [code]
    assert codex.outcome is Outcome.CREATED
    after = snapshot(world.root)
    assert {key: after[key] for key in before} == before
    assert skills.write("claude", "codex")[1].outcome is Outcome.UNCHANGED


def test_a_broken_ledger_stops_everything_before_anything_is_written(
    world: World, skills: Set
) -> None:
    world.write("rasen/.rasen-files.json", "{}")
    before = snapshot(world.root)

    with pytest.raises(ToolError) as caught:
        skills.write("claude")

    assert caught.value.code == "files_ledger_invalid"
    assert snapshot(world.root) == before


def test_the_ledger_names_what_was_written_and_nothing_of_this_machine(
    world: World, skills: Set
) -> None:
    skills.write("claude")

    text = world.read("rasen/.rasen-files.json")

    assert [one["path"] for one in json.loads(text)["files"]] == [
        ".claude/skills/rasen-a/SKILL.md",
        ".claude/skills/rasen-b/SKILL.md",
        ".claude/skills/rasen-b/scripts/run.sh",
        ".claude/skills/rasen-c/SKILL.md",
    ]
    assert str(world.base) not in text


def test_two_projects_get_the_same_bytes(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other" if (tmp_path / "other").mkdir() is None else tmp_path)
    other.clock = world.clock
    for one in (world, other):
        Set(one).write("claude", "pi")

    for name in (".claude", ".pi", "rasen"):
        assert snapshot(world.root / name) == snapshot(other.root / name)


HERMES = "hermes/skills/rasen-a/SKILL.md"


def hermes(world: World, project: str) -> Set:
    root = world.base / project
    (root / "rasen").mkdir(parents=True, exist_ok=True)
    (root / "rasen/config.yaml").write_text(f"projectId: {project}\n")
    return Set(world, root=root, env={"HERMES_HOME": str(world.base / "hermes")})


def test_skills_for_the_whole_machine_lie_in_its_home_and_in_no_project(world: World) -> None:
    first = hermes(world, "one")

    (tool,) = first.write("hermes")

    assert tool.outcome is Outcome.CREATED
    assert (world.base / HERMES).is_file()
    assert sorted(one.name for one in (world.base / "one").iterdir()) == ["rasen"]
    assert sorted(one.name for one in (world.base / "one/rasen").iterdir()) == ["config.yaml"]


def test_skills_for_the_whole_machine_go_with_the_last_project(world: World) -> None:
    first, second = hermes(world, "one"), hermes(world, "two")
    first.write("hermes")
    assert second.write("hermes")[0].outcome is not Outcome.FAILED

    first.only("b").write("hermes")
    assert (world.base / HERMES).is_file()

    second.only("b").write("hermes")
    assert not (world.base / HERMES).exists()


def older(world: World, folder: str, body: str = "Old.\n") -> str:
    path = f".claude/skills/{folder}/SKILL.md"
    text = f'---\nname: {folder}\ndescription: x\nmetadata:\n  generatedBy: "0.1.4"\n---\n\n{body}'
    world.write(path, text)
    return path


def commit(world: World) -> None:
    world.git("init", "-q")
    world.git("add", "-A")
    world.git("commit", "-qm", "before")


def test_a_skill_of_an_earlier_program_that_git_has_is_taken_over(
    world: World, skills: Set
) -> None:
    older(world, "rasen-a")
    commit(world)

    (claude,) = skills.write("claude")

    assert "First." in world.read(A)
    assert codes(claude) == []
    assert claude.outcome is Outcome.REFRESHED
    assert skills.write("claude")[0].outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("state", ["edited", "untracked", "ignored", "no repository"])
def test_one_that_git_could_not_bring_back_stays_with_the_new_one_beside(
    world: World, skills: Set, state: str
) -> None:
    if state == "edited":
        older(world, "rasen-a")
    if state != "no repository":
        world.write("x", "x")
        commit(world)
    older(world, "rasen-a", "Mine.\n")
    if state == "ignored":
        world.write(".gitignore", ".claude/\n")

    (claude,) = skills.write("claude")

    assert "Mine." in world.read(A)
    assert "First." in world.read(f"{A}.new")
    assert codes(claude) == ["owned_path_inherited"]
    assert claude.outcome is Outcome.REFRESHED

    (adopted,) = skills.write("claude", adopts=True)
    assert "First." in world.read(A)
    assert not (world.root / f"{A}.new").exists()
    assert codes(adopted) == []


def test_a_script_beside_an_earlier_skill_is_taken_over_with_it(world: World, skills: Set) -> None:
    older(world, "rasen-b")
    world.write(".claude/skills/rasen-b/scripts/run.sh", "old\n")
    commit(world)

    (claude,) = skills.write("claude")

    assert world.read(".claude/skills/rasen-b/scripts/run.sh") == "#!/bin/sh\n"
    assert codes(claude) == []


def test_earlier_skills_that_are_not_selected_are_listed_and_removed_only_on_demand(
    world: World, skills: Set
) -> None:
    left = older(world, "rasen-audit")
    other = older(world, "rasen-of-mine")

    (claude,) = skills.write("claude")
    assert codes(claude) == ["inherited_skills_left"]
    assert left in str(claude.problems[0])
    assert claude.outcome is Outcome.REFRESHED

    (adopted,) = skills.write("claude", adopts=True)
    assert left in adopted.removed
    assert not (world.root / left).parent.exists()
    assert (world.root / other).is_file()


def test_old_commands_are_listed_and_removed_only_on_demand(world: World, skills: Set) -> None:
    world.write(".claude/commands/rasen/apply.md", "x")
    world.write(".claude/commands/rasen/mine.md", "x")

    (claude,) = skills.write("claude")
    assert codes(claude) == ["old_commands_left"]

    (adopted,) = skills.write("claude", adopts=True)
    assert adopted.removed == [".claude/commands/rasen/apply.md"]
    assert sorted(one.name for one in (world.root / ".claude/commands/rasen").iterdir()) == [
        "mine.md"
    ]


def settings(world: World) -> Any:
    return json.loads(world.read(".claude/settings.json"))


TEAMS = {"CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS": "1"}


def test_an_experimental_setting_is_never_switched_on_by_itself(world: World, skills: Set) -> None:
    skills.write("claude")

    assert not (world.root / ".claude/settings.json").exists()


@pytest.mark.parametrize(
    "before",
    [None, '{\n\t"model": "x" ,\n\t"env": {"A": "b"}\n}\n', "{}", '{"env":{}}'],
    ids=["none", "others", "empty", "empty env"],
)
def test_it_is_switched_on_and_off_and_every_other_byte_stays(
    world: World, skills: Set, before: str | None
) -> None:
    if before is not None:
        world.write(".claude/settings.json", before)

    skills.write("claude", teams=True)
    assert settings(world)["env"].items() >= TEAMS.items()
    skills.write("claude")
    assert settings(world)["env"].items() >= TEAMS.items()
    skills.write("claude", teams=False)

    if before is None:
        assert not (world.root / ".claude/settings.json").exists()
    else:
        assert world.read(".claude/settings.json") == before


def test_the_same_setting_of_the_user_is_nothing_to_complain_of(world: World, skills: Set) -> None:
    text = json.dumps({"env": TEAMS})
    world.write(".claude/settings.json", text)

    (claude,) = skills.write("claude", teams=True)
    assert codes(claude) == []
    skills.write("claude", teams=False)

    assert world.read(".claude/settings.json") == text


@pytest.mark.parametrize("text", ["{", "[]", '{"env": 1}', "\xff"])
def test_settings_that_cannot_be_understood_are_told_and_left(
    world: World, skills: Set, text: str
) -> None:
    world.write(".claude/settings.json", text.encode("latin-1"))

    claude, codex = skills.write("claude", "codex", teams=True)

    assert claude.outcome is Outcome.FAILED
    assert (world.root / A).is_file()
    assert codex.outcome is Outcome.CREATED
    assert (world.root / ".claude/settings.json").read_bytes() == text.encode("latin-1")


def test_each_agent_is_passed_on_while_it_is_worked_at(skills: Set) -> None:
    seen: list[str] = []

    def each(members: Iterable[Host]) -> Iterable[Host]:
        for one in members:
            seen.append(one.id)
            yield one

    skills.write("claude", "codex", each=each)

    assert seen == ["claude", "codex"]


def test_a_skill_whose_source_cannot_be_read_is_left_out_and_said(world: World) -> None:
    broken = Set(world, definitions=[definition("a"), definition("x", missing=True)])

    (claude,) = broken.write("claude")

    assert claude.outcome is Outcome.CREATED
    assert [one.code for one in broken.problems] == ["skill_source_unreadable"]


def test_of_two_skills_with_one_folder_the_first_counts(world: World) -> None:
    twins = Set(world, definitions=[definition("a"), definition("a2", folder="Rasen-A")])

    twins.write("claude")

    assert [one.code for one in twins.problems] == ["skill_folder_taken"]
    assert [one.name for one in (world.root / ".claude/skills").iterdir()] == ["rasen-a"]


def test_a_home_of_the_machine_may_be_a_link(world: World) -> None:
    real = world.base / "dotfiles/hermes"
    (real / "skills/rasen-a").mkdir(parents=True)
    text = "---\nname: rasen-a\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\nOld.\n"
    (real / "skills/rasen-a/SKILL.md").write_text(text)
    (world.base / "hermes").symlink_to(real, target_is_directory=True)

    (tool,) = hermes(world, "one").write("hermes")

    assert codes(tool) == ["owned_path_inherited"]
    assert (real / "skills/rasen-a/SKILL.md.new").is_file()
    assert (real / "skills/rasen-b/SKILL.md").is_file()


def test_when_another_run_comes_first_it_looks_again_and_loses_nothing(
    world: World, skills: Set, tmp_path: Path
) -> None:
    """Another run holds the lock between our look and our write, and leaves skills of its own."""
    lock = world.root / "rasen/.journal/lock"
    ledger = world.root / "rasen/.rasen-files.json"
    other = Set(world, root=tmp_path)
    other.write("codex")
    told: list[Note] = []

    def comes_between(members: Sequence[Host]) -> Iterable[Host]:
        lock.parent.mkdir()
        lock.write_text(json.dumps(asdict(me())))
        return members

    def goes(note: Note) -> None:
        told.append(note)
        shutil.copytree(tmp_path / ".codex", world.root / ".codex")
        shutil.copyfile(tmp_path / "rasen/.rasen-files.json", ledger)
        lock.unlink()

    run = skills.run("claude")
    run = replace(run, ctx=replace(run.ctx, tell=goes))
    (claude,) = write(run, each=comes_between)

    assert len(told) == 1
    assert (claude.problems, claude.outcome) == ([], Outcome.CREATED)
    owners = {one["owners"][0]["tool"] for one in json.loads(ledger.read_text())["files"]}
    assert owners == {"claude", "codex"}
