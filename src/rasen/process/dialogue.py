"""Asking one running program many questions, each answered before the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from rasen.process import command

if TYPE_CHECKING:
    import subprocess
    import threading

_MOST_AT_ONCE: Final = 4096


class Dialogue:
    """A program that answers on its standard output what it is asked on its standard input.

    It is ended when the block is left, and `timeout_s` after it was started; from then on answers
    are empty. What it says on standard error is dropped.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str | None] | None = None,
        timeout_s: float = 30,
    ) -> None:
        """env: as in `run`. Errors: program_missing."""
        import subprocess
        import threading

        self._process: subprocess.Popen[bytes] = command.start(
            argv, cwd, env, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._timer: threading.Timer = threading.Timer(timeout_s, self._process.kill)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, question: bytes) -> None:
        """Send one question, of at most 4096 bytes; take its whole answer before the next one."""
        assert len(question) <= _MOST_AT_ONCE
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # it has ended: the answer will be empty
            self._process.stdin.write(question)
            self._process.stdin.flush()

    def line(self) -> bytes:
        """The next line of the answer without its line feed; empty at the end of all answers."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().removesuffix(b"\n")

    def take(self, count: int) -> bytes:
        """The next `count` bytes of the answer; fewer at the end of all answers."""
        assert self._process.stdout is not None
        return self._process.stdout.read(count)

    def close(self) -> None:
        """End the program; twice does no harm."""
        self._timer.cancel()
        command.kill(self._process)
        self._timer.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
