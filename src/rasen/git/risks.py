"""What would be lost with a repository: work that is nowhere else. Looks only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.git.repo import ask, status

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Risks:
    """The work that only this repository has.

    uncommitted: paths changed or not tracked, at most a few. unpushed: commits on no branch of any
    remote; 0 without a remote, where there is nowhere to push. worktrees: folders of its linked
    work trees.
    """

    uncommitted: tuple[str, ...] = ()
    unpushed: int = 0
    worktrees: tuple[str, ...] = ()


def risks(root: Path) -> Risks | None:
    """What would be lost with the repository rooted at `root`; None when git cannot tell."""
    found = status(root, root)
    remotes = ask(root, "remote")
    if not found.is_known or remotes is None:
        return None
    unpushed = _unpushed(root, has_remote=bool(remotes.strip()))
    if unpushed is None:
        return None
    return Risks((*found.dirty, *found.untracked)[:_SHOWN], unpushed, _worktrees(root))


def _unpushed(root: Path, *, has_remote: bool) -> int | None:
    """How many commits would be lost; None when git cannot tell.

    A linked work tree takes none away with it but those of a detached head.
    """
    has_head = ask(root, "rev-parse", "--verify", "--quiet", "HEAD") is not None
    if (root / ".git").is_file():
        kept = ("--not", "--branches", "--remotes", "--tags")
        words = ("HEAD", *kept) if has_head else ()
    else:
        head = ("HEAD",) if has_head else ()
        words = (*head, "--all", "--not", "--remotes") if has_remote else ()
    if not words:
        return 0
    count = ask(root, "rev-list", "--count", *words, "--")
    return None if count is None else int(count)


def _worktrees(root: Path) -> tuple[str, ...]:
    """The linked work trees of a main repository; a linked one has none of its own."""
    if not (root / ".git").is_dir():
        return ()
    listed = ask(root, "worktree", "list", "--porcelain") or b""
    rows = listed.decode("utf-8", "surrogateescape").splitlines()
    folders = [row.removeprefix("worktree ") for row in rows if row.startswith("worktree ")]
    return tuple(folder for folder in folders[1:] if Path(folder).is_dir())
