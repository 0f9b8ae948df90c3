"""Looking at a folder as a whole: its entries, a digest of them, and the newest change."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path

from rasen.files.errors import SpecialFile


class Kind(Enum):
    """What an entry of a folder is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class Node:
    """One entry. relative: with `/`, from the top; empty for the top itself."""

    path: Path
    relative: str
    kind: Kind
    stat: os.stat_result


def walk(top: Path) -> Iterator[Node]:
    """`top` and everything below it, a folder before its entries, sorted; links are not followed.

    Raises OSError when something cannot be looked at.
    """
    waiting = [(top, "")]
    while waiting:
        path, relative = waiting.pop()
        node = _node(path, relative)
        yield node
        if node.kind is Kind.FOLDER:
            names = sorted(os.listdir(path), reverse=True)  # noqa: PTH208 - the names suffice
            waiting += [(path / name, f"{relative}/{name}" if relative else name) for name in names]


def refuse_special(top: Path) -> None:
    """Pass only when `top` consists of files, folders and links. Errors: special_file."""
    for node in walk(top):
        if node.kind is Kind.SPECIAL:
            raise SpecialFile(file=str(node.path))


def tree_digest(root: Path) -> str:
    """A digest of names, kinds, bytes, executable bits and link texts; equal trees have equal ones.

    Times and owners do not count. A single file or link has one too.
    Errors: special_file. Raises OSError when something cannot be read.
    """
    return _digest_of_rows((one.relative, one.kind.value, *_content(one)) for one in walk(root))


def foreseen_digest(files: Mapping[str, tuple[bytes, bool]]) -> str:
    """The `tree_digest` of a folder with these files: their bytes, and whether they can be run.

    files: by path below the folder, with `/`.
    """
    rows: dict[str, tuple[str, ...]] = {"": (Kind.FOLDER.value,)}
    for name, (data, runs) in files.items():
        for at, letter in enumerate(name):
            if letter == "/":
                rows[name[:at]] = (Kind.FOLDER.value,)
        rows[name] = (Kind.FILE.value, "x" if runs else "-", sha256(data).hexdigest())
    ordered = sorted(rows, key=lambda name: name.split("/") if name else [])
    return _digest_of_rows((name, *rows[name]) for name in ordered)


def _digest_of_rows(rows: Iterable[tuple[str, ...]]) -> str:
    total = sha256()
    for row in rows:
        total.update("\0".join(row).encode("utf-8", "surrogateescape") + b"\n")
    return "sha256:" + total.hexdigest()


def newest_mtime(root: Path) -> float:
    """Seconds of the newest change of any file below `root`; of `root` itself when it has no files."""
    newest = 0.0
    found = False
    waiting = [os.fspath(root)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    found = True
                    newest = max(newest, entry.stat(follow_symlinks=False).st_mtime)
    return newest if found else root.stat().st_mtime


def _node(path: Path, relative: str) -> Node:
    status = path.lstat()
    kind = Kind.SPECIAL
    if stat.S_ISREG(status.st_mode):
        kind = Kind.FILE
    elif stat.S_ISDIR(status.st_mode):
        kind = Kind.FOLDER
    elif stat.S_ISLNK(status.st_mode):
        kind = Kind.LINK
    return Node(path, relative, kind, status)


def _content(node: Node) -> tuple[str, ...]:
    """The parts of an entry's digest that its name and kind do not say."""
    match node.kind:
        case Kind.FILE:
            runs = "x" if node.stat.st_mode & stat.S_IXUSR else "-"
            return (runs, _file_digest(node.path))
        case Kind.LINK:
            return (os.readlink(node.path),)  # noqa: PTH115 - the text counts, not a path
        case Kind.FOLDER:
            return ()
        case Kind.SPECIAL:
            raise SpecialFile(file=str(node.path))


def _file_digest(path: Path) -> str:
    total = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total.update(block)
    return total.hexdigest()
