"""Seals every test: no real home, an emptied environment, nothing left behind."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.support.crash_child import trust_the_kernel
from tests.support.world import World
from tools.messages import compile_all

_KEPT = ("PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "COLUMNS")
_KEPT_PREFIXES = ("PYTEST_", "COVERAGE_", "COV_", "HYPOTHESIS_")
_HOME_VARIABLE = "PYTEST_REAL_HOME"
"""Tells the workers of pytest-xdist, which start in an environment that is empty already."""
_REAL_HOME = Path(os.environ.get(_HOME_VARIABLE) or os.path.expanduser("~")).resolve()  # noqa: PTH111
_FILE_EVENTS = {
    "open",
    "os.listdir",
    "os.scandir",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
}


def pytest_configure(config: pytest.Config) -> None:
    """Empty the environment and close the real home before anything is collected."""
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith(_KEPT_PREFIXES):
            del os.environ[name]
    os.environ[_HOME_VARIABLE] = str(_REAL_HOME)
    os.environ["HOME"] = str(Path(tempfile.gettempdir()) / "no-home-in-tests")
    os.environ["LANG"] = "C.UTF-8"
    compile_all(only_stale=True)
    trust_the_kernel()
    sys.addaudithook(_Seal(config.rootpath))


class _Seal:
    """Refuses file access below the real home, except where the tools of the tests live."""

    def __init__(self, repo: Path) -> None:
        allowed = [repo, Path(sys.prefix), Path(sys.base_prefix), Path(tempfile.gettempdir())]
        allowed += [Path(entry) for entry in sys.path if entry]
        self._allowed = tuple(str(path.resolve()) for path in allowed)
        self._home = str(_REAL_HOME)

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if (
            event not in _FILE_EVENTS
            or not args
            or not isinstance(args[0], (str, bytes, os.PathLike))
        ):
            return
        path = os.fsdecode(args[0])
        if self._is_below(path, self._home) and not any(
            self._is_below(path, place) for place in self._allowed
        ):
            raise AssertionError(f"a test touched the real home: {event} {path}")

    @staticmethod
    def _is_below(path: str, folder: str) -> bool:
        return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fail a test that changes the environment, moves the process or leaves a child."""
    before = _environment()
    place = Path.cwd()

    yield

    assert _environment() == before, "the test changed the environment"
    assert Path.cwd() == place, "the test changed the working folder"
    left = _children()
    for child in left:
        child.kill()
        child.wait(5)
    assert not left, f"the test left processes: {left}"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A fresh sealed world."""
    return World(tmp_path)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks are waited for a moment only; that a command waits five seconds has a test of its own."""
    monkeypatch.setattr("rasen.files.lock.WAIT_S", 0.1)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def _children() -> list[psutil.Process]:
    listing = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if listing.exists() and not listing.read_text().split():
        return []
    return [
        child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE
    ]
