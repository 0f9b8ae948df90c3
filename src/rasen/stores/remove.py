"""Taking a store out of the registry, and, when asked, its folder off the disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, NotFound, Refused, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.batch import Batch
from rasen.files.paths import canonical
from rasen.stores import disk
from rasen.stores.enrol import path_is_there
from rasen.stores.lookup import check_identity
from rasen.stores.model import STORE, Registration, Registry
from rasen.stores.named import named
from rasen.stores.place import StoreMetadataIdMismatch
from rasen.stores.registry_change import change, identified, journal
from rasen.stores.removal_guard import guard
from rasen.stores.setup_recovery import settle

ROOT_MISSING = Rule(
    "store_root_missing",
    Level.WARNING,
    N_("{root} is missing"),
    N_("nothing more is to be done: it is no longer registered"),
)
LEFT_ON_DISK = Rule(
    "store_files_left_on_disk",
    Level.WARNING,
    N_("'{id}' is no longer registered, but {root} could not be deleted: {problem}"),
    N_("delete {root} by hand"),
)


class StoreRegistryChanged(Conflict):
    code = "store_registry_changed"
    text = N_("the registration of '{id}' changed meanwhile")
    fix = N_("look at 'rasen store list', then run the command again")


class StoreRemoveNeedsConsent(Refused):
    code = "store_remove_confirmation_required"
    text = N_("removing '{id}' deletes the folder {root}; that needs a yes")
    fix = N_("add --yes, or keep the files with 'rasen store unregister {id}'")


class StoreRemoveCancelled(Refused):
    code = "store_remove_cancelled"
    text = N_("the removal was cancelled; nothing was changed")


class StoreRemovePathNotDirectory(Refused):
    code = "store_remove_path_not_directory"
    text = N_("{root}, registered as '{id}', is not a folder")
    fix = N_("run 'rasen store unregister {id}', and see to {root} by hand")


class StoreRemoveMetadataMissing(NotFound):
    code = "store_remove_metadata_missing"
    text = N_("{root} does not say that it is the store '{id}'; it is not deleted")
    fix = N_("run 'rasen store unregister {id}', and see to {root} by hand")


@dataclass(frozen=True)
class Request:
    """What a person asked for. yes: the folder may be deleted."""

    id: str
    namespace: str = STORE
    yes: bool = False


@dataclass(frozen=True)
class Removed:
    """What was taken away. deleted, left: the folder that is gone, or still there; None: neither."""

    row: Registration
    registry_path: Path
    deleted: Path | None = None
    left: Path | None = None
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The members beside `status`. Source: planning §7.4."""
        return {
            "store": {"id": self.row.id, "root": self.row.path},
            "registry": {"path": str(self.registry_path), "removed": True},
            "files": {
                "deleted": self.deleted is not None,
                "deleted_path": _text(self.deleted),
                "left_on_disk": _text(self.left),
            },
        }


def unregister(ctx: Context, request: Request) -> Removed:
    """Make this machine forget a store; its files stay.

    Errors: invalid_store_id, no_store_registry, store_not_found, store_alias_ambiguous,
    store_registry_busy, invalid_store_registry, store_registry_names_collide.
    Source: planning §7.4.
    """
    settle(ctx)
    registry = identified(disk.load_registry(ctx))
    row = named(ctx, registry, request.id, namespace=request.namespace)
    findings = _forget(ctx, row)
    left = Path(row.path) if path_is_there(row.path) else None
    return Removed(row, disk.registry_path(ctx), left=left, findings=findings)


def remove(ctx: Context, request: Request) -> Removed:
    """Make this machine forget a store, and delete its folder.

    The folder goes in one step: killed on the way, the next command about stores finishes.
    Errors: those of `unregister`; store_remove_path_not_directory, store_remove_metadata_missing,
    invalid_store_metadata, store_metadata_id_mismatch, store_uid_mismatch, those of
    `removal_guard.guard`, store_remove_confirmation_required, store_registry_changed.
    Source: planning §7.4.
    """
    settle(ctx)
    registry = identified(disk.load_registry(ctx))
    row = named(ctx, registry, request.id, namespace=request.namespace)
    root = Path(row.path)
    is_there = path_is_there(row.path)
    if is_there:
        _check(ctx, registry, row)
    if not request.yes:
        raise StoreRemoveNeedsConsent(target="store.root", id=row.id, root=root)
    findings = _forget(ctx, row)
    done = Removed(row, disk.registry_path(ctx), findings=findings)
    if not is_there:
        missing = Finding(ROOT_MISSING, "store.root", {"root": root})
        return replace(done, findings=(missing, *findings))
    try:
        batch = Batch(journal(ctx), purpose="store removal", tell=ctx.tell)
        batch.remove_tree(root)
        batch.commit()
    except ToolError as problem:
        params = {"id": row.id, "root": root, "problem": problem}
        left = Finding(LEFT_ON_DISK, "store.root", params)
        return replace(done, left=root, findings=(left, *findings))
    return replace(done, deleted=root)


def _check(ctx: Context, registry: Registry, row: Registration) -> None:
    """Refuse to delete what is not, or not only, this very store."""
    root = Path(row.path)
    if canonical(root) != root or not root.is_dir():
        raise StoreRemovePathNotDirectory(target="store.root", root=root, id=row.id)
    metadata = disk.load_metadata(root)
    if metadata is None:
        raise StoreRemoveMetadataMissing(target="store.metadata", root=root, id=row.id)
    if metadata.id != row.id:
        raise StoreMetadataIdMismatch(
            target="store.metadata",
            file=disk.metadata_path(root),
            found=metadata.id,
            id=row.id,
            fix=N_("run 'rasen store doctor {id}'"),
        )
    check_identity(row, metadata)
    guard(ctx, registry, row, root)


def _forget(ctx: Context, row: Registration) -> tuple[Finding, ...]:
    """Remove the row, unless it is another by now. Errors: store_registry_changed."""

    def edit(known: Registry) -> Registry:
        if row not in known.rows:
            raise StoreRegistryChanged(target="store.registry", id=row.id)
        return Registry(tuple(one for one in known.rows if one != row))

    return change(ctx, edit).findings


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
