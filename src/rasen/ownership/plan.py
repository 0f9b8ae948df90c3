"""Decides what may be done with each thing that is wanted or was ours. Pure, and total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rasen.base.findings import Finding, Rule
from rasen.files.atomic import ABSENT, digest
from rasen.ownership import model
from rasen.ownership.model import Action, Actual, Desired, Kind, Owner, Row, Step

BESIDE = ".new"


def decide(
    desired: Desired | None,
    row: Row | None,
    actual: Actual,
    *,
    version: str,
    is_forced: bool = False,
    adopts: bool = False,
) -> Step:
    """What is to be done about one place.

    desired: None when nothing is wanted there any more. row: None when it is not ours.
    is_forced: edited things are replaced; foreign ones never are. adopts: unrecorded things of
    earlier versions are taken over as they are. One of desired and row is given.
    """
    if desired is None:
        assert row is not None, "nothing is wanted and nothing was"
        return _unwanted(row, actual)
    if actual.blocked is not None:
        return _step(Action.REFUSE, desired, row, actual, actual.blocked)
    if row is None:
        return _unrecorded(desired, actual, version, adopts=adopts)
    return _wanted(desired, row, actual, version, is_forced=is_forced)


def _unrecorded(desired: Desired, actual: Actual, version: str, *, adopts: bool) -> Step:
    if actual.digest == ABSENT:
        return _written(Action.CREATE, desired, actual, (desired.owner,), version)
    is_ours = desired.is_known and actual.is_inherited
    if not is_ours:
        return _step(Action.REFUSE, desired, None, actual, model.FOREIGN)
    if adopts or actual.is_committed or actual.digest == _digest(desired):
        return _written(Action.TAKE_OVER, desired, actual, (desired.owner,), version)
    return _step(Action.BESIDE, desired, None, actual, model.INHERITED)


def _wanted(desired: Desired, row: Row, actual: Actual, version: str, *, is_forced: bool) -> Step:
    owners = merged((*row.owners, desired.owner))
    wanted = _digest(desired)
    if actual.digest == ABSENT:
        return _written(Action.CREATE, desired, actual, owners, version)
    if wanted in (actual.digest, *actual.other_ends):
        same = row.digest == wanted
        kept = replace(row, owners=owners) if same else _row(desired, owners, version, row)
        is_exact = actual.digest == wanted
        finding = None if is_exact else _finding(model.LINE_ENDINGS, desired.path)
        return Step(Action.KEEP, desired.path, desired.part, desired, kept, actual, finding)
    if row.digest in (actual.digest, *actual.other_ends):
        return _written(Action.UPDATE, desired, actual, owners, version)
    if is_forced:
        return _written(Action.UPDATE, desired, actual, owners, version)
    kept = replace(row, owners=owners)
    is_new = wanted != row.digest and desired.kind is Kind.FILE
    action = Action.BESIDE if is_new else Action.KEEP
    rule = model.EDITED_BESIDE if is_new else model.EDITED
    told = _finding(rule, desired.path)
    return Step(action, desired.path, desired.part, desired, kept, actual, told)


def merged_by_hand(step: Step, wanting: tuple[Owner, ...], version: str) -> Step:
    """The step for an edited file whose new version is known to its user: it is edited, no more.

    step: that would lay the new version beside it. wanting: all who want the file.
    """
    assert step.desired is not None, "only what is wanted has a new version"
    before = step.row.owners if step.row is not None else ()
    row = _row(step.desired, merged((*before, *wanting)), version, step.row)
    finding = _finding(model.EDITED, step.path)
    return step._replace(action=Action.KEEP, row=row, finding=finding)


def _unwanted(row: Row, actual: Actual) -> Step:
    def step(action: Action, finding: Finding | None = None) -> Step:
        return Step(action, row.path, row.part, None, None, actual, finding)

    if actual.blocked is model.UNREADABLE:
        return step(Action.REFUSE, _finding(actual.blocked, row.path, actual.detail))
    is_gone = actual.blocked in (None, model.NOT_WRITABLE) and actual.digest == ABSENT
    if is_gone:
        return step(Action.FORGET)
    if actual.blocked is not None:
        return step(
            Action.RELEASE, _finding(model.RELEASED_BLOCKED, row.path, actual.detail or row.path)
        )
    if row.digest in (actual.digest, *actual.other_ends):
        return step(Action.REMOVE)
    return step(Action.RELEASE, _finding(model.RELEASED, row.path))


def outside(row: Row) -> Step:
    """A row about a place where nothing of ours can be: nothing is done, and that is said."""
    finding = _finding(model.OUTSIDE, row.path)
    return Step(Action.REFUSE, row.path, row.part, None, None, Actual(ABSENT), finding)


def combined(desired: Iterable[Desired]) -> tuple[dict[tuple[str, str], list[Desired]], list[Step]]:
    """What is wanted, by place, with all who want it; and refusals of places wanted in two ways.

    Also of two places that systems which ignore case cannot tell apart.
    """
    found: dict[tuple[str, str], list[Desired]] = {}
    folded: dict[str, str] = {}
    refused: list[Step] = []
    for one in desired:
        others = found.get(one.key)
        twin = folded.setdefault(one.path.casefold(), one.path)
        nothing = Actual(ABSENT)
        if twin != one.path:
            finding = _finding(model.CASE_COLLISION, one.path, twin)
            refused.append(Step(Action.REFUSE, one.path, one.part, one, None, nothing, finding))
        elif others is not None and others[0].data != one.data:
            names = {"first": others[0].owner.source, "second": one.owner.source}
            finding = Finding(model.CONFLICT, one.path, {"path": one.path, **names})
            refused.append(Step(Action.REFUSE, one.path, one.part, one, None, nothing, finding))
        else:
            found.setdefault(one.key, []).append(one)
    return found, refused


def without_owners(row: Row, leaving: Sequence[Owner]) -> Row:
    """`row` with fewer owners."""
    return replace(row, owners=tuple(one for one in row.owners if one not in leaving))


def merged(owners: Iterable[Owner]) -> tuple[Owner, ...]:
    """Each owner once, sorted."""
    return tuple(sorted(set(owners), key=lambda one: (one.project or "", one.tool, one.source)))


def _digest(desired: Desired) -> str:
    return digest(desired.data)


def _written(
    action: Action, desired: Desired, actual: Actual, owners: tuple[Owner, ...], version: str
) -> Step:
    row = _row(desired, owners, version, None)
    return Step(action, desired.path, desired.part, desired, row, actual)


def _row(desired: Desired, owners: tuple[Owner, ...], version: str, former: Row | None) -> Row:
    extra: Mapping[str, object] = former.extra if former is not None else {}
    made = former.made if former is not None else None
    return Row(
        desired.path, _digest(desired), owners, version, desired.kind, desired.part, made, extra
    )


def _step(action: Action, desired: Desired, row: Row | None, actual: Actual, rule: Rule) -> Step:
    finding = _finding(rule, desired.path, actual.detail)
    return Step(action, desired.path, desired.part, desired, row, actual, finding)


def _finding(rule: Rule, path: str, detail: str = "") -> Finding:
    return Finding(rule, path, {"path": path, "detail": detail})
