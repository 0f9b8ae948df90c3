"""The commits that a command suggests to the user, limited to the paths it touched; none is made."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_PLAIN = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")


class Commit(NamedTuple):
    """One suggestion. command: can be pasted into this system's shell."""

    repo_root: Path
    command: str
    purpose: str

    def to_json(self) -> dict[str, str]:
        """The suggestion as a member of `suggested_commits`. Source: planning §7.4."""
        return {
            "repo_root": str(self.repo_root),
            "command": self.command,
            "purpose": self.purpose,
        }


def suggest(folder: Path, touched: Iterable[Path], *, purpose: str) -> tuple[Commit, ...]:
    """The commit of what was touched in the repository that `folder` lies in.

    Only paths that differ from the last commit are named, whoever changed them; without any, or
    without a repository, there is nothing to suggest. Source: planning §7.6.
    """
    from rasen.git import repo

    top = repo.root_of(folder)
    if top is None:
        return ()
    names = [_relative(top, path) for path in sorted(set(touched)) if _is_changed(top, path)]
    if not names:
        return ()
    words = " ".join(quoted(name) for name in names)
    git = f"git -C {quoted(str(top))}"
    command = f"{git} add -- {words} && {git} commit -m {quoted(purpose)} -- {words}"
    return (Commit(top, command, purpose),)


def quoted(word: str) -> str:
    """`word` as one word for this system's shell; bare where no shell reads it otherwise."""
    if _PLAIN.fullmatch(word) and not word.startswith("-"):
        return word
    if os.name == "nt":
        return '"' + word.replace('"', '\\"') + '"'
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _relative(top: Path, path: Path) -> str:
    return path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)


def _is_changed(top: Path, path: Path) -> bool:
    """Whether git sees a difference at `path` that it could commit."""
    from rasen.git import repo

    found = repo.status(top, path)
    return found.is_known and bool(found.untracked or found.dirty)
