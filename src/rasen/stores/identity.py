"""Giving a store its permanent identity, and everything here that names it the durable form."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Refused, ToolError
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.config.model import StorePointer
from rasen.files.atomic import digest, digest_or_absent, read_optional, read_text, replace_file
from rasen.files.drafts import sweep
from rasen.stores import disk, store_file
from rasen.stores.membership import writing
from rasen.stores.model import STORE, Metadata, Registration, Registry
from rasen.stores.named import named
from rasen.stores.place import StoreMetadataIdMismatch, require_remote
from rasen.stores.refusals import InvalidStoreMetadata, StoreUidMismatch
from rasen.stores.registry_change import blocked, change, identified
from rasen.stores.remotes import without_credentials
from rasen.stores.setup_recovery import settle
from rasen.syntax import yaml

METADATA, REGISTRY, POINTER = "store-metadata", "registry", "project-pointer"


class StoreMetadataUnverified(Refused):
    code = "store_metadata_unverified"
    text = N_("{file} was written, but reads back differently")
    fix = N_("look at {file}, then run the command again")


@dataclass(frozen=True)
class Step:
    """One place that an upgrade concerns. blocked: why it cannot be done now; empty when it can."""

    target: str
    path: Path
    is_needed: bool
    description: str
    blocked: str = ""

    def to_json(self) -> dict[str, object]:
        """A member of `steps`. Source: planning §7.4."""
        answer: dict[str, object] = {
            "target": self.target,
            "path": str(self.path),
            "needed": self.is_needed,
            "description": self.description,
        }
        return {**answer, "blocked": self.blocked} if self.blocked else answer


@dataclass(frozen=True)
class Upgrade:
    """What an upgrade does, or did. uid: None when none is minted yet.

    problem: what stopped it after its first step; running it again finishes.
    """

    row: Registration
    uid: str | None
    is_applied: bool
    steps: tuple[Step, ...]
    to_commit: tuple[Path, ...] = ()
    problem: ToolError | None = None
    findings: tuple[Finding, ...] = ()


def upgrade_identity(
    ctx: Context, wanted: str, *, project: Path | None = None, is_applied: bool = False
) -> Upgrade:
    """Give a store its permanent identity, once, and use it in the registry and the project's pointer.

    project: the planning folder of the current project; None outside of one. is_applied: False only
    says what would be done. Nothing is committed; running it again does nothing.
    Errors: invalid_store_id, no_store_registry, store_not_found, store_alias_ambiguous,
    invalid_store_metadata, store_metadata_id_mismatch, store_uid_mismatch,
    store_remote_credentials, store_registry_busy, store_metadata_unverified. Source: planning §7.4.
    """
    settle(ctx)
    registry = disk.load_registry(ctx)
    row = named(ctx, registry, wanted)
    metadata = _metadata(row)
    steps = _steps(ctx, registry, row, metadata, project)
    if not is_applied:
        return Upgrade(row, metadata.uid, False, steps, findings=_foreseen(registry, row))
    with writing(ctx):
        return _applied(ctx, row, _metadata(row), steps, project)


def _metadata(row: Registration) -> Metadata:
    root = Path(row.path)
    metadata = disk.load_metadata(root)
    if metadata is None:
        raise InvalidStoreMetadata(
            target="store.metadata", file=root / disk.METADATA, problem="it is missing"
        )
    if metadata.id != row.id:
        raise StoreMetadataIdMismatch(
            target="store.metadata", file=disk.metadata_path(root), found=metadata.id, id=row.id
        )
    if row.uid is not None and metadata.uid != row.uid:
        raise StoreUidMismatch(
            target="store.metadata",
            id=row.id,
            root=root,
            expected=row.uid,
            found=metadata.uid or "–",
        )
    if metadata.uid is None:
        require_remote(metadata.remote)  # it would be written again
    return metadata


def _steps(
    ctx: Context,
    registry: Registry,
    row: Registration,
    metadata: Metadata,
    project: Path | None,
) -> tuple[Step, ...]:
    own = Path(row.path) / disk.METADATA
    others = _others_without_identity(registry, row)
    steps = [
        Step(
            METADATA,
            own,
            metadata.uid is None,
            "write the metadata in version 2, with a permanent identity",
        ),
        Step(
            REGISTRY,
            disk.registry_path(ctx),
            row.uid is None,
            "key the registry by identity",
            f"these stores have no identity: {', '.join(others)}" if others else "",
        ),
    ]
    pointer = _pointer(row, project)
    if pointer is not None:
        file, said = pointer
        description = "name the store by its identity instead of its name"
        steps.append(Step(POINTER, file, said.uid is None, description))
    return tuple(steps)


def _others_without_identity(registry: Registry, row: Registration) -> list[str]:
    rows = identified(registry).of(STORE)
    return sorted(one.id for one in rows if one.uid is None and one.path != row.path)


def _foreseen(registry: Registry, row: Registration) -> tuple[Finding, ...]:
    rows = identified(registry).rows
    return blocked(Registry(tuple(one for one in rows if one.path != row.path)))


def _pointer(row: Registration, project: Path | None) -> tuple[Path, StorePointer] | None:
    """The current project's file and pointer when it names this store."""
    if project is None or project.parent == Path(row.path):
        return None
    said = config.store_declaration(project)
    if said.pointer is None or said.file is None:
        return None
    if said.pointer.uid is not None and said.pointer.uid.lower() != row.uid:
        return None
    is_meant = said.pointer.uid is not None or said.pointer.id == row.id
    return (said.file, said.pointer) if is_meant else None


def _applied(
    ctx: Context,
    row: Registration,
    metadata: Metadata,
    steps: tuple[Step, ...],
    project: Path | None,
) -> Upgrade:
    changed: list[Path] = []
    if metadata.uid is None:
        sweep(Path(row.path) / disk.METADATA)
        metadata = replace(metadata, uid=ctx.ids.uuid())
        changed.append(_write_metadata(Path(row.path), metadata))
    done = Upgrade(row, metadata.uid, True, steps, tuple(changed))
    try:
        findings = change(ctx, lambda known: known).findings
        done = replace(done, findings=findings)
        pointer = _pointer(replace(row, uid=metadata.uid), project)
        if pointer is not None and pointer[1].uid is None:
            _write_pointer(pointer[0], metadata)
            changed.append(pointer[0])
    except ToolError as problem:
        if not changed:
            raise
        return replace(done, to_commit=tuple(changed), problem=problem)
    return replace(done, to_commit=tuple(changed))


def _write_metadata(root: Path, metadata: Metadata) -> Path:
    """Write, read back, compare. Errors: store_metadata_unverified, file_changed."""
    path = root / disk.METADATA
    former = read_optional(path)
    expect = digest_or_absent(former)
    replace_file(path, store_file.render(metadata).encode(), expect=expect)
    if disk.load_metadata(root) != metadata:
        raise StoreMetadataUnverified(target="store.metadata", file=path)
    return path


def _write_pointer(file: Path, metadata: Metadata) -> None:
    sweep(file)
    text = read_text(file)
    remote = None if metadata.remote is None else without_credentials(metadata.remote)
    value = StorePointer(metadata.uid, metadata.id, remote).to_value()
    durable = yaml.set_value(text, ("store",), value, file=str(file))
    replace_file(file, durable.encode(), expect=digest(text.encode()))
