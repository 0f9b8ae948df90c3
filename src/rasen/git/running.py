"""How git is run when it may write or talk to a remote: never asking, never for longer than told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from rasen.base.errors import External
from rasen.base.messages import N_
from rasen.git.repo import INHERITED
from rasen.process.command import ProgramTooSlow, run

_TIMEOUT_S: Final = 120.0
_ALWAYS: Final = (
    "git",
    "--no-pager",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.quotepath=false",
    "-c",
    "color.ui=false",
    "-c",
    "gc.auto=0",
)
# Nobody sits at a terminal: a question would hang. An empty GIT_ASKPASS means that no program asks.
_ENVIRONMENT: Final[Mapping[str, str | None]] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": None,
    "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
    **dict.fromkeys(INHERITED),
}


class GitFailed(External):
    """git ended with an error that nobody expected."""

    code = "git_failed"
    text = N_("git {verb} ended with status {status}: {stderr}")


class Output(NamedTuple):
    """How git ended. problem: what it said on standard error, in one line; may hold addresses."""

    status: int
    stdout: bytes
    problem: str


def git(
    cwd: Path,
    *words: str,
    more: Mapping[str, str | None] | None = None,
    timeout_s: float = _TIMEOUT_S,
) -> Output:
    """What git answers; out of time is a status like any other. Errors: program_missing."""
    try:
        done = run(
            (*_ALWAYS, *words), cwd=cwd, env={**_ENVIRONMENT, **(more or {})}, timeout_s=timeout_s
        )
    except ProgramTooSlow as error:
        return Output(-1, b"", str(error))
    said = " ".join(done.stderr_tail.split())
    return Output(done.status, done.stdout, said or f"status {done.status}")


def must(cwd: Path, *words: str, more: Mapping[str, str | None] | None = None) -> str:
    """What git answers, without the last line feed. Errors: git_failed, program_missing."""
    answer = git(cwd, *words, more=more)
    if answer.status != 0:
        raise GitFailed(verb=words[0], status=answer.status, stderr=answer.problem)
    return answer.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")
