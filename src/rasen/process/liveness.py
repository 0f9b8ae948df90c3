"""Which process holds something, and whether it is still that one: pid and start time together."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

_FIRST_PID_NAMESPACE = "pid:[4026531836]"


@dataclass(frozen=True, slots=True)
class Holder:
    """A process. started: an opaque mark that a later process with the same pid does not have.

    host: the machine (and the process namespace on it) whose pids these are.
    """

    pid: int
    started: str
    host: str


def me() -> Holder:
    """This process."""
    pid = os.getpid()
    return Holder(pid, _started(pid) or "", _host())


def is_alive(holder: Holder) -> bool | None:
    """True while that very process runs; None when it cannot be known from here."""
    if holder.host != _host() or holder.pid <= 0:
        return None
    started = _started(holder.pid)
    if started is None:
        return False
    if not started or not holder.started:
        return None
    return started == holder.started


def is_running(pid: int) -> bool:
    """Whether any process of this machine has that pid."""
    return _started(pid) is not None


def _started(pid: int) -> str | None:
    """The start mark of a running process; None when there is none, empty when not readable."""
    if sys.platform == "linux":
        return _started_linux(pid)
    return _started_elsewhere(pid)


def _started_linux(pid: int) -> str | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except (FileNotFoundError, ProcessLookupError):
        return None
    except OSError:
        return ""
    fields = text[text.rindex(b")") + 2 :].split()
    if fields[0] in (b"Z", b"X"):  # ended, only not yet collected by its parent
        return None
    return f"{boot}/{fields[19].decode('ascii')}"


def _started_elsewhere(pid: int) -> str | None:
    import psutil

    try:
        return f"{psutil.Process(pid).create_time():.2f}"
    except psutil.NoSuchProcess:
        return None
    except psutil.Error:
        return ""


def _host() -> str:
    if not hasattr(os, "uname"):
        import platform

        return platform.node()
    name = os.uname().nodename
    try:
        namespace = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - the text is not a path
    except OSError:
        return name
    return name if namespace == _FIRST_PID_NAMESPACE else f"{name} {namespace}"
