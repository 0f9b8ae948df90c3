"""Worksets on the command line: create, list, open with real programs, remove."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.terminal import Terminal
from tests.support.world import Result, World

from rasen.process.liveness import me


@pytest.fixture
def place(world: World) -> World:
    """Two folders, and a program that writes down how it was called."""
    for name in ("shop", "till"):
        (world.base / name).mkdir()
    program(world, "code", 'pwd > "$OUT"; for word in "$@"; do echo "$word" >> "$OUT"; done')
    world.env["OUT"] = str(world.base / "called")
    return world


def program(world: World, name: str, script: str) -> Path:
    folder = world.base / "bin"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    if str(folder) not in world.env["PATH"]:
        world.env["PATH"] = f"{folder}{os.pathsep}{world.env['PATH']}"
    return path


def called(world: World) -> list[str]:
    return (world.base / "called").read_text().splitlines()


def create(world: World, *words: str) -> Result:
    return world.cli(
        "workset", "create", "both", "--member", "../shop", "--member", "../till", *words, "--json"
    )


def file(world: World) -> Path:
    return world.data_dir / "worksets" / "worksets.yaml"


def test_a_workset_is_created_listed_and_removed(place: World) -> None:
    members = [
        {"name": "shop", "path": str(place.base / "shop")},
        {"name": "till", "path": str(place.base / "till")},
    ]

    made = create(place, "--tool", "code")
    listed = place.cli("workset", "list", "--json")
    removed = place.cli("workset", "remove", "both", "--yes", "--json")

    whole = {"name": "both", "tool": "code", "members": members}
    assert fits("workset-create", made.json) == {"workset": whole, "status": []}
    assert fits("workset-list", listed.json) == {"worksets": [whole], "status": []}
    assert fits("workset-remove", removed.json) == {"removed": {"name": "both"}, "status": []}
    assert place.cli("workset", "list", "--json").json["worksets"] == []
    assert (place.base / "shop").is_dir()


def test_people_are_told_what_there_is(place: World) -> None:
    assert "No worksets" in place.cli("workset", "list").out
    made = place.cli("workset", "create", "one", "--member", "front=../shop", "--tool", "code")
    listed = place.cli("workset", "list")

    assert f"front: {place.base / 'shop'}" in made.out
    assert "one (opened with code)" in listed.out


CREATE = ("workset", "create")
WRONG = [
    pytest.param((*CREATE,), "workset_name_required", "workset.name", id="no name"),
    pytest.param((*CREATE, "Both"), "invalid_workset_name", "workset.name", id="name in capitals"),
    pytest.param((*CREATE, "x"), "workset_members_required", "workset.members", id="no folders"),
    pytest.param(
        (*CREATE, "x", "--member", "../none"), "workset_member_invalid", "workset.members",
        id="folder is missing",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "=../shop"), "workset_member_invalid", "workset.members",
        id="blank label",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "a="), "workset_member_invalid", "workset.members",
        id="label without a folder",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "../bin/code"), "workset_member_invalid", "workset.members",
        id="a file",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "../shop", "--member", "b=../shop"), "workset_member_invalid",
        "workset.members", id="one folder twice",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "a=../shop", "--member", "a=../till"),
        "workset_member_invalid", "workset.members", id="one label twice",
    ),
    pytest.param(
        (*CREATE, "x", "--member", "../shop", "--tool", "ed"), "workset_tool_unknown",
        "workset.tool", id="unknown program",
    ),
    pytest.param(
        (*CREATE, "both", "--member", "../shop"), "workset_exists", "workset.name", id="name taken"
    ),
    pytest.param(("workset", "open", "none"), "workset_not_found", "workset.name", id="open none"),
    pytest.param(("workset", "open", "both"), "workset_tool_required", "workset.tool", id="no tool"),
    pytest.param(
        ("workset", "open", "both", "--tool", "ed"), "workset_tool_unknown", "workset.tool",
        id="open with an unknown program",
    ),
    pytest.param(
        ("workset", "open", "both", "--tool", "cursor"), "workset_tool_unavailable",
        "workset.tool", id="program is not installed",
    ),
    pytest.param(
        ("workset", "remove", "none", "--yes"), "workset_not_found", "workset.name",
        id="remove none",
    ),
    pytest.param(
        ("workset", "remove", "both"), "workset_remove_confirmation_required", "workset.name",
        id="remove without a yes",
    ),
    pytest.param(("workset", "bogus"), "unknown_workset_subcommand", "", id="unknown word"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "code", "target"), WRONG)
def test_every_refusal_has_its_code_in_both_forms(
    place: World, words: tuple[str, ...], code: str, target: str
) -> None:
    create(place)
    before = snapshot(place.base)

    person = place.cli(*words)

    assert (person.code, person.out) == (1, "")
    assert person.err.splitlines()[-2].startswith("Error: ")
    assert person.err.splitlines()[-1].startswith("Fix: ")
    if words[1] != "open":
        program_ = place.cli(*words, "--json")
        assert (program_.code, program_.error) == (1, code)
        status = program_.json["status"][0]
        assert (status["severity"], status.get("target", "")) == ("error", target)
        assert f"Error: {status['message']}" == person.err.splitlines()[-2]
        assert f"Fix: {status['fix']}" == person.err.splitlines()[-1]
        if words[1] != "bogus":
            fits(f"workset-{words[1]}", program_.json)
    assert snapshot(place.base) == before


def test_opening_has_no_json(place: World) -> None:
    create(place, "--tool", "code")

    result = place.cli("workset", "open", "both", "--json")

    assert (result.code, result.error) == (1, "workset_open_json_unsupported")
    assert not (place.base / "called").exists()


def test_a_workspace_file_is_made_and_passed(place: World) -> None:
    create(place, "--tool", "code")

    result = place.cli("workset", "open", "both")

    workspace = place.data_dir / "worksets" / "both.code-workspace"
    assert result.code == 0
    assert called(place) == [str(place.base / "shop"), str(workspace)]
    assert json.loads(workspace.read_text()) == {
        "folders": [
            {"name": "shop", "path": str(place.base / "shop")},
            {"name": "till", "path": str(place.base / "till")},
        ]
    }


@pytest.mark.parametrize(
    ("tool", "before"), [("claude", []), ("codex", ["--sandbox", "workspace-write"])]
)
def test_other_folders_are_attached(place: World, tool: str, before: list[str]) -> None:
    program(place, tool, 'pwd > "$OUT"; for word in "$@"; do echo "$word" >> "$OUT"; done')
    create(place)

    result = place.cli("workset", "open", "both", "--tool", tool)

    assert result.code == 0
    assert called(place) == [
        str(place.base / "shop"), *before, "--add-dir", str(place.base / "till")
    ]  # fmt: skip


def test_agents_can_be_switched_off(place: World) -> None:
    program(place, "claude", "exit 0")
    create(place, "--tool", "claude")

    off = place.cli("workset", "open", "both", env={"RASEN_ENABLE_CLI_AGENT_OPENERS": "0"})
    on = place.cli("workset", "open", "both", env={"RASEN_ENABLE_CLI_AGENT_OPENERS": "1"})

    assert (off.code, on.code) == (1, 0)
    assert "RASEN_ENABLE_CLI_AGENT_OPENERS=0" in off.err


@pytest.mark.parametrize(
    ("script", "code"),
    [("exit 7", 7), ("kill -TERM $$", 128 + 15), ("kill -INT $$", 128 + 2), ("exit 0", 0)],
)
def test_the_program_s_own_end_is_passed_through(place: World, script: str, code: int) -> None:
    program(place, "code", script)
    create(place, "--tool", "code")

    assert place.process("workset", "open", "both").code == code


def test_ctrl_c_is_the_program_s(place: World) -> None:
    program(
        place, "code", "trap 'echo caught; exit 5' INT\necho ready\nwhile :; do sleep 0.1; done"
    )
    create(place, "--tool", "code")

    with Terminal(place, "workset", "open", "both") as terminal:
        terminal.wait_for("ready")
        terminal.type("\x03")
        terminal.wait_for("caught")
        assert terminal.code() == 5


def test_folders_that_are_gone_are_left_out_with_a_note(place: World) -> None:
    create(place, "--tool", "code")
    (place.base / "shop").rmdir()

    result = place.cli("workset", "open", "both")

    assert result.code == 0
    assert f"shop is left out: {place.base / 'shop'} is not there" in result.err
    assert called(place)[0] == str(place.base / "till")


def test_a_workset_whose_folders_are_all_gone_is_not_opened(place: World) -> None:
    create(place, "--tool", "code")
    for name in ("shop", "till"):
        (place.base / name).rmdir()

    result = place.cli("workset", "open", "both")

    assert result.code == 1
    assert "none of the folders of 'both' is there" in result.err


def test_a_program_that_cannot_start_leaves_the_folders_to_open_by_hand(place: World) -> None:
    program(place, "code", "").write_bytes(b"\x7fELF nothing")
    create(place, "--tool", "code")

    result = place.cli("workset", "open", "both")

    assert result.code == 1
    assert "VS Code could not be started" in result.err
    assert f"till: {place.base / 'till'}" in result.err


def settings(world: World, openers: object) -> None:
    world.config_dir.mkdir(parents=True)
    (world.config_dir / "config.json").write_text(json.dumps({"openers": openers}))


def test_settings_describe_further_programs_and_change_ours(place: World) -> None:
    program(place, "mine", 'echo mine "$@" > "$OUT"')
    settings(
        place,
        {
            "code": {"command": "mine", "args": ["--new window"]},
            "own": {"style": "attach-dirs", "command": "mine", "attach_flag": "-d"},
        },
    )
    create(place)

    for tool in ("code", "own"):
        assert place.cli("workset", "open", "both", "--tool", tool).code == 0
        words = called(place)
        expected = (
            f"mine --new window {place.data_dir / 'worksets' / 'both.code-workspace'}"
            if tool == "code"
            else f"mine -d {place.base / 'till'}"
        )
        assert words == [expected]


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("mine", id="no map"),
        pytest.param({"command": "mine"}, id="a new one without a style"),
        pytest.param({"style": "tabs"}, id="unknown style"),
        pytest.param({"style": "attach-dirs", "args": "x"}, id="args as text"),
        pytest.param({"style": "attach-dirs", "command": ""}, id="blank command"),
        pytest.param({"style": "attach-dirs", "more": 1}, id="unknown key"),
        pytest.param({"style": "attach-dirs", "label": 1}, id="label is a number"),
    ],
)
def test_a_bad_description_of_a_program_is_refused(place: World, row: object) -> None:
    settings(place, {"own": row})

    result = create(place, "--tool", "own")

    assert (result.code, result.error) == (1, "invalid_opener_config")
    assert result.json["status"][0]["target"] == "openers"
    assert create(place, "--tool", "code").code == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: [",
        "version: 2\nworksets: {}\n",
        "version: 1\nworksets: {}\nmore: 1\n",
        "version: 1\nworksets:\n  A: {members: [{name: a, path: /a}]}\n",
        "version: 1\nworksets:\n  a: {members: []}\n",
        "version: 1\nworksets:\n  a: {members: [{name: a, path: a}]}\n",
        "version: 1\nworksets:\n  a: {members: [{name: a, path: /a}, {name: a, path: /b}]}\n",
        "version: 1\nworksets:\n  a: {members: [{name: a, path: /a}], more: 1}\n",
    ],
)
@pytest.mark.parametrize("words", [("list",), ("create",), ("remove",)], ids=" ".join)
def test_a_broken_file_is_refused_and_left_alone(
    place: World, text: str, words: tuple[str, ...]
) -> None:
    file(place).parent.mkdir(parents=True)
    file(place).write_text(text)
    call: dict[str, Callable[[], Result]] = {
        "list": lambda: place.cli("workset", "list", "--json"),
        "create": lambda: create(place),
        "remove": lambda: place.cli("workset", "remove", "a", "--yes", "--json"),
    }

    result = call[words[0]]()

    assert (result.code, result.error) == (1, "invalid_workset_file")
    assert str(file(place)) in result.json["status"][0]["message"]
    assert file(place).read_text() == text


@pytest.mark.usefixtures("impatient")
def test_a_file_that_another_command_writes_is_busy(place: World) -> None:
    holder = me()
    lock = file(place).with_name("worksets.yaml.lock")
    lock.parent.mkdir(parents=True)
    note = {"pid": holder.pid, "started": holder.started, "host": holder.host}
    lock.write_text(json.dumps(note))

    result = create(place)

    status = result.json["status"][0]
    assert (result.code, status["code"]) == (1, "workset_file_busy")
    assert str(lock) in status["fix"]
    assert lock.read_text() == json.dumps(note)


def test_a_question_can_be_answered_and_declined(place: World) -> None:
    made = place.cli("workset", "create", tty=True, input="both\n../shop\n\n")
    kept = place.cli("workset", "remove", "both", tty=True, input="n\n")
    gone = place.cli("workset", "remove", "both", tty=True, input="y\n")

    assert (made.code, kept.code, gone.code) == (0, 1, 0)
    assert "the workset 'both' was kept" in kept.err


def test_the_program_can_be_chosen(place: World) -> None:
    create(place)

    result = place.cli("workset", "open", "both", tty=True, input="2\n")

    assert result.code == 0
    assert len(called(place)) == 2


def test_removing_takes_the_workspace_file_with_it(place: World) -> None:
    create(place, "--tool", "code")
    place.cli("workset", "open", "both")

    place.cli("workset", "remove", "both", "--yes")

    assert [path.name for path in file(place).parent.iterdir()] == ["worksets.yaml"]
