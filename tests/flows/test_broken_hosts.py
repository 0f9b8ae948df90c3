"""What is in an agent's way is told for that agent; the others get their skills all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.hosts.model import Host
from rasen.hosts.ops import HOSTS

SKILL = "skills/rasen-help/SKILL.md"
ROUND = ("init", "update")


def file_for_folder(place: Path) -> None:
    put(place / "skills", b"mine\n")


def file_for_skill(place: Path) -> None:
    put(place / "skills/rasen-help", b"mine\n")


def folder_for_file(place: Path) -> None:
    (place / SKILL).mkdir(parents=True)


def foreign(place: Path) -> None:
    put(place / SKILL, b"---\nname: rasen-help\ndescription: mine\n---\n")


def link(place: Path) -> None:
    (place / "elsewhere").mkdir(parents=True)
    (place / "skills").symlink_to("elsewhere")


def dangling(place: Path) -> None:
    put(place / "note", b"mine\n")
    (place / "skills").symlink_to("nowhere")


def case_of_a_folder(place: Path) -> None:
    (place / "Skills").mkdir(parents=True)


def case_of_a_skill(place: Path) -> None:
    put(place / "skills/Rasen-Help/notes.md", b"mine\n")


def settings(place: Path) -> None:
    put(place / "settings.json", b'{"env": ["mine"], }')


SCENES: dict[Callable[[Path], None], str] = {
    file_for_folder: "owned_path_not_a_file",
    file_for_skill: "owned_path_not_a_file",
    folder_for_file: "owned_path_not_a_file",
    foreign: "owned_path_foreign",
    link: "owned_path_link",
    dangling: "owned_path_link",
    case_of_a_folder: "owned_path_case_collision",
    case_of_a_skill: "owned_path_case_collision",
}
BY_HOST = dict(zip([one.id for one in HOSTS], [*SCENES] * len(HOSTS), strict=False))
BY_ID = {one.id: one for one in HOSTS}


def put(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def home(world: World, host: Host) -> Path:
    return (world.home if host.is_machine_wide else world.root) / host.folder


def run(world: World, command: str, hosts: list[Host]) -> tuple[int, Any]:
    words = ["--tools", ",".join(one.id for one in hosts)] if command == "init" else []
    result = world.cli(command, *words, "--json")
    return result.code, fits(command, result.json)


def told(answer: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in answer["status"]:
        if one["severity"] == "error":
            found.setdefault(one["target"], []).append(one["code"])
    return found


@pytest.mark.parametrize("shift", range(2))
def test_every_agent_in_trouble_is_named_with_its_trouble_and_the_others_are_served(
    world: World, shift: int
) -> None:
    """Every other agent of the table is in trouble, each in its way; then those between them."""
    broken = {id: scene for n, (id, scene) in enumerate(BY_HOST.items()) if n % 2 == shift}
    for id, scene in broken.items():
        scene(home(world, BY_ID[id]))
    before = snapshot(world.root) | snapshot(world.home)

    code, answer = run(world, "init", [*HOSTS])

    assert code == 1
    assert told(answer) == {id: [SCENES[scene]] for id, scene in broken.items()}
    failed = {one["tool"] for one in answer["tools"] if one["outcome"] == "failed"}
    assert failed == set(broken)
    for host in HOSTS:
        is_served = host.id not in broken or BY_HOST[host.id] is foreign
        assert (home(world, host) / SKILL).is_file() is is_served
    after = snapshot(world.root) | snapshot(world.home)
    assert {path: after.get(path) for path in before} == before


@pytest.mark.parametrize("scene", SCENES, ids=lambda one: str(one.__name__))
def test_a_later_run_says_it_again_and_once_it_is_settled_all_is_well(
    world: World, scene: Callable[[Path], None]
) -> None:
    claude, codex = BY_ID["claude"], BY_ID["codex"]
    scene(home(world, claude))
    run(world, "init", [claude, codex])

    code, answer = run(world, "init", [claude, codex])
    assert (code, told(answer)) == (1, {"claude": [SCENES[scene]]})
    shown = world.cli("init", "--tools", "claude,codex")
    assert shown.code == 1
    assert "Incomplete: Claude Code" in shown.out
    assert "Fix: " in shown.err

    home(world, claude).rename(world.base / "settled")
    assert run(world, "init", [claude, codex])[0] == 0
    assert (home(world, claude) / SKILL).is_file()


def test_settings_that_are_no_json_are_named_once_and_cost_no_skill(world: World) -> None:
    claude, codex = BY_ID["claude"], BY_ID["codex"]
    settings(home(world, claude))

    result = world.cli("init", "--tools", "claude,codex", "--claude-agent-teams", "--json")

    assert result.code == 1
    assert told(fits("init", result.json)) == {"claude": ["owned_path_unreadable"]}
    [message] = [one["message"] for one in result.json["status"]]
    assert message == ".claude/settings.json cannot be read: it is no JSON object"
    assert world.read(".claude/settings.json") == '{"env": ["mine"], }'
    for host in (claude, codex):
        assert (home(world, host) / SKILL).is_file()


@pytest.mark.parametrize("command", ROUND)
def test_a_damaged_ledger_is_told_before_anything_is_made(world: World, command: str) -> None:
    world.write("rasen/.rasen-files.json", "<<<<<<< HEAD\n")
    world.write("rasen/specs/x/spec.md", "# x\n")
    before = snapshot(world.root)

    result = world.cli(command, *(["--tools", "claude"] if command == "init" else []), "--json")

    assert (result.code, result.error) == (1, "files_ledger_invalid")
    fits(command, result.json)
    assert snapshot(world.root) == before


def test_a_damaged_ledger_of_the_machine_is_told_for_its_agent_alone(world: World) -> None:
    hosts = [BY_ID["hermes"], BY_ID["claude"]]
    run(world, "init", hosts)
    [ledger] = world.data_dir.rglob(".rasen-files.json")
    ledger.write_text("{")
    (world.root / ".claude" / SKILL).unlink()

    code, answer = run(world, "update", hosts)

    assert (code, told(answer)) == (1, {"hermes": ["files_ledger_invalid"]})
    assert str(ledger) in answer["status"][0]["message"]
    assert (world.root / ".claude" / SKILL).is_file()
    again, second = run(world, "init", hosts)
    assert (again, told(second)) == (1, {"hermes": ["files_ledger_invalid"]})
