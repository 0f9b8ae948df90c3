"""A selection with all that it requires."""

from __future__ import annotations

import pytest

from rasen.hosts.model import Skill
from rasen.workflows.closure import close
from rasen.workflows.model import Definition, Kind, Requires


def _one(id: str, *needs: str) -> Definition:
    load = lambda: Skill(id, id, id)  # noqa: E731
    return Definition(id, id, Kind.TASK, id, load, Requires(workflows=needs))


CHAIN = (_one("a", "c"), _one("b"), _one("c", "d"), _one("d", "a"))


@pytest.mark.parametrize(
    ("wanted", "closed"),
    [
        pytest.param([], (), id="nothing"),
        pytest.param(["b"], ("b",), id="needs nothing"),
        pytest.param(["d", "b"], ("a", "b", "c", "d"), id="in the order of the catalogue"),
        pytest.param(["a", "a"], ("a", "c", "d"), id="a circle ends"),
        pytest.param(["nope", "b"], ("b",), id="unknown ones are left out"),
    ],
)
def test_what_is_required_comes_along(wanted: list[str], closed: tuple[str, ...]) -> None:
    assert close(CHAIN, wanted) == closed
