"""What finding bases costs: programs started, and time for a large workspace."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from tests.support.planning_texts import DELTA, SPEC
from tests.support.world import World

from rasen.planning.bases.find import BaseFinder, Subject, subject
from rasen.planning.bases.model import Source
from rasen.roots.model import SOURCE_NEAREST, Root

CHANGES, SPECS = 200, 1000


class Git:
    """A git in front of the real one that notes what it is asked."""

    def __init__(self, folder: Path) -> None:
        real = shutil.which("git")
        self._log = folder / "calls"
        program = folder / "bin" / "git"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\necho "$*" >> "{self._log}"\nexec "{real}" "$@"\n')
        program.chmod(0o755)
        self.path = str(program.parent)

    def calls(self) -> list[str]:
        """The sub-command of every call, in order."""
        rows = self._log.read_text().splitlines() if self._log.exists() else []
        return [next(word for word in row.split() if word in ("log", "cat-file")) for row in rows]


@pytest.fixture
def git(world: World, monkeypatch: pytest.MonkeyPatch) -> Git:
    counted = Git(world.base)
    monkeypatch.setenv("PATH", f"{counted.path}:{world.env['PATH']}")
    return counted


def commit(world: World) -> str:
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    return world.git("rev-parse", "HEAD").strip()


def fill(world: World, *, changes: int, specs: int) -> str:
    """A workspace of that size; every change has deltas for five specs. The first commit's id."""
    world.git("init", "-q")
    world.workspace()
    for number in range(specs):
        world.write(f"rasen/specs/s{number}/spec.md", SPEC)
    first = commit(world)
    for number in range(changes):
        world.write(
            f"rasen/changes/c{number}/.openspec.yaml",
            f"schema: spec-driven\ncreated: 2026-01-31\nbase:\n  commit: {first}\n"
            if number % 2
            else "schema: spec-driven\ncreated: 2026-01-31\n",
        )
        for at in range(5):
            world.write(
                f"rasen/changes/c{number}/specs/s{(number * 5 + at) % specs}/spec.md", DELTA
            )
    commit(world)
    return first


def subjects(root: Root) -> list[Subject]:
    return [
        subject(folder) for folder in sorted(root.changes_dir.iterdir()) if folder.name[0] == "c"
    ]


def rooted(world: World) -> Root:
    return Root(world.root, SOURCE_NEAREST, "rasen")


def test_many_changes_cost_one_log_and_one_cat_file(world: World, git: Git) -> None:
    fill(world, changes=6, specs=10)
    root = rooted(world)
    finder = BaseFinder(root)
    finder.prepare(subjects(root))

    found = [finder.of(one.folder, name) for one in subjects(root) for name in one.files]

    assert {base.source for base in found} == {Source.COMMIT, Source.INTRODUCED}
    assert sorted(git.calls()) == ["cat-file", "log"]


def test_noted_commits_cost_no_log(world: World, git: Git) -> None:
    fill(world, changes=2, specs=10)
    root = rooted(world)
    finder = BaseFinder(root)

    assert finder.of(root.changes_dir / "c1", "s5").source is Source.COMMIT
    assert git.calls() == ["cat-file"]


def test_noted_commits_that_are_gone_cost_no_third_program(world: World, git: Git) -> None:
    first = fill(world, changes=4, specs=10)
    root = rooted(world)
    for path in root.changes_dir.glob("c*/.openspec.yaml"):
        path.write_text(path.read_text().replace(first, "d" * 40))
    finder = BaseFinder(root)
    finder.prepare(subjects(root))

    assert finder.of(root.changes_dir / "c1", "s5").source is Source.INTRODUCED
    assert sorted(git.calls()) == ["cat-file", "log"]


def test_recorded_bases_start_no_program(world: World, git: Git) -> None:
    fill(world, changes=1, specs=5)
    root = rooted(world)
    for at in range(5):
        world.write(f"rasen/changes/c0/.base/s{at}/spec.md", SPEC)
    finder = BaseFinder(root)
    finder.prepare(subjects(root))

    assert finder.of(root.changes_dir / "c0", "s0").source is Source.RECORDED
    assert git.calls() == []


def test_making_ready_alone_looks_at_nothing(world: World, git: Git) -> None:
    fill(world, changes=1, specs=5)
    seen: list[Path] = []

    def lazily(folder: Path) -> Subject:
        seen.append(folder)
        return subject(folder)

    root = rooted(world)
    BaseFinder(root).prepare(lazily(folder) for folder in root.changes_dir.iterdir())

    assert seen == []
    assert git.calls() == []


def test_a_workspace_without_git_starts_no_program(world: World, git: Git) -> None:
    world.workspace()
    world.write("rasen/changes/c0/specs/s0/spec.md", DELTA)

    found = BaseFinder(rooted(world)).of(world.path("rasen/changes/c0"), "s0")

    assert found.source is Source.UNKNOWN
    assert git.calls() == []


def test_a_large_workspace_takes_a_moment(world: World, git: Git) -> None:
    fill(world, changes=CHANGES, specs=SPECS)
    root = rooted(world)
    started = time.perf_counter()
    finder = BaseFinder(root)
    finder.prepare(subjects(root))

    found = [finder.of(one.folder, name) for one in subjects(root) for name in one.files]

    assert time.perf_counter() - started < 5
    assert len(found) == CHANGES * 5
    assert all(base.text == SPEC for base in found)
    assert sorted(git.calls()) == ["cat-file", "log"]
