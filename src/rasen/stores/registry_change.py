"""Changing the machine's store registry: one writer at a time, and never a half of it on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Busy
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.atomic import ABSENT, digest, make_dirs, replace_file
from rasen.files.batch import Batch, recover
from rasen.files.drafts import sweep
from rasen.files.lock import hold
from rasen.stores import disk, registry_file
from rasen.stores.model import STORE, Registration, Registry
from rasen.stores.refusals import InvalidStoreMetadata
from rasen.stores.remotes import without_credentials

REKEY_BLOCKED = Rule(
    "store_registry_rekey_blocked",
    Level.INFO,
    N_("the registry stays keyed by name, because these stores have no identity: {ids}"),
    N_("run 'rasen store upgrade-identity <id> --apply' for each of them"),
)


class StoreRegistryBusy(Busy):
    code = "store_registry_busy"
    text = N_("the store registry is being written by {holder}")
    fix = N_("try again; if no other command runs, remove {lock}")

    def __init__(
        self, *, target: str = "store.registry", fix: str | None = None, **params: object
    ) -> None:
        """The lock raises it without naming a target."""
        super().__init__(target=target, fix=fix, **params)


@dataclass(frozen=True)
class Changed:
    """The registry as it is now. findings: what is to be told about it."""

    registry: Registry
    findings: tuple[Finding, ...]


def change(
    ctx: Context,
    edit: Callable[[Registry], Registry],
    *,
    files: Mapping[Path, bytes] | None = None,
) -> Changed:
    """Make the registry what `edit` makes of it, in version 2 when every store has an identity.

    edit: called under the lock with the registry as it is; what it raises leaves everything alone.
    files: new files that come to be together with the change, or not at all.
    Errors: store_registry_busy, invalid_store_registry, store_registry_names_collide, and those of
    writing files. Source: planning §7.3.
    """
    path = disk.registry_path(ctx)
    make_dirs(path.parent)
    with hold(path.with_name(path.name + ".lock"), busy=StoreRegistryBusy, tell=ctx.tell):
        settle_batch(ctx)
        sweep(path)
        before = disk.load_registry_text(ctx)
        known = disk.parse_registry(ctx, before)
        changed = without_secrets(edit(identified(known)))
        after = registry_file.render(changed)
        _write(ctx, path, before, after, files or {})
    return Changed(changed, blocked(changed))


def identified(registry: Registry) -> Registry:
    """`registry` with the identities that checkouts carry in their own metadata; none is invented."""
    return Registry(tuple(_identified(row) for row in registry.rows))


def without_secrets(registry: Registry) -> Registry:
    """`registry` with passwords and tokens left out of the addresses that it keeps."""
    return Registry(
        tuple(
            row if row.remote is None else replace(row, remote=without_credentials(row.remote))
            for row in registry.rows
        )
    )


def blocked(registry: Registry) -> tuple[Finding, ...]:
    """The note that some stores keep the registry from being keyed by identity; usually none."""
    ids = sorted(row.id for row in registry.of(STORE) if row.uid is None)
    if not ids:
        return ()
    return (Finding(REKEY_BLOCKED, "store.registry", {"ids": ", ".join(ids)}),)


def uid_of(row: Registration) -> str | None:
    """The identity in a checkout's own metadata; None when it has none that can be read."""
    try:
        metadata = disk.load_metadata(Path(row.path))
    except InvalidStoreMetadata:
        return None
    return None if metadata is None or metadata.id != row.id else metadata.uid


def journal(ctx: Context) -> Path:
    """Where a change of several files of stores keeps its journal."""
    return disk.registry_path(ctx).parent / ".journal"


def settle_batch(ctx: Context) -> None:
    """Complete or undo what a dead writer left half done. Errors: busy, recovery_needed."""
    recover(journal(ctx), tell=ctx.tell)


def _identified(row: Registration) -> Registration:
    if row.namespace != STORE or row.uid is not None:
        return row
    return replace(row, uid=uid_of(row))


def _write(
    ctx: Context, path: Path, before: str | None, after: str, files: Mapping[Path, bytes]
) -> None:
    expect = ABSENT if before is None else digest(before.encode())
    if not files:
        if after != before:
            replace_file(path, after.encode(), expect=expect)
        return
    batch = Batch(journal(ctx), purpose="store registration", tell=ctx.tell)
    for file, data in files.items():
        batch.write(file, data, expect=ABSENT)
    batch.write(path, after.encode(), expect=expect)
    batch.commit()
