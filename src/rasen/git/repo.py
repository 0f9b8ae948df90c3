"""What a repository can tell, without changing anything in it and without the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rasen.base.errors import External
from rasen.process.command import OUTPUT_LIMIT_BYTES, run
from rasen.process.dialogue import Dialogue

_TIMEOUT_S: Final = 20.0
_ALWAYS: Final = (
    "git",
    "--no-pager",
    "--no-optional-locks",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",  # a repository's setting could start a program
    "-c",
    "core.quotepath=false",
    "-c",
    "log.showSignature=false",
    "-c",
    "color.ui=false",
)
SELECTING: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
)
"""Variables that say which repository is meant, and which paths: those of our caller are not ours."""
INHERITED: Final = (
    *SELECTING,
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_TRACE",
)
"""The same, and those that say how to read it."""

# Answers must not depend on where we were called from (a git hook sets GIT_DIR), on the user's
# language, or on what a partial clone would like to fetch.
_ENVIRONMENT: Final[Mapping[str, str | None]] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
    **dict.fromkeys(INHERITED),
}


@dataclass(frozen=True, slots=True)
class Status:
    """What git says of everything at one path; names are relative to the repository, with `/`.

    is_known: False when git could not be asked; then the rest is empty.
    has_tracked: git keeps at least one file there. dirty: changed since HEAD, staged or not.
    """

    is_known: bool
    has_tracked: bool = False
    dirty: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def is_clean_and_tracked(self) -> bool:
        """True when git could bring back every byte that is there."""
        loose = self.dirty or self.untracked or self.ignored
        return self.is_known and self.has_tracked and not loose


@dataclass(frozen=True, slots=True)
class TreeFile:
    """A file in a commit. path: from the top, with `/`. mode: as git has it, such as `100644`."""

    path: str
    mode: str


def is_available() -> bool:
    """True when there is a git to ask."""
    return ask(Path("/"), "--version") is not None


def is_root(path: Path) -> bool:
    """True when `path` itself is the top of a repository or of a linked work tree.

    Git searches upward, so a nested folder must not be mistaken for its parent. Source: planning §7.6.
    """
    return (path / ".git").exists()


def root_of(path: Path) -> Path | None:
    """The top of the work tree that `path` lies in; None outside of one, or without git."""
    return _path(path, "--show-toplevel")


def git_dir(path: Path) -> Path | None:
    """The folder with this work tree's own state; None as in `root_of`."""
    return _path(path, "--git-dir")


def common_dir(path: Path) -> Path | None:
    """The folder that all work trees of one repository share; None as in `root_of`."""
    return _path(path, "--git-common-dir")


def head(root: Path) -> str | None:
    """The full id of the current commit; None before the first one, or when `root` is no root."""
    if not is_root(root):
        return None
    return _line(ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"))


def origin(root: Path) -> str | None:
    """The address of the remote `origin` as configured; None without one, or when not a root."""
    if not is_root(root):
        return None
    return _line(ask(root, "config", "--get", "remote.origin.url"))


def status(root: Path, path: Path) -> Status:
    """What git says of `path` (a file or a folder) in the repository at `root`.

    A repository before its first commit has everything untracked or dirty.
    """
    arguments = ("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    report = ask(root, *arguments, "--ignored=traditional", "--", str(path))
    kept = ask(root, "ls-files", "-z", "--", str(path))
    if report is None or kept is None:
        return Status(is_known=False)
    dirty: list[str] = []
    untracked: list[str] = []
    ignored: list[str] = []
    for row in _rows(report):
        mark, name = row[:2], row[3:]
        {"??": untracked, "!!": ignored}.get(mark, dirty).append(name)
    return Status(True, bool(kept), tuple(dirty), tuple(untracked), tuple(ignored))


def show(root: Path, revision: str, relative: str) -> bytes | None:
    """The bytes of a file (`/`-relative to the repository) at a revision; None when it is not there."""
    if revision.startswith("-"):
        return None
    return ask(root, "cat-file", "blob", f"{revision}:{relative}")


def files_at(root: Path, revision: str, relative: str) -> tuple[TreeFile, ...] | None:
    """The files below a folder (`/`-relative to the repository) at a revision; None when unknown."""
    if revision.startswith("-"):
        return None
    listed = ask(root, "ls-tree", "-r", "-z", "--full-tree", revision, "--", relative)
    if listed is None:
        return None
    rows = (row.partition("\t") for row in _rows(listed))
    return tuple(TreeFile(path, about.partition(" ")[0]) for about, _, path in rows)


def commit_of(root: Path, revision: str) -> str | None:
    """The full id of the commit that `revision` (a branch, a tag, an id, `HEAD~2`) means; None without one."""
    question = f"{revision}^{{commit}}"
    return _line(ask(root, "rev-parse", "--verify", "--quiet", "--end-of-options", question))


def commit_before(root: Path, moment: str) -> str | None:
    """The last commit reachable from HEAD up to a local time (`2026-01-31T23:59:59`); None without one."""
    return _line(ask(root, "rev-list", "-1", f"--before={moment}", "HEAD"))


def introductions(root: Path, relative: str) -> tuple[str, ...]:
    """The commits reachable from HEAD that added a file, newest first; empty when none is known."""
    arguments = ("log", "--diff-filter=A", "--format=%H", "--no-renames", "--no-ext-diff")
    listed = ask(root, *arguments, "--", relative)
    return () if listed is None else tuple(listed.decode("ascii", "replace").split())


def _path(path: Path, question: str) -> Path | None:
    """A path that rev-parse answers, absolute and real."""
    folder = path if path.is_dir() else path.parent
    answer = ask(folder, "rev-parse", question)
    if answer is None:
        return None
    return (folder / _text(answer.removesuffix(b"\n"))).resolve()


def ask(cwd: Path, *arguments: str, limit_bytes: int = OUTPUT_LIMIT_BYTES) -> bytes | None:
    """What git answers; None when it refuses, is missing, or takes too long. For use inside `git`."""
    try:
        answer = run(
            (*_ALWAYS, *arguments),
            cwd=cwd,
            env=_ENVIRONMENT,
            timeout_s=_TIMEOUT_S,
            limit_bytes=limit_bytes,
        )
    except External:  # missing, too slow, too loud: no answer
        return None
    return answer.stdout if answer.status == 0 else None


def converse(cwd: Path, *arguments: str) -> Dialogue:
    """A git that answers many questions, one after the other. For use inside `git`.

    Errors: program_missing.
    """
    return Dialogue((*_ALWAYS, *arguments), cwd=cwd, env=_ENVIRONMENT, timeout_s=_TIMEOUT_S)


def _line(answer: bytes | None) -> str | None:
    return None if answer is None else _text(answer).strip() or None


def _rows(answer: bytes) -> list[str]:
    return [row for row in _text(answer).split("\0") if row]


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "surrogateescape")
