"""One file at a time: bounded reads, and writes that a crash leaves old or new, never mixed."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from rasen.files import fsio
from rasen.files.errors import (
    FileChanged,
    FileMissing,
    FileNotUtf8,
    FileTooLarge,
    FileUnreadable,
    NotAFile,
    NotAFolder,
    from_os,
)
from rasen.files.paths import resolve_link

ABSENT: Final = "absent"
DEFAULT_LIMIT: Final = 16 * 1024 * 1024
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def digest(data: bytes) -> str:
    """`sha256:` and 64 hexadecimal digits."""
    from hashlib import sha256  # 2 ms that a mere read need not pay

    return "sha256:" + sha256(data).hexdigest()


def read_bytes(path: Path, *, limit_bytes: int = DEFAULT_LIMIT) -> bytes:
    """All bytes of a regular file; never more than `limit_bytes`, never waiting for a pipe.

    Errors: file_missing, file_unreadable, not_a_file, file_too_large.
    """
    try:
        descriptor = os.open(path, _READ | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise _unread(error, path) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotAFile(file=str(path))
        data = _read_up_to(descriptor, limit_bytes + 1, likely=status.st_size + 1)
    except OSError as error:
        raise _unread(error, path) from error
    finally:
        os.close(descriptor)
    if len(data) > limit_bytes:
        raise FileTooLarge(file=str(path), limit_bytes=limit_bytes)
    return data


def read_text(path: Path, *, limit_bytes: int = DEFAULT_LIMIT) -> str:
    """The text of a UTF-8 file, with its byte-order mark and line endings as they are.

    Errors: as `read_bytes`, and file_not_utf8 with the line of the first bad byte.
    """
    data = read_bytes(path, limit_bytes=limit_bytes)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileNotUtf8(file=str(path), line=line) from error


def read_optional(path: Path, *, limit_bytes: int = DEFAULT_LIMIT) -> bytes | None:
    """All bytes of a regular file; None when nothing is there. Errors: as `read_bytes`."""
    try:
        return read_bytes(path, limit_bytes=limit_bytes)
    except FileMissing:
        return None


def digest_or_absent(data: bytes | None) -> str:
    """What `expect` is for bytes that were read; None stands for nothing there."""
    return ABSENT if data is None else digest(data)


def digest_of(path: Path) -> str:
    """The digest of the bytes at `path`, of any size; ABSENT when nothing is there.

    Errors: file_unreadable, not_a_file.
    """
    return digest_or_absent(read_optional(path, limit_bytes=1 << 40))


def replace_file(
    path: Path, data: bytes, *, expect: str | None = None, mode: int | None = None
) -> None:
    """Make `path` hold `data`; a crash leaves the old bytes or the new, never a mix.

    expect: the digest last read, or ABSENT; None does not compare. Hold the file's lock.
    mode: permission bits; None keeps those of the old file, or takes the user's default.
    Missing parent folders are made, and removed again when the write fails. A link is followed
    when it leads to a file in the same folder.
    Errors: file_changed, file_not_writable, disk_full, not_a_file, path_traversal.
    """
    real = resolve_link(path)
    if real.is_dir():
        raise NotAFile(file=str(path))
    made = make_dirs(real.parent)
    try:
        _replace(real, data, expect=expect, mode=mode)
    except BaseException as error:
        for folder in reversed(made):
            with suppress(OSError):
                fsio.rmdir(folder)
        if isinstance(error, OSError):
            raise from_os(error, path) from error
        raise


def remove_file(path: Path, *, expect: str | None = None) -> None:
    """Make sure nothing is at `path`; a link is removed, not what it leads to.

    expect: the digest last read, or ABSENT; None does not compare. Hold the file's lock.
    Errors: file_changed, file_not_writable, not_a_file.
    """
    if path.is_dir() and not path.is_symlink():
        raise NotAFile(file=str(path))
    require(path, expect)
    try:
        fsio.unlink(path)
        fsio.fsync_dir(path.parent)
    except FileNotFoundError:
        return
    except OSError as error:
        raise from_os(error, path) from error


def make_dirs(path: Path) -> list[Path]:
    """Make `path` a folder; the folders that this call created, outermost first.

    Errors: file_not_writable, disk_full, not_a_folder (something else stands in the way).
    """
    missing: list[Path] = []
    step = path
    while not os.path.lexists(step):
        missing.append(step)
        step = step.parent
    if not step.is_dir():
        raise NotAFolder(file=str(step))
    made: list[Path] = []
    for folder in reversed(missing):
        try:
            fsio.mkdir(folder)
        except FileExistsError:
            continue
        except OSError as error:
            for done in reversed(made):
                with suppress(OSError):
                    fsio.rmdir(done)
            raise from_os(error, folder) from error
        made.append(folder)
    return made


def require(path: Path, expect: str | None) -> None:
    """Refuse unless the bytes at `path` are those of `expect`; None compares nothing.

    Errors: file_changed.
    """
    if expect is not None and digest_of(path) != expect:
        raise FileChanged(file=str(path))


def write_new(path: Path, data: bytes, *, mode: int | None = None, durable: bool = True) -> None:
    """Create `path` with `data`, on the disk when this returns; removed again when that fails.

    mode: permission bits; None takes the user's default. durable: False may lose it with the power.
    Raises OSError: for use inside `files`.
    """
    descriptor = fsio.open_excl(path, 0o666 if mode is None else 0o600)
    try:
        try:
            fsio.write(descriptor, data)
            if mode is not None:
                fsio.chmod(path, mode)
            if durable:
                fsio.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            fsio.unlink(path)
        raise


def mode_of(path: Path) -> int | None:
    """The permission bits of what is at `path`; None when nothing is there."""
    try:
        return stat.S_IMODE(path.lstat().st_mode)
    except FileNotFoundError:
        return None


def _read_up_to(descriptor: int, most: int, *, likely: int) -> bytes:
    blocks: list[bytes] = []
    rest = most
    while rest > 0 and (block := os.read(descriptor, min(rest, max(likely, 1 << 12)))):
        blocks.append(block)
        rest -= len(block)
    return blocks[0] if len(blocks) == 1 else b"".join(blocks)


def _replace(real: Path, data: bytes, *, expect: str | None, mode: int | None) -> None:
    staged = real.with_name(f".{real.name[:40]}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    write_new(staged, data, mode=mode_of(real) if mode is None else mode)
    try:
        require(real, expect)
        fsio.replace(staged, real)
    except BaseException:
        with suppress(OSError):
            fsio.unlink(staged)
        raise
    fsio.fsync_dir(real.parent)


def _unread(error: OSError, path: Path) -> FileMissing | NotAFile | FileUnreadable:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return FileMissing(file=str(path))
    if error.errno in (errno.EISDIR, errno.ENXIO) or os.path.isdir(path):  # noqa: PTH112 - False where we may not look
        return NotAFile(file=str(path))
    return FileUnreadable(file=str(path), reason=error.strerror or str(error))
