"""Whatever comes, the decoder answers: it never breaks, never writes, and never takes much memory."""

from __future__ import annotations

import sys
import time
from random import Random

import pytest
from tests.packages.second_reader import verdict
from tests.support import hostile
from tests.support.package_makers import Maker
from tests.support.packages import jcs

from rasen.packages import ops
from rasen.packages.decode import decode
from rasen.packages.model import PackageRefused

MIB = 1024 * 1024
_KNOWN = ops.known()
_SHORT_S = 3
_LONG_S = 630
_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def answer(data: bytes) -> str:
    """The code of the refusal, or `ok`; anything else that is raised is a defect."""
    try:
        return "ok " + decode(data, _KNOWN, file="x").digest
    except PackageRefused as refusal:
        str(refusal)
        return refusal.code


def _second(data: bytes) -> str:
    return verdict(
        data,
        built_in=list(_KNOWN.built_in),
        idle=set(_KNOWN.passed_over),
        running=(0, 2, 0),
    )


def _fuzz(seed: int, seconds: float) -> int:
    random, maker = Random(seed), Maker(seed, list(_KNOWN.built_in))
    end, count = time.monotonic() + seconds, 0
    package = jcs(maker.package())
    while time.monotonic() < end:
        if count % 50 == 0:
            package = jcs(maker.package())
        kind = random.random()
        if kind < 0.5:
            data = maker.broken(maker.package())
        elif kind < 0.75:
            data = package
            for _ in range(random.randint(1, 6)):
                data = maker.spoilt(data)
        else:
            data = hostile.soup(random)
        try:
            with hostile.nothing_written():
                ours = answer(data)
            assert ours == _second(data)
        except BaseException as error:
            raise AssertionError(f"seed {seed}, input {count}: {data!r}") from error
        count += 1
    return count


@pytest.mark.requirement("PK-044", "PK-101", "WC-003")
def test_a_few_thousand_random_inputs_are_answered_and_write_nothing() -> None:
    assert _fuzz(3, _SHORT_S) > 100


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_ten_minutes_of_random_inputs_are_answered_and_write_nothing() -> None:
    seed = int(time.time())

    assert _fuzz(seed, _LONG_S) > 10_000


def _expensive(size: int) -> None:
    answer(
        jcs(Maker(1, list(_KNOWN.built_in)).package())
    )  # what is loaded once is no cost of theirs
    for name, data in hostile.repeated(size):
        begun = time.process_time()
        code, peak = hostile.cost(lambda data=data: answer(data))  # type: ignore[misc]

        assert code.startswith("package_"), (name, code)
        assert peak <= 12 * len(data) + 64 * MIB, (name, peak / MIB)
        assert time.process_time() - begun < 60, name


@_LINUX
def test_inputs_that_are_one_thing_over_and_over_take_little_memory() -> None:
    _expensive(MIB // 2)


@_LINUX
@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_largest_inputs_take_little_memory() -> None:
    _expensive(16 * MIB)
