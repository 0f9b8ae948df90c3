"""Reading what may change meanwhile: bytes and names, and whether they stayed the same."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


class Changed(Exception):
    """What was read is not what is there now; which of the two was asked for nobody knows."""


def read(path: Path, seen: os.stat_result, *, limit_bytes: int) -> bytes:
    """The bytes of the regular file that `seen` describes, at most one more than `limit_bytes`.

    Raises Changed when another file is there, or it changed until the last byte was read; OSError.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        _compare(seen, os.fstat(descriptor))
        parts, rest = [], limit_bytes + 1
        while rest and (part := os.read(descriptor, min(rest, max(seen.st_size + 1, 4096)))):
            parts.append(part)
            rest -= len(part)
        _compare(seen, os.fstat(descriptor))
    finally:
        os.close(descriptor)
    compare(path, seen)
    return b"".join(parts)


def compare(path: Path, seen: os.stat_result) -> None:
    """Pass when `path` is what it was. Raises Changed, or OSError when nothing can be said."""
    try:
        now = path.lstat()
    except FileNotFoundError as error:
        raise Changed from error
    _compare(seen, now)


def _compare(seen: os.stat_result, now: os.stat_result) -> None:
    if _mark(seen) != _mark(now):
        raise Changed


def _mark(one: os.stat_result) -> tuple[int, ...]:
    """Identity, kind, size and times. Source: library WF-064."""
    kind = stat.S_IFMT(one.st_mode)
    return one.st_dev, one.st_ino, kind, one.st_size, one.st_mtime_ns, one.st_ctime_ns
