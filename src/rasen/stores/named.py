"""The registered row that a `store` command names."""

from __future__ import annotations

import os

from rasen.base.context import Context
from rasen.base.errors import NotFound
from rasen.base.messages import N_, NONE
from rasen.stores import disk, lookup
from rasen.stores.model import STORE, Registration, Registry
from rasen.stores.refusals import NoRegisteredStores, UnknownStore
from rasen.stores.registry_change import uid_of


class NoStoreRegistry(NotFound):
    code = "no_store_registry"
    text = N_("nothing is registered on this machine: {file} does not exist")
    fix = N_("run 'rasen store setup' or 'rasen store register <path>'")


class StoreNotFound(NotFound):
    code = "store_not_found"
    text = N_("no {namespace} named '{id}' is registered; there are: {ids}")
    fix = N_("run 'rasen store list'")


def named(ctx: Context, registry: Registry, wanted: str, *, namespace: str = STORE) -> Registration:
    """The row that `wanted`, a display name or an identity, means.

    Errors: invalid_store_id, no_store_registry, store_not_found, store_alias_ambiguous.
    """
    try:
        return lookup.by_name(lambda: registry, wanted, namespace=namespace, uid_of=uid_of)
    except (NoRegisteredStores, UnknownStore) as error:
        file = disk.registry_path(ctx)
        if not os.path.lexists(file):
            raise NoStoreRegistry(target="store.registry", file=file) from error
        ids = ", ".join(sorted({row.id for row in registry.of(namespace)})) or NONE
        raise StoreNotFound(target="store.id", namespace=namespace, id=wanted, ids=ids) from error
