"""Everything registered on this machine, for `rasen store list`."""

from __future__ import annotations

from rasen.base.context import Context
from rasen.stores import disk
from rasen.stores.model import Registration
from rasen.stores.registry_change import identified
from rasen.stores.setup_recovery import settle


def registered(ctx: Context) -> list[Registration]:
    """Every row, by name. Errors: invalid_store_registry, busy, recovery_needed."""
    settle(ctx)
    rows = identified(disk.load_registry(ctx)).rows
    return sorted(rows, key=lambda row: (row.id, row.namespace, row.path))


def to_json(row: Registration) -> dict[str, object]:
    """A member of `stores`. Source: planning §7.4."""
    uid = {} if row.uid is None else {"uid": row.uid}
    return {"id": row.id, "root": row.path, "type": row.namespace, **uid}
