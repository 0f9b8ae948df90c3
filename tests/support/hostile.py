"""Bytes that somebody might send instead of a package, and a look at what reading them costs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

MIB = 1024 * 1024
_TOKENS = [
    "{", "}", "[", "]", ",", ":", '"', "\\", "\\u0041", "\\ud800", "\\udc00", "null", "true", "0",
    "-1", "1e9", "1e999", "9007199254740993", "0.1", " ", "\n", '"a"', '"__proto__"', '"kind"',
    '"workflow"', "é", "😀", "\u2028", "\x00", "/*", "//", "NaN", "'",
]  # fmt: skip
_REPEATED: list[tuple[str, str, str]] = [
    ("[", "[],", "1]"),
    ("[", "{},", "1]"),
    ("[", "-9,", "1]"),
    ("[", "1.5,", "1]"),
    ("[", "1e300,", "1]"),
    ("[", '"ab",', "1]"),
    ("[", '"\\u4e00",', "1]"),
    ('["', "\\u4e00", '"]'),
    ('["', "\\ud83d\\ude00", '"]'),
    ('["', "\\\\", '"]'),
    ('["', "\\n", '"]'),
    ('["', "😀", '"]'),
    ('["', "\\ud800", '"]'),
    ("", "[", ""),
    ("", '{"a":', ""),
    ('{"a":1', ',"a":1', "}"),
    ("", " ", ""),
    ("", "1", ""),
    ("-", "9", ""),
    ("0.", "9", ""),
    ('{"roots":[', '"a",', '"b"]}'),
    ('{"formatVersion":2,"roots":[', "1,", "1]}"),
    ('{"x":"', "y", '"}'),
]


def repeated(size: int) -> Iterator[tuple[str, bytes]]:
    """Documents of about `size` bytes, each one thing over and over."""
    for before, middle, after in _REPEATED:
        count = (size - len(before) - len(after)) // len(middle.encode())
        yield f"{before}{middle}", (before + middle * count + after).encode()


def soup(random: Random) -> bytes:
    """A document of random tokens."""
    text = "".join(random.choices(_TOKENS, k=random.randint(1, 60)))
    return text.encode("utf-8", "surrogatepass")


def cost(work: Callable[[], str]) -> tuple[str, int]:
    """What `work` answers, done in a forked child, and the memory in bytes it needed at its peak."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        answer = "broken"
        try:
            before = _status("VmRSS")
            answer = work()
            answer += f"\n{_status('VmHWM') - before}"
        except BaseException as error:  # noqa: BLE001 - it is reported, and the child must not go on
            answer = f"broken: {error!r}\n0"
        os.write(writes, answer.encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        answer, _, peak = pipe.read().decode().partition("\n")
    os.waitpid(child, 0)
    return answer, int(peak or 0)


def _status(name: str) -> int:
    """A figure of this process in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(name)


class _Watch:
    """Notes every call that would write, while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
            self.seen.append(f"open {args[0]}")
        elif event.startswith(
            (
                "os.mkdir",
                "os.rename",
                "os.remove",
                "os.rmdir",
                "os.link",
                "os.symlink",
                "subprocess.",
                "os.system",
                "socket.",
            )
        ):
            self.seen.append(event)


_WATCH: list[_Watch] = []


@contextmanager
def nothing_written() -> Iterator[None]:
    """Fail when anything inside opens a file to write, moves or makes one, or starts a program."""
    if not _WATCH:
        _WATCH.append(_Watch())
    watch = _WATCH[0]
    watch.seen, watch.is_on = [], True
    try:
        yield
    finally:
        watch.is_on = False
    assert watch.seen == []
