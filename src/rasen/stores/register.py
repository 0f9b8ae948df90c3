"""Registering a checkout that is there already."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, Refused
from rasen.base.messages import N_
from rasen.git import repo
from rasen.stores import disk, health, store_file
from rasen.stores.enrol import Enrolment, enrol, path_is_there
from rasen.stores.model import Metadata, Registry
from rasen.stores.outcome import Outcome, registration
from rasen.stores.place import (
    StoreMetadataIdMismatch,
    place,
    refuse_data_folder,
    refuse_pointer,
    require_id,
)
from rasen.stores.registry_change import change
from rasen.stores.setup_recovery import settle

EMPTY_CLONE = N_(
    "{root} is a clone without a commit: commit and push the store from where it was made, pull"
    " here, then register again"
)


class StorePathRequired(InvalidInput):
    code = "store_path_required"
    text = N_("which folder is to be registered?")
    fix = N_("run 'rasen store register <path>'")


class StorePathMissing(NotFound):
    code = "store_path_missing"
    text = N_("{root} is missing")
    fix = N_("name the folder of a checkout, or make a store with 'rasen store setup'")


class StorePathNotDirectory(InvalidInput):
    code = "store_path_not_directory"
    text = N_("{root} is not a folder")
    fix = N_("name the folder of a checkout")


class StoreRegisterRootUnhealthy(Refused):
    code = "store_register_root_unhealthy"
    text = N_("{root} cannot be used as a store: {findings}")
    fix = N_("repair it, or make a store with 'rasen store setup'")


class StoreRegisterNeedsIdentity(Refused):
    code = "store_register_identity_confirmation_required"
    text = N_("{root} has no .rasen-store/store.yaml; it would be given one, as the store '{id}'")
    fix = N_("run 'rasen store register {root} --id {id} --yes'")


class StoreRegisterCancelled(Refused):
    code = "store_register_cancelled"
    text = N_("nothing was registered and nothing was changed")


@dataclass(frozen=True)
class Request:
    """What a person asked for. path, id: None when not said. yes: metadata may be written."""

    path: str | None = None
    id: str | None = None
    yes: bool = False


def register(ctx: Context, request: Request) -> Outcome:
    """Make this machine know a checkout. It never commits.

    A checkout without metadata gets it together with its registration, or neither.
    Errors: store_path_required, store_path_missing, store_path_not_directory,
    store_register_root_unhealthy, store_root_pointer_declared, invalid_store_pointer,
    invalid_store_metadata, store_metadata_id_mismatch, invalid_store_id,
    store_inside_data_folder, store_register_identity_confirmation_required, store_id_conflict, store_path_conflict,
    store_registry_busy, invalid_store_registry, store_registry_names_collide.
    Source: planning §7.4.
    """
    if request.path is None or not request.path.strip():
        raise StorePathRequired(target="store.root")
    settle(ctx)
    root = _checked_root(place(ctx, request.path))
    refuse_data_folder(ctx, root)
    metadata, files = _metadata(ctx, root, request)
    row = registration(root, metadata)
    put: list[Enrolment] = []

    def edit(known: Registry) -> Registry:
        put.append(enrol(known, row, exists=path_is_there))
        return put[-1].registry

    changed = change(ctx, edit, files=files)
    return Outcome(
        metadata.id,
        root,
        disk.metadata_path(root),
        disk.registry_path(ctx),
        is_known=put[-1].is_known,
        is_repository=repo.is_root(root),
        created=tuple(file.relative_to(root).as_posix() for file in files),
        findings=(*put[-1].findings, *changed.findings),
    )


def _checked_root(root: Path) -> Path:
    if not path_is_there(str(root)):
        raise StorePathMissing(target="store.root", root=root)
    if not root.is_dir():
        raise StorePathNotDirectory(target="store.root", root=root)
    found = health.inspect(root)
    if not found.is_healthy:
        is_empty_clone = repo.is_root(root) and repo.head(root) is None
        raise StoreRegisterRootUnhealthy(
            target="openspec.root",
            fix=EMPTY_CLONE if is_empty_clone else None,
            root=root,
            findings=found.sentences(),
        )
    refuse_pointer(root / found.workspace)
    return root


def _metadata(ctx: Context, root: Path, request: Request) -> tuple[Metadata, dict[Path, bytes]]:
    """What the checkout says about itself, or is going to; with the files that say so."""
    known = disk.load_metadata(root)
    if known is not None:
        if request.id is not None and require_id(request.id) != known.id:
            file = disk.metadata_path(root)
            raise StoreMetadataIdMismatch(
                target="store.metadata", file=file, found=known.id, id=request.id
            )
        return known, {}
    name = require_id(request.id if request.id is not None else root.name)
    if not request.yes:
        raise StoreRegisterNeedsIdentity(target="store.metadata", root=root, id=name)
    fresh = Metadata(name, ctx.ids.uuid())
    return fresh, {root / disk.METADATA: store_file.render(fresh).encode()}
