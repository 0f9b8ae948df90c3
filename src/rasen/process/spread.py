"""Spreads work over processes of this machine, where the system can copy a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

T = TypeVar("T")
R = TypeVar("R")


def spread(work: Callable[[T], R], items: Sequence[T], *, workers: int) -> list[R]:
    """`work` done on every item, in the order of the items, by up to `workers` processes at once.

    This process is one of them; it also does what another could not bring to an end. `work` must
    not write anything, and its results have to be picklable. Without a way to copy the process, all is
    done here.
    """
    count = min(workers, len(items)) if hasattr(os, "fork") else 1
    if count <= 1:
        return [work(item) for item in items]
    helpers = [_Helper(work, items[start::count]) for start in range(1, count)]
    try:
        shares = [[work(item) for item in items[::count]]]
        for start, helper in enumerate(helpers, start=1):
            done: list[R] | None = helper.results()
            shares.append([work(item) for item in items[start::count]] if done is None else done)
    finally:
        for helper in helpers:
            helper.end()
    results: list[R | None] = [None] * len(items)
    for start, share in enumerate(shares):
        results[start::count] = share
    return results  # type: ignore[return-value]  # every place is filled


class _Helper:
    """A copy of this process that does its share and hands the results back through a pipe."""

    def __init__(self, work: Callable[[T], R], share: Sequence[T]) -> None:
        from multiprocessing.connection import Pipe

        self._reads, writes = Pipe(duplex=False)
        self._pid = os.fork()
        if self._pid == 0:
            _work_and_exit(work, share, writes)
        writes.close()

    def results(self) -> list[Any] | None:
        """What it did; None when it died before the end."""
        try:
            found: list[Any] = self._reads.recv()
        except EOFError:
            return None
        return found

    def end(self) -> None:
        """Let it go; one that still works ends when it finds nobody to hand its results to."""
        self._reads.close()
        with suppress(ChildProcessError):
            os.waitpid(self._pid, 0)


def _work_and_exit(work: Callable[[T], R], share: Sequence[T], writes: Connection) -> None:
    """Do the share in the copied process; never returns, never says a word."""
    try:
        writes.send([work(item) for item in share])
    except BaseException:  # noqa: BLE001 - the other process does the share again, and sees it there
        os._exit(1)
    os._exit(0)
