"""How a project's pointer differs from the store it leads to; such drift never stops a command."""

from __future__ import annotations

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config.model import StorePointer
from rasen.stores.model import Checkout
from rasen.stores.remotes import has_credentials, redacted, same

LEGACY = Rule(
    "store_pointer_legacy",
    Level.INFO,
    N_("{file} names its store '{id}' by its name alone, which may change"),
    N_("run '{command}'"),
)
ALIAS_DRIFT = Rule(
    "store_pointer_alias_drift",
    Level.WARNING,
    N_("{file} calls its store '{said}', but the store is called '{id}' now"),
    N_("run 'rasen doctor --fix' to write the name it has now"),
)
REMOTE_DIVERGENCE = Rule(
    "store_pointer_remote_divergence",
    Level.INFO,
    N_("{file} gives {said} as the address of its store; the store itself gives {recorded}"),
)


def drift(pointer: StorePointer, store: Checkout, *, file: object) -> list[Finding]:
    """What differs between a pointer in `file` and the store it was resolved to.

    Source: planning §2.4.
    """
    found: list[Finding] = []
    params: dict[str, object]
    if pointer.uid is None:
        identity = f"rasen store upgrade-identity {store.id}"
        command = "rasen doctor --fix" if store.uid is not None else identity
        params = {"file": file, "id": store.id, "command": command}
        found.append(Finding(LEGACY, "store.pointer", params))
    elif pointer.id is not None and pointer.id != store.id:
        params = {"file": file, "said": pointer.id, "id": store.id}
        found.append(Finding(ALIAS_DRIFT, "store.pointer", params))
    said, recorded = pointer.remote, store.remote
    if said is not None and recorded is not None and not same(said, recorded):
        params = {"file": file, "said": redacted(said), "recorded": redacted(recorded)}
        found.append(Finding(REMOTE_DIVERGENCE, "store.pointer", params))
    return found


def mended(pointer: StorePointer, store: Checkout) -> StorePointer:
    """`pointer` in the durable form, with the name its store has now; a secret address is left out."""
    if store.uid is None:
        return pointer
    is_secret = pointer.remote is not None and has_credentials(pointer.remote)
    return StorePointer(store.uid, store.id, None if is_secret else pointer.remote)
