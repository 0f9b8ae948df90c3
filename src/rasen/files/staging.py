"""Laying a whole folder of new files aside before it takes its place."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rasen.files import fsio
from rasen.files.tree import foreseen_digest


class TreeFile(NamedTuple):
    """A new file of a new folder. mode: its permission bits; None takes the usual ones."""

    data: bytes
    mode: int | None = None


def stage_tree(folder: Path, files: Mapping[str, TreeFile]) -> str:
    """Make `folder` with `files`, by path below it; its digest. Raises OSError.

    The bytes are on the disk only after the caller has synced everything.
    """
    top = os.fspath(folder)
    fsio.mkdir(folder)
    made = {""}
    for name, file in files.items():
        _make_parents(top, name, made)
        path = Path(f"{top}/{name}")
        descriptor = fsio.open_excl(path, 0o666 if file.mode is None else file.mode)
        try:
            fsio.write(descriptor, file.data)
            if not hasattr(os, "sync"):
                fsio.fsync(descriptor)
        finally:
            os.close(descriptor)
        if file.mode is not None:
            fsio.chmod(path, file.mode)
    return foreseen_digest(
        {name: (one.data, bool((one.mode or 0) & stat.S_IXUSR)) for name, one in files.items()}
    )


def _make_parents(top: str, name: str, made: set[str]) -> None:
    parent = name.rpartition("/")[0]
    if parent not in made:
        _make_parents(top, parent, made)
        fsio.mkdir(Path(f"{top}/{parent}"))
        made.add(parent)
