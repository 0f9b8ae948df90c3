"""Stores made with the real commands and real git, in a sealed world."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.support.world import Result, World


def setup(world: World, name: str = "team", *more: str) -> Path:
    """A store made by `store setup`; its root."""
    root = world.base / name
    result = world.process("store", "setup", name, "--path", str(root), *more, "--json")
    assert result.code == 0, result.out + result.err
    return root


def registry_text(world: World) -> str:
    """The registry's text; empty when there is none."""
    path = world.data_dir / "stores" / "registry.yaml"
    return path.read_text() if path.exists() else ""


def planning(root: Path) -> Path:
    """A healthy planning root without metadata."""
    (root / "rasen" / "specs").mkdir(parents=True)
    (root / "rasen" / "config.yaml").write_text("schema: spec-driven\n")
    return root


def metadata(root: Path, text: str) -> Path:
    """Give a root that metadata."""
    path = root / ".rasen-store" / "store.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def commit(world: World, root: Path, message: str = "more") -> str:
    """Commit everything in a repository; the new head."""
    world.git("add", "--all", cwd=root)
    world.git("commit", "-q", "-m", message, cwd=root)
    return world.git("rev-parse", "HEAD", cwd=root).strip()


def nameless(world: World) -> dict[str, str | None]:
    """Changes of the environment that leave git without an identity."""
    config = world.base / "nameless.gitconfig"
    config.write_text("[user]\n\tuseConfigOnly = true\n")
    names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    return {**{f"GIT_{name}": None for name in names}, "GIT_CONFIG_GLOBAL": str(config)}


def without_git(world: World) -> dict[str, str | None]:
    """Changes of the environment that leave the search path without git."""
    folder = world.base / "empty-path"
    folder.mkdir(exist_ok=True)
    return {"PATH": str(folder)}


def watched_git(world: World) -> tuple[dict[str, str | None], Path]:
    """A git that notes the words of every call, then does as it is told."""
    folder, log = world.base / "watched", world.base / "git.log"
    folder.mkdir(exist_ok=True)
    real = shutil.which("git", path=world.env["PATH"])
    script = folder / "git"
    script.write_text(f'#!/bin/sh\necho "$@" >> {log}\nexec {real} "$@"\n')
    script.chmod(0o755)
    log.touch()
    return {"PATH": f"{folder}{os.pathsep}{world.env['PATH']}"}, log


def statuses(result: Result) -> dict[str, dict[str, str]]:
    """The members of `status` by code."""
    return {one["code"]: one for one in result.json["status"]}
