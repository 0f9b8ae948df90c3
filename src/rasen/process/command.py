"""Running another program to its end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from rasen.base.errors import External
from rasen.base.messages import N_

if TYPE_CHECKING:
    import subprocess

OUTPUT_LIMIT_BYTES: Final = 16 * 1024 * 1024
_TAIL_BYTES: Final = 4096


class ProgramMissing(External):
    """No such program on the search path."""

    code = "program_missing"
    text = N_("cannot run {program}: {reason}")
    fix = N_("install {program}, or put it on the search path")


class ProgramTooSlow(External):
    """It did not end in time and was stopped."""

    code = "program_too_slow"
    text = N_("{program} did not end within {timeout_s} s and was stopped")


class ProgramTooLoud(External):
    """It wrote more than we take and was stopped."""

    code = "program_too_loud"
    text = N_("{program} wrote more than {limit_bytes} bytes and was stopped")


@dataclass(frozen=True, slots=True)
class Completed:
    """How a program ended. status: its exit status, negative for the signal that ended it.

    stderr_tail: the last few thousand bytes, as text.
    """

    status: int
    stdout: bytes
    stderr_tail: str


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str | None] | None = None,
    timeout_s: float = 30,
    limit_bytes: int = OUTPUT_LIMIT_BYTES,
    stdin: bytes | None = None,
) -> Completed:
    """Run a program without a terminal until it ends.

    env: changes to the environment it inherits; a value of None takes a variable away.
    stdin: what it may read; None gives it nothing.
    limit_bytes: of standard output. On a timeout, too much output or an interrupt the program is
    killed together with what it started.
    Errors: program_missing, program_too_slow, program_too_loud.
    """
    import subprocess
    import threading

    source = subprocess.DEVNULL if stdin is None else subprocess.PIPE
    process = start(argv, cwd, env, stdin=source, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    output, errors = bytearray(), bytearray()
    readers = [
        threading.Thread(target=_take_head, args=(process, process.stdout, output, limit_bytes)),
        threading.Thread(target=_take_tail, args=(process.stderr, errors)),
    ]
    if stdin is not None:
        assert process.stdin is not None
        readers.append(threading.Thread(target=_give, args=(process.stdin, stdin)))
    try:
        for reader in readers:
            reader.start()
        status = process.wait(timeout_s)
    except subprocess.TimeoutExpired as error:
        raise ProgramTooSlow(program=argv[0], argv=list(argv), timeout_s=timeout_s) from error
    finally:
        kill(process)
        for reader in readers:
            if reader.ident is not None:  # an interrupt may come before all of them are started
                reader.join()
        process.stdout.close()
        process.stderr.close()
    if len(output) > limit_bytes:
        raise ProgramTooLoud(program=argv[0], argv=list(argv), limit_bytes=limit_bytes)
    return Completed(status, bytes(output), errors.decode("utf-8", "replace"))


def run_attached(
    argv: Sequence[str], cwd: Path, *, env: Mapping[str, str | None] | None = None
) -> int:
    """Run a program that uses our terminal (an editor, say); its exit status.

    Errors: program_missing.
    """
    import subprocess

    try:
        return subprocess.run(list(argv), cwd=cwd, env=environment(env), check=False).returncode
    except OSError as error:
        raise missing(argv, error) from error


def start(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str | None] | None,
    *,
    stdin: int,
    stderr: int,
) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, its output in a pipe; for use inside `process`.

    Errors: program_missing.
    """
    import subprocess

    try:
        return subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=environment(env),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    except OSError as error:
        raise missing(argv, error) from error


def kill(process: subprocess.Popen[bytes]) -> None:
    """Make sure the program and its group have ended, so that nobody holds our pipes open."""
    if os.name == "nt":
        process.kill()
    else:
        import signal
        from contextlib import suppress

        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _give(pipe: IO[bytes], data: bytes) -> None:
    """Write `data` and close; a program that has ended, or does not read on, is not waited for."""
    from contextlib import suppress

    with suppress(OSError), pipe:
        pipe.write(data)


def _take_head(
    process: subprocess.Popen[bytes], pipe: IO[bytes], into: bytearray, limit_bytes: int
) -> None:
    while block := pipe.read1(1 << 16):  # type: ignore[attr-defined]
        if len(into) <= limit_bytes:
            into += block
        else:
            process.kill()


def _take_tail(pipe: IO[bytes], into: bytearray) -> None:
    while block := pipe.read1(1 << 16):  # type: ignore[attr-defined]
        into += block
        del into[:-_TAIL_BYTES]


def missing(argv: Sequence[str], error: OSError) -> ProgramMissing:
    return ProgramMissing(program=argv[0], argv=list(argv), reason=error.strerror or str(error))


def environment(changes: Mapping[str, str | None] | None) -> dict[str, str] | None:
    """The environment for a child; only here is ours looked at, to be handed on."""
    if not changes:
        return None
    merged: dict[str, str | None] = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}
