"""Reading a package file as one thing: whole, bounded, and not while somebody writes it."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import ClassVar

from rasen.base.errors import Conflict, InvalidInput, NotFound
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.errors import FileMissing, FileTooLarge, NotAFile
from rasen.packages import limits, rules
from rasen.packages.model import PackageRefused


class PackageMissing(NotFound):
    code: ClassVar[str] = "package_not_found"
    text: ClassVar[str] = N_("there is no package {file}")


class PackageNotFile(InvalidInput):
    code: ClassVar[str] = "package_not_file"
    text: ClassVar[str] = N_("{file} is not a regular file")
    fix: ClassVar[str] = N_("name the file itself")


class PackageChanged(Conflict):
    code: ClassVar[str] = "package_changed"
    text: ClassVar[str] = N_("{file} was changed while it was read")
    fix: ClassVar[str] = N_("try again when nobody writes it")


def read(path: Path) -> bytes:
    """The bytes of a package file.

    Errors: package_not_found, package_not_file (a link too), package_too_large, package_changed,
    file_unreadable. Source: library PK-040, PK-087.
    """
    before = _look(path)
    if before[0] > limits.PACKAGE_BYTES:
        raise _too_large(path, before[0])
    try:
        data = atomic.read_bytes(path, limit_bytes=limits.PACKAGE_BYTES)
    except FileMissing as error:
        raise PackageMissing(file=str(path)) from error
    except NotAFile as error:
        raise PackageNotFile(file=str(path)) from error
    except FileTooLarge as error:
        raise PackageChanged(file=str(path)) from error
    if _look(path) != before or len(data) != before[0]:
        raise PackageChanged(file=str(path))
    return data


def _look(path: Path) -> tuple[int, ...]:
    """Size, time of change and identity of a regular file."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise PackageMissing(file=str(path)) from error
    except OSError as error:
        raise PackageNotFile(file=str(path)) from error
    if not stat.S_ISREG(found.st_mode):
        raise PackageNotFile(file=str(path))
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


def _too_large(path: Path, size: int) -> PackageRefused:
    limit = limits.PACKAGE_BYTES
    return PackageRefused(rules.TOO_LARGE, str(path), actual=size, limit=limit)
