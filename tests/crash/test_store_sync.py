"""`store sync` killed at every call of git and at every change of a file: all is old or new."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.desks import LOAN, LOCK, NOTES, SPEC, Desk, Desks, desks, requirement, spec
from tests.support.world import World

LONG = LOAN.replace("lend a bicycle", "lend a bicycle for a day")
BELL = requirement("Bell", "sell bells")
WANTED = spec(LONG, LOCK, BELL)
_KILLER = """#!/bin/sh
count=$(cat "{folder}/count" 2>/dev/null || echo 0)
count=$((count + 1))
echo $count > "{folder}/count"
[ "$count" = "{at}" ] && kill -9 $PPID
"{git}" "$@"
status=$?
[ "$count" = "{at}" ] && touch "{folder}/ended"
exit $status
"""


@pytest.fixture
def two(world: World) -> Desks:
    """Both have a commit that the other has not seen."""
    both = desks(world)
    both.ada.commit({SPEC: spec(LONG, LOCK), NOTES: None, "rasen/new/a.md": "new\n"})
    assert both.ada.sync().code == 0
    both.bea.commit({SPEC: spec(LOAN, LOCK, BELL)})
    return both


class Attempts:
    """Runs the sync of bea again and again, each time from the same start."""

    def __init__(self, two: Desks, world: World) -> None:
        self.two, self.world = two, world
        self.kept = world.base / "kept"
        for name in ("bea", "remote.git"):
            shutil.copytree(world.base / name, self.kept / name)

    def afresh(self) -> Desk:
        for name in ("bea", "remote.git"):
            shutil.rmtree(self.world.base / name)
            shutil.copytree(self.kept / name, self.world.base / name)
        return self.two.bea

    def killed_at_call(self, at: int) -> bool:
        """Kill the program as its git number `at` starts; git itself goes on. False: no such call."""
        folder = self.world.base / "killer"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        git = shutil.which("git")
        (folder / "git").write_text(_KILLER.format(folder=folder, at=at, git=git))
        (folder / "git").chmod(0o755)
        env = {**self.two.bea.env, "PATH": f"{folder}:{self.world.env['PATH']}"}
        done = subprocess.run(
            [sys.executable, "-m", "rasen", "store", "sync", "team", "--json"],
            cwd=self.two.bea.root,
            env=self.world.environ(env),
            capture_output=True,
            check=False,
        )
        if done.returncode == 0:
            return False
        _wait_for(folder / "ended")
        return True


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.01)


def holds(desk: Desk, before: str) -> None:
    """The branch is old or new, and index and work tree are as it says."""
    head = desk.head
    assert head == before or desk.git("show", f"{head}:{SPEC}") == WANTED
    assert desk.git("status", "--porcelain") == ""


def comes_to_its_end(desk: Desk, two: Desks) -> None:
    """A second run does what the first would have done, and leaves nothing behind."""
    again = desk.sync()
    assert again.code == 0, again.out
    assert desk.read(SPEC) == WANTED
    assert not (desk.root / NOTES).exists()
    assert desk.git("status", "--porcelain") == ""
    assert desk.git("rev-list", "--count", "HEAD").strip() == "3"
    assert desk.world.git("rev-parse", "main", cwd=two.remote).strip() == desk.head
    for name in ("rasen-sync", "rasen-sync.lock"):
        assert not (desk.root / ".git" / name).exists()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_killed_at_any_call_of_git(two: Desks, world: World, stride: int) -> None:
    attempts = Attempts(two, world)
    before = two.bea.head
    at = 1
    while attempts.killed_at_call(at):
        holds(two.bea, before)
        comes_to_its_end(two.bea, two)
        attempts.afresh()
        at += stride

    assert at > 20
    assert two.bea.read(SPEC) == WANTED


@pytest.mark.timeout(300)
def test_killed_at_any_change_of_a_file(two: Desks, world: World) -> None:
    attempts = Attempts(two, world)
    words = ("store", "sync", "team")
    env = world.environ(two.bea.env)
    before = two.bea.head
    count = crash.count(words, cwd=two.bea.root, env=env)
    assert count > 5

    for at in range(1, count + 1, 2):
        desk = attempts.afresh()
        crash.run_cli(words, cwd=desk.root, env=env, at=at)
        holds(desk, before)
        comes_to_its_end(desk, two)
