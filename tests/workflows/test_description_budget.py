"""What an agent loads in every session because of us stays small; see decision 0019."""

from __future__ import annotations

from collections.abc import Iterable

from rasen.workflows import ops
from rasen.workflows.model import Definition

CORE_BYTES = 1500
FULL_BYTES = 7000
ONE_BYTES = 150
FOR_AUTO_BYTES = 100
"""Kept free in core for the autopilot, which is listed and comes later."""


def _generated(ids: Iterable[str]) -> list[Definition]:
    closed = ops.closure(ops.built_in(), ids)
    chosen = [one for one in ops.built_in() if one.id in closed and one.is_available]
    return list({one.folder: one for one in (*chosen, *ops.always())}.values())


def _cost(definitions: Iterable[Definition], *, of_all: bool = False) -> int:
    loaded = (one.load() for one in definitions)
    return sum(
        len(skill.name.encode()) + len(skill.description.encode())
        for skill in loaded
        if of_all or not skill.is_user_invoked
    )


def test_core_stays_below_its_limit_with_room_for_the_autopilot() -> None:
    assert _cost(_generated(ops.core())) <= CORE_BYTES - FOR_AUTO_BYTES


def test_full_stays_below_its_limit() -> None:
    assert _cost(_generated(ops.full())) <= FULL_BYTES


def test_full_stays_below_its_limit_in_agents_that_load_every_description() -> None:
    assert _cost(_generated(ops.full()), of_all=True) <= FULL_BYTES


def test_no_description_is_long() -> None:
    long = {
        one.folder: size
        for one in _generated(ops.full())
        if (size := len(one.load().description.encode())) > ONE_BYTES
    }

    assert long == {}
