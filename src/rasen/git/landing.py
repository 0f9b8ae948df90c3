"""Going back to a commit where moving to another stopped half way, and touching nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import Busy
from rasen.base.messages import N_
from rasen.files.atomic import remove_file
from rasen.files.removal import remove_if_empty
from rasen.git import repo
from rasen.git.running import git, must


class IndexLocked(Busy):
    """A git that was killed left its lock, or one is at work."""

    code = "git_index_locked"
    text = N_("a change of {root} was interrupted, and git's lock {lock} is still there")
    fix = N_("make sure that no git is at work in {root}, remove {lock}, and run this again")


class _Step(NamedTuple):
    path: str
    old: str
    new: str


def back_to(root: Path, old: str, new: str) -> None:
    """Make index and work tree hold `old` again wherever `old` and `new` differ.

    A file that is neither the old nor the new one was edited since and stays as it is.
    Errors: git_index_locked, git_failed.
    """
    lock = (repo.git_dir(root) or root / ".git") / "index.lock"
    if lock.exists():
        raise IndexLocked(target="store.git", root=root, lock=lock)
    steps = _steps(root, old, new)
    for step in steps:
        git(root, "reset", "-q", old, "--", step.path)
    for step in steps:
        if not _is_ours(root, step):
            continue
        if step.old:
            must(root, "checkout-index", "-f", "--", step.path)
        else:
            _remove(root, root / step.path)
    git(root, "update-index", "-q", "--refresh")


def _steps(root: Path, old: str, new: str) -> list[_Step]:
    shown = must(root, "diff-tree", "-r", "-z", "--no-renames", "--no-abbrev", old, new)
    words = [word for word in shown.split("\0") if word]
    steps = []
    for about, path in zip(words[::2], words[1::2], strict=True):
        _, _, before, after, _ = about.split(" ")
        steps.append(_Step(path, before.strip("0") and before, after.strip("0") and after))
    return steps


def _is_ours(root: Path, step: _Step) -> bool:
    """True when the file is as it was, as it would have become, or not there."""
    path = root / step.path
    if path.is_symlink() or path.is_dir():
        return False
    if not path.exists():
        return True
    return must(root, "hash-object", "--", step.path) in (step.old, step.new)


def _remove(root: Path, path: Path) -> None:
    if not path.exists():
        return
    remove_file(path)
    for folder in path.parents:
        if folder == root:
            break
        remove_if_empty(folder)
