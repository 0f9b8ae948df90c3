"""One writer at a time."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from tests.support.unprivileged import as_nobody

from rasen.base.context import Note
from rasen.base.errors import Busy
from rasen.files.lock import hold
from rasen.process.liveness import Holder, me


class RegistryBusy(Busy):
    """A busy error of a caller's own."""

    code: ClassVar[str] = "store_registry_busy"
    text: ClassVar[str] = "{file} is held by {holder}"
    fix: ClassVar[str] = "remove {lock}"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "registry.yaml.lock"


def note_of(holder: Holder) -> str:
    return json.dumps({"pid": holder.pid, "started": holder.started, "host": holder.host})


def dead() -> Holder:
    """A process that has ended."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return Holder(child, me().started, me().host)


def make_older(path: Path, age_s: float) -> None:
    moment = time.time() - age_s
    os.utime(path, (moment, moment))


def test_the_lock_is_there_while_held_and_names_its_holder(lock: Path) -> None:
    with hold(lock):
        note = json.loads(lock.read_text())
        assert [entry.name for entry in lock.parent.iterdir()] == [lock.name]

    assert note["pid"] == os.getpid()
    assert note["host"].startswith(socket.gethostname())
    assert list(lock.parent.iterdir()) == []


def test_the_lock_is_removed_after_an_error(lock: Path) -> None:
    with pytest.raises(RuntimeError), hold(lock):
        raise RuntimeError

    assert not lock.exists()


def test_a_live_holder_is_waited_for_named_and_never_robbed(lock: Path) -> None:
    lock.write_text(note_of(me()))
    make_older(lock, 3600)
    told: list[Note] = []

    with (
        pytest.raises(RegistryBusy) as caught,
        hold(lock, wait_s=0.4, busy=RegistryBusy, tell=told.append),
    ):
        pass

    assert caught.value.code == "store_registry_busy"
    assert str(caught.value) == (
        f"{lock.with_suffix('')} is held by process {os.getpid()} on {me().host}"
    )
    assert len(told) == 1
    assert str(os.getpid()) in told[0].text.format(**told[0].params)
    assert lock.exists()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: note_of(dead()), id="ended"),
        pytest.param(
            lambda: note_of(Holder(os.getpid(), "other/1", me().host)), id="pid-used-again"
        ),
    ],
)
def test_the_lock_of_a_dead_process_is_taken_at_once(lock: Path, make: Callable[[], str]) -> None:
    lock.write_text(make())
    told: list[Note] = []

    with hold(lock, wait_s=0, tell=told.append):
        assert json.loads(lock.read_text())["pid"] == os.getpid()

    assert not told


@pytest.mark.parametrize(
    "note",
    [
        pytest.param("", id="empty, as another program leaves it"),
        pytest.param("12345", id="a number"),
        pytest.param('{"pid": "x"}', id="another shape"),
        pytest.param("\0\xff", id="no text"),
        pytest.param(note_of(Holder(1, "x", "another-machine")), id="another machine"),
    ],
)
def test_a_holder_that_cannot_be_known_is_judged_by_age(lock: Path, note: str) -> None:
    lock.write_text(note)
    make_older(lock, 28)
    with pytest.raises(Busy), hold(lock, wait_s=0.05):
        pass

    make_older(lock, 31)
    with hold(lock, wait_s=0):
        assert json.loads(lock.read_text())["pid"] == os.getpid()


def test_touching_keeps_a_lock_young_for_other_machines(lock: Path) -> None:
    with hold(lock) as held:
        make_older(lock, 29)
        held.touch()
        assert time.time() - lock.stat().st_mtime < 5


def test_a_robbed_holder_does_not_remove_the_robbers_lock(lock: Path) -> None:
    with hold(lock):
        lock.write_text("someone else's")

    assert lock.read_text() == "someone else's"


def test_a_folder_that_forbids_it_gives_the_same_code_and_says_why(lock: Path) -> None:
    def work() -> None:
        with hold(lock, busy=RegistryBusy):
            pass

    ending = as_nobody(work, lock.parent)

    assert ending.code == "store_registry_busy"
    assert "ermission" in ending.text


def test_a_missing_folder_is_the_callers_business(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), hold(tmp_path / "none" / "x.lock"):
        pass


def test_nothing_is_lost_between_processes_that_contend_and_are_killed(tmp_path: Path) -> None:
    """Two workers count to 100 each in one file; others are killed while they hold the lock."""
    counter = tmp_path / "counter"
    counter.write_text("0")
    workers = [_fork(lambda: _count_up(counter, 100)) for _ in range(2)]
    for _ in range(12):
        victim = _fork(lambda: _hold_forever(counter))
        _until((tmp_path / f"held-{victim}").exists)
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
    statuses = [os.waitpid(worker, 0)[1] for worker in workers]

    assert statuses == [0, 0]
    assert counter.read_text() == "200"
    _count_up(counter, 1)  # takes over from the last victim
    assert not list(tmp_path.glob("*.lock*"))


def test_what_killed_takers_left_is_gone_once_the_lock_was_held(lock: Path) -> None:
    """Killed between writing the note and giving it the lock's name."""
    for name, note, age_s in (
        ("1-0a", note_of(dead()), 0.0),
        ("2-0b", note_of(me()), 3600.0),
        ("3-0c", "", 5.0),
        ("4-0d", "", 60.0),
        ("5-0e", note_of(Holder(1, "x", "another-machine")), 5.0),
        ("6-0f", note_of(Holder(1, "x", "another-machine")), 60.0),
        ("notes", note_of(dead()), 60.0),
    ):
        draft = lock.with_name(f"{lock.name}.{name}")
        draft.write_text(note)
        make_older(draft, age_s)
    others = lock.with_name("other.lock.1-0a")
    others.write_text(note_of(dead()))

    with hold(lock):
        pass

    left = {one.name.removeprefix(f"{lock.name}.") for one in lock.parent.iterdir()}
    assert left == {"2-0b", "3-0c", "5-0e", "notes", others.name}


def test_many_takers_of_one_dead_lock_never_hold_it_together(tmp_path: Path) -> None:
    """Each round leaves a dead lock for six processes that all see it at once."""
    counter = tmp_path / "counter"
    counter.write_text("0")
    for _ in range(20):
        (tmp_path / "counter.lock").write_text(note_of(dead()))
        takers = [_fork(lambda: _count_up(counter, 3)) for _ in range(6)]
        assert [os.waitpid(taker, 0)[1] for taker in takers] == [0] * 6

    assert counter.read_text() == str(20 * 6 * 3)


def _fork(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


def _count_up(counter: Path, times: int) -> None:
    for _ in range(times):
        with hold(counter.with_name("counter.lock"), wait_s=60):
            value = int(counter.read_text())
            counter.write_text(str(value + 1))


def _hold_forever(counter: Path) -> None:
    with hold(counter.with_name("counter.lock"), wait_s=60):
        counter.with_name(f"held-{os.getpid()}").touch()
        signal.pause()


def _until(condition: Callable[[], bool], within_s: float = 60) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.002)
