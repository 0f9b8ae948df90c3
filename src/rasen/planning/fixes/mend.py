"""Applies remedies one by one, and keeps only those that mend without breaking anything."""

from __future__ import annotations

from typing import NamedTuple

from rasen.base.findings import Finding
from rasen.planning.fixes.codes import FIXABLE
from rasen.planning.fixes.draft import Draft, Key, key_of

_DEPTH = 4
"""How many further remedies one may need to leave nothing worse."""


class Step(NamedTuple):
    """One remedy that was kept."""

    finding: Finding
    before: Draft
    after: Draft


def mend(draft: Draft) -> list[Step]:
    """Every remedy that holds, in the order applied; the last draft has them all.

    A remedy holds when its finding is gone afterwards and no error is new; an error that comes to
    light may be mended in its turn.
    """
    steps: list[Step] = []
    while True:
        found = _pass(steps[-1].after if steps else draft)
        if not found:
            return steps
        steps += found


def is_mendable(draft: Draft, finding: Finding) -> bool:
    """True when the remedy for `finding` holds, with no other applied before."""
    return finding.code in FIXABLE and bool(_attempt(draft, finding, _DEPTH))


def _pass(draft: Draft) -> list[Step]:
    """Try each finding until none is left that was not tried."""
    steps: list[Step] = []
    refused: set[tuple[Key, int | None]] = set()
    while True:
        for finding in draft.findings:
            mark = key_of(finding), finding.line
            if finding.code not in FIXABLE or mark in refused:
                continue
            found = _attempt(draft, finding, _DEPTH)
            if found:
                steps += found
                draft = found[-1].after
                break
            refused.add(mark)
        else:
            return steps


def _attempt(draft: Draft, finding: Finding, depth: int) -> list[Step]:
    """The remedy for `finding` and those it makes necessary; none when it does not hold."""
    after = draft.mended(finding)
    if after is None:
        return []
    steps = [Step(finding, draft, after)]
    while added := after.errors - draft.errors:
        more = next(
            (
                found
                for one in after.findings
                if depth and key_of(one) in added and (found := _attempt(after, one, depth - 1))
            ),
            None,
        )
        if more is None:
            return []
        steps += more
        after = more[-1].after
    return steps if _count(after, finding) < _count(draft, finding) else []


def _count(draft: Draft, finding: Finding) -> int:
    wanted = key_of(finding)
    return sum(key_of(one) == wanted for one in draft.findings)
