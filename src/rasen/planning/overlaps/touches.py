"""Which requirements a change touches, and which changes touch the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.overlaps.model import NEW, RETIRED, Candidate, Place

Key = tuple[str, str | None]
"""A capability, and a requirement of it; None for the spec as a whole."""
Touches = dict[Key, tuple[str, ...]]


def touches(plan: ChangePlan) -> Touches:
    """What the change does, by place; a rename touches its old and its new name."""
    found: dict[Key, list[str]] = {}
    for planned in plan.deltas:
        for requirement, operation in _operations(planned):
            operations = found.setdefault((planned.file.capability, requirement), [])
            if operation not in operations:
                operations.append(operation)
    return {key: tuple(operations) for key, operations in found.items()}


def shared(candidates: Sequence[Candidate]) -> dict[tuple[int, int], tuple[Place, ...]]:
    """The pairs of candidates that touch the same, by position, with all that they share.

    Who retires a spec shares it with everyone who touches anything in it.
    """
    by_key: dict[Key, list[int]] = {}
    by_capability: dict[str, list[int]] = {}
    all_touches = [touches(one.plan) for one in candidates]
    for at, touched in enumerate(all_touches):
        for key in touched:
            by_key.setdefault(key, []).append(at)
        for capability in dict.fromkeys(capability for capability, _ in touched):
            by_capability.setdefault(capability, []).append(at)
    pairs: dict[tuple[int, int], set[Key]] = {}
    for key, users in by_key.items():
        retire = [at for at in users if RETIRED in all_touches[at][key]]
        everyone = by_capability[key[0]] if retire else users
        for at, first in enumerate(everyone):
            for second in everyone[at + 1 :]:
                if not retire or first in retire or second in retire or {first, second} <= {*users}:
                    pairs.setdefault((first, second), set()).add(key)
    return {
        pair: tuple(
            Place(*key, all_touches[pair[0]].get(key, ()), all_touches[pair[1]].get(key, ()))
            for key in sorted(keys, key=lambda key: (key[0], key[1] or ""))
        )
        for pair, keys in sorted(pairs.items())
    }


def _operations(planned: PlannedDelta) -> Iterator[tuple[str | None, str]]:
    delta = planned.delta
    if delta is None or delta.is_empty:
        return
    if planned.target.spec is None and planned.target.problem is None:
        yield None, NEW
    if planned.merged is not None and planned.merged.is_retired:
        yield None, RETIRED
    for block in delta.added:
        yield block.name, "ADDED"
    for block in delta.modified:
        yield block.name, "MODIFIED"
    for removal in delta.removed:
        yield removal.name, "REMOVED"
    for rename in delta.renamed:
        yield rename.old, "RENAMED"
        yield rename.new, "RENAMED"
