"""What else a repository holds beside the current work tree: branches, and other work trees."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rasen.git import repo


class Branch(NamedTuple):
    """A local branch. name: without `refs/heads/`. commit: its full id."""

    name: str
    commit: str


def unmerged_branches(folder: Path) -> tuple[Branch, ...] | None:
    """The local branches with commits that HEAD does not have, by name; None without git.

    What the others have is part of the current branch's own history.
    """
    arguments = ("for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "--sort=refname")
    answer = repo.ask(folder, *arguments, "--no-merged=HEAD", "refs/heads")
    if answer is None:  # before the first commit there is no HEAD to compare with
        answer = repo.ask(folder, *arguments, "refs/heads")
    if answer is None:
        return None
    rows = answer.decode("utf-8", "surrogateescape").splitlines()
    pairs = (row.partition(" ") for row in rows)
    return tuple(Branch(name, commit) for commit, _, name in pairs if name)


def other_work_trees(folder: Path) -> tuple[Path, ...] | None:
    """The tops of the other work trees of the repository, as far as they are there; None without git."""
    top = repo.root_of(folder)
    answer = None if top is None else repo.ask(folder, "worktree", "list", "--porcelain")
    if answer is None:
        return None
    rows = answer.decode("utf-8", "surrogateescape").splitlines()
    paths = [Path(row.partition(" ")[2]) for row in rows if row.startswith("worktree ")]
    return tuple(path for path in paths if path.is_dir() and path.resolve() != top)
