"""Completion scripts, run by the shells they are written for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from tests.support.world import World

from rasen.surfaces.cli.shells import WRITERS, tree

_PROBE_BASH = """
source {script}
COMP_WORDS=({words})
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_rasen
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
_PROBE_ZSH = """
compdef() {{ : }}
_describe() {{ local row; for row in "${{(@P)@[-1]}}"; do print -r -- "${{row%%:*}}"; done }}
compadd() {{ shift; print -rl -- "$@" }}
_files() {{ print -r -- FILES }}
source {script}
words=({words})
CURRENT=${{#words}}
_rasen
"""
_PROBE_FISH = "source {script}; complete -C {words} | string split -f1 \\t"


@pytest.fixture
def shells(world: World) -> World:
    """A world with a workspace, a `rasen` on the path, and the script of each shell."""
    world.workspace()
    for name in ("add-login", "fix-logout", "$(touch pwned)"):
        world.write(f"rasen/changes/{name}/.openspec.yaml", "schema: spec-driven\n")
    world.write("rasen/specs/login/spec.md", "# Login\n")
    program = world.base / "bin" / "rasen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rasen "$@"\n')
    program.chmod(0o755)
    world.env["PATH"] = f"{program.parent}:{world.env['PATH']}"
    for shell, writer in WRITERS.items():
        (world.base / f"script.{shell}").write_text(writer(tree.places()), encoding="utf-8")
    return world


def _offers(world: World, shell: str, words: list[str]) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")
    quoted = " ".join("'" + word + "'" for word in words)
    probe = {"bash": _PROBE_BASH, "zsh": _PROBE_ZSH, "fish": _PROBE_FISH}[shell]
    if shell == "fish":
        quoted = '"' + " ".join(words) + '"'
    result = world.shell(shell, probe.format(script=world.base / f"script.{shell}", words=quoted))
    assert result.err == ""
    prefix = words[-1]
    # zsh itself drops what does not begin with the word; the probe stands in for that part.
    return [line for line in result.out.splitlines() if line.startswith(prefix) and line]


SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rasen", "sta"], {"status"}),
        (["rasen", "new", ""], {"change"}),
        (["rasen", "schema", ""], {"fork", "init", "validate", "which"}),
        (["rasen", "status", "--ch"], {"--change"}),
        (["rasen", "list", "--sort", ""], {"name", "recent"}),
        (["rasen", "completion", "generate", ""], {"bash", "fish", "powershell", "zsh"}),
        (["rasen", "status", "--change", "add"], {"add-login"}),
        (["rasen", "archive", "fix"], {"fix-logout"}),
        (["rasen", "show", "log"], {"login"}),
        (["rasen", "schema", "which", ""], {"spec-driven"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_shell_offers(shells: World, shell: str, words: list[str], expected: set[str]) -> None:
    assert set(_offers(shells, shell, words)) == expected


@pytest.mark.parametrize("shell", SHELLS)
def test_a_name_from_the_disk_is_never_run(shells: World, shell: str) -> None:
    _offers(shells, shell, ["rasen", "status", "--change", ""])

    assert not shells.path("pwned").exists()


def test_bash_quotes_what_it_offers(shells: World) -> None:
    assert (
        _offers(shells, "bash", ["rasen", "status", "--change", ""])[0] == "\\$\\(touch\\ pwned\\)"
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_well_formed(shells: World, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here")

    result = shells.shell("sh", f"{shell} -n {shells.base / f'script.{shell}'}")

    assert (result.code, result.err) == (0, "")


def test_powershell_gets_every_place(shells: World) -> None:
    text = Path(shells.base / "script.powershell").read_text(encoding="utf-8")

    assert all(f"'{place.path}' = @{{" in text for place in tree.places())
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("changes", ["$(touch pwned)\tchange", "add-login\tchange", "fix-logout\tchange"]),
        ("specs", ["login\tspec"]),
        ("archived-changes", ["2026-01-01-old\tarchived change"]),
    ],
)
def test_values_come_with_a_description(shells: World, kind: str, rows: list[str]) -> None:
    shells.path("rasen/changes/archive/2026-01-01-old").mkdir()

    result = shells.cli("__complete", kind)

    assert (result.code, result.out.splitlines(), result.err) == (0, rows, "")


def test_schemas_come_with_their_description(shells: World) -> None:
    assert shells.cli("__complete", "schemas").out.startswith("spec-driven\t")


@pytest.mark.parametrize("kind", ["nonsense", ""])
def test_an_unknown_kind_is_silent(shells: World, kind: str) -> None:
    result = shells.cli("__complete", kind)

    assert (result.code, result.out, result.err) == (1, "", "")


def test_an_error_while_completing_is_silent(shells: World) -> None:
    shells.write("rasen/config.yaml", "store: [")
    for folder in ("specs", "changes"):
        shutil.rmtree(shells.path(f"rasen/{folder}"))

    result = shells.cli("__complete", "changes")

    assert (result.code, result.out, result.err) == (1, "", "")


def test_explanations_are_in_the_reader_s_language(world: World) -> None:
    assert (
        "変更を始めます"
        in world.cli("completion", "generate", "fish", env={"RASEN_LANG": "ja"}).out
    )
