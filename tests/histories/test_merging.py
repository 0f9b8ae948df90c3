"""Random histories of concurrent changes: nothing is lost, nothing appears, order does not matter."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tests.histories.authors import Written, write_change
from tests.histories.engine import Step, archive, first_spec
from tests.histories.texts import read

SHORT, LONG = 300, 12_000


def live_through(seed: int) -> Counter[str]:
    """One history: changes begin and are archived in any order; what came of them, counted."""
    rng = Random(seed)
    text = first_spec(rng)
    waiting: list[Written] = []
    came: Counter[str] = Counter()
    begun, wanted = 0, rng.randint(2, 5)
    while begun < wanted or waiting:
        if begun < wanted and (not waiting or rng.random() < 0.6):
            begun += 1
            waiting.append(write_change(rng, f"a{begun}", _other_endings(rng, text)))
            continue
        change = waiting.pop(rng.randrange(len(waiting)))
        step = archive(change, text)
        came[_kind(step, change, text)] += 1
        while step.is_refused:
            change = write_change(rng, f"{change.author}-again", text)
            step = archive(change, text)
        text = step.text
    return came


def in_both_orders(seed: int) -> str:
    """Archive the same open changes in two orders; whether both went through and were compared."""
    rng = Random(seed)
    text = first_spec(rng)
    changes = [
        write_change(rng, f"a{number}", text, reuses=False) for number in range(rng.randint(2, 4))
    ]
    other = rng.sample(changes, len(changes))
    one, two = _archive_all(changes, text), _archive_all(other, text)
    if one is None or two is None:
        return "refused"
    assert _content(one[-1].text) == _content(two[-1].text)
    return "compared"


def _archive_all(changes: list[Written], text: str | None) -> list[Step] | None:
    """The steps; None as soon as one is refused."""
    steps: list[Step] = []
    for change in changes:
        steps.append(archive(change, text))
        if steps[-1].is_refused:
            return None
        text = steps[-1].text
    return steps


def _content(text: str | None) -> object:
    """What a spec says, the order of requirements and of their scenarios apart."""
    if text is None:
        return None
    return {one.name: one.content() for one in read(text.replace("\r\n", "\n")).requirements}


def _other_endings(rng: Random, text: str | None) -> str | None:
    """The text as another checkout may have it."""
    if text is None or rng.random() < 0.8:
        return text
    lf = text.replace("\r\n", "\n")
    return lf if rng.random() < 0.5 else lf.replace("\n", "\r\n")


def _kind(step: Step, change: Written, text: str | None) -> str:
    if step.is_refused:
        return "refused"
    return "alone" if text == change.base else "merged"


def _run(seeds: range) -> tuple[Counter[str], Counter[str]]:
    came: Counter[str] = Counter()
    orders: Counter[str] = Counter()
    for seed in seeds:
        try:
            came += live_through(seed)
            orders[in_both_orders(seed)] += 1
        except AssertionError as error:
            raise AssertionError(f"history {seed}") from error
    return came, orders


def test_random_histories_lose_nothing_and_invent_nothing() -> None:
    came, orders = _run(range(SHORT))

    assert min(came["merged"], came["refused"], came["alone"]) > SHORT / 5, came
    assert orders["compared"] > SHORT / 10, orders


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(10))
def test_many_random_histories_lose_nothing_and_invent_nothing(part: int) -> None:
    came, orders = _run(range(SHORT + part * LONG // 10, SHORT + (part + 1) * LONG // 10))

    assert came["merged"] > LONG / 50, came
    assert orders["compared"] > LONG / 100, orders
