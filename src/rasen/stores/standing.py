"""In which stores a project stands, as far as this machine can tell; looks only.

The record in a store is the authority; what the project says only locates stores. A store that is
not available is told, never left out, and one that is not listed is no proof of anything.
Source: planning §7.10.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, fill
from rasen.config.model import StorePointer
from rasen.stores import legacy_traces
from rasen.stores.commits import quoted
from rasen.stores.legacy_traces import Trace
from rasen.stores.membership_file import (
    FOLDER,
    IdentityUnrecordable,
    Roles,
    file_name,
    normal_project_id,
)
from rasen.stores.model import STORE, Checkout, Registration, Registry, Unavailable, normal_uid
from rasen.stores.ops import check, unavailable
from rasen.stores.refusals import StoreBootstrapRequired

HINT, RECORD = "hint", "record"
V2_RECORD = "v2-record"

RECORD_MISSING = Rule(
    "store_project_record_missing",
    Level.ERROR,
    N_("the store '{id}' has no record of this project ({project_id})"),
    N_("run 'rasen store add-project {root} --to {store}'"),
)
LOCATOR_MISSING = Rule(
    "project_membership_locator_missing",
    Level.WARNING,
    N_("the store '{id}' has a record of this project, but {file} does not name the store"),
    N_("{repair}"),
)
UNVERIFIED = Rule(
    "project_membership_unverified",
    Level.WARNING,
    N_("{file} names the store {label}, which cannot be asked here: {problem}"),
    N_("{repair}"),
)
ROLES_INFERRED = Rule(
    "store_membership_roles_inferred",
    Level.INFO,
    N_("what this project does in the store '{id}' is inferred from older data ({provenance})"),
    N_("run 'rasen store migrate-membership {store}'"),
)

_TARGET = "store.membership"


@dataclass(frozen=True)
class Subject:
    """The project that is looked at, and what its settings say.

    project_id: None when it has none. file: its settings. hints: its `storeMemberships`.
    pointer: the store it names; planning: the same, when it decides where the project plans.
    lost: why `pointer` leads nowhere, which is told elsewhere; None when it does not.
    """

    root: Path
    file: Path | None = None
    project_id: str | None = None
    hints: tuple[StorePointer, ...] = ()
    planning: StorePointer | None = None
    pointer: StorePointer | None = None
    lost: Unavailable | None = None


class Standing(NamedTuple):
    """One store. row: None when it is not registered. trace: older data instead of a record."""

    id: str | None
    uid: str | None
    row: Registration | None = None
    store: Checkout | None = None
    is_hinted: bool = False
    has_record: bool = False
    roles: Roles | None = None
    trace: Trace | None = None
    unavailable: Unavailable | None = None

    @property
    def sources(self) -> list[str]:
        return [HINT] * self.is_hinted + [RECORD] * (self.has_record or self.trace is not None)

    @property
    def provenance(self) -> str | None:
        if self.has_record:
            return V2_RECORD
        return None if self.trace is None else self.trace.provenance

    def to_json(self) -> dict[str, object]:
        """A member of `membership.stores`. Source: planning §7.10."""
        answer: dict[str, object] = {}
        if self.uid is not None:
            answer["uid"] = self.uid
        if self.id is not None:
            answer["id"] = self.id
        answer["sources"] = self.sources
        if self.roles is not None:
            answer["roles"] = self.roles.to_json()
        if self.provenance is not None:
            answer["provenance"] = self.provenance
        if self.unavailable is not None:
            answer["unavailable"] = {
                "reason": self.unavailable.reason,
                "repair": [repair_of(self.unavailable.error)],
            }
        return answer


@dataclass
class Survey:
    """Every store that has to do with a project, and what is to be said about it."""

    subject: Subject
    stores: list[Standing] = field(default_factory=list)
    problems: list[Finding | ToolError] = field(default_factory=list)


def survey(subject: Subject, known: Registry, *, problem: ToolError | None = None) -> Survey:
    """Where `subject` stands among the registered stores and those it names. Never raises.

    problem: why the registry cannot be read; then `known` is empty and no store is available.
    """
    found = Survey(subject)
    record = _record_name(found)
    alias = legacy_traces.alias_of(known, subject.root)
    named = _named(subject, known)
    for pointer, row in named:
        if row is None:
            found.stores.append(_lost(pointer, problem))
        else:
            found.stores.append(_standing(found, row, record, alias, is_hinted=True))
    hinted = [row for _, row in named]
    for row in known.of(STORE):
        if row not in hinted:
            standing = _standing(found, row, record, alias, is_hinted=False)
            if standing.sources:
                found.stores.append(standing)
    for standing in found.stores:
        found.problems += _findings(subject, standing)
    _add_lost(found)
    return found


def repair_of(error: ToolError) -> str:
    """The step that an error names, in English."""
    return fill(error.fix_text, error.params) if error.fix_text else str(error)


def _add_lost(found: Survey) -> None:
    """List the store that a pointer beside local planning fails to reach."""
    pointer, lost = found.subject.pointer, found.subject.lost
    if pointer is None or lost is None:
        return
    uid = None if pointer.uid is None else normal_uid(pointer.uid)
    if not any(one.uid == uid and (uid or one.id == pointer.id) for one in found.stores):
        found.stores.append(Standing(pointer.id, uid, is_hinted=True, unavailable=lost))


def _record_name(found: Survey) -> str | None:
    """The file name of the project's records; None when it has none or can have none."""
    if found.subject.project_id is None:
        return None
    try:
        return file_name(found.subject.project_id, file=found.subject.file)
    except IdentityUnrecordable as error:
        found.problems.append(error)
        return None


def _named(subject: Subject, known: Registry) -> list[tuple[StorePointer, Registration | None]]:
    """The stores that the project names, each once, with the row that each means."""
    rows = list(known.of(STORE))
    planning = () if subject.planning is None else (subject.planning,)
    found: dict[Registration | str, StorePointer] = {}
    for pointer in (*subject.hints, *planning):
        row = _row_of(pointer, rows)
        key = row if row is not None else normal_uid(pointer.uid or pointer.id or "")
        found.setdefault(key, pointer)
    return [(pointer, None if isinstance(key, str) else key) for key, pointer in found.items()]


def _row_of(pointer: StorePointer, rows: Sequence[Registration]) -> Registration | None:
    if pointer.uid is None:
        named = [row for row in rows if row.id == pointer.id]
        return named[0] if len(named) == 1 else None
    wanted = normal_uid(pointer.uid)
    by_registry = next((row for row in rows if row.uid == wanted), None)
    if by_registry is not None:
        return by_registry
    from rasen.stores.registry_change import uid_of

    return next((row for row in rows if row.uid is None and uid_of(row) == wanted), None)


def _lost(pointer: StorePointer, problem: ToolError | None) -> Standing:
    error = problem or StoreBootstrapRequired(
        target="store.id", label=pointer.id or pointer.uid, name=pointer.id or ""
    )
    uid = None if pointer.uid is None else normal_uid(pointer.uid)
    return Standing(pointer.id, uid, is_hinted=True, unavailable=unavailable(error))


def _standing(
    found: Survey,
    row: Registration,
    record: str | None,
    alias: str | None,
    *,
    is_hinted: bool,
) -> Standing:
    """Where the project stands in one registered store. record: the name of its record there."""
    has_file = record is not None and os.path.lexists(
        os.path.join(row.path, FOLDER, record)  # noqa: PTH118 - asked for every store
    )
    trace = None if has_file else legacy_traces.find(row, found.subject.root, record, alias)
    standing = Standing(row.id, row.uid, row, is_hinted=is_hinted, trace=trace, has_record=has_file)
    if not standing.sources:
        return standing
    try:
        store = check(row)
    except ToolError as error:
        return standing._replace(unavailable=unavailable(error))
    standing = standing._replace(uid=store.uid or row.uid, store=store)
    if record is not None and has_file:
        return _with_record(found, standing, store.path / FOLDER / record)
    return standing._replace(roles=None if trace is None else trace.roles)


def _with_record(found: Survey, standing: Standing, path: Path) -> Standing:
    """A record that cannot be used is told, and then nobody knows what it would say."""
    from rasen.stores import records

    try:
        record = records.load(path)
    except ToolError as error:
        found.problems.append(error)
        return standing
    return standing._replace(roles=None if record is None else record.roles)


def _findings(subject: Subject, standing: Standing) -> Iterator[Finding]:
    label = standing.id or standing.uid or "?"
    params: dict[str, object] = {
        "id": label,
        "label": f"'{standing.id}'" if standing.id else standing.uid,
        "store": standing.uid or standing.id,
        "root": quoted(str(subject.root)),
        "file": subject.file,
        "project_id": normal_project_id(subject.project_id or ""),
        "provenance": standing.provenance,
    }
    if standing.unavailable is not None:
        error = standing.unavailable.error
        params |= {"problem": error, "repair": repair_of(error)}
        yield Finding(UNVERIFIED, _TARGET, params)
        return
    if not standing.sources or subject.project_id is None:
        return
    is_known = standing.has_record or standing.trace is not None
    if not is_known:
        yield Finding(RECORD_MISSING, _TARGET, params)
    elif not standing.is_hinted and not _is_pointed_at(subject, standing):
        add = f"rasen store add-project {params['root']} --to {params['store']}"
        can_fix = standing.store is not None and standing.store.uid is not None
        params["repair"] = f"run '{'rasen doctor --fix' if can_fix else add}'"
        yield Finding(LOCATOR_MISSING, _TARGET, params)
    if standing.trace is not None:
        yield Finding(ROLES_INFERRED, _TARGET, params)


def _is_pointed_at(subject: Subject, standing: Standing) -> bool:
    pointer = subject.pointer
    if pointer is None:
        return False
    if pointer.uid is None:
        return pointer.id == standing.id
    return standing.uid is not None and normal_uid(pointer.uid) == standing.uid
