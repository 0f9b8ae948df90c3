"""Compares speed and memory with OpenSpec and with a bare interpreter, and prints a Markdown table.

Both programs work on the same generated tree (ours with RASEN_WORKSPACE=openspec), in runs that
alternate; each figure is the least of its runs, so that other work on the machine counts little.
Ours is a wheel, installed and compiled in a venv of its own. Options: `--quick` for fewer runs and
no 10,000 specs, `--strict` to end with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import workspaces

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
PEER = "@fission-ai/openspec@1.13.2"
BARE = "bare python"


class NotReady(Exception):
    """Something the comparison needs is missing; the text says what to do."""


@dataclass(frozen=True)
class Program:
    """One of the programs compared: how it is called, with which environment."""

    name: str
    argv: tuple[str, ...]
    env: dict[str, str]


@dataclass
class Least:
    """The least wall time, processor time and memory of several runs."""

    wall_s: float = float("inf")
    cpu_s: float = float("inf")
    peak_kib: float = float("inf")

    def take(self, other: Least) -> None:
        """Count one more run."""
        self.wall_s = min(self.wall_s, other.wall_s)
        self.cpu_s = min(self.cpu_s, other.cpu_s)
        self.peak_kib = min(self.peak_kib, other.peak_kib)


@dataclass(frozen=True)
class Row:
    """One line of the table; target None means for information."""

    what: str
    ours: str
    other: str
    ratio: float
    target: float | None = None

    def render(self) -> str:
        """The line in Markdown."""
        if self.target is None:
            return f"| {self.what} | {self.ours} | {self.other} | {self.ratio:.2f} | | |"
        verdict = "PASS" if self.is_within else "over"
        return (
            f"| {self.what} | {self.ours} | {self.other} | {self.ratio:.2f} "
            f"| <= {self.target:g} | {verdict} |"
        )

    @property
    def is_within(self) -> bool:
        """Whether the ratio keeps to its target."""
        return self.target is None or self.ratio <= self.target


# Set-up


def install_ours() -> Path:
    """Build a wheel and install it, compiled, into a venv of its own; the folder of its programs."""
    venv = BUILD / "venv"
    programs = venv / ("Scripts" if os.name == "nt" else "bin")
    shutil.rmtree(BUILD / "dist", ignore_errors=True)
    _do([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(BUILD / "dist")])
    (wheel,) = (BUILD / "dist").glob("*.whl")
    python = str(programs / "python")
    if not Path(python).exists():
        _do([sys.executable, "-m", "venv", str(venv)])
        # The console script that an old pip writes imports more than ours does.
        _do([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"])
    pins = BUILD / "pins.txt"
    pins.write_text(_pins((ROOT / "requirements.lock").read_text(encoding="utf-8")))
    install = [python, "-m", "pip", "install", "--quiet", "--compile"]
    _do([*install, "--constraint", str(pins), str(wheel)])
    _do([*install, "--force-reinstall", "--no-deps", str(wheel)])
    return programs


def _pins(lock: str) -> str:
    return "".join(line.rstrip(" \\") + "\n" for line in lock.splitlines() if "==" in line)


def install_peer() -> tuple[str, ...]:
    """Install OpenSpec from npm below build/; how to call it."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise NotReady(
            "npm and node are needed for the comparison with OpenSpec, and were not found.\n"
            "Fix: install Node.js 20.19 or newer, then run `make bench` again."
        )
    place = BUILD / "npm"
    package = place / "node_modules" / "@fission-ai" / "openspec"
    if not package.exists():
        place.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        _do([npm, "install", "--prefix", str(place), *quiet, PEER], env=dict(os.environ))
    return (node, str(package / "bin" / "openspec.js"))


def _do(argv: Sequence[str], env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        argv, cwd=ROOT, env=env or _own_env(), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise NotReady(f"{' '.join(argv)} ended with {done.returncode}:\n{done.stderr[-2000:]}")


def _own_env() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def _sealed_env(**more: str) -> dict[str, str]:
    """What both programs see: no CI, no extra certificates, a home of their own."""
    home = BUILD / "home"
    home.mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8", "NO_COLOR": "1", **more}


# Measuring


def run_once(program: Program, words: Sequence[str], folder: Path) -> Least:
    """Run one program to its end, and say what it took."""
    with (BUILD / "errors.txt").open("wb") as errors:
        started = time.perf_counter()
        child = subprocess.Popen(
            [*program.argv, *words],
            cwd=folder,
            env=program.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        cpu_s, peak_kib = _wait(child)
        took = Least(time.perf_counter() - started, cpu_s, peak_kib)
    if child.returncode:
        said = (BUILD / "errors.txt").read_text(encoding="utf-8", errors="replace")[-800:]
        raise NotReady(f"{program.name} {' '.join(words)} ended with {child.returncode}: {said}")
    return took


def _wait(child: subprocess.Popen[bytes]) -> tuple[float, float]:
    if not hasattr(os, "wait4"):
        child.wait()
        return float("nan"), float("nan")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    peak_kib = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return usage.ru_utime + usage.ru_stime, peak_kib


def compare(
    cases: Sequence[tuple[Program, Sequence[str]]], folder: Path, runs: int
) -> dict[str, Least]:
    """Run the cases in turn, `runs` times over, after one run of each that does not count."""
    least = {program.name: Least() for program, _ in cases}
    for turn in range(runs + 1):
        for program, words in cases:
            took = run_once(program, words, folder)
            if turn:
                least[program.name].take(took)
    return least


# The comparison


@dataclass(frozen=True)
class Bench:
    """The programs, and how often to run them."""

    ours: Program
    peer: Program
    bare: Program
    is_quick: bool
    say: Callable[[str], None]

    def hot(self) -> list[Row]:
        """Start-up, and the commands that agents call most."""
        runs = 5 if self.is_quick else 15
        folder = _workspace(100)
        change = workspaces.change_name(3)
        rows = []
        for words, their_target, bare_target in (
            (("--version",), None, 2.0),
            (("list", "--json"), 0.25, 8.0),
            (("status", "--change", change, "--json"), 0.25, 8.0),
            (("show", change, "--json"), 0.25, 8.0),
        ):
            self.say(f"{' '.join(words)}: {runs} runs of each program")
            cases = [(self.ours, words), (self.peer, words), (self.bare, ("-c", "pass"))]
            least = compare(cases, folder, runs)
            ours, peer, bare = (least[program.name] for program, _ in cases)
            name = f"`{' '.join(word for word in words if word != change)}`"
            ratio = ours.wall_s / peer.wall_s
            rows.append(Row(f"{name} vs OpenSpec", _ms(ours), _ms(peer), ratio, their_target))
            ratio = ours.wall_s / bare.wall_s
            rows.append(Row(f"{name} vs {BARE}", _ms(ours), _ms(bare), ratio, bare_target))
        return rows

    def bulk(self) -> list[Row]:
        """Validation of everything at three sizes, and how it grows."""
        words = ("validate", "--all", "--json")
        cpu: dict[int, float] = {}
        rows = []
        sizes = {100: 5, 1_000: 3} if self.is_quick else {100: 9, 1_000: 5, 10_000: 3}
        for specs, runs in sizes.items():
            self.say(f"validate --all --json on {specs:,} specs: {runs} runs of each program")
            least = compare([(self.ours, words), (self.peer, words)], _workspace(specs), runs)
            ours, peer = least[self.ours.name], least[self.peer.name]
            name = f"`validate --all --json`, {specs:,} specs"
            ratio = ours.wall_s / peer.wall_s
            rows.append(Row(f"{name}: wall", _ms(ours), _ms(peer), ratio, 0.5))
            ratio = ours.peak_kib / peer.peak_kib
            rows.append(Row(f"{name}: peak memory", _mib(ours), _mib(peer), ratio, 0.5))
            cpu[specs] = ours.cpu_s
        return rows if self.is_quick else [*rows, _growth(cpu)]


def _growth(cpu_s: dict[int, float]) -> Row:
    """How the time per spec at 10,000 relates to that at 1,000, start-up taken off.

    Processor time, since the wall time of a long run tells more of the machine's other work.
    """
    start_s = cpu_s[100] - (cpu_s[1_000] - cpu_s[100]) / 9
    most_ms, fewer_ms = (cpu_s[10_000] - start_s) / 10, cpu_s[1_000] - start_s
    what = "processor time per spec at 10,000 against 1,000, start-up taken off"
    return Row(what, f"{most_ms:.3f} ms", f"{fewer_ms:.3f} ms", most_ms / fewer_ms, 1.25)


def _workspace(specs: int) -> Path:
    folder = BUILD / f"specs-{specs}"
    workspaces.make(folder, specs)
    return folder


def _ms(least: Least) -> str:
    return f"{least.wall_s * 1000:,.1f} ms" if least.wall_s < 1 else f"{least.wall_s:,.2f} s"


def _mib(least: Least) -> str:
    return f"{least.peak_kib / 1024:,.0f} MiB"


def prepare(*, is_quick: bool) -> Bench:
    """Install both programs and make ready to compare them."""
    BUILD.mkdir(parents=True, exist_ok=True)

    def say(text: str) -> None:
        print(f"bench: {text}", file=sys.stderr, flush=True)

    say("installing OpenSpec from npm")
    peer = install_peer()
    say("building and installing the wheel")
    programs = install_ours()
    return Bench(
        ours=Program("rasen", (str(programs / "rasen"),), _sealed_env(RASEN_WORKSPACE="openspec")),
        peer=Program("openspec", peer, _sealed_env(OPENSPEC_TELEMETRY="0")),
        bare=Program(BARE, (str(programs / "python"),), _sealed_env()),
        is_quick=is_quick,
        say=say,
    )


def main() -> int:
    """Measure and print; 1 when something is missing, or a target with `--strict`."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true", help="fewer runs, no 10,000 specs")
    parser.add_argument("--strict", action="store_true", help="end with 1 when a target is missed")
    options = parser.parse_args()
    try:
        bench = prepare(is_quick=options.quick)
        rows = bench.hot() + bench.bulk()
    except NotReady as problem:
        print(f"Error: {problem}", file=sys.stderr)
        return 1
    print("| What | rasen | compared with | ratio | target | |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(row.render())
    return int(options.strict and not all(row.is_within for row in rows))


if __name__ == "__main__":
    sys.exit(main())
