"""Runs code, or the whole command line, so that it fails or dies at a chosen change of the disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.support.crash_child import AT, COUNT_TO, FAULT, Shim

from rasen.base.errors import ToolError

SAMPLES = [
    pytest.param("kill", 3, id="kill"),
    pytest.param("torn", 7, id="torn"),
    pytest.param("kill", 1, id="kill-everywhere", marks=pytest.mark.soak),
    pytest.param("torn", 1, id="torn-everywhere", marks=pytest.mark.soak),
]
"""Faults, and at which of the changes: at every so many one in the suite, at each in the long runs."""
NOBODY = 2**31 - 1
"""A pid that no process has: no system counts so far."""
_CHILD = Path(__file__).with_name("crash_child.py")


@dataclass(frozen=True)
class Ending:
    """How a child ended. calls: how many changes it made or tried; 0 when it was killed.

    code, params: of the ToolError it ended with; empty when it succeeded.
    """

    was_killed: bool
    calls: int = 0
    names: tuple[str, ...] = ()
    code: str = ""
    text: str = ""
    params: Mapping[str, Any] | None = None


def fork(work: Callable[[], object], *, at: int = 0, fault: str = "kill") -> Ending:
    """Run `work` in a forked child with the `at`-th change of the disk spoilt (0: none)."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        _work_and_exit(work, Shim(at, fault), writes)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        report = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Ending(was_killed=True)
    fields = json.loads(report)
    if fields["bug"]:
        raise AssertionError(f"the child broke at change {at} ({fault}): {fields['bug']}")
    del fields["bug"]
    return Ending(was_killed=False, **fields)


def points(work: Callable[[], object], prepare: Callable[[], object], stride: int = 1) -> range:
    """The numbers of the changes that a full run makes, every `stride`-th; `prepare` comes before."""
    prepare()
    return range(1, fork(work).calls + 1, stride)


def run_cli(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    at: int,
    fault: str = "kill",
) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as a process, its `at`-th change of the disk spoilt.

    env: the whole environment of the child, as from `World.environ()`.
    """
    return _start(argv, cwd, {**env, AT: str(at), FAULT: fault})


def count(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> int:
    """How many changes of the disk a full run makes. It does run: give it a copy of the world."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "calls"
        _start(argv, cwd, {**env, COUNT_TO: str(report)})
        return int(report.read_text())


def _start(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, str(_CHILD), *argv],
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


def _work_and_exit(work: Callable[[], object], shim: Shim, writes: int) -> None:
    """Do the work in the child and report; never returns."""
    fields: dict[str, Any] = {"code": "", "text": "", "params": {}, "bug": ""}
    try:
        shim.install()
        try:
            work()
        except ToolError as error:
            fields |= {"code": error.code, "text": str(error), "params": error.params}
        except KeyboardInterrupt:
            fields["code"] = "interrupted"
    except BaseException as error:  # noqa: BLE001 - it is reported, and the child must not go on
        import traceback

        fields["bug"] = "".join(traceback.format_exception(error))
    report = json.dumps({**fields, "calls": shim.calls, "names": shim.names}, default=str)
    os.write(writes, report.encode())
    os._exit(0)
