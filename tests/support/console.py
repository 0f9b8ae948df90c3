"""Sessions in the documentation: reads them, runs them, and compares what was said with what is shown.

A fenced `console` block holds lines with `$ ` (a command) and below each the output of it. `...`
stands for any text in a line, and alone on a line for any lines. A command that ends with a code
other than 0 says so: `$ rasen validate x  # exit code 1`. `<!-- file: path -->` before another
fenced block means that the block is the content of that file, written before what follows.
`<!-- start: name -->` begins anew in a copy of that example; `empty` is an empty folder.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<kind>\w*)")
_FILE = re.compile(r"<!-- file: (?P<path>\S+) -->")
_START = re.compile(r"<!-- start: (?P<name>\S+) -->")
_CODE = re.compile(r"\s+# exit code (?P<code>\d+)$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
DEFAULT_START = "harbour-bikes"


@dataclass(frozen=True)
class Block:
    """One fenced block.

    file: where its content goes; empty when it goes nowhere.
    start: the example to begin anew in, before the block; empty when the session goes on.
    """

    kind: str
    lines: tuple[str, ...]
    line: int
    file: str = ""
    start: str = ""


@dataclass(frozen=True)
class Step:
    """One command, the code it ends with, and the lines shown below it."""

    command: str
    code: int
    shown: tuple[str, ...]
    line: int


def blocks(text: str) -> Iterator[Block]:
    """Every fenced block of a page, in order."""
    lines = text.splitlines()
    at, file, start = 0, "", ""
    while at < len(lines):
        if marked := _FILE.search(lines[at]):
            file = marked["path"]
        if marked := _START.search(lines[at]):
            start = marked["name"]
        if fence := _FENCE.match(lines[at]):
            end = _end_of(lines, at, fence["mark"])
            content = tuple(line[len(fence["indent"]) :] for line in lines[at + 1 : end])
            yield Block(fence["kind"], content, at + 1, file, start)
            at, file, start = end, "", ""
        at += 1


def _end_of(lines: list[str], start: int, mark: str) -> int:
    for at in range(start + 1, len(lines)):
        if lines[at].strip() == mark:
            return at
    raise AssertionError(f"the block that begins in line {start + 1} has no end")


def steps(block: Block) -> Iterator[Step]:
    """The commands of a `console` block, each with what is shown below it."""
    command, shown, line = "", list[str](), 0
    for number, text in enumerate(block.lines, block.line + 1):
        if text.startswith("$ "):
            if command:
                yield _step(command, shown, line)
            command, shown, line = text[2:], [], number
        else:
            assert command, f"line {number}: output above the first command"
            shown.append(text)
    if command:
        yield _step(command, shown, line)


def _step(command: str, shown: list[str], line: int) -> Step:
    code = _CODE.search(command)
    return Step(_CODE.sub("", command), int(code["code"]) if code else 0, tuple(shown), line)


def fits(shown: tuple[str, ...], said: str) -> bool:
    """Whether what the program said is what the page shows. Any date fits any other date."""
    pattern = "".join(map(_line_pattern, _without_blank_ends(shown)))
    return re.fullmatch(pattern, "".join(f"{x}\n" for x in _said_lines(said)), re.S) is not None


def _said_lines(said: str) -> list[str]:
    return _without_blank_ends(tuple(line.rstrip() for line in said.splitlines()))


def _without_blank_ends(lines: tuple[str, ...]) -> list[str]:
    return "\n".join(lines).strip("\n").split("\n") if any(lines) else []


def _line_pattern(line: str) -> str:
    if line.strip() == "...":
        return r"(?:[^\n]*\n)*?"
    parts = [re.escape(part) for part in line.rstrip().split("...")]
    dated = [_DATE.sub(r"\\d{4}-\\d{2}-\\d{2}", part.replace("\\-", "-")) for part in parts]
    return r"[^\n]*".join(dated) + r"\n"


class Session:
    """A shell that keeps its folder and its variables from one command to the next."""

    def __init__(self, folder: Path, env: Mapping[str, str], state: Path) -> None:
        self._env = dict(env)
        self._state = state
        self.folder = folder
        state.write_text(f"cd {shlex.quote(str(folder))}\n", encoding="utf-8")

    def run(self, command: str) -> tuple[int, str]:
        """Run one command; its exit code, and what it wrote to both streams as a screen shows it."""
        state = shlex.quote(str(self._state))
        keep = (
            f'__code=$?; {{ declare -x; echo "cd $(printf %q "$PWD")"; }} > {state}; exit $__code'
        )
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-c", f"source {state}\n{command}\n{keep}"],
            env=self._env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout

    def write(self, relative: str, lines: tuple[str, ...]) -> None:
        """Make a file of the page's project hold `lines`."""
        path = self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def make_recent(folder: Path) -> None:
    """Give every file the same present time: ages are `just now`, and names decide the order."""
    now = time.time_ns()
    for path in folder.rglob("*"):
        os.utime(path, ns=(now, now), follow_symlinks=False)
