"""What reaches stdout and stderr: one JSON document, lines, colours when they help."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TextIO

from rasen.base.text import without_controls

_COLORS = {
    "red": 31,
    "green": 32,
    "yellow": 33,
    "blue": 34,
    "magenta": 35,
    "cyan": 36,
    "bold": 1,
    "dim": 2,
}


class OutputLost(Exception):
    """Stdout does not take what is written; no bug of ours, so no crash report."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Styled(str):
    """Text that carries our own colour codes and was cleaned before they were added."""

    __slots__ = ()


def shown(value: object) -> object:
    """`value` safe to put into a line for people: control characters replaced, numbers as they are."""
    if isinstance(value, Styled) or value is None or isinstance(value, (int, float)):
        return value
    return without_controls(str(value))


def shown_all(params: Mapping[str, object]) -> dict[str, object]:
    """Every value of `params` made safe to show."""
    return {name: shown(value) for name, value in params.items()}


def styled(text: str, color: str) -> Styled:
    """`text`, cleaned, in one of the colours red, green, yellow, blue, magenta, cyan, bold, dim."""
    return Styled(f"\x1b[{_COLORS[color]}m{without_controls(text)}\x1b[0m")


def is_terminal(stream: TextIO | None) -> bool:
    """True when a person looks at `stream`."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def write_document(value: object) -> None:
    """Write the JSON document of this run to stdout."""
    import json

    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    write(text)
    _written(sys.stdout.flush)


def write(text: str) -> None:
    """Write `text` to stdout as it is."""
    _written(lambda: sys.stdout.write(text))


def _written(step: Callable[[], object]) -> None:
    try:
        step()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OutputLost(problem) from None


def complain(text: str) -> None:
    """Write a line to stderr; a closed stderr is nobody's problem."""
    try:
        sys.stdout.flush()
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        raise
    except (OSError, ValueError):
        return


def speak_utf8() -> None:
    """Make both output streams UTF-8, whatever the locale; odd bytes in names become escapes.

    A stream that the caller closed takes everything and keeps nothing.
    """
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _nowhere() -> TextIO:
    # Open for as long as the process lives.
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
