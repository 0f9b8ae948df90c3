"""The command line as a whole: how runs begin and end."""

from __future__ import annotations

import sys

import pytest
from tests.support.terminal import Terminal
from tests.support.world import World

from rasen import __version__


@pytest.mark.parametrize("words", [("--version",), ("-V",), ("--no-color", "--version")])
def test_version_is_one_line(world: World, words: tuple[str, ...]) -> None:
    result = world.process(*words)

    assert (result.code, result.out, result.err) == (0, __version__ + "\n", "")


@pytest.mark.parametrize("words", [(), ("-h",), ("--help",)])
def test_help_lists_the_commands(world: World, words: tuple[str, ...]) -> None:
    result = world.cli(*words)

    assert result.code == 0
    assert "validate" in result.out
    assert "__complete" not in result.out


def test_help_is_in_the_reader_s_language(world: World) -> None:
    result = world.cli("--help", env={"RASEN_LANG": "ja"})

    assert "使い方" in result.out


def test_an_unknown_command_names_the_nearest(world: World) -> None:
    result = world.cli("stauts")

    assert result.code == 1
    assert result.out == ""
    assert "Did you mean status?" in result.err


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense", "--json"),
        ("completion", "nonsense", "--json"),
        ("completion", "generate", "tcsh", "--json"),
        ("completion", "--json"),
        ("--json",),
        ("--nonsense", "--json"),
    ],
    ids=" ".join,
)
def test_a_usage_error_with_json_is_one_document(world: World, words: tuple[str, ...]) -> None:
    result = world.cli(*words)

    assert result.code == 1
    assert result.error == "usage_error"
    assert set(result.json) == {"status"}


def test_a_bug_leaves_the_null_shape_of_the_command(world: World) -> None:
    world.workspace()
    breaking = (
        "import os, sys, rasen.planning.ops as ops\n"
        "ops.list_changes = lambda *_: 1 / 0\n"
        "from rasen.surfaces.cli import main\n"
        "sys.exit(main.run(['list', '--json'], os.environ))\n"
    )

    document = world.python("-c", breaking).json

    assert document.pop("status")[0]["code"] == "internal_error"
    assert document == {"changes": [], "root": None}


def test_json_after_a_double_dash_is_no_option(world: World) -> None:
    result = world.cli("completion", "generate", "--", "--json")

    assert result.out == ""
    assert result.err.startswith("Error: ")


def test_a_group_without_a_verb_is_a_usage_error(world: World) -> None:
    result = world.cli("completion")

    assert (result.code, result.out) == (1, "")
    assert "install" in result.err


def test_a_reader_that_stops_early_is_no_failure(world: World) -> None:
    script = (
        f"{sys.executable} -m rasen completion generate bash | head -n 1; echo ${{PIPESTATUS[0]}}"
    )

    done = world.shell("bash", script)

    assert done.out.splitlines() == ["# rasen completion for bash", "0"]
    assert done.err == ""


def test_ctrl_c_at_a_question_ends_with_130(world: World) -> None:
    with Terminal(world, "completion", "uninstall", "bash") as terminal:
        terminal.wait_for("[y/N]")
        terminal.type("\x03")

        assert terminal.code() == 130
        assert "Cancelled." in terminal.seen


def test_a_question_nobody_can_answer_names_the_call(world: World) -> None:
    result = world.cli("completion", "uninstall", "bash")

    assert result.code == 1
    assert "rasen completion uninstall bash --yes" in result.err


def test_a_closed_stdin_cannot_answer(world: World) -> None:
    result = world.cli("completion", "uninstall", "bash", tty=True, input="")

    assert result.code == 1
    assert "rasen completion uninstall bash --yes" in result.err


@pytest.mark.parametrize(
    "env", [{"CI": ""}, {"CI": "false"}, {"OPEN_SPEC_INTERACTIVE": "0"}], ids=str
)
def test_the_environment_can_forbid_questions(world: World, env: dict[str, str]) -> None:
    result = world.cli("completion", "uninstall", "bash", tty=True, input="n\n", env=env)

    assert result.code == 1


def test_declining_changes_nothing(world: World) -> None:
    world.cli("completion", "install", "fish")

    result = world.cli("completion", "uninstall", "fish", tty=True, input="\n")

    assert result.code == 0
    assert (world.home / ".config/fish/completions/rasen.fish").exists()


def test_a_picker_answers_on_a_real_terminal(world: World) -> None:
    world.cli("completion", "install", "fish")
    world.env["TERM"] = "xterm"

    with Terminal(world, "completion", "uninstall", "fish") as terminal:
        terminal.wait_for("(y/N)")
        terminal.type("y")
        assert terminal.code() == 0

    assert not (world.home / ".config/fish/completions/rasen.fish").exists()


def test_stdout_is_utf8_in_any_locale(world: World) -> None:
    result = world.process(
        "--help",
        env={
            "LANG": "C",
            "LC_ALL": "C",
            "RASEN_LANG": "ja",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
    )

    assert "使い方" in result.out


@pytest.mark.parametrize("mode", ["text", "json"])
def test_a_bug_is_reported_in_form(world: World, mode: str) -> None:
    world.data_dir.parent.mkdir(parents=True)
    words = ["completion", "generate", "bash"]
    breaking = (
        "import sys, rasen.surfaces.cli.shells as s\n"
        "s.WRITERS['bash'] = lambda places: 1 / 0\n"
        "from rasen.surfaces.cli import main, execute\n"
        f"execute.wants_json = lambda argv: {mode == 'json'}\n"
        "import os\n"
        f"sys.exit(main.run({words!r}, os.environ))\n"
    )

    result = world.python("-c", breaking)

    report = next((world.data_dir / "crash-reports").iterdir())
    assert "ZeroDivisionError" in report.read_text()
    assert result.code == 1
    if mode == "json":
        assert result.error == "internal_error"
        assert str(report) in result.json["status"][0]["fix"]
    else:
        assert result.out == ""
        assert "Traceback" not in result.err
        assert str(report) in result.err


def test_a_broken_settings_file_does_not_break_the_help(world: World) -> None:
    world.config_dir.mkdir(parents=True)
    (world.config_dir / "config.json").write_text("{")

    assert world.cli("--help").code == 0


def test_the_module_runs_like_the_script(world: World) -> None:
    assert world.process("--help").out == world.cli("--help").out


def test_nothing_is_written_by_asking_for_help(world: World) -> None:
    world.cli("completion", "--help")

    assert not world.data_dir.exists()
    assert list(world.home.iterdir()) == []
    assert list(world.root.iterdir()) == []
