"""Real workspaces made by others, unpacked into a sealed world; absent on most machines."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest
from tests.support.world import World

FOLDER = Path(__file__).parents[2].parent / "shared" / "corpora"
NAMES = ("asciidoc", "custom-schemas", "modulus-zh", "openspec-self")
IN_PLACE, MIGRATED = "in-place", "migrated"


def unpacked(name: str, target: Path) -> Path:
    """The one folder that the archive `name` holds, unpacked below `target`; skips without it."""
    archive = FOLDER / f"{name}.tar.xz"
    if not archive.exists():
        pytest.skip(f"{archive.name} is not in ../shared/corpora")
    with tarfile.open(archive) as file:
        file.extractall(target, filter="data")
    (folder,) = target.iterdir()
    return folder


def settled(name: str, base: Path, layout: str) -> World:
    """A world whose project is the corpus `name`, as it is or after `rasen migrate`."""
    source = unpacked(name, base / "unpacked")
    (base / "world").mkdir()
    world = World(base / "world")
    shutil.copytree(source, world.root, dirs_exist_ok=True, symlinks=True)
    if layout == IN_PLACE:
        world.env["RASEN_WORKSPACE"] = "openspec"
        return world
    result = world.cli("migrate", "--no-interactive")
    assert result.code == 0, result.err
    shutil.rmtree(world.root / "openspec")
    return world
