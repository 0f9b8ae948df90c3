"""Which registered row a name, an identity or a pointer means; pure over the registry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rasen.base.messages import N_, Phrase
from rasen.stores.model import (
    PROJECT,
    STORE,
    Metadata,
    Registration,
    Registry,
    is_id,
    is_uid,
    normal_uid,
)
from rasen.stores.refusals import (
    PROJECT_FIX,
    InvalidStoreId,
    NoRegisteredStores,
    StoreAliasAmbiguous,
    StoreIdentityMismatch,
    StoreUidMismatch,
    UnknownStore,
)

UidOf = Callable[[Registration], str | None]


def by_name(
    read: Callable[[], Registry], wanted: str, *, namespace: str, uid_of: UidOf
) -> Registration:
    """The one row that `wanted`, a display name or an identity, means.

    read: the registry, read only after the grammar check. uid_of: the identity a checkout without a
    recorded one carries in its own metadata; asked only for an identity.
    Errors: invalid_store_id, invalid_store_registry, no_registered_stores, unknown_store,
    store_alias_ambiguous. Source: planning §2.3.
    """
    is_identity = namespace == STORE and is_uid(wanted)
    if not is_identity and not is_id(wanted):
        raise InvalidStoreId(target="store.id", id=wanted)
    rows = list(read().of(namespace))
    if not rows:
        raise _none_registered(namespace)
    if is_identity:
        found = by_uid(rows, wanted, uid_of=uid_of)
        matches = [] if found is None else [found]
    else:
        matches = [row for row in rows if row.id == wanted]
    if not matches:
        raise _unknown(namespace, wanted, rows)
    if len(matches) > 1:
        raise _ambiguous(wanted, matches)
    return matches[0]


def by_uid(rows: list[Registration], uid: str, *, uid_of: UidOf) -> Registration | None:
    """The row of that identity; names are never looked at."""
    wanted = normal_uid(uid)
    for row in rows:
        if row.uid == wanted:
            return row
    for row in rows:
        if row.uid is None and uid_of(row) == wanted:
            return row
    return None


def check_identity(row: Registration, metadata: Metadata | None) -> None:
    """Refuse a checkout that is not what it is registered as.

    Errors: store_identity_mismatch, store_uid_mismatch. Source: planning §2.3.
    """
    if metadata is None:
        raise _mismatch(row, Phrase(N_("nothing")))
    if metadata.id != row.id:
        raise _mismatch(row, metadata.id)
    if row.uid is not None and metadata.uid != row.uid:
        raise StoreUidMismatch(
            target="store.metadata",
            id=row.id,
            root=row.path,
            expected=row.uid,
            found=metadata.uid or Phrase(N_("none")),
        )


def _mismatch(row: Registration, found: str) -> StoreIdentityMismatch:
    return StoreIdentityMismatch(target="store.metadata", id=row.id, root=row.path, found=found)


def _none_registered(namespace: str) -> NoRegisteredStores:
    fix = PROJECT_FIX if namespace == PROJECT else None
    return NoRegisteredStores(target="store.id", fix=fix, namespace=namespace)


def _unknown(namespace: str, wanted: str, rows: list[Registration]) -> UnknownStore:
    return UnknownStore(
        target="store.id",
        fix=PROJECT_FIX if namespace == PROJECT else None,
        namespace=namespace,
        id=wanted,
        ids=", ".join(sorted({row.id for row in rows})),
    )


def _ambiguous(wanted: str, matches: list[Registration]) -> StoreAliasAmbiguous:
    shown = sorted(f"{row.uid or '-'} ({Path(row.path)})" for row in matches)
    return StoreAliasAmbiguous(
        target="store.id", id=wanted, count=len(matches), candidates=", ".join(shown)
    )
