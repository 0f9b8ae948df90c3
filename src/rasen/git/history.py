"""What a repository remembers of files: when they came and went, and how they read at a commit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Final

from rasen.base.errors import External
from rasen.git import repo
from rasen.process.dialogue import Dialogue

_LOG_LIMIT_BYTES: Final = 128 * 1024 * 1024
_OBJECT_LIMIT_BYTES: Final = 16 * 1024 * 1024
_LOG: Final = (
    "-c",
    "log.follow=false",
    "log",
    "-z",
    "--root",
    "--relative",
    "--no-renames",
    "--no-ext-diff",
    "--diff-filter=AD",
    "--name-status",
    "--format=%x01%H",
)


class Missing(Enum):
    """Why there is no text. ABSENT: there was no such file. UNREACHABLE: nobody here can tell."""

    ABSENT = "absent"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Event:
    """A commit that added or removed files; their names are relative to the folder asked about."""

    commit: str
    added: frozenset[str]
    removed: frozenset[str]


def has_history(folder: Path) -> bool:
    """True when `folder` (canonical) or one above it has a `.git`; starts no program."""
    return any((one / ".git").exists() for one in (folder, *folder.parents))


def prefix(folder: Path) -> str:
    """Where `folder` (canonical) lies in its repository: "" at the top, else a path that ends in `/`."""
    for top in (folder, *folder.parents):
        if (top / ".git").exists():
            inner = folder.relative_to(top).as_posix()
            return "" if inner == "." else f"{inner}/"
    return ""


def head(folder: Path) -> str | None:
    """The full id of the current commit of the repository that `folder` lies in; None without one."""
    if not has_history(folder):
        return None
    answer = repo.ask(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"
    )
    return None if answer is None else answer.decode("ascii", "replace").strip() or None


def comings_and_goings(folder: Path, relative: str) -> tuple[Event, ...] | None:
    """The commits before HEAD that added or removed files below `folder`/`relative`, newest first.

    One run of `git log`; renames count as both. None when there is no history to be had.
    """
    answer = repo.ask(folder, *_LOG, "--", relative, limit_bytes=_LOG_LIMIT_BYTES)
    return None if answer is None else tuple(_events(answer))


def _events(answer: bytes) -> Iterator[Event]:
    commit = ""
    found: dict[str, set[str]] = {"A": set(), "D": set()}
    tokens = iter(answer.decode("utf-8", "surrogateescape").split("\0"))
    for token in tokens:
        mark = token.lstrip("\n")
        if mark.startswith("\x01"):
            if commit:
                yield Event(commit, frozenset(found["A"]), frozenset(found["D"]))
            commit, found = mark[1:], {"A": set(), "D": set()}
        elif mark in found:
            found[mark].add(next(tokens, ""))
    if commit:
        yield Event(commit, frozenset(found["A"]), frozenset(found["D"]))


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a commit. id: of its content. is_link: a symbolic link, or another repository."""

    name: str
    id: str
    is_folder: bool
    is_link: bool


class Objects:
    """Reads files of any commit through one `git cat-file --batch`, started with the first question.

    Paths are relative to `folder`, with `/`. Use it in a `with` block, which ends the program.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git: Dialogue | None = None
        self._is_down = False
        self._trees: dict[str, frozenset[str] | None] = {}
        self._commits: dict[str, _Object | None] = {}

    def __enter__(self) -> Objects:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._git is not None:
            self._git.close()
            self._git = None

    def full_id(self, revision: str) -> str | None:
        """The full id of a commit; None when it is not here."""
        commit = self._commit(revision)
        return None if commit is None else commit.id

    def has_commit(self, revision: str) -> bool:
        """True when `revision` names a commit that is here."""
        return self._commit(revision) is not None

    def parent(self, revision: str) -> str | None:
        """The first parent that a commit says it has, here or not; None for a first commit."""
        commit = self._commit(revision)
        head = b"" if commit is None else commit.data.partition(b"\n\n")[0]
        rows = (row.partition(b" ") for row in head.split(b"\n"))
        return next((value.decode("ascii") for key, _, value in rows if key == b"parent"), None)

    def is_boundary(self, revision: str) -> bool:
        """True when the commit has a parent that is not here: a shallow clone ends at it."""
        parent = self.parent(revision)
        return parent is not None and not self.has_commit(parent)

    def read(self, revision: str, path: str) -> bytes | Missing:
        """The bytes of a file at a commit that is here."""
        answer = self._object(f"{revision}:./{path}")
        if answer is None:
            return self._why_not(revision, path)
        return answer.data if answer.kind == "blob" else Missing.UNREACHABLE

    def has_folder(self, revision: str, path: str) -> bool:
        """True when `path` surely was a folder at a commit."""
        return self._tree(revision, path) is not None

    def folder(self, revision: str, path: str) -> tuple[Entry, ...]:
        """What lies in a folder at a commit; nothing when it is none, or not here."""
        return self._listed(f"{revision}:./{path}")

    def folder_of(self, id_: str) -> tuple[Entry, ...]:
        """What lies in the folder with this content."""
        return self._listed(id_)

    def content(self, id_: str) -> bytes | None:
        """The bytes of the file with this content; None when it is none, or not here."""
        answer = self._object(id_)
        return answer.data if answer is not None and answer.kind == "blob" else None

    def _listed(self, name: str) -> tuple[Entry, ...]:
        answer = self._object(name)
        return tuple(_entries(answer)) if answer is not None and answer.kind == "tree" else ()

    def _why_not(self, revision: str, path: str) -> Missing:
        """Tell a file that was not there from one whose object this (partial) clone does not have."""
        for folder, step in self._way_up(path):
            names = self._tree(revision, folder)
            if names is not None:
                return Missing.UNREACHABLE if step in names else Missing.ABSENT
        return Missing.UNREACHABLE

    def _way_up(self, path: str) -> Iterator[tuple[str, str]]:
        """The folders that lead to `path`, innermost first, up to the top of the repository.

        Each comes with the name in it that leads on.
        """
        place = PurePosixPath(path)
        for parent in place.parents:
            yield parent.as_posix(), place.relative_to(parent).parts[0]
        up = ".."
        for folder in (self._folder, *self._folder.parents):
            if (folder / ".git").exists():
                return
            yield up, folder.name
            up += "/.."

    def _tree(self, revision: str, path: str) -> frozenset[str] | None:
        """The names in a folder; None when it is none, or not here."""
        name = f"{revision}:./{'' if path == '.' else path}"
        if name not in self._trees:
            answer = self._object(name)
            is_tree = answer is not None and answer.kind == "tree"
            self._trees[name] = frozenset(_names(answer)) if answer and is_tree else None
        return self._trees[name]

    def _commit(self, revision: str) -> _Object | None:
        if revision not in self._commits:
            answer = self._object(f"{revision}^{{commit}}")
            self._commits[revision] = answer if answer and answer.kind == "commit" else None
        return self._commits[revision]

    def _object(self, name: str) -> _Object | None:
        """One object; None when git does not know it, or no longer answers."""
        question = name.encode("utf-8", "surrogateescape")
        if self._is_down or name[0] in "-:^" or b"\n" in question or len(question) > 4000:
            return None
        git = self._started()
        if git is None:
            return None
        git.ask(question + b"\n")
        line = git.line()
        words = line.split(b" ")
        if len(words) != 3 or not words[2].isdigit():  # "<name> missing", or another reason
            self._is_down = not line
            return None
        size = int(words[2])
        data = git.take(size + 1) if size <= _OBJECT_LIMIT_BYTES else b""
        self._is_down = len(data) <= size
        if self._is_down:
            return None
        name, kind = words[0].decode("ascii", "replace"), words[1].decode("ascii", "replace")
        return _Object(name, kind, data[:-1])

    def _started(self) -> Dialogue | None:
        if self._git is None:
            try:
                self._git = repo.converse(self._folder, "cat-file", "--batch")
            except External:
                self._is_down = True
        return self._git


@dataclass(frozen=True, slots=True)
class _Object:
    id: str
    kind: str
    data: bytes


def _names(tree: _Object) -> Iterator[str]:
    return (entry.name for entry in _entries(tree))


def _entries(tree: _Object) -> Iterator[Entry]:
    """What a tree lists, in rows of `<mode> <name> NUL <id>`."""
    size = len(tree.id) // 2
    at = 0
    while at < len(tree.data):
        space = tree.data.index(b" ", at)
        end = tree.data.index(b"\0", space)
        mode, name = tree.data[at:space], tree.data[space + 1 : end]
        at = end + 1 + size
        yield Entry(
            name.decode("utf-8", "surrogateescape"),
            tree.data[end + 1 : at].hex(),
            is_folder=mode == b"40000",
            is_link=mode in (b"120000", b"160000"),
        )
