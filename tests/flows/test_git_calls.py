"""How often git is started to find bases: the number of changes makes no difference."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.support.fixtures import HEAD, LOAN_PERIOD, RENEWALS
from tests.support.world import World

SPEC = f"{HEAD}{LOAN_PERIOD}\n{RENEWALS}"
DELTA = f"## MODIFIED Requirements\n\n{LOAN_PERIOD.replace('21 days', '28 days')}"
COUNT = 12
_COMMANDS = ("log", "cat-file", "rev-parse", "status", "ls-files", "show", "config", "diff")


@pytest.fixture
def repository(world: World) -> World:
    """Twelve changes to four specs, all committed; the first six name the commit they began at."""
    world.workspace()
    for number in range(4):
        world.write(f"rasen/specs/desk-{number}/spec.md", SPEC)
    commit(world)
    head = world.git("rev-parse", "HEAD").strip()
    for number in range(COUNT):
        folder = f"rasen/changes/change-{number}"
        base = f"base:\n  commit: {head}\n" if number < COUNT / 2 else ""
        world.write(f"{folder}/.openspec.yaml", f"schema: spec-driven\ncreated: 2026-01-31\n{base}")
        world.write(f"{folder}/specs/desk-{number % 4}/spec.md", DELTA)
    commit(world)
    return world


def commit(world: World) -> None:
    world.git("init", "-q")
    world.git("add", "--all")
    world.git("commit", "-q", "-m", "x")


def git_calls(world: World, *args: str) -> list[str]:
    """The commands of git that a run of the program starts, told by a wrapper in front of it."""
    real = shutil.which("git")
    assert real is not None
    log = world.base / "git-calls"
    wrapper = world.base / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> "{log}"\nexec "{real}" "$@"\n')
    wrapper.chmod(0o755)
    path = f"{wrapper.parent}{os.pathsep}{world.env['PATH']}"

    result = world.process(*args, env={"PATH": path})

    assert result.code == 0, result.out + result.err
    lines = log.read_text().splitlines() if log.exists() else []
    return [next(word for word in line.split() if word in _COMMANDS) for line in lines]


def record(world: World) -> None:
    for number in range(COUNT):
        folder = Path(f"rasen/changes/change-{number}/.base/desk-{number % 4}")
        world.write(f"{folder}/spec.md", SPEC)


@pytest.mark.parametrize("args", [("--all",), ("--all", "--strict"), ("--changes",)])
def test_validating_everything_starts_one_log_and_one_cat_file(
    repository: World, args: tuple[str, ...]
) -> None:
    calls = git_calls(repository, "validate", *args, "--json")

    assert sorted(calls) == ["cat-file", "log"]


def test_validating_everything_starts_no_git_where_bases_are_recorded(repository: World) -> None:
    record(repository)

    assert git_calls(repository, "validate", "--all", "--json") == []


def test_archiving_a_change_that_names_its_commit_starts_no_log(repository: World) -> None:
    calls = git_calls(repository, "archive", "change-0", "--yes", "--json")

    assert "log" not in calls
    assert calls.count("cat-file") == 1
