"""What reaches a terminal is safe to show, and colour is only an addition."""

from __future__ import annotations

import json
import sys

import pytest
from tests.support.world import World

NAME = "evil\x1b[2J\x07"


@pytest.fixture
def project(world: World) -> World:
    world.workspace()
    world.write(f"rasen/changes/{NAME}/proposal.md", "# x\n")
    return world


def test_control_characters_of_names_do_not_reach_people(project: World) -> None:
    result = project.cli("list")

    assert "evil" in result.out
    assert "\x1b" not in result.out
    assert "\x07" not in result.out


def test_documents_carry_names_as_they_are(project: World) -> None:
    assert project.cli("list", "--json").json["changes"][0]["name"] == NAME


@pytest.mark.parametrize(
    ("words", "env", "has_color"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": ""}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": "0"}, False),
        (("--no-color",), {}, False),
        (("status", "--no-color"), {}, False),
    ],
    ids=["terminal", "empty NO_COLOR", "NO_COLOR=1", "NO_COLOR=0", "--no-color", "late"],
)
def test_colour_can_be_refused(
    world: World, words: tuple[str, ...], env: dict[str, str], has_color: bool
) -> None:
    world.workspace()
    world.cli("new", "change", "add-login")

    words = words if "status" in words else (*words, "status")
    result = world.cli(*words, "--change", "add-login", tty=True, env=env)

    assert ("\x1b[" in result.out) == has_color
    assert "proposal" in result.out


def test_there_is_no_colour_without_a_terminal(world: World) -> None:
    world.workspace()
    world.cli("new", "change", "add-login")

    assert "\x1b[" not in world.cli("status", "--change", "add-login").out


def test_a_name_that_is_no_text_still_makes_a_document(world: World) -> None:
    world.workspace()
    (world.root / "rasen" / "changes" / "bad\udcff").mkdir()

    result = world.process("list", "--json")

    assert result.code == 0
    assert len(json.loads(result.out)["changes"]) == 1


def test_a_full_disk_behind_stdout_is_told(world: World) -> None:
    result = world.shell("sh", f"{_program()} --help > /dev/full; echo $?")

    assert result.out == "1\n"
    assert "cannot write the output" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("call", ["list", "list --json"])
@pytest.mark.parametrize("setting", ["", "PYTHONUNBUFFERED=1"], ids=["buffered", "unbuffered"])
def test_a_full_disk_behind_stdout_is_no_bug_of_ours(world: World, call: str, setting: str) -> None:
    world.workspace()
    before = sorted(world.home.parent.rglob("*"))

    result = world.shell("sh", f"{setting} {_program()} {call} > /dev/full; echo $?")

    assert result.out == "1\n"
    assert "cannot write the output" in result.err
    assert "a bug in rasen" not in result.err
    assert sorted(world.home.parent.rglob("*")) == before


@pytest.mark.parametrize(
    ("call", "code"), [("--help >&-", "0"), ("nonsense 2>&-", "1"), ("list --json >&- 2>&-", "0")]
)
def test_a_closed_stream_changes_no_exit_code(world: World, call: str, code: str) -> None:
    result = world.shell("sh", f"({_program()} {call}); echo $?")

    assert result.out == f"{code}\n"
    assert result.err == ""


def _program() -> str:
    return f"{sys.executable} -m rasen"
