"""Order and states of artifacts."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.schemas import graph
from rasen.planning.schemas.model import Artifact


def artifact(name: str, *requires: str) -> Artifact:
    return Artifact(name, f"{name}.md", "", f"{name}.md", requires=requires)


USUAL = (
    artifact("proposal"),
    artifact("specs", "proposal"),
    artifact("design", "proposal"),
    artifact("tasks", "specs", "design"),
)


def test_ties_are_broken_by_name() -> None:
    assert graph.build_order(USUAL) == ["proposal", "design", "specs", "tasks"]


def test_freed_ids_follow_those_already_waiting() -> None:
    order = graph.build_order((artifact("b"), artifact("c"), artifact("a", "b")))

    assert order == ["b", "c", "a"]


def test_blocked_artifacts_list_what_is_missing_sorted() -> None:
    states = graph.states(USUAL, {"proposal"})

    assert {one.id: one.status for one in states.values()} == {
        "proposal": "done",
        "design": "ready",
        "specs": "ready",
        "tasks": "blocked",
    }
    assert states["tasks"].missing == ("design", "specs")


def test_done_does_not_depend_on_what_is_required() -> None:
    assert graph.states(USUAL, {"design"})["design"].status == "done"


@given(
    st.dictionaries(
        st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"), max_size=4, unique=True)
    )
)
def test_order_and_cycles_account_for_every_id(needs: dict[str, list[str]]) -> None:
    known = {name: [one for one in wanted if one in needs] for name, wanted in needs.items()}
    order, circles = graph.ordered(known), graph.cycles(known)

    assert len(order) == len(set(order))
    for at, name in enumerate(order):
        assert set(known[name]) <= set(order[:at])
    assert bool(circles) == (len(order) < len(known))
    for circle in circles:
        assert circle[0] == circle[-1]
        assert all(b in known[a] for a, b in pairwise(circle))
