"""The exact state of a folder, for comparing before and after."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def snapshot(root: Path, *, without: tuple[str, ...] = ()) -> dict[str, tuple[str, int, bytes]]:
    """Every entry below `root`: kind, permission bits (not of links), bytes or link text."""
    found: dict[str, tuple[str, int, bytes]] = {}
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in without]
        for name in [*names, *files]:
            path = Path(folder) / name
            mode = path.lstat().st_mode
            key = path.relative_to(root).as_posix()
            if stat.S_ISLNK(mode):
                found[key] = ("link", 0, os.fsencode(path.readlink()))
            elif stat.S_ISDIR(mode):
                found[key] = ("folder", stat.S_IMODE(mode), b"")
            elif stat.S_ISREG(mode):
                found[key] = ("file", stat.S_IMODE(mode), path.read_bytes())
            else:
                found[key] = ("special", stat.S_IMODE(mode), b"")
    return found
