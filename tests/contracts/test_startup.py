"""What the most frequent calls may load: start-up time is a feature, measured by modules."""

from __future__ import annotations

import json

import pytest
from tests.support.world import World

_REPORT = """
import json, sys
from rasen.surfaces.cli.main import run
import os
code = run(sys.argv[1:], os.environ)
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""
_NEVER = {
    "asyncio", "babel", "concurrent.futures", "http", "importlib.metadata", "importlib.resources",
    "jsonschema_rs", "logging", "mcp", "multiprocessing", "prompt_toolkit", "psutil", "pydantic",
    "questionary", "rich", "shutil", "socket", "sqlite3", "ssl", "tempfile", "textual", "tomllib",
    "unittest", "urllib.request", "wcwidth",
}  # fmt: skip
HOT = [
    ("list", "--json"),
    ("list", "--specs", "--json"),
    ("status", "--change", "add-login", "--json"),
    ("show", "add-login", "--json"),
    ("validate", "--all", "--json"),
    ("instructions", "proposal", "--change", "add-login", "--json"),
]


@pytest.fixture
def project(world: World) -> World:
    world.workspace()
    world.write(
        "rasen/changes/add-login/.openspec.yaml", "schema: spec-driven\ncreated: 2026-01-31\n"
    )
    world.write(
        "rasen/changes/add-login/proposal.md",
        "# Login\n\n## Why\n\nPeople must log in.\n\n## What Changes\n\n- a\n",
    )
    world.write(
        "rasen/changes/add-login/specs/login/spec.md",
        "## ADDED Requirements\n\n### Requirement: Login\nThe system SHALL log in.\n\n"
        "#### Scenario: Good\n- **WHEN** a\n- **THEN** b\n",
    )
    return world


@pytest.mark.parametrize("words", HOT, ids=" ".join)
def test_hot_commands_load_nothing_heavy(project: World, words: tuple[str, ...]) -> None:
    result = project.python("-c", _REPORT, *words)

    code, loaded = json.loads(result.err.splitlines()[-1])
    assert code == 0, result.out + result.err
    assert sorted(_NEVER & set(loaded)) == []


@pytest.mark.parametrize("words", HOT, ids=" ".join)
def test_hot_commands_load_no_other_command(project: World, words: tuple[str, ...]) -> None:
    result = project.python("-c", _REPORT, *words)

    loaded = json.loads(result.err.splitlines()[-1])[1]
    commands = [name for name in loaded if name.startswith("rasen.surfaces.cli.commands.")]
    assert len(commands) == 1


def test_version_loads_nothing_but_the_entry(world: World) -> None:
    probe = (
        "import sys; before = set(sys.modules)\n"
        "sys.argv = ['rasen', '--version']\n"
        "from rasen.surfaces.cli.main import entry\n"
        "entry()\n"
        "print(sorted(set(sys.modules) - before), file=sys.stderr)\n"
    )

    result = world.python("-c", probe)

    loaded = {
        "rasen",
        "rasen.surfaces",
        "rasen.surfaces.cli",
        "rasen.surfaces.cli.main",
        "__future__",
    }
    assert set(json.loads(result.err.replace("'", '"'))) <= loaded


@pytest.mark.parametrize("words", [("--help",), ("nonsense", "--json")], ids=" ".join)
def test_listing_commands_loads_none(world: World, words: tuple[str, ...]) -> None:
    result = world.python("-c", _REPORT, *words, env={"RASEN_LANG": "en"})

    loaded = json.loads(result.err.splitlines()[-1])[1]
    assert [name for name in loaded if name.startswith("rasen.surfaces.cli.commands.")] == []
    assert "rasen.planning" not in loaded
