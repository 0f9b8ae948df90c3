"""Reads the folder of a workflow whole and strictly: files only, within limits, unchanged meanwhile.

Source: library §2.4.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rasen.base.findings import Rule
from rasen.base.messages import Phrase
from rasen.files import steady
from rasen.syntax.portable_path import MAX_BYTES, REASONS, is_junk, order
from rasen.workflows import rules
from rasen.workflows.model import Diagnostic

MAX_FILES: Final = 256
FILE_BYTES: Final = 1024 * 1024
CONTENT_BYTES: Final = 12 * 1024 * 1024


@dataclass(frozen=True)
class Tree:
    """The files by their path, sorted by code units; and what was wrong.

    Only a tree without anything wrong is whole.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    found: tuple[Diagnostic, ...] = ()


def read(root: Path) -> Tree:
    """Every file below `root`; what no system means as a file of somebody is passed over."""
    return Reader(root).tree()


class Reader:
    """One folder being read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.found: list[Diagnostic] = []
        self.files: dict[str, bytes] = {}
        self.total = 0
        self.is_full = False

    def tree(self) -> Tree:
        """The whole of it."""
        try:
            status = self.root.lstat()
        except OSError as error:
            rule = rules.NOT_A_DIRECTORY if not _exists(error) else rules.SOURCE_UNREADABLE
            self._add(rule, "", file=str(self.root), problem=error.strerror or "")
            return Tree(found=tuple(self.found))
        if not stat.S_ISDIR(status.st_mode):
            self._add(rules.NOT_A_DIRECTORY, "", file=str(self.root))
            return Tree(found=tuple(self.found))
        self._folder("", status)
        files = {path: self.files[path] for path in sorted(self.files, key=order)}
        return Tree(files, tuple(self.found))

    def _folder(self, folder: str, seen: os.stat_result) -> None:
        place = self.root / folder
        try:
            names = self.names(place)
        except OSError as error:
            rule = rules.DIRECTORY_UNREADABLE if folder else rules.SOURCE_UNREADABLE
            self._add(rule, folder, file=folder or str(place), problem=error.strerror or "")
            return
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if not is_junk(name) and not self.is_full and self._is_path(path):
                self._entry(path)
        try:
            steady.compare(place, seen)
        except (steady.Changed, OSError):
            self._add(rules.DIRECTORY_CHANGED, folder, file=folder or str(place))

    def _is_path(self, path: str) -> bool:
        """True for a path that is text, and short enough that there may be something below it."""
        try:
            size = len(path.encode())
        except UnicodeEncodeError as error:
            self._add(rules.UTF8_NAME, path, offset=len(path[: error.start].encode()))
            return False
        if size > MAX_BYTES:
            code = "path_too_long"
            self._add(rules.PATHS[code], path, path=path, reason=Phrase(REASONS[code]))
            return False
        return True

    def _entry(self, path: str) -> None:
        try:
            status = (self.root / path).lstat()
        except FileNotFoundError:
            self._add(rules.ENTRY_CHANGED, path)
            return
        except OSError as error:
            self._add(rules.ENTRY_UNREADABLE, path, problem=error.strerror or "")
            return
        if stat.S_ISLNK(status.st_mode):
            self._add(rules.SYMLINK, path)
        elif stat.S_ISDIR(status.st_mode):
            self._folder(path, status)
        elif not stat.S_ISREG(status.st_mode):
            self._add(rules.SPECIAL, path)
        else:
            self._file(path, status)

    def _file(self, path: str, status: os.stat_result) -> None:
        if len(self.files) >= MAX_FILES:
            self._full(rules.ENTRIES, path, MAX_FILES + 1, MAX_FILES)
            return
        if status.st_size > FILE_BYTES:
            self._add(rules.FILE_SIZE, path, actual=status.st_size, limit=FILE_BYTES)
            return
        if self.total + status.st_size > CONTENT_BYTES:
            self._full(rules.CONTENT, path, self.total + status.st_size, CONTENT_BYTES)
            return
        try:
            data = self.bytes(self.root / path, status)
        except steady.Changed:
            self._add(rules.ENTRY_CHANGED, path)
        except OSError as error:
            self._add(rules.FILE_UNREADABLE, path, problem=error.strerror or "")
        else:
            self.total += len(data)
            self.files[path] = data

    def names(self, folder: Path) -> list[str]:
        """What is in a folder, sorted. Raises OSError."""
        return sorted(os.listdir(folder))  # noqa: PTH208 - the names suffice

    def bytes(self, path: Path, seen: os.stat_result) -> bytes:
        """The bytes of a file. Raises Changed, OSError."""
        return steady.read(path, seen, limit_bytes=FILE_BYTES)

    def _full(self, rule: Rule, path: str, actual: int, limit: int) -> None:
        """Stop: what is left would only make it worse."""
        self.is_full = True
        self._add(rule, path, file=str(self.root), actual=actual, limit=limit)

    def _add(self, rule: Rule, where: str, /, **params: object) -> None:
        self.found.append(Diagnostic(rule, where, {"file": where, **params}, source=where))


def _exists(error: OSError) -> bool:
    return not isinstance(error, FileNotFoundError | NotADirectoryError)
