"""What killed writers leave beside a file that is always written under its lock."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from rasen.files import fsio
from rasen.process.liveness import is_running


def sweep(path: Path) -> None:
    """Remove what killed writers of `path` left beside it; what cannot be removed is left.

    The draft of a process that runs stays, as somebody may write without the lock.
    """
    if not path.parent.is_dir():
        return
    for file in path.parent.iterdir():
        if _is_left(file, path):
            with suppress(OSError):  # the next writer tries again
                fsio.unlink(file)


def _is_left(file: Path, path: Path) -> bool:
    match = re.fullmatch(rf"\.{re.escape(path.name[:40])}\.(\d+)-[0-9a-f]+\.tmp", file.name)
    return match is not None and (int(match[1]) == os.getpid() or not is_running(int(match[1])))
