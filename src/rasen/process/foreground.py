"""Running a program that takes over our terminal until it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rasen.process.command import environment, missing


def run_in_foreground(argv: Sequence[str], cwd: Path, *, env: Mapping[str, str | None]) -> int:
    """Run a program in our place: it has the terminal, and what is typed is meant for it.

    The exit code to end with: the program's own, or 128+N when signal N ended it. Ctrl-C reaches
    the program and not us. env: as in `command.run`. Errors: program_missing.
    """
    import subprocess

    with _keys_are_not_ours():
        try:
            child = subprocess.Popen(list(argv), cwd=cwd, env=environment(env))
        except OSError as error:
            raise missing(argv, error) from error
        status = child.wait()
    return 128 - status if status < 0 else status


@contextmanager
def _keys_are_not_ours() -> Iterator[None]:
    """Let the signals of the keyboard pass us by.

    They are handled by doing nothing rather than ignored: a program would inherit the latter.
    """
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
    former = {number: signal.signal(number, lambda *_: None) for number in numbers}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
