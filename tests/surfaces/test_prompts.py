"""Questions: plain lines where pickers cannot be drawn, refusal where nobody answers."""

from __future__ import annotations

import io

import pytest
from tests.support.world import World

from rasen.surfaces.cli import prompts


@pytest.fixture
def changes(world: World) -> World:
    world.workspace()
    for name in ("add-login", "fix-logout"):
        world.write(f"rasen/changes/{name}/proposal.md", "# x\n")
    return world


def test_a_number_picks_from_the_list(changes: World) -> None:
    shown = changes.cli("archive", tty=True, input="\n").err
    number = next(line[0] for line in shown.splitlines() if "add-login" in line)

    changes.cli("archive", "--skip-specs", tty=True, input=f"{number}\n")

    assert not changes.path("rasen/changes/add-login").exists()
    assert changes.path("rasen/changes/fix-logout").exists()


def test_an_empty_line_declines_a_picker(changes: World) -> None:
    result = changes.cli("archive", tty=True, input="\n")

    assert result.code == 0
    assert changes.path("rasen/changes/add-login").is_dir()


def test_a_wrong_number_is_asked_again(changes: World) -> None:
    result = changes.cli("archive", tty=True, input="9\nx\n\n")

    assert result.code == 0


def test_pasting_the_named_call_is_safe() -> None:
    refusal = prompts.unanswered(prompts.Asker(["archive", "$(reboot)"], {}, "--yes"))

    assert refusal.params["call"] == "rasen archive <...> --yes"


def test_names_in_other_scripts_are_named() -> None:
    refusal = prompts.unanswered(prompts.Asker(["archive", "添加登录"], {}, "--yes"))

    assert refusal.params["call"] == "rasen archive 添加登录 --yes"


def test_without_a_terminal_for_output_nothing_is_asked(changes: World) -> None:
    result = changes.cli("archive", input="1\n")

    assert result.code == 1


BOXES = [prompts.Box("a", "Alpha", True), prompts.Box("b", "Beta"), prompts.Box("c", "Gamma")]


@pytest.mark.parametrize(
    ("typed", "ticked"),
    [
        ("\n", ["a"]),
        ("2 3\n", ["b", "c"]),
        ("3,1\n", ["a", "c"]),
        ("4\n0\nx\n2\n", ["b"]),
    ],
    ids=["as it is", "blanks", "commas", "asked again"],
)
def test_several_are_ticked_by_their_numbers(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    typed: str,
    ticked: list[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))

    assert prompts.tick(prompts.Asker(["init"], {}, ""), "Which?", BOXES) == ticked
    assert "1. [x] Alpha\n2. [ ] Beta\n" in capsys.readouterr().err
