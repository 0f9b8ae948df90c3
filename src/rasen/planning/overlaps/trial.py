"""Tries whether two changes merge one after the other, in both orders; pure over their plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rasen.base.findings import Level
from rasen.planning.change_plan import PlannedDelta, Target
from rasen.planning.merging.parts import take_apart
from rasen.planning.overlaps.model import Candidate, Contest, Overlap, Place, Result
from rasen.planning.overlaps.touches import shared
from rasen.planning.planner import plan_change
from rasen.planning.specs.spec_file import SpecDocument

ORDER_MATTERS = "change_order_matters"
"""The code of a contest where both orders merge, but the later change undoes the earlier one."""
_REMEMBERED = 512

_Parts = tuple[tuple[str, ...], frozenset[tuple[str, tuple[str, ...]]]]


def overlaps(candidates: Sequence[Candidate], change: str | None = None) -> tuple[Overlap, ...]:
    """Every pair of changes that touch the same, tried. Pairs that share nothing cost nothing.

    change: only pairs with a change of that name.
    """
    trials = _Trials()
    pairs = (
        (candidates[first], candidates[second], places)
        for (first, second), places in shared(candidates).items()
    )
    return tuple(
        trials.overlap(first, second, places)
        for first, second, places in pairs
        if change is None or change in (first.name, second.name)
    )


class _Outcome(NamedTuple):
    """The spec after a merge; spec: None when there is none then."""

    text: str | None
    spec: SpecDocument | None


class _Trials:
    def __init__(self) -> None:
        self._outcomes: dict[tuple[int, str], _Outcome | None] = {}

    def overlap(self, first: Candidate, second: Candidate, places: tuple[Place, ...]) -> Overlap:
        capabilities = sorted({place.capability for place in places})
        pair = first, second
        alone = [[self._alone(one, capability) for capability in capabilities] for one in pair]
        if any(outcome is None for outcomes in alone for outcome in outcomes):
            return Overlap(first, second, places, Result.UNTRIED)
        contests: list[Contest] = []
        results: list[dict[str, str | None]] = []
        for earlier, later in ((0, 1), (1, 0)):
            planned = self._after(pair[earlier], pair[later], capabilities)
            for one in planned:
                contests += _contests(one, earlier, later)
            results.append({one.file.capability: _result(one) for one in planned})
        if not contests:
            contests += _order_matters(*results)
        result = Result.CONFLICT if contests else Result.CLEAN
        return Overlap(first, second, places, result, tuple(contests))

    def _alone(self, candidate: Candidate, capability: str) -> _Outcome | None:
        """The spec after this change alone; None when its merge is refused."""
        key = id(candidate.plan), capability
        if key not in self._outcomes:
            self._outcomes[key] = _outcome(_planned(candidate, capability))
        return self._outcomes[key]

    def _after(
        self, earlier: Candidate, later: Candidate, capabilities: Sequence[str]
    ) -> tuple[PlannedDelta, ...]:
        """`later` planned on the specs that `earlier` leaves; what its author saw stays what it was."""

        def target(capability: str) -> Target:
            found = later.loaded.target(capability)
            outcome = self._alone(earlier, capability) if capability in capabilities else None
            return found if outcome is None else found._replace(spec=outcome.spec)

        deltas = tuple(one for one in later.loaded.deltas if one.file.capability in capabilities)
        return plan_change(later.loaded._replace(target=target, deltas=deltas, extra=())).deltas


def _planned(candidate: Candidate, capability: str) -> PlannedDelta | None:
    deltas = candidate.plan.deltas
    return next((one for one in deltas if one.file.capability == capability), None)


def _outcome(planned: PlannedDelta | None) -> _Outcome | None:
    if planned is None or planned.merged is None or planned.merged.is_refused:
        return None
    text = _result(planned)
    if planned.merged.text is None and not planned.merged.is_retired:
        return _Outcome(text, planned.target.spec)
    return _Outcome(text, None if text is None else SpecDocument(text))


def _result(planned: PlannedDelta) -> str | None:
    """The text of the spec after the merge; None when there is none then."""
    merged, spec = planned.merged, planned.target.spec
    if merged is not None and merged.text is not None:
        return merged.text
    is_gone = spec is None or (merged is not None and merged.is_retired)
    return None if is_gone or spec is None else spec.markdown.text()


def _contests(planned: PlannedDelta, earlier: int, later: int) -> Iterator[Contest]:
    """What refuses the later change: each conflict by itself, other errors by their codes."""
    merged, capability = planned.merged, planned.file.capability
    if merged is not None and not merged.is_refused:
        return
    errors = [one for one in planned.findings if one.level is Level.ERROR]
    codes = {one.line: one.code for one in reversed(errors)}
    conflicts = () if merged is None else merged.conflicts
    for one in conflicts:
        code = codes.get(one.line + 1, "merge_conflict")
        sides = one.base, one.theirs, one.mine
        yield Contest(earlier, later, capability, one.requirement, one.place, code, *sides)
    told = {one.line + 1 for one in conflicts}
    for error in errors:
        if error.line not in told:
            name = error.params.get("name")
            requirement = None if name is None else str(name)
            yield Contest(earlier, later, capability, requirement, "requirement", error.code)


def _order_matters(
    one: Mapping[str, str | None], other: Mapping[str, str | None]
) -> Iterator[Contest]:
    """Requirements that depend on which change goes first: there the later undoes the earlier."""
    for capability, text in one.items():
        if text == other.get(capability):
            continue
        first, second = _requirements(text), _requirements(other.get(capability))
        for name in dict.fromkeys([*first, *second]):
            if first.get(name) == second.get(name):
                continue
            if _parts(first.get(name)) != _parts(second.get(name)):
                sides = _text(second.get(name)), _text(first.get(name))
                yield Contest(0, 1, capability, name, "requirement", ORDER_MATTERS, None, *sides)


@lru_cache(maxsize=_REMEMBERED)
def _requirements(text: str | None) -> dict[str, list[str]]:
    if text is None:
        return {}
    spec = SpecDocument(text)
    return {one.name: spec.markdown.lines[one.start : one.end] for one in spec.blocks}


def _parts(lines: list[str] | None) -> _Parts | None:
    """A requirement for comparing: the order of its scenarios does not count."""
    if lines is None:
        return None
    parts = take_apart(lines)
    scenarios = frozenset((part.heading, part.lines) for part in parts.scenarios)
    return parts.body.lines, scenarios


def _text(lines: list[str] | None) -> str | None:
    return None if lines is None else "\n".join(lines)
