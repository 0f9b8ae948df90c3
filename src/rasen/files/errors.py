"""What can go wrong with a file, and the translation of system errors into it."""

from __future__ import annotations

import errno
from pathlib import Path

from rasen.base.errors import Busy, Conflict, InvalidInput, NotFound, Refused, ToolError
from rasen.base.messages import N_

_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})


class FileMissing(NotFound):
    """No file where one was needed."""

    code = "file_missing"
    text = N_("no file {file}")


class FileUnreadable(Refused):
    """The system does not let us read it."""

    code = "file_unreadable"
    text = N_("cannot read {file}: {reason}")
    fix = N_("make {file} readable for you")


class NotAFile(InvalidInput):
    """Something else stands where a regular file was needed."""

    code = "not_a_file"
    text = N_("{file} is not a regular file")
    fix = N_("move what stands at {file} elsewhere")


class NotAFolder(InvalidInput):
    """Something else stands where a folder was needed."""

    code = "not_a_folder"
    text = N_("{file} is not a folder")
    fix = N_("move what stands at {file} elsewhere")


class SpecialFile(InvalidInput):
    """A pipe, socket or device inside a folder that is to be moved or removed."""

    code = "special_file"
    text = N_("{file} is a pipe, a socket or a device; only files, folders and links are handled")
    fix = N_("move {file} elsewhere")


class FileTooLarge(InvalidInput):
    """More bytes than any document of its kind has."""

    code = "file_too_large"
    text = N_("{file} is larger than {limit_bytes} bytes")
    fix = N_("make {file} smaller, or split it")


class FileNotUtf8(InvalidInput):
    """Bytes that are not UTF-8 text."""

    code = "file_not_utf8"
    text = N_("{file} is not UTF-8: bad byte in line {line}")
    fix = N_("save {file} as UTF-8")


class FileNotWritable(Refused):
    """The system does not let us change it."""

    code = "file_not_writable"
    text = N_("cannot write {file}: {reason}")
    fix = N_("give yourself the right to write {file} and its folder")


class DiskFull(Refused):
    """No room left."""

    code = "disk_full"
    text = N_("no room left to write {file}")
    fix = N_("free some space and run the command again")


class FileChanged(Conflict):
    """The bytes are not those that the decision was based on."""

    code = "file_changed"
    text = N_("{file} was changed by someone else meanwhile")
    fix = N_("run the command again; it reads the file afresh")


class TargetExists(Conflict):
    """Something already stands where a file or folder was to be put."""

    code = "target_exists"
    text = N_("{file} exists already")
    fix = N_("rename or move {file} first")


class PathTraversal(Refused):
    """A path, or a link on it, that leads where it must not."""

    code = "path_traversal"
    text = N_("{path} is not allowed: {reason}")
    fix = N_("use a plain path below {root}")


class LockBusy(Busy):
    """Someone holds a lock that carries no code of its own."""

    code = "lock_busy"
    text = N_("{file} is in use by {holder}")
    fix = N_("try again later; if nobody works on it, remove {lock}")


class JournalBusy(Busy):
    """A writer is at work on the same files."""

    code = "busy"
    text = N_("{folder} is being written by {holder}")
    fix = N_("try again when it has finished")


class RecoveryNeeded(Refused):
    """An interrupted write that could not be settled; `paths` lists what it concerns."""

    code = "recovery_needed"
    text = N_("an interrupted write in {folder} could not be settled: {reason}")
    fix = N_("see to it that {folder} can be written, then run the command again")


def from_os(error: OSError, path: Path) -> ToolError:
    """The refusal that stands for `error`, which happened while writing `path`."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return DiskFull(file=str(path))
    if error.errno == errno.ENOENT:
        return FileMissing(file=str(path))
    return FileNotWritable(file=str(path), reason=reason)
