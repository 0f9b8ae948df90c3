"""Whether a process is still the one we knew."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest
from tests.support.crash import NOBODY

from rasen.process import liveness
from rasen.process.liveness import Holder, is_alive, me


def child() -> int:
    """A process that waits to be killed."""
    pid = os.fork()
    if pid == 0:
        signal.pause()
        os._exit(0)
    return pid


def test_this_process_is_alive() -> None:
    assert me().pid == os.getpid()
    assert is_alive(me()) is True


def test_another_process_is_alive_until_it_ends_even_before_it_is_collected() -> None:
    pid = child()
    other = Holder(pid, liveness._started(pid) or "", me().host)
    alive = is_alive(other)

    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    uncollected = is_alive(other)
    os.waitpid(pid, 0)

    assert [alive, uncollected, is_alive(other)] == [True, False, False]


def test_a_pid_used_again_is_another_process() -> None:
    assert is_alive(replace(me(), started="before/1")) is False


@pytest.mark.parametrize(
    "change", [{"host": "elsewhere"}, {"started": ""}, {"pid": 0}, {"pid": -1}], ids=str
)
def test_what_cannot_be_known_is_not_guessed(change: dict[str, object]) -> None:
    assert is_alive(replace(me(), **change)) is None  # type: ignore[arg-type]


def test_a_very_large_pid_is_no_process() -> None:
    assert is_alive(replace(me(), pid=NOBODY)) is False


def test_the_way_of_other_systems_tells_the_same() -> None:
    pid = child()
    first = liveness._started_elsewhere(pid)
    same = liveness._started_elsewhere(pid)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)

    assert first
    assert first == same
    assert liveness._started_elsewhere(pid) is None
