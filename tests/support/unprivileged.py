"""Runs code as a user whom permission bits stop; root is stopped by none.

As root, the forked child gives its rights away (an unused user id, no groups) before it works; as
anyone else, it works as it is. Folders above the one under test are opened for passing through.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.support.crash import Ending, fork

_NOBODY = 65534


def as_nobody(work: Callable[[], object], base: Path, *, writable: bool = False) -> Ending:
    """Run `work` in a child that may look at `base` but, unless `writable`, not write it."""
    if os.geteuid() == 0:
        for folder in (base, *base.parents):
            if folder.stat().st_mode & 0o005 != 0o005:
                folder.chmod(folder.stat().st_mode | 0o005)
    former = base.stat().st_mode
    folders = [base, *(path for path in base.rglob("*") if path.is_dir() and not path.is_symlink())]
    modes = {folder: folder.stat().st_mode for folder in folders}
    for folder, mode in modes.items():
        folder.chmod(mode | 0o222 if writable else mode & ~0o222)
    try:
        return fork(lambda: _as_nobody(work))
    finally:
        for folder, mode in modes.items():
            if folder.exists():
                folder.chmod(mode)
        base.chmod(former)


def _as_nobody(work: Callable[[], object]) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    work()
