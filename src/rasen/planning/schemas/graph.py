"""What is done, ready or blocked, and in which order artifacts are built."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from rasen.planning.schemas.model import Artifact

DONE, READY, BLOCKED = "done", "ready", "blocked"


class State(NamedTuple):
    """How far one artifact is. missing: unmet requirements, sorted; only when blocked."""

    id: str
    status: str
    missing: tuple[str, ...] = ()


def build_order(artifacts: Sequence[Artifact]) -> list[str]:
    """Ids such that each comes after what it requires; ties by name.

    Ids that are part of a circle, or wait for one, are left out. Source: planning §5.4.
    """
    return ordered({one.id: one.requires for one in artifacts})


def ordered(requires: Mapping[str, Iterable[str]]) -> list[str]:
    """The order of `build_order` over a plain mapping; requirements outside it count as unmet."""
    waiting = {name: set(needs) for name, needs in requires.items()}
    dependents: dict[str, list[str]] = {}
    for name, needs in waiting.items():
        for need in needs:
            dependents.setdefault(need, []).append(name)
    queue = sorted(name for name, needs in waiting.items() if not needs)
    for name in queue:  # grows while we walk it
        freed = []
        for dependent in dependents.get(name, ()):
            waiting[dependent].discard(name)
            if not waiting[dependent]:
                freed.append(dependent)
        queue.extend(sorted(freed))
    return queue


def cycles(requires: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Every circle that keeps an order from existing, each closed (`a, b, a`), none twice.

    Requirements that name nothing in the mapping are ignored.
    """
    left = {name: [need for need in needs if need in requires] for name, needs in requires.items()}
    found: list[list[str]] = []
    while True:
        solved = set(ordered(left))
        left = {name: [n for n in needs if n not in solved] for name, needs in left.items()}
        stuck = next((name for name in left if name not in solved), None)
        if stuck is None:
            return found
        walk = [stuck]
        while (step := left[walk[-1]][0]) not in walk:
            walk.append(step)
        circle = [*walk[walk.index(step) :], step]
        found.append(circle)
        left[circle[-2]] = [need for need in left[circle[-2]] if need != step]


def states(artifacts: Sequence[Artifact], done: Collection[str]) -> dict[str, State]:
    """The state of every artifact, in build order; `done` alone decides what is done.

    Source: planning §5.4, §5.5: an artifact can be done while what it requires is not.
    """
    by_id = {one.id: one for one in artifacts}
    return {name: _state(by_id[name], done) for name in build_order(artifacts)}


def _state(artifact: Artifact, done: Collection[str]) -> State:
    if artifact.id in done:
        return State(artifact.id, DONE)
    missing = tuple(sorted(need for need in artifact.requires if need not in done))
    return State(artifact.id, BLOCKED if missing else READY, missing)
