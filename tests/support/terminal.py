"""Runs the program on a pseudo-terminal, for questions and pickers."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from types import TracebackType

from tests.support.world import World


class Terminal:
    """One run on a terminal. seen: everything it showed so far."""

    def __init__(self, world: World, *args: str) -> None:
        self.seen = ""
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rasen", *args],
            cwd=world.root,
            env=world.environ(),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - no threads here
        )
        os.close(slave)

    def wait_for(self, text: str, *, within_s: float = 20) -> None:
        """Read until `text` has appeared."""
        self._read(lambda: text in self.seen, within_s)
        assert text in self.seen, self.seen

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def code(self, *, within_s: float = 20) -> int:
        """The exit code, once the run has ended."""
        self._read(lambda: False, within_s)
        return self._process.wait(within_s)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._master)

    def _read(self, done: object, within_s: float) -> None:
        assert callable(done)
        end = time.monotonic() + within_s
        while not done() and time.monotonic() < end:
            if not select.select([self._master], [], [], 0.2)[0]:
                if self._process.poll() is not None:
                    return
                continue
            try:
                chunk = os.read(self._master, 65536)
            except OSError:  # the other side is closed
                return
            if not chunk:
                return
            self.seen += chunk.decode("utf-8", "replace")


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
