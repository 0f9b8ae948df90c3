"""What a selection of workflows needs besides itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rasen.workflows.model import Definition


def close(definitions: Sequence[Definition], ids: Iterable[str]) -> tuple[str, ...]:
    """`ids` and all that they require, over any number of steps, in the order of `definitions`.

    Ids that no definition has are left out; whether that is an error is the caller's business.
    Experts are no part of it. Source: library WF-008, WF-040, PR-052.
    """
    by_id = {one.id: one for one in definitions}
    found: set[str] = set()
    todo = list(ids)
    while todo:
        one = by_id.get(todo.pop())
        if one is not None and one.id not in found:
            found.add(one.id)
            todo.extend(one.requires.workflows)
    return tuple(one.id for one in definitions if one.id in found)
