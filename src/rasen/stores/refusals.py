"""The refusals of store lookup, one class for each code of planning §2.3 and §2.4."""

from __future__ import annotations

from rasen.base.errors import Damaged, InvalidInput, NotFound, Refused
from rasen.base.messages import N_


class InvalidStoreId(InvalidInput):
    code = "invalid_store_id"
    text = N_("'{id}' is not a store id")
    fix = N_("use lower-case letters and digits, in groups joined by single hyphens")


class InvalidStoreRegistry(Damaged):
    code = "invalid_store_registry"
    text = N_("{file} is not a store registry: {problem}")
    fix = N_("correct {file}, or remove it and register the checkouts again")


class NoRegisteredStores(NotFound):
    code = "no_registered_stores"
    text = N_("no {namespace} is registered on this machine")
    fix = N_(
        "create one with 'rasen store setup', or register a checkout with"
        " 'rasen store register <path>'"
    )


class UnknownStore(NotFound):
    code = "unknown_store"
    text = N_("no {namespace} named '{id}' is registered; there are: {ids}")
    fix = N_("use one of those, or register a checkout with 'rasen store register <path>'")


PROJECT_FIX = N_("register it with 'rasen store add-project <path> --to <store>'")


class InvalidStoreMetadata(InvalidInput):
    code = "invalid_store_metadata"
    text = N_("{file} does not describe a store: {problem}")
    fix = N_("correct {file}")


class StoreIdentityMismatch(Refused):
    code = "store_identity_mismatch"
    text = N_(
        "{root} is registered as '{id}', but the id in its .rasen-store/store.yaml is: {found};"
        " 'rasen store doctor {id}' shows the details"
    )
    fix = N_("register the right checkout of '{id}', or correct its .rasen-store/store.yaml")


class StoreUidMismatch(Refused):
    code = "store_uid_mismatch"
    text = N_("{root} is registered with the identity {expected}, but its metadata has {found}")
    fix = N_("find the checkout that carries {expected}; run 'rasen store doctor {id}'")


class StoreAliasAmbiguous(Refused):
    code = "store_alias_ambiguous"
    text = N_("'{id}' names {count} stores: {candidates}")
    fix = N_("select one by its identity: --store <uid>")


class UnhealthyStoreRoot(Refused):
    code = "unhealthy_store_root"
    text = N_("the root of '{id}' cannot be used: {findings}")
    fix = N_("repair {root}; 'rasen store doctor {id}' lists every finding")


class StoreBootstrapRequired(NotFound):
    code = "store_bootstrap_required"
    text = N_(
        "the store {label} is expected here, but no checkout with its identity is registered;"
        " no network was used and nothing was changed"
    )
    fix = N_("get a checkout of it, then run 'rasen store register <path>'")


class InvalidStorePointer(InvalidInput):
    code = "invalid_store_pointer"
    text = N_("{file}: the store pointer cannot be used: {problem}")
    fix = N_("correct the 'store:' entry in {file}")
