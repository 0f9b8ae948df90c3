"""Runs the command line while somebody meddles: a shell command at one chosen change of the disk.

The environment says when and what: `RASEN_TEST_ON` is `<function of fsio> <end of a path> <before or
after>`, `RASEN_TEST_DO` a command for the shell. It runs once, at the first such call.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ON, DO = "RASEN_TEST_ON", "RASEN_TEST_DO"


class Meddler:
    """Wraps one function of `rasen.files.fsio`, for the rest of this process."""

    def __init__(self, function: str, end: str, when: str, command: str) -> None:
        self._name, self._end, self._when, self._command = function, end, when, command
        self._is_done = False

    def install(self) -> None:
        """Put the wrapper in its place."""
        from rasen.files import fsio

        setattr(fsio, self._name, self._wrap(getattr(fsio, self._name)))

    def _wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any, **more: Any) -> Any:
            is_now = not self._is_done and str(args[-1]).endswith(self._end)
            self._is_done |= is_now
            if is_now and self._when == "before":
                self._run()
            answer = function(*args, **more)
            if is_now and self._when == "after":
                self._run()
            return answer

        return wrapped

    def _run(self) -> None:
        subprocess.run(["/bin/sh", "-c", self._command], check=True, capture_output=True)


def main() -> None:
    """Run `rasen` with the arguments of this process."""
    function, end, when = os.environ.pop(ON).split()
    Meddler(function, end, when, os.environ.pop(DO)).install()
    from rasen.surfaces.cli.main import entry

    entry()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))
    main()
