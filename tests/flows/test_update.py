"""`rasen update`: a new version and a new selection arrive; edits and the work of others stay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support import agents
from tests.support.agents import answered, codes, outcomes
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen import __version__

HELP = ".claude/skills/rasen-help/SKILL.md"


def document(world: World, *args: str, **options: Any) -> tuple[int, Any]:
    return answered(world, "update", *args, **options)


@pytest.fixture
def equipped(world: World) -> World:
    return agents.equipped(world)


def from_an_older_version(world: World, *paths: str) -> None:
    """Make files and ledger as an earlier version of this program would have left them."""
    from rasen.files.atomic import digest

    place = world.root / "rasen/.rasen-files.json"
    ledger = json.loads(place.read_text())
    for row in ledger["files"]:
        if row["path"] in paths:
            file = world.root / row["path"]
            file.write_text(file.read_text().replace(f'"{__version__}"', '"0.1.9"') + "Old end.\n")
            row["digest"], row["version"] = digest(file.read_bytes()), "0.1.9"
    place.write_text(json.dumps(ledger))


def test_what_is_up_to_date_is_said_in_a_line_and_nothing_changes(equipped: World) -> None:
    before = snapshot(equipped.base)

    code, answer = document(equipped)
    result = equipped.cli("update")

    assert (code, answer["upToDate"], answer["version"]) == (0, True, __version__)
    assert result.out.startswith("Up to date: ")
    assert "--force" in result.out
    assert snapshot(equipped.base) == before


def test_an_older_skill_is_brought_up_to_date(equipped: World) -> None:
    new = equipped.read(HELP)
    from_an_older_version(equipped, HELP)

    _, answer = document(equipped)

    assert equipped.read(HELP) == new
    assert outcomes(answer) == {"claude": "refreshed", "codex": "unchanged"}
    assert answer["tools"][0]["written"] == 1


def test_an_older_skill_that_was_edited_stays_with_the_new_one_beside(equipped: World) -> None:
    new = equipped.read(HELP)
    from_an_older_version(equipped, HELP)
    equipped.write(HELP, "mine\n")

    code, answer = document(equipped)

    assert code == 0
    assert equipped.read(HELP) == "mine\n"
    assert equipped.read(f"{HELP}.new") == new
    assert codes(answer) == ["owned_path_edited_new_version"]
    assert answer["tools"][0]["beside"] == [f"{HELP}.new"]
    human = equipped.cli("update")
    assert f"{HELP}.new" in human.err
    assert "rasen update --force" in human.err


def test_an_edit_of_the_present_version_stays_and_is_said(equipped: World) -> None:
    equipped.write(HELP, "mine\n")

    code, answer = document(equipped)

    assert code == 0
    assert codes(answer) == ["owned_path_edited"]
    assert answer["status"][0]["target"] == "claude"
    assert equipped.read(HELP) == "mine\n"


def test_force_replaces_edits_and_never_what_is_not_ours(equipped: World) -> None:
    new = equipped.read(HELP)
    equipped.write(HELP, "mine\n")
    equipped.write(".claude/skills/own/SKILL.md", "theirs\n")

    document(equipped, "--force")

    assert equipped.read(HELP) == new
    assert equipped.read(".claude/skills/own/SKILL.md") == "theirs\n"


def test_other_line_ends_are_no_edit(equipped: World) -> None:
    place = equipped.root / HELP
    place.write_bytes(place.read_bytes().replace(b"\n", b"\r\n"))

    _, answer = document(equipped)

    assert codes(answer) == ["owned_path_line_endings_only"]
    assert answer["upToDate"] is True


def test_a_skill_that_was_deleted_comes_back(equipped: World) -> None:
    (equipped.root / HELP).unlink()

    _, answer = document(equipped)

    assert (equipped.root / HELP).is_file()
    assert outcomes(answer)["claude"] == "refreshed"


def test_a_smaller_selection_takes_skills_away(equipped: World) -> None:
    config = equipped.read("rasen/config.yaml")
    equipped.write("rasen/config.yaml", f"workflows: [propose, help]\n{config}")

    _, answer = document(equipped)

    there = {one.name for one in (equipped.root / ".claude/skills").iterdir()}
    assert {"rasen-propose", "rasen-help", "rasen-review"} <= there
    assert "rasen-ship" not in there
    assert answer["tools"][0]["removed"] > 5
    assert answer["profile"]["source"] == "project-workflows"


def test_a_list_that_shadows_a_lock_is_said(equipped: World) -> None:
    config = equipped.read("rasen/config.yaml")
    equipped.write("rasen/config.yaml", f"workflows: [help]\nprofile: core\n{config}")

    assert "profile_lock_shadowed" in codes(document(equipped)[1])


def test_a_lock_that_nobody_knows_only_warns(equipped: World) -> None:
    config = equipped.read("rasen/config.yaml")
    equipped.write("rasen/config.yaml", f"profile: nowhere\n{config}")

    code, answer = document(equipped)

    assert code == 0
    assert codes(answer) == ["profile_lock_unusable"]
    assert answer["profile"]["name"] == "full"


def test_a_dry_run_foretells_and_writes_nothing(equipped: World) -> None:
    from_an_older_version(equipped, HELP)
    before = snapshot(equipped.base)

    _, foreseen = document(equipped, "--dry-run")
    human = equipped.cli("update", "--dry-run")

    assert snapshot(equipped.base) == before
    assert f"would write {HELP}" in human.out
    assert outcomes(foreseen) == outcomes(document(equipped)[1])


def test_it_works_from_a_folder_below(equipped: World) -> None:
    (equipped.root / "src/deep").mkdir(parents=True)

    code, answer = document(equipped, cwd=equipped.root / "src/deep")

    assert (code, answer["root"]) == (0, str(equipped.root))


def test_without_any_skills_there_is_nothing_to_do(world: World) -> None:
    world.workspace()

    code, answer = document(world)

    assert (code, answer["tools"]) == (0, [])
    assert "rasen init --tools" in world.cli("update").out


def test_an_agent_that_is_new_here_is_named_and_gets_nothing(equipped: World) -> None:
    (equipped.root / ".cursor").mkdir()

    _, answer = document(equipped)

    assert codes(answer) == ["agent_without_skills"]
    assert "rasen init --tools cursor" in answer["status"][0]["fix"]
    assert list((equipped.root / ".cursor").iterdir()) == []


def test_without_a_workspace_it_says_what_to_do(world: World) -> None:
    nothing = world.cli("update", "--json")
    world.write("openspec/specs/a/spec.md", "# a\n")
    older = world.cli("update", "--json")
    world.write("notes", "x")
    file = world.cli("update", "notes", "--json")

    assert (nothing.code, nothing.error) == (1, "update_no_workspace")
    assert (older.code, older.error) == (1, "update_legacy_workspace")
    assert "rasen migrate" in older.json["status"][0]["fix"]
    assert (file.code, file.error) == (1, "update_path_not_directory")
    for result in (nothing, older, file):
        fits("update", result.json)


def test_one_agent_that_fails_is_told_and_the_other_is_served(equipped: World) -> None:
    import shutil

    shutil.rmtree(equipped.root / ".claude/skills")
    equipped.write(".claude/skills", "in the way\n")
    (equipped.root / ".codex/skills/rasen-help/SKILL.md").unlink()

    code, answer = document(equipped)

    assert code == 1
    assert outcomes(answer) == {"claude": "failed", "codex": "refreshed"}
    assert equipped.read(".claude/skills") == "in the way\n"


def test_skills_of_an_older_program_are_taken_over_and_its_commands_are_listed(
    world: World,
) -> None:
    world.workspace()
    old = "---\nname: rasen-help\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\nold\n"
    world.write(HELP, old)
    world.write(".claude/commands/rasen/propose.md", "old\n")
    world.git("init", "-q")
    world.git("add", "-A")
    world.git("commit", "-qm", "before")

    code, answer = document(world)

    assert code == 0
    assert world.read(HELP) != old
    assert "old_commands_left" in codes(answer)
    assert (world.root / ".claude/commands/rasen/propose.md").is_file()

    code, answer = document(world, "--adopt")

    assert code == 0
    assert not (world.root / ".claude/commands/rasen").exists()
    assert "old_commands_left" not in codes(answer)


def doctor(world: World) -> list[str]:
    return [one["code"] for one in world.cli("doctor", "--json").json["status"]]


def test_the_doctor_says_when_skills_are_of_another_version(equipped: World) -> None:
    assert "skill_version_mismatch" not in doctor(equipped)
    from_an_older_version(equipped, HELP)
    before = snapshot(equipped.base)

    assert "skill_version_mismatch" in doctor(equipped)
    human = equipped.cli("doctor")
    assert "0.1.9" in human.out + human.err
    assert snapshot(equipped.base) == before

    document(equipped)
    assert "skill_version_mismatch" not in doctor(equipped)


def test_the_doctor_reads_what_skills_of_an_older_program_say(world: World) -> None:
    world.workspace()
    world.write(
        HELP, "---\nname: rasen-help\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\n"
    )

    assert "skill_version_mismatch" in doctor(world)


def test_the_doctor_asks_for_no_update_that_would_not_come(world: World) -> None:
    """A skill under a name that we do not have is nobody's of ours, whatever it says."""
    world.workspace()
    world.write(
        ".claude/skills/rasen-of-mine/SKILL.md",
        "---\nname: rasen-of-mine\ndescription: x\nmetadata:\n  generatedBy: 0.1.4\n---\nx\n",
    )

    assert "skill_version_mismatch" not in doctor(world)


def test_the_doctor_tells_of_a_broken_ledger(equipped: World) -> None:
    equipped.write("rasen/.rasen-files.json", "{}")

    assert "files_ledger_invalid" in doctor(equipped)


def test_an_edited_skill_that_is_no_longer_selected_selects_nothing(equipped: World) -> None:
    ship = ".claude/skills/rasen-ship/SKILL.md"
    equipped.write(ship, equipped.read(ship) + "mine\n")
    equipped.write("rasen/config.yaml", "profile: core\n" + equipped.read("rasen/config.yaml"))
    assert codes(document(equipped)[1]) == ["owned_path_released"]

    for words in (["update"], ["update", "--force"]):
        assert equipped.cli(*words).code == 0

    assert "mine" in equipped.read(ship)
    assert not (equipped.config_dir / "config.json").exists()


def test_an_edited_skill_that_an_uninstall_left_selects_nothing(equipped: World) -> None:
    equipped.write(HELP, equipped.read(HELP) + "mine\n")
    assert equipped.cli("uninstall", "--yes").code == 0

    result = equipped.cli("init", "--tools", "codex", "--json")

    assert "profile_migrated" not in codes(result.json)
    assert result.json["profile"]["name"] == "full"


def test_workflows_that_are_not_selected_are_named_to_people(equipped: World) -> None:
    assert "Not in the profile" not in equipped.cli("update").out

    equipped.write("rasen/config.yaml", "profile: core\n" + equipped.read("rasen/config.yaml"))
    changed, again = equipped.cli("update"), equipped.cli("update")

    for result in (changed, again):
        [line] = [one for one in result.out.splitlines() if one.startswith("Not in the profile")]
        assert line.startswith("Not in the profile core: new, continue, ")
        assert "ship-command" in line
        assert "auto-command" not in line  # it comes later
        assert "retain-command" not in line
        assert "goal-plan" not in line
