"""Finding registered stores and projects, and what a project's references offer; reads only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Rule
from rasen.base.messages import fill
from rasen.files.paths import canonical
from rasen.stores import disk, health, lookup
from rasen.stores.model import (
    PROJECT,
    STORE,
    Checkout,
    Registration,
    Registry,
    Unavailable,
    is_id,
    normal_uid,
)
from rasen.stores.offers import offered
from rasen.stores.references import (
    INVALID_ID,
    REGISTRY_UNREADABLE,
    ROOT_UNHEALTHY,
    SPEC_ID_CHARS,
    UNRESOLVED,
    ReferenceEntry,
    bounded,
    one_line,
    repair,
)
from rasen.stores.refusals import (
    InvalidStoreMetadata,
    InvalidStoreRegistry,
    NoRegisteredStores,
    StoreAliasAmbiguous,
    StoreBootstrapRequired,
    UnhealthyStoreRoot,
    UnknownStore,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rasen.config.model import Reference, StorePointer


def registry(ctx: Context) -> Registry:
    """Everything registered on this machine. Errors: invalid_store_registry."""
    return disk.load_registry(ctx)


def try_registry(ctx: Context) -> Registry | InvalidStoreRegistry:
    """Everything registered on this machine, or why that cannot be told."""
    try:
        return registry(ctx)
    except InvalidStoreRegistry as error:
        return error


def resolve(
    ctx: Context, wanted: str, *, namespace: str = STORE, known: Registry | None = None
) -> Checkout:
    """The healthy checkout that `wanted`, a display name or an identity, means.

    known: the registry, when the caller has read it already.
    Errors: invalid_store_id, invalid_store_registry, no_registered_stores, unknown_store,
    store_alias_ambiguous, invalid_store_metadata, store_identity_mismatch, store_uid_mismatch,
    unhealthy_store_root. Source: planning §2.3.
    """
    read: list[Registry] = [] if known is None else [known]

    def registered() -> Registry:
        if not read:
            read.append(disk.load_registry(ctx))
        return read[0]

    row = lookup.by_name(registered, wanted, namespace=namespace, uid_of=_uid_of)
    return _named_among(registered(), row, check(row))


def check(row: Registration) -> Checkout:
    """The checkout of a registered row, identified and healthy.

    Errors: the last four of `resolve`.
    """
    root = canonical(Path(row.path))
    metadata = disk.load_metadata(root)
    lookup.check_identity(row, metadata)
    found = health.inspect(root)
    if not found.is_healthy:
        raise UnhealthyStoreRoot(
            target="openspec.root", id=row.id, root=root, findings=found.sentences()
        )
    return Checkout(
        id=row.id,
        path=root,
        workspace=found.workspace,
        namespace=row.namespace,
        uid=metadata.uid if metadata is not None else None,
        remote=metadata.remote if metadata is not None else row.remote,
    )


def follow(ctx: Context, pointer: StorePointer) -> Checkout:
    """The healthy checkout a `store:` pointer means; an identity is never replaced by a name.

    Errors: those of `resolve`; store_bootstrap_required for an identity that is not registered.
    Source: planning §2.4, correction 3.
    """
    if pointer.uid is None:
        return resolve(ctx, pointer.id or "")
    known = registry(ctx)
    row = lookup.by_uid(list(known.of(STORE)), pointer.uid, uid_of=_uid_of)
    if row is None:
        name = f" ('{pointer.id}')" if pointer.id else ""
        raise StoreBootstrapRequired(
            target="store.id", label=f"{normal_uid(pointer.uid)}{name}", name=pointer.id or ""
        )
    return _named_among(known, row, check(row))


def try_follow(ctx: Context, pointer: StorePointer) -> Checkout | Unavailable:
    """As `follow`, with every refusal as a value. Source: planning §2.4, tri-state."""
    try:
        return follow(ctx, pointer)
    except ToolError as error:
        return unavailable(error)


def unavailable(error: ToolError) -> Unavailable:
    """A refusal of `resolve`, `check` or `follow` as a value. Source: planning §2.4, tri-state."""
    return Unavailable(_REASONS.get(error.code, "registry-unreadable"), error)


def is_registered(ctx: Context, root: Path) -> bool:
    """Whether the canonical path `root` is a registered store; an unreadable registry answers no."""
    try:
        rows = list(registry(ctx).of(STORE))
    except ToolError:
        return False
    return any(canonical(Path(row.path)) == root for row in rows)


def reference_index(
    ctx: Context,
    declared: Sequence[Reference],
    *,
    own: Path,
    own_id: str | None,
    with_specs: bool = True,
    known: Registry | InvalidStoreRegistry | None = None,
) -> tuple[ReferenceEntry, ...]:
    """One entry for each declared reference, in order; nothing in it ever fails a command.

    own, own_id: the root that declares them, left out of its own index; None: it has no id.
    with_specs: False for a health report, which lists no specs.
    known: the registry, or why it cannot be read, when the caller knows already.
    Source: planning §7.8.
    """
    if not declared:
        return ()
    rows = try_registry(ctx) if known is None else known
    found = (_entry(ctx, row, rows, own_id, with_specs=with_specs) for row in declared)
    foreign = (entry for entry in found if entry is not None and entry.root != own)
    return bounded(foreign) if with_specs else tuple(foreign)


def _entry(
    ctx: Context,
    declared: Reference,
    known: Registry | InvalidStoreRegistry,
    own_id: str | None,
    *,
    with_specs: bool,
) -> ReferenceEntry | None:
    is_project = declared.type == PROJECT
    shown = one_line(declared.id, SPEC_ID_CHARS)
    if not is_id(declared.id):
        return _broken(shown, INVALID_ID, is_project=is_project)
    if declared.id == own_id:
        return None
    if isinstance(known, InvalidStoreRegistry):
        return _broken(shown, REGISTRY_UNREADABLE, is_project=is_project, error=known)
    try:
        namespace = PROJECT if is_project else STORE
        checkout = resolve(ctx, declared.id, namespace=namespace, known=known)
    except (NoRegisteredStores, UnknownStore, StoreAliasAmbiguous) as error:
        fix = error.fix_text
        if not isinstance(error, StoreAliasAmbiguous):
            fix = repair(
                shown, declared.remote, is_project=is_project, home=ctx.home, own_id=own_id or ""
            )
        return _broken(shown, UNRESOLVED, is_project=is_project, error=error, fix=fix)
    except ToolError as error:
        return _broken(shown, ROOT_UNHEALTHY, is_project=is_project, error=error)
    specs = offered(checkout.path / checkout.workspace / "specs") if with_specs else None
    return ReferenceEntry(shown, is_project, checkout.path, specs)


def _broken(
    shown: str,
    rule: Rule,
    *,
    is_project: bool,
    error: ToolError | None = None,
    fix: str | None = None,
) -> ReferenceEntry:
    params: dict[str, object] = {"id": shown}
    if error is not None:
        repair_text = fill(error.fix_text, error.params) if fix is None else fix
        params |= {"problem": error, "repair": repair_text}
    finding = Finding(rule, "references", params)
    return ReferenceEntry(shown, is_project, status=(finding,))


_REASONS = {
    "no_registered_stores": "not-registered",
    "unknown_store": "not-registered",
    "store_bootstrap_required": "not-registered",
    "invalid_store_metadata": "metadata-missing",
    "store_identity_mismatch": "metadata-missing",
    "store_uid_mismatch": "uid-mismatch",
    "unhealthy_store_root": "root-unhealthy",
    "store_alias_ambiguous": "alias-ambiguous",
    "invalid_store_id": "pointer-malformed",
}


def _named_among(known: Registry, row: Registration, found: Checkout) -> Checkout:
    """`found`, knowing whether its name is enough to select it."""
    twins = [one for one in known.of(row.namespace) if one.id == row.id]
    return replace(found, is_shared_name=True) if len(twins) > 1 else found


def _uid_of(row: Registration) -> str | None:
    """The identity in a checkout's own metadata; None when it has none that can be read."""
    try:
        metadata = disk.load_metadata(Path(row.path))
    except InvalidStoreMetadata:
        return None
    return None if metadata is None else metadata.uid
