"""Copying, removing and relocating whole entries: files, folders and links.

Everything here raises OSError: it serves the modules of this folder, which translate.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from rasen.files import atomic, fsio
from rasen.files.tree import Kind, Node, walk

CANNOT_RENAME = frozenset({errno.EXDEV, errno.EPERM})


def copy(source: Path, target: Path) -> None:
    """Make `target`, which must be free, an equal of `source`, on the disk; links stay links."""
    folders: list[tuple[Path, Node]] = []
    for node in walk(source):
        place = target / node.relative if node.relative else target
        match node.kind:
            case Kind.FOLDER:
                fsio.mkdir(place)
                folders.append((place, node))
            case Kind.LINK:
                fsio.symlink(os.readlink(node.path), place)  # noqa: PTH115
            case Kind.FILE:
                _copy_file(node, place)
            case Kind.SPECIAL:
                raise OSError(errno.ENOTSUP, "it is a pipe, a socket or a device", str(node.path))
    for place, node in reversed(folders):  # a folder last: its bits may forbid new entries
        fsio.chmod(place, stat.S_IMODE(node.stat.st_mode))
        fsio.utime(place, node.stat.st_mtime_ns)
        fsio.fsync_dir(place)


def delete(path: Path) -> None:
    """Make sure nothing is at `path`; a link is removed, never what it leads to."""
    if not os.path.lexists(path):
        return
    for node in reversed(list(walk(path))):
        if node.kind is Kind.FOLDER:
            fsio.rmdir(node.path)
        else:
            fsio.unlink(node.path)


def delete_copied(source: Path, copied: Path) -> list[Path]:
    """Remove from `source` what `copied` holds equally; what else is there stays, and is returned."""
    kept: list[Path] = []
    if not os.path.lexists(source):
        return kept
    for node in reversed(list(walk(source))):
        twin = copied / node.relative if node.relative else copied
        if node.kind is Kind.FOLDER:
            with suppress(OSError):  # not empty: something below was kept
                fsio.rmdir(node.path)
        elif _is_equal(node, twin):
            fsio.unlink(node.path)
        else:
            kept.append(node.path)
    return kept


def relocate(source: Path, target: Path, *, beside: Path) -> None:
    """Rename `source` onto `target`; from another file system through `beside`, next to the target.

    Killed on the way, it leaves the target old or new; `source` may still be there when it is new.
    """
    try:
        fsio.replace(source, target)
    except OSError as error:
        if error.errno not in CANNOT_RENAME:
            raise
        delete(beside)
        copy(source, beside)
        fsio.replace(beside, target)
        fsio.fsync_dir(target.parent)
        delete(source)
    fsio.fsync_dir(target.parent)


def _copy_file(node: Node, place: Path) -> None:
    atomic.write_new(place, node.path.read_bytes(), mode=stat.S_IMODE(node.stat.st_mode))
    fsio.utime(place, node.stat.st_mtime_ns)


def _is_equal(node: Node, twin: Path) -> bool:
    if not os.path.lexists(twin):
        return False
    if node.kind is Kind.LINK:
        return twin.is_symlink() and os.readlink(twin) == os.readlink(node.path)  # noqa: PTH115
    return not twin.is_symlink() and twin.is_file() and twin.read_bytes() == node.path.read_bytes()
