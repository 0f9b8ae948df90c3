"""What registering one checkout makes of the registry; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.errors import Conflict
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.stores.model import STORE, Registration, Registry

ALREADY_REGISTERED = Rule(
    "store_already_registered", Level.INFO, N_("'{id}' is registered at {root} already")
)
ALIAS_NUMERIC = Rule(
    "store_alias_numeric",
    Level.WARNING,
    N_("the name '{id}' consists of digits only and is easily taken for a number"),
    N_("prefer a name with a letter in it"),
)
ALIAS_REPEATED = Rule(
    "store_alias_repeated",
    Level.WARNING,
    N_("another store is named '{id}' too: {uid} at {root}"),
    N_("select each of them by its identity: --store <uid>"),
)
ALIAS_RENAMED = Rule(
    "store_alias_renamed", Level.INFO, N_("the store that was named '{former}' is now '{id}'")
)
MOVED = Rule(
    "store_registration_moved",
    Level.INFO,
    N_("'{id}' was registered at {former}, which is gone; it is now registered at {root}"),
)
_REGISTRY = "store.registry"


class StoreIdConflict(Conflict):
    code = "store_id_conflict"
    text = N_("'{id}' is registered already, at {other}")
    fix = N_("use that checkout, or run 'rasen store unregister {id}' first")


class StorePathConflict(Conflict):
    code = "store_path_conflict"
    text = N_("{root} is registered already, as '{other}'")
    fix = N_("use it under that name, or run 'rasen store unregister {other}' first")


@dataclass(frozen=True)
class Enrolment:
    """The registry with the checkout in it. is_known: it was registered before, at this path."""

    registry: Registry
    is_known: bool
    findings: tuple[Finding, ...] = ()


def enrol(registry: Registry, row: Registration, *, exists: Callable[[str], bool]) -> Enrolment:
    """`registry` with `row`, whose path is canonical, in it.

    exists: whether a registered path is still there.
    Errors: store_id_conflict, store_path_conflict. Source: planning §7.3.
    """
    peers = list(registry.of(row.namespace))
    here = next((peer for peer in peers if peer.path == row.path), None)
    if here is not None:
        return _again(registry, here, row)
    twin = next((peer for peer in peers if row.uid is not None and peer.uid == row.uid), None)
    if twin is not None:
        if exists(twin.path):
            raise StoreIdConflict(target="store.id", id=twin.id, other=twin.path)
        params = {"id": row.id, "former": twin.path, "root": row.path}
        moved = Finding(MOVED, _REGISTRY, params)
        return _put(registry, row, twin, (moved, *_renamed(twin, row)))
    findings: list[Finding] = []
    for peer in peers:
        if peer.id != row.id:
            continue
        if peer.uid is None or row.uid is None:
            raise StoreIdConflict(target="store.id", id=row.id, other=peer.path)
        params = {"id": row.id, "uid": peer.uid, "root": peer.path}
        findings.append(Finding(ALIAS_REPEATED, "store.id", params))
    if row.id.isdigit() and row.namespace == STORE:
        findings.append(Finding(ALIAS_NUMERIC, "store.id", {"id": row.id}))
    return _put(registry, row, None, tuple(findings))


def path_is_there(path: str) -> bool:
    """Whether a registered path is still there; one that may not be looked at counts as there."""
    try:
        Path(path).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _again(registry: Registry, here: Registration, row: Registration) -> Enrolment:
    is_other = here.uid is not None and here.uid != row.uid
    is_unproven = here.uid is None and here.id != row.id
    if is_other or is_unproven:
        raise StorePathConflict(target="store.root", root=row.path, other=here.id)
    known = Finding(ALREADY_REGISTERED, _REGISTRY, {"id": row.id, "root": row.path})
    renamed = _renamed(here, row)
    kept = replace(row, branch=row.branch or here.branch)
    put = _put(registry, kept, here, tuple(renamed) or (known,))
    return replace(put, is_known=True)


def _renamed(former: Registration, row: Registration) -> list[Finding]:
    if former.id == row.id:
        return []
    return [Finding(ALIAS_RENAMED, "store.id", {"former": former.id, "id": row.id})]


def _put(
    registry: Registry,
    row: Registration,
    instead_of: Registration | None,
    findings: tuple[Finding, ...],
) -> Enrolment:
    rows = tuple(row if one == instead_of else one for one in registry.rows)
    if instead_of is None:
        rows = (*registry.rows, row)
    return Enrolment(Registry(rows), is_known=False, findings=findings)
