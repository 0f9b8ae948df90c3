"""Puts a fault into one of the calls that change a disk; as a program, runs the command line so.

The program under test knows nothing of this: the functions of `rasen.files.fsio` are wrapped from
outside, in the child process, before it starts.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

AT = "RASEN_TEST_CRASH_AT"
FAULT = "RASEN_TEST_FAULT"
COUNT_TO = "RASEN_TEST_COUNT_TO"
FAULTS = ("kill", "torn", "enospc", "eacces", "erofs", "interrupt")
_USES_SPACE = frozenset({"open_excl", "open_append", "write", "fsync", "mkdir", "symlink", "link"})


def trust_the_kernel() -> None:
    """Let nothing in this process wait for the disk.

    We kill processes, not machines, and a process that dies loses nothing that the kernel has.
    Processes of the program itself do wait, so that the real calls are tried as well.
    """
    vars(os).update(fsync=lambda _: None, sync=lambda: None)


class Shim:
    """Counts the calls, and spoils the one with number `at` (from 1; 0 spoils none).

    kill: the process dies before the call. torn: it dies after half of a write, or right after any
    other call. enospc: this and every later call that needs room fails. eacces: this call fails.
    erofs: this and every later call fails. interrupt: Ctrl-C comes before the call.
    """

    def __init__(self, at: int = 0, fault: str = "kill") -> None:
        assert fault in FAULTS, fault
        self.calls = 0
        self.names: list[str] = []
        self._at = at
        self._fault = fault

    def install(self) -> None:
        """Wrap every public function of fsio, for the rest of this process."""
        from rasen.files import fsio

        for name, function in list(vars(fsio).items()):
            is_own = getattr(function, "__module__", "") == fsio.__name__
            if callable(function) and is_own and not name.startswith("_"):
                setattr(fsio, name, self._wrap(name, function))

    def _wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **more: Any) -> Any:
            self.calls += 1
            self.names.append(name)
            if self._at:
                self._spoil(name, function, args, more)
            return function(*args, **more)

        return wrapped

    def _spoil(self, name: str, function: Callable[..., Any], args: Any, more: Any) -> None:
        is_now, is_past = self.calls == self._at, self.calls >= self._at
        if self._fault == "enospc" and is_past and (is_now or name in _USES_SPACE):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if self._fault == "erofs" and is_past:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        if not is_now:
            return
        if self._fault == "eacces":
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        if self._fault == "interrupt":
            raise KeyboardInterrupt
        try:
            if self._fault == "torn" and name == "write":
                function(args[0], args[1][: len(args[1]) // 2])
            elif self._fault == "torn":
                function(*args, **more)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run `rasen` with the arguments of this process and the fault that the environment names."""
    trust_the_kernel()
    shim = Shim(int(os.environ.pop(AT, "0")), os.environ.pop(FAULT, "kill"))
    count_to = os.environ.pop(COUNT_TO, "")
    shim.install()
    from rasen.surfaces.cli.main import entry

    def report() -> None:
        if count_to:
            Path(count_to).write_text(str(shim.calls))

    leave = os._exit

    def report_and_leave(status: int) -> NoReturn:
        report()
        leave(status)

    os._exit = report_and_leave  # the program leaves this way, without unwinding
    entry()
    report()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
    main()
