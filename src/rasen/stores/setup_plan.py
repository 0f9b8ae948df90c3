"""What a setup would make in a folder, and why it may not; looks only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, Refused
from rasen.base.messages import N_
from rasen.git import repo
from rasen.stores import disk, health, store_file
from rasen.stores.model import Metadata
from rasen.stores.place import (
    StoreMetadataIdMismatch,
    place,
    refuse_data_folder,
    refuse_pointer,
    require_remote,
)
from rasen.stores.remotes import redacted

_FOLDERS = ("specs", "changes", "changes/archive")
_KEPT = ("specs", "changes/archive")


class StoreSetupPathNotDirectory(InvalidInput):
    code = "store_setup_path_not_directory"
    text = N_("{root} cannot be a store: {file} is not a folder")
    fix = N_("name a folder, or one that does not exist yet")


class StoreSetupInsideGitRepo(Refused):
    code = "store_setup_inside_git_repo"
    text = N_("{root} lies in the repository {repository}")
    fix = N_("choose a folder outside of {repository}; a store is a repository of its own")


class StoreSetupNonEmptyDirectory(Refused):
    code = "store_setup_non_empty_directory"
    text = N_("{root} holds something else")
    fix = N_("choose an empty folder, or one that does not exist yet")


class StoreRemoteRequiresHandEdit(Refused):
    code = "store_remote_requires_hand_edit"
    text = N_("{file} exists already, with the remote {found}")
    fix = N_("change 'remote:' in {file} by hand, and leave --remote out")


@dataclass(frozen=True)
class Picture:
    """A folder as it was looked at. entries: the names in it; None when it is not there."""

    root: Path
    entries: tuple[str, ...] | None


@dataclass(frozen=True)
class Plan:
    """What a setup would make.

    folders: absolute, those that are missing, outermost first. files: path relative to root with
    its bytes, only what is missing. uses_git: they are committed. starts_git: in a new repository.
    """

    picture: Picture
    workspace: str
    metadata: Metadata
    folders: tuple[Path, ...]
    files: Mapping[str, bytes]
    uses_git: bool
    starts_git: bool

    @property
    def committed_paths(self) -> tuple[str, ...]:
        """What the commit is limited to: in a repository of others, only what we made."""
        if self.starts_git:
            return (self.workspace, disk.METADATA.parts[0])
        return tuple(self.files)


def suggested_path(name: str) -> str:
    """The folder to offer for a new store of that name."""
    return f"~/rasen/{name}"


def plan(ctx: Context, name: str, said: str, remote: str | None, *, has_git: bool) -> Plan:
    """What setting up the store `name` in the folder `said` would make.

    Errors: store_setup_path_not_directory, store_setup_inside_git_repo,
    store_setup_non_empty_directory, store_root_pointer_declared, invalid_store_pointer,
    invalid_store_metadata, store_metadata_id_mismatch, store_remote_requires_hand_edit,
    store_remote_credentials, store_inside_data_folder.
    Source: planning §7.4.
    """
    root = place(ctx, said)
    refuse_data_folder(ctx, root)
    picture = _picture(root)
    _refuse_enclosing(root)
    workspace = _workspace(ctx, picture)
    refuse_pointer(root / workspace)
    metadata, is_new = _metadata(ctx, root, name, remote)
    files = _files(ctx, root, workspace)
    if is_new:
        files[disk.METADATA.as_posix()] = store_file.render(metadata).encode()
    starts_git = has_git and not repo.is_root(root)
    return Plan(
        picture,
        workspace,
        metadata,
        tuple(_missing_folders(root, workspace, files)),
        files,
        uses_git=has_git and (starts_git or bool(files)),
        starts_git=starts_git,
    )


def _picture(root: Path) -> Picture:
    step = next(one for one in (root, *root.parents) if os.path.lexists(one))
    if not step.is_dir():
        raise StoreSetupPathNotDirectory(target="store.root", root=root, file=step)
    entries = tuple(sorted(one.name for one in root.iterdir())) if step == root else None
    return Picture(root, entries)


def _refuse_enclosing(root: Path) -> None:
    """Refuse a folder in the work tree of another repository; nested ones confuse git and people."""
    if (root / ".git").exists():
        return
    for folder in root.parents:
        git = folder / ".git"
        if git.is_file() or (git / "HEAD").exists():
            raise StoreSetupInsideGitRepo(target="store.root", root=root, repository=folder)


def _workspace(ctx: Context, picture: Picture) -> str:
    """The planning folder's name. Errors: store_setup_non_empty_directory."""
    if not picture.entries or picture.entries == (".git",):
        return ctx.workspace
    found = health.inspect(picture.root)
    if not found.is_healthy:
        raise StoreSetupNonEmptyDirectory(target="store.root", root=picture.root)
    return found.workspace


def _metadata(ctx: Context, root: Path, name: str, remote: str | None) -> tuple[Metadata, bool]:
    """The metadata the store has or gets, and whether its file has to be written."""
    known = disk.load_metadata(root)
    if known is None:
        return Metadata(name, ctx.ids.uuid(), remote), True
    file = disk.metadata_path(root)
    if known.id != name:
        raise StoreMetadataIdMismatch(target="store.metadata", file=file, found=known.id, id=name)
    if remote is not None and remote != known.remote:
        found = redacted(known.remote) if known.remote is not None else "–"
        raise StoreRemoteRequiresHandEdit(target="store.remote", file=file, found=found)
    if file != root / disk.METADATA:
        require_remote(known.remote)
        return known, True
    return known, False


def _files(ctx: Context, root: Path, workspace: str) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    if not any((root / workspace / name).is_file() for name in health.CONFIG_NAMES):
        text = f"schema: spec-driven\nprojectId: {ctx.ids.uuid()}\n"
        files[f"{workspace}/{health.CONFIG_NAMES[0]}"] = text.encode()
    for name in _KEPT:
        folder = root / workspace / name
        if not folder.is_dir() or not any(folder.iterdir()):
            files[f"{workspace}/{name}/.gitkeep"] = b""
    return files


def _missing_folders(root: Path, workspace: str, files: Mapping[str, bytes]) -> list[Path]:
    wanted = [root, *(root / workspace / name for name in _FOLDERS)]
    wanted += [(root / name).parent for name in files]
    missing: set[Path] = set()
    for folder in wanted:
        missing |= {one for one in (folder, *folder.parents) if not os.path.lexists(one)}
    return sorted(missing, key=lambda one: len(one.parts))
