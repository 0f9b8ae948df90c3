"""Files of JSON lines that only grow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rasen.base.errors import Damaged
from rasen.base.messages import N_
from rasen.files import atomic, fsio
from rasen.files.errors import FileTooLarge, from_os

LINE_LIMIT_BYTES: Final = 1024 * 1024
FILE_LIMIT_BYTES: Final = 64 * 1024 * 1024


class LineInvalid(Damaged):
    """A line, not the last, that is no JSON object."""

    code = "line_invalid"
    text = N_("{file}: line {line} is not a JSON object")
    fix = N_("remove line {line} of {file}")


def append(
    path: Path,
    record: Mapping[str, object],
    *,
    line_limit_bytes: int = LINE_LIMIT_BYTES,
    file_limit_bytes: int = FILE_LIMIT_BYTES,
) -> None:
    """Add one record as the last line, on the disk when this returns; earlier lines stay as they are.

    A torn line that a dying writer left at the end is removed first. Hold the file's lock.
    Errors: file_too_large (the record, or the file with it), file_not_writable, disk_full.
    """
    import json

    line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    if len(line) > line_limit_bytes:
        raise FileTooLarge(file=str(path), limit_bytes=line_limit_bytes)
    atomic.make_dirs(path.parent)
    try:
        descriptor = fsio.open_append(path)
        try:
            _extend(path, descriptor, line, file_limit_bytes)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise from_os(error, path) from error


def read_records(path: Path, *, limit_bytes: int = FILE_LIMIT_BYTES) -> Iterator[dict[str, object]]:
    """The records, oldest first; none when there is no file. A torn last line counts as not written.

    Errors: line_invalid, and those of `atomic.read_bytes` but file_missing.
    """
    data = atomic.read_optional(path, limit_bytes=limit_bytes) or b""
    *lines, tail = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        record = _parse(line)
        if record is None:
            raise LineInvalid(file=str(path), line=number)
        yield record
    last = _parse(tail)
    if last is not None:
        yield last


def _extend(path: Path, descriptor: int, line: bytes, limit_bytes: int) -> None:
    size = os.fstat(descriptor).st_size
    if size + len(line) > limit_bytes:
        raise FileTooLarge(file=str(path), limit_bytes=limit_bytes)
    tail = _tail(descriptor, size)
    if tail and _parse(tail) is not None:
        line = b"\n" + line  # whole, but for its line end
    elif tail:
        fsio.truncate(descriptor, size - len(tail))
    fsio.write(descriptor, line)
    fsio.fsync(descriptor)


def _tail(descriptor: int, size: int) -> bytes:
    """What follows the last line end."""
    tail = b""
    while size and b"\n" not in tail:
        start = max(0, size - 4096)
        os.lseek(descriptor, start, os.SEEK_SET)
        tail = os.read(descriptor, size - start) + tail
        size = start
    return tail.rpartition(b"\n")[2]


def _parse(line: bytes) -> dict[str, object] | None:
    import json

    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
