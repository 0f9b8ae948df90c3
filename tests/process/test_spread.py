"""Work shared out among processes comes back whole and in order, whoever dies on the way."""

from __future__ import annotations

import os
import signal

import pytest

from rasen.process.spread import spread


@pytest.mark.parametrize("workers", [1, 2, 3, 50])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100])
def test_results_come_in_the_order_of_the_items(workers: int, count: int) -> None:
    items = list(range(count))

    assert spread(lambda item: item * item, items, workers=workers) == [one * one for one in items]


def test_several_processes_do_the_work() -> None:
    seen = spread(lambda _: os.getpid(), range(10), workers=2)

    assert len(set(seen)) == 2
    assert os.getpid() in seen


def test_the_share_of_a_killed_process_is_done_here() -> None:
    here = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != here and item == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert spread(work, range(10), workers=2) == list(range(10))


def test_an_error_in_a_share_is_raised_here() -> None:
    def work(item: int) -> int:
        if item == 5:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="5"):
        spread(work, range(10), workers=2)


def test_no_process_is_left_behind_when_the_own_share_fails() -> None:
    def work(item: int) -> int:
        if item == 0:
            raise ValueError(item)
        return item

    with pytest.raises(ValueError, match="0"):
        spread(work, range(1000), workers=2)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
