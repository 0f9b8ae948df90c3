"""Finds the folders of skills in a collection, however its author arranged it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rasen.hosts.model import SKILL
from rasen.syntax.portable_path import is_junk, order

DEPTH: Final = 4
"""How many folders below the collection a skill may lie, as in `plugins/<plugin>/skills/<skill>`."""

_HOME: Final = "skills"


def find(source: Path) -> list[Path]:
    """The folders in `source` that are skills, or were meant as such; `source` itself when it is one.

    Nothing is looked for inside a skill. Folders of agents, such as `.claude`, count when there is no
    skill outside of them. A link counts when its skill is not among the others.
    """
    if _has_skill(source) or not source.is_dir():
        return [source] if _has_skill(source) else []
    for is_hidden in (False, True):
        found = list(_below(source, DEPTH, is_hidden=is_hidden))
        if any(_has_skill(one) for one in found):
            return _once(found)
    return []


def _below(folder: Path, depth: int, *, is_hidden: bool) -> Iterator[Path]:
    for place in _folders(folder, is_hidden=is_hidden):
        if _has_skill(place):
            yield place
            continue
        deeper = depth > 1 and not place.is_symlink()
        found = list(_below(place, depth - 1, is_hidden=is_hidden)) if deeper else []
        if found:
            yield from found
        elif _is_meant(place):
            yield place


def _folders(folder: Path, *, is_hidden: bool) -> Iterator[Path]:
    for name in sorted(os.listdir(folder), key=order):  # noqa: PTH208 - the names suffice
        place = folder / name
        if is_junk(name) and not (is_hidden and (place / _HOME).is_dir()):
            continue
        if place.is_dir():
            yield place


def _has_skill(folder: Path) -> bool:
    return os.path.lexists(folder / SKILL)


def _is_meant(folder: Path) -> bool:
    """True for a folder that lacks its SKILL.md: it lies among skills, or calls the file otherwise."""
    if folder.is_symlink():
        return False
    if folder.parent.name == _HOME:
        return True
    return any(name.lower() == SKILL.lower() for name in os.listdir(folder))  # noqa: PTH208


def _once(found: list[Path]) -> list[Path]:
    """`found` without links to what is in it anyway."""
    real = {one.resolve() for one in found if not one.is_symlink()}
    return [one for one in found if not one.is_symlink() or one.resolve() not in real]
