"""People with machines of their own who share repositories: bare remotes, clones, data folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.support import crash
from tests.support.documents import FOLDER, fits
from tests.support.world import Result, World

SPEC = """# {name} Specification

## Purpose
What {name} does, why it is there, and for whom, told in enough words to be a purpose.

## Requirements

### Requirement: First
The system SHALL do the first thing.

#### Scenario: Works
- **WHEN** it is asked
- **THEN** it does the first thing

### Requirement: Second
The system SHALL do the second thing.

#### Scenario: Works
- **WHEN** it is asked
- **THEN** it does the second thing
"""


class Machine:
    """One person's machine: its home, its data folder, its checkouts below `place`."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.place = world.base / "machines" / name
        self.home = self.place / "home"
        self.home.mkdir(parents=True)
        self.data_dir = self.place / "data" / "rasen"
        self.env: dict[str, str | None] = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.place / "config"),
            "XDG_DATA_HOME": str(self.place / "data"),
        }

    def cli(self, *args: str, cwd: Path | None = None, **more: Any) -> Result:
        """Run the program on this machine; its document must fit the published schema."""
        result = self.world.cli(*args, cwd=cwd or self.place, env=self.env, **more)
        name = "-".join(args[:2])
        if "--json" in args and (FOLDER / f"{name}.schema.json").is_file():
            fits(name, result.json)
        return result

    def ok(self, *args: str, cwd: Path | None = None, **more: Any) -> Result:
        """Run the program and insist on success."""
        result = self.cli(*args, cwd=cwd, **more)
        assert result.code == 0, (args, result.out, result.err)
        return result

    def process(self, *args: str, cwd: Path | None = None) -> Result:
        """Run the program as a process, whose git then knows who commits; insist on success."""
        result = self.world.process(*args, cwd=cwd or self.place, env=self.env)
        assert result.code == 0, (args, result.out, result.err)
        return result

    def break_off(self, *args: str, at: int, fault: str = "kill", cwd: Path | None = None) -> None:
        """Run the program so that its `at`-th change of the disk is spoilt: most in a fork of this
        process, every tenth as a real one."""
        place = cwd or self.place
        if at % 10 == 1:
            crash.run_cli(args, cwd=place, env=self.environ(), at=at, fault=fault)
        else:
            crash.fork(lambda: self.cli(*args, cwd=place), at=at, fault=fault)

    def environ(self) -> dict[str, str]:
        """The whole environment of a process on this machine."""
        return self.world.environ(self.env)

    def context(self) -> Any:
        """A Context of this machine for calling use cases directly."""
        from rasen.bootstrap import build

        clock, ids = self.world.clock, self.world.ids
        return build(self.environ(), self.place, tell=lambda _: None, clock=clock, ids=ids)

    def git(self, root: Path, *args: str) -> str:
        """Run git in a repository."""
        return self.world.git(*args, cwd=root)

    def store(self, name: str = "team") -> Path:
        """A store with a repository, registered here."""
        root = self.place / name
        self.process("store", "setup", name, "--path", str(root))
        return root

    def project(self, name: str = "app", *, commits: bool = True) -> Path:
        """A project with a workspace and an identity, in a repository with one commit."""
        root = self.place / name
        root.mkdir()
        self.git(root, "init", "-q")
        self.ok("init", "--tools", "none", cwd=root)
        if commits:
            self.commit(root, "Begin")
        return root

    def commit(self, root: Path, message: str) -> None:
        """Commit everything in a repository."""
        self.git(root, "add", "-A")
        self.git(root, "commit", "-q", "-m", message)

    def clone(self, remote: Path, name: str) -> Path:
        """A clone of a bare repository."""
        root = self.place / name
        self.git(self.place, "clone", "-q", str(remote), str(root))
        return root


def bare(world: World, root: Path, name: str) -> Path:
    """A bare remote that holds what `root` has, set as its origin."""
    remote = world.base / "remotes" / f"{name}.git"
    remote.parent.mkdir(exist_ok=True)
    world.git("branch", "-M", "main", cwd=root)
    world.git("clone", "-q", "--bare", str(root), str(remote))
    world.git("remote", "add", "origin", str(remote), cwd=root)
    world.git("fetch", "-q", "origin", cwd=root)
    world.git("branch", "-q", "--set-upstream-to=origin/main", "main", cwd=root)
    return remote


def write(root: Path, relative: str, text: str) -> Path:
    """A file below `root`, its folders made."""
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def planned(root: Path) -> None:
    """Some planning in a project: two specs, one in an area, an open and an archived change."""
    write(root, "rasen/specs/pay/spec.md", SPEC.format(name="pay"))
    write(root, "rasen/specs/area/ship/spec.md", SPEC.format(name="ship"))
    write(root, "rasen/changes/add-x/proposal.md", "# Add x\n")
    write(root, "rasen/changes/archive/2026-01-01-old/proposal.md", "# Old\n")


def every_text(root: Path) -> str:
    """All text of the files below `root` but git's."""
    found = []
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name != ".git"]
        found += [Path(folder, file).read_text(errors="replace") for file in files]
    return "\n".join(found)
