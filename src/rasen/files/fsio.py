"""The calls that change a disk, one thin function each; nothing else in the program makes them.

Callers use the module's attributes (`fsio.replace(...)`), so a test can put a fault in any of them.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})
_WINDOWS = os.name == "nt"
_RENAME_TRIES = 10
_RENAME_PAUSE_S = 0.02


def open_excl(path: Path, mode: int = 0o666) -> int:
    """A descriptor of a file that this call created; the caller closes it."""
    return os.open(path, _NEW | getattr(os, "O_NOFOLLOW", 0), mode)


def open_append(path: Path) -> int:
    """A descriptor that reads anywhere and writes at the end, creating the file when absent."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o666)


def write(descriptor: int, data: bytes) -> None:
    """Write all of `data`."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def fsync(descriptor: int) -> None:
    """Wait until the bytes of an open file are on the disk."""
    os.fsync(descriptor)


def truncate(descriptor: int, length_bytes: int) -> None:
    """Cut an open file to `length_bytes`."""
    os.ftruncate(descriptor, length_bytes)


def fsync_dir(path: Path) -> None:
    """Wait until the entries of a folder are on the disk, where the system can tell."""
    if _WINDOWS:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(descriptor)


def sync_everything() -> None:
    """Wait until all that was written is on the disk; a single wait for many files."""
    if not _WINDOWS:
        os.sync()


def chmod(path: Path, mode: int) -> None:
    """Set the permission bits of a file or folder."""
    path.chmod(mode)


def utime(path: Path, mtime_ns: int) -> None:
    """Set the time of last change (and access) of a file, a folder or a link itself."""
    follow = os.utime not in os.supports_follow_symlinks
    os.utime(path, ns=(mtime_ns, mtime_ns), follow_symlinks=follow)


def replace(source: Path, target: Path) -> None:
    """Rename a file onto `target`, whatever file stands there."""
    _patiently(source, target)


def rename(source: Path, target: Path) -> None:
    """Rename a file or folder to a name that the caller knows to be free."""
    _patiently(source, target)


def link(source: Path, target: Path) -> None:
    """Give a file a second name, which must be free."""
    os.link(source, target)


def symlink(text: str, target: Path) -> None:
    """Make a symbolic link whose text is `text`."""
    target.symlink_to(text)


def unlink(path: Path) -> None:
    """Remove a file or a link."""
    path.unlink()


def mkdir(path: Path, mode: int = 0o777) -> None:
    """Make one folder; its parent exists. mode: permission bits, less those the user masks."""
    path.mkdir(mode)


def make_temporary_dir() -> Path:
    """A new folder that only its owner can look into, where the system keeps such things."""
    import tempfile

    return Path(tempfile.mkdtemp(prefix="rasen-"))


def rmdir(path: Path) -> None:
    """Remove an empty folder."""
    path.rmdir()


def _patiently(source: Path, target: Path) -> None:
    """Rename; where scanners hold files open for a moment, try again for a short while."""
    tries = _RENAME_TRIES if _WINDOWS else 1
    for attempt in range(1, tries + 1):
        try:
            source.replace(target)
        except PermissionError:
            if attempt == tries:
                raise
            import time

            time.sleep(_RENAME_PAUSE_S)
        else:
            return
