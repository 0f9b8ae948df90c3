"""Fetching from and pushing to the remote of a branch; how both sides differ is a value.

What git says may hold addresses with credentials: callers show it only redacted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from rasen.git import repo
from rasen.git.running import git
from rasen.git.scratch import Scratch

_MOVED: Final = ("fetch first", "non-fast-forward", "stale info", "cannot lock ref")
_FETCH: Final = ("fetch", "-q", "--no-recurse-submodules", "--no-auto-maintenance")
_NO_SUCH_REF: Final = "couldn't find remote ref"
_HELD: Final = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


class Upstream(NamedTuple):
    """Where a branch goes to. ref: its full name there. tracking: its name here, "" without one."""

    remote: str
    ref: str
    tracking: str

    @property
    def label(self) -> str:
        return f"{self.remote}/{self.ref.removeprefix('refs/heads/')}"


class Address(NamedTuple):
    """An address of a remote, and the key of git's settings that holds it."""

    key: str
    url: str


class Fetched(NamedTuple):
    """What a fetch brought. commit: None when there is no such branch, or with a problem."""

    commit: str | None
    problem: str = ""


class Pushed(NamedTuple):
    """How a push ended. has_moved: the remote has commits that we did not see."""

    is_done: bool
    has_moved: bool = False
    problem: str = ""


class Divergence(NamedTuple):
    """How ours and theirs differ. ahead: our commits, oldest first, each with its parents.

    behind: how many commits only they have. is_related: they have a commit in common.
    """

    ahead: tuple[tuple[str, ...], ...]
    behind: int
    is_related: bool = True

    @property
    def has_merges(self) -> bool:
        return any(len(row) != 2 for row in self.ahead)


def branch(root: Path) -> str | None:
    """The name of the current branch; None for a detached head."""
    answer = git(root, "symbolic-ref", "-q", "--short", "HEAD")
    return answer.stdout.decode("utf-8", "surrogateescape").strip() or None


def has_remotes(root: Path) -> bool:
    """Whether the repository knows any remote."""
    return bool(git(root, "remote").stdout.strip())


def addresses(root: Path, branch: str, remote: str) -> list[Address]:
    """Where `branch` is fetched from and pushed to; its `remote` may be an address itself."""
    found = []
    for key in (f"remote.{remote}.url", f"remote.{remote}.pushurl"):
        said = git(root, "config", "--get-all", key).stdout.decode("utf-8", "surrogateescape")
        found += [Address(key, one) for one in said.split("\n") if one]
    return found or [Address(f"branch.{branch}.remote", remote)]


def upstream(root: Path, branch: str) -> Upstream | None:
    """Where `branch` goes to; None when nobody said, or when it is a branch of this repository."""
    remote, ref = (_config(root, f"branch.{branch}.{key}") for key in ("remote", "merge"))
    if not remote or not ref or remote == ".":
        return None
    shown = git(root, "for-each-ref", "--format=%(upstream)", f"refs/heads/{branch}").stdout
    tracking = shown.decode("utf-8", "surrogateescape").strip()
    return Upstream(remote, ref, tracking if tracking and _is_there(root, tracking) else "")


def unfinished(root: Path) -> str | None:
    """The mark of a merge or rebase that waits for its end; None without one."""
    folder = repo.git_dir(root)
    return next((name for name in _HELD if folder and (folder / name).exists()), None)


def fetch(place: Scratch, upstream: Upstream) -> Fetched:
    """Bring what the remote has; a trial leaves every reference as it was."""
    if not place.is_trial:
        done = place.git(*_FETCH, "--", upstream.remote, upstream.ref)
        if done.status == 0:
            return Fetched(place.must("rev-parse", "--verify", "FETCH_HEAD^{commit}"))
        if _NO_SUCH_REF in done.problem:
            return Fetched(None)
        return Fetched(None, done.problem)
    listed = place.git("ls-remote", "--", upstream.remote, upstream.ref)
    if listed.status != 0:
        return Fetched(None, listed.problem)
    commit = listed.stdout.decode("ascii", "replace").partition("\t")[0].strip()
    if not commit:
        return Fetched(None)
    quiet = ("--no-tags", "--no-prune", "--no-write-fetch-head", "--refmap=")
    done = place.git(*_FETCH, *quiet, "--", upstream.remote, upstream.ref)
    return Fetched(commit) if done.status == 0 else Fetched(None, done.problem)


def divergence(place: Scratch, ours: str, theirs: str | None) -> Divergence:
    """How `ours` and `theirs` differ; None for theirs means that there is nothing yet."""
    if theirs is None:
        rows = place.must("rev-list", "--reverse", "--topo-order", "--parents", ours)
        return Divergence(_rows(rows), 0)
    related = place.git("merge-base", ours, theirs).status == 0
    rows = place.must("rev-list", "--reverse", "--topo-order", "--parents", f"{theirs}..{ours}")
    behind = int(place.must("rev-list", "--count", f"{ours}..{theirs}"))
    return Divergence(_rows(rows), behind, related)


def push(root: Path, upstream: Upstream, commit: str) -> Pushed:
    """Make the branch of the remote `commit`, if it is still an ancestor of it. Hooks run."""
    words = ("push", "-q", "--porcelain", "--no-recurse-submodules")
    done = git(root, *words, "--", upstream.remote, f"{commit}:{upstream.ref}")
    if done.status == 0:
        return Pushed(True)
    told = done.stdout.decode("utf-8", "replace") + done.problem
    problem = " ".join(line for line in told.splitlines() if line.startswith("!")) or done.problem
    return Pushed(False, any(word in told for word in _MOVED), problem)


def _rows(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row.split(" ")) for row in text.splitlines())


def _config(root: Path, key: str) -> str:
    return git(root, "config", "--get", key).stdout.decode("utf-8", "surrogateescape").strip()


def _is_there(root: Path, ref: str) -> bool:
    return git(root, "rev-parse", "--verify", "--quiet", ref).status == 0
