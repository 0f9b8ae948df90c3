"""Wrong calls are explained in the reader's language, with the value that was wrong."""

from __future__ import annotations

import click
import pytest
from tests.support.world import World

from rasen.surfaces.cli.usage import explained

CASES = [
    pytest.param(("nonsense",), "no command named 'nonsense'", "nonsense", id="command"),
    pytest.param(("list", "--nonsense"), "no option named --nonsense", "--nonsense", id="option"),
    pytest.param(
        ("status", "--change"), "option --change needs a value", "--change", id="no value"
    ),
    pytest.param(("list", "--json=1"), "option --json takes no value", "--json", id="value"),
    pytest.param(("status", "extra"), "one word too many: extra", "extra", id="extra word"),
    pytest.param(("new", "change"), "NAME is missing", "NAME", id="missing argument"),
    pytest.param(
        ("completion", "generate", "tcsh"),
        "[SHELL]: 'tcsh' is not one of 'bash', 'fish', 'powershell', 'zsh'",
        "tcsh",
        id="choice",
    ),
]


@pytest.mark.parametrize(("words", "told", "value"), CASES)
def test_english_says_what_is_wrong(
    world: World, words: tuple[str, ...], told: str, value: str
) -> None:
    result = world.cli(*words)

    assert result.code == 1
    assert result.err.splitlines()[0].removeprefix("Error: ").endswith(told)
    assert value in told


@pytest.mark.parametrize("language", ["ja", "zh-cn"])
@pytest.mark.parametrize(("words", "told", "value"), CASES)
def test_other_languages_leave_no_english(
    world: World, words: tuple[str, ...], told: str, value: str, language: str
) -> None:
    line = world.cli(*words, env={"RASEN_LANG": language}).err.splitlines()[0]

    assert value in line
    assert told not in line
    assert not line.startswith("Error")


def test_the_step_names_the_command_that_was_called(world: World) -> None:
    assert "See rasen list --help" in world.cli("list", "--nonsense-flag").err


def test_a_near_option_is_named(world: World) -> None:
    assert "Did you mean --specs? See" in world.cli("list", "--spec").err


@pytest.mark.parametrize(
    "problem", ["'x' is not a valid integer.", "9 is not in the range 1<=x<=5."]
)
def test_complaints_about_numbers_have_our_words_too(problem: str) -> None:
    told = explained(click.BadParameter(problem), lambda template: f"<{template}>")

    assert str(told.params["problem"]).count("<") >= 2
