"""The only writes to a repository: beginning one, and one commit limited to given paths.

Hooks, signing and the identity of the user work here as they do when the user calls git.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rasen.base.errors import External
from rasen.base.messages import N_
from rasen.git.repo import SELECTING, is_root
from rasen.process.command import Completed, run

_TIMEOUT_S: Final = 600.0  # hooks may run the tests of a whole project
_ALWAYS: Final = ("git", "--no-pager", "--literal-pathspecs")
# Where we were called from must not decide which repository is written (a hook sets GIT_DIR);
# settings that our caller adds hold for a write, as they do when the user calls git.
_ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    **dict.fromkeys(SELECTING),
}


class GitRefused(External):
    """git said no; status and the tail of what it wrote to stderr are parameters."""

    code = "git_refused"
    text = N_("git {verb} ended with status {status}: {stderr}")


def has_identity(folder: Path) -> bool:
    """Whether git, asked in `folder`, can name an author and a committer, as a commit there would.

    Errors: program_missing.
    """
    idents = ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT")
    return all(_git(folder, "var", ident).status == 0 for ident in idents)


def init(folder: Path) -> None:
    """Make `folder` the top of a new repository. Errors: git_refused, program_missing."""
    _must(folder, "init", "-q")
    if not is_root(folder):
        raise GitRefused(verb="init", status=0, stderr="no repository was made")


def commit(root: Path, message: str, paths: Sequence[str]) -> None:
    """Commit exactly what stands at `paths` (`/`-relative), new files too.

    Whatever else is staged stays staged and out of the commit. When it fails, `paths` may be left
    staged: see `unstage`. Errors: git_refused, program_missing.
    """
    _must(root, "add", "--", *paths)
    _must(root, "commit", "-q", "-m", message, "--", *paths)


def unstage(root: Path, paths: Sequence[str]) -> None:
    """Make the index forget what is staged at `paths`; files stay, and failing changes nothing."""
    unborn = _git(root, "rev-parse", "--verify", "--quiet", "HEAD").status != 0
    words = ("rm", "-r", "-q", "--cached", "--ignore-unmatch") if unborn else ("reset", "-q")
    _git(root, *words, "--", *paths)


def _must(cwd: Path, *words: str) -> None:
    done = _git(cwd, *words)
    if done.status != 0:
        said = " ".join(done.stderr_tail.split()) or f"status {done.status}"
        raise GitRefused(verb=words[0], status=done.status, stderr=said)


def _git(cwd: Path, *words: str) -> Completed:
    return run((*_ALWAYS, *words), cwd=cwd, env=_ENVIRONMENT, timeout_s=_TIMEOUT_S)
