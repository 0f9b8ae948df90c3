"""What `rasen store doctor` finds out about registered stores; looks only."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.git import repo
from rasen.stores import disk, health, legacy_traces
from rasen.stores.enrol import ALIAS_NUMERIC, ALIAS_REPEATED
from rasen.stores.model import STORE, Metadata, Registration, Registry
from rasen.stores.named import StoreNotFound, named
from rasen.stores.refusals import InvalidStoreMetadata
from rasen.stores.registry_change import blocked, identified
from rasen.stores.remotes import carried, redacted, same
from rasen.stores.setup_recovery import settle

_E, _W, _I = Level.ERROR, Level.WARNING, Level.INFO
ROOT_MISSING = Rule(
    "store_root_missing",
    _E,
    N_("{root} is missing"),
    N_("get a checkout there, or run 'rasen store unregister {id}'"),
)
ROOT_NOT_DIRECTORY = Rule(
    "store_root_not_directory",
    _E,
    N_("{root} is not a folder"),
    N_("run 'rasen store unregister {id}', and see to {root} by hand"),
)
METADATA_MISSING = Rule(
    "store_metadata_missing",
    _E,
    N_("{root} has no .rasen-store/store.yaml"),
    N_("bring it back from git, or run 'rasen store register {root} --id {id} --yes'"),
)
METADATA_INVALID = Rule(
    "store_metadata_invalid", _E, N_("{file} cannot be used: {problem}"), N_("correct {file}")
)
METADATA_ID_MISMATCH = Rule(
    "store_metadata_id_mismatch",
    _E,
    N_("{file} names the store '{found}', but it is registered as '{id}'"),
    N_("run 'rasen store unregister {id}', then 'rasen store register {root}'"),
)
METADATA_LEGACY = Rule(
    "store_metadata_legacy",
    _I,
    N_("{file} is of version 1, without a permanent identity"),
    N_("run 'rasen store upgrade-identity {id}' to see what an identity changes"),
)
UID_MISMATCH = Rule(
    "store_uid_mismatch",
    _E,
    N_("{root} is registered with the identity {expected}, but its metadata has: {found}"),
    N_("find the checkout that carries {expected}, or unregister this one"),
)
REMOTE_DIVERGENCE = Rule(
    "store_remote_divergence",
    _I,
    N_("the metadata names the remote {recorded}, but the origin here is {origin}"),
)
NO_COMMITS = Rule(
    "store_git_no_commits",
    _W,
    N_("the repository at {root} has no commit, so nobody can clone the store"),
    N_("commit the store's files"),
)
FRAGILE = Rule(
    "store_clone_fragile_directories",
    _W,
    N_("git does not carry empty folders, so clones will lack: {folders}"),
    N_("put a file named .gitkeep into each of them and commit it"),
)
_FOLDERS = ("specs", "changes", "changes/archive")


@dataclass(frozen=True)
class GitState:
    """What git says of a store's repository; None is unknown, or was not asked."""

    is_repository: bool | None = None
    has_commits: bool | None = None
    has_changes: bool | None = None
    has_remote: bool | None = None
    origin: str | None = None

    def to_json(self) -> dict[str, object]:
        """The member `git`, with explicit nulls. Source: planning §7.4."""
        return {
            "is_repository": self.is_repository,
            "has_commits": self.has_commits,
            "has_uncommitted_changes": self.has_changes,
            "has_remote": self.has_remote,
            "origin_url": None if self.origin is None else redacted(self.origin),
        }


@dataclass(frozen=True)
class Inspection:
    """One registered root and everything that is to be said of it.

    metadata_path: None when there is none. metadata: None when there is none that can be used.
    """

    row: Registration
    metadata_path: Path | None
    metadata: Metadata | None
    health: health.Health
    git: GitState
    findings: tuple[Finding | ToolError, ...]

    @property
    def workspace_dir(self) -> Path:
        return Path(self.row.path) / self.health.workspace


@dataclass(frozen=True)
class Report:
    """All that were inspected; findings: about the registry as a whole."""

    stores: tuple[Inspection, ...] = ()
    findings: tuple[Finding, ...] = ()


def doctor(ctx: Context, wanted: str | None = None) -> Report:
    """Look at every registered root, or at the one named. Nothing is changed or fetched.

    wanted: a display name or an identity; a project's name when no store has it.
    Errors: invalid_store_registry, invalid_store_id, no_store_registry, store_not_found,
    store_alias_ambiguous. Source: planning §7.4, §7.5.
    """
    settle(ctx)
    registry = disk.load_registry(ctx)
    known = identified(registry)
    rows = registry.rows if wanted is None else (_named(ctx, registry, wanted),)
    ordered = sorted(rows, key=lambda row: (row.id, row.namespace, row.path))
    return Report(tuple(_with_members(ctx, inspect(known, row)) for row in ordered), blocked(known))


def _with_members(ctx: Context, found: Inspection) -> Inspection:
    """`found` with what is to be said of the members of the store. Source: planning §7.10."""
    if found.row.namespace != STORE or found.metadata is None:
        return found
    more = legacy_traces.of_store(ctx, found.row.id, Path(found.row.path))
    return replace(found, findings=(*found.findings, *more)) if more else found


def inspect(registry: Registry, row: Registration) -> Inspection:
    """Look at one registered root; registry: every row with its identity."""
    root = Path(row.path)
    found = health.inspect(root)
    if not os.path.lexists(root):
        return _absent(row, found, ROOT_MISSING)
    if not root.is_dir():
        return _absent(row, found, ROOT_NOT_DIRECTORY)
    metadata_path = disk.metadata_path(root)
    metadata, findings = _metadata(row, root)
    git = git_state(root)
    findings += list(found.findings)
    findings += _aliases(registry, row, metadata)
    findings += _remotes(root, row, metadata, git)
    findings += _clones(root / found.workspace, root, git)
    return Inspection(row, metadata_path, metadata, found, git, tuple(findings))


def git_state(root: Path) -> GitState:
    """What git says of the repository rooted exactly at `root`. Source: planning §7.6."""
    if not repo.is_root(root):
        return GitState(is_repository=False)
    status = repo.status(root, root)
    if not status.is_known and not repo.is_available():
        return GitState(is_repository=True)
    origin = repo.origin(root)
    return GitState(
        True,
        repo.head(root) is not None,
        bool(status.dirty or status.untracked) if status.is_known else None,
        origin is not None,
        origin,
    )


def _named(ctx: Context, registry: Registry, wanted: str) -> Registration:
    try:
        return named(ctx, registry, wanted)
    except StoreNotFound:
        match = [row for row in registry.rows if row.namespace != STORE and row.id == wanted]
        if not match:
            raise
        return match[0]


def _absent(row: Registration, found: health.Health, rule: Rule) -> Inspection:
    finding = Finding(rule, "store.root", {"root": row.path, "id": row.id})
    return Inspection(row, None, None, found, GitState(), (finding,))


def _metadata(row: Registration, root: Path) -> tuple[Metadata | None, list[Finding]]:
    target = "store.metadata"
    file = disk.metadata_path(root)
    try:
        metadata = disk.load_metadata(root)
    except InvalidStoreMetadata as error:
        problem = error.params.get("problem", error)
        return None, [Finding(METADATA_INVALID, target, {"file": file, "problem": problem})]
    if metadata is None:
        return None, [Finding(METADATA_MISSING, target, {"root": root, "id": row.id})]
    findings: list[Finding] = []
    if metadata.id != row.id:
        params = {"file": file, "found": metadata.id, "id": row.id, "root": root}
        findings.append(Finding(METADATA_ID_MISMATCH, target, params))
    if row.uid is not None and metadata.uid != row.uid:
        found = metadata.uid or "–"
        params = {"root": root, "expected": row.uid, "found": found}
        findings.append(Finding(UID_MISMATCH, target, params))
    if metadata.uid is None and row.namespace == STORE:
        findings.append(Finding(METADATA_LEGACY, target, {"file": file, "id": row.id}))
    return metadata, findings


def _aliases(registry: Registry, row: Registration, metadata: Metadata | None) -> list[Finding]:
    if row.namespace != STORE:
        return []
    uid = row.uid or (metadata.uid if metadata is not None else None)
    findings = [
        Finding(
            ALIAS_REPEATED,
            "store.id",
            {"id": row.id, "uid": other.uid or "–", "root": other.path},
        )
        for other in registry.of(STORE)
        if other.id == row.id and other.path != row.path and (uid is None or other.uid != uid)
    ]
    if row.id.isdigit():
        findings.append(Finding(ALIAS_NUMERIC, "store.id", {"id": row.id}))
    return findings


def _remotes(
    root: Path, row: Registration, metadata: Metadata | None, git: GitState
) -> list[Finding]:
    recorded = metadata.remote if metadata is not None else None
    sources = (
        (recorded, disk.metadata_path(root)),
        (git.origin, root / ".git"),
        (row.remote, "registry.yaml"),
    )
    findings = carried(sources)
    if recorded is not None and git.origin is not None and not same(recorded, git.origin):
        params = {"recorded": redacted(recorded), "origin": redacted(git.origin)}
        findings.append(Finding(REMOTE_DIVERGENCE, "store.remote", params))
    return findings


def _clones(workspace: Path, root: Path, git: GitState) -> list[Finding]:
    """What a clone would lack."""
    findings: list[Finding] = []
    if git.has_commits is False:
        findings.append(Finding(NO_COMMITS, "store.git", {"root": root}))
    if git.is_repository:
        empty = [name for name in _FOLDERS if _is_hollow(workspace / name)]
        if empty:
            params = {"folders": ", ".join(f"{workspace.name}/{name}" for name in empty)}
            findings.append(Finding(FRAGILE, "store.git", params))
    return findings


def _is_hollow(folder: Path) -> bool:
    """Whether `folder` is there and holds no file at any depth."""
    return folder.is_dir() and not any(files for _, _, files in os.walk(folder))
