"""The project that a membership command is about: its folder, settings, name and identity."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.config.model import ConfigFileMissing, ProjectConfig, StoreDeclaration
from rasen.files.batch import recover
from rasen.projects.homes import kebab
from rasen.stores import disk, health, membership_file
from rasen.stores.model import Metadata
from rasen.stores.place import StoreMetadataIdMismatch, require_id
from rasen.stores.refusals import InvalidStorePointer
from rasen.stores.register import (
    StorePathMissing,
    StorePathNotDirectory,
    StoreRegisterRootUnhealthy,
)


class ProjectSettingsBroken(InvalidInput):
    code = "project_settings_broken"
    text = N_("{file} cannot be read as settings, so nothing is added to it")
    fix = N_("correct {file}")


@dataclass(frozen=True)
class Project:
    """A project's folder and what its files say.

    project_id: normalised; None when it has none yet. metadata: what it calls itself in the
    registry; None when nothing says so yet.
    """

    root: Path
    workspace: str
    config_path: Path
    project_id: str | None
    declaration: StoreDeclaration
    metadata: Metadata | None

    @property
    def workspace_dir(self) -> Path:
        return self.root / self.workspace

    @property
    def plans_itself(self) -> bool:
        """Whether it has planning folders of its own. Source: planning §1.2."""
        names = ("specs", "changes")
        return any((self.workspace_dir / name).is_dir() for name in names)

    def alias(self, wanted: str | None) -> str:
        """The name it is registered under; `wanted`: None when nobody said one.

        Errors: invalid_store_id, store_metadata_id_mismatch.
        """
        if self.metadata is None:
            return require_id(wanted if wanted is not None else kebab(self.root.name))
        if wanted is not None and require_id(wanted) != self.metadata.id:
            file = disk.metadata_path(self.root)
            raise StoreMetadataIdMismatch(
                target="store.metadata", file=file, found=self.metadata.id, id=wanted
            )
        return self.metadata.id


def at(ctx: Context, root: Path) -> Project:
    """The project at the canonical path `root`, after settling what a dead writer left there.

    Errors: store_path_missing, store_path_not_directory, store_register_root_unhealthy,
    invalid_store_metadata, project_settings_broken, project_identity_unrecordable,
    invalid_store_pointer; busy, recovery_needed.
    """
    if not os.path.lexists(root):
        raise StorePathMissing(target="store.root", root=root)
    if not root.is_dir():
        raise StorePathNotDirectory(target="store.root", root=root)
    workspace = health.workspace_of(root)
    settle(ctx, root / workspace)
    found = health.inspect(root)
    if not found.is_healthy:
        raise StoreRegisterRootUnhealthy(
            target="openspec.root",
            fix=N_("run 'rasen init' there"),
            root=root,
            findings=found.sentences(),
        )
    path = config.project_config_path(root / workspace)
    if path is None:
        raise ConfigFileMissing(file=str(root / workspace / "config.yaml"))
    said = config.store_declaration(root / workspace)
    project_id = _identity(root / workspace, path)
    if said.malformed is not None:
        raise InvalidStorePointer(target="store.pointer", file=path, problem=said.malformed)
    return Project(root, workspace, path, project_id, said, disk.load_metadata(root))


def settle(ctx: Context, workspace_dir: Path) -> None:
    """Complete or undo what a dead writer left in a workspace. Errors: busy, recovery_needed."""
    recover(workspace_dir / ".journal", tell=ctx.tell)


def identity_of(root: Path) -> str | None:
    """The identity of the project at `root`, normalised; None when it has none that can be read."""
    settings = config.project_config(root / health.workspace_of(root), tell=_quiet)
    return _normal(settings)


def _identity(workspace_dir: Path, path: Path) -> str | None:
    settings = config.project_config(workspace_dir, tell=_quiet)
    if settings is None and path.read_bytes().strip():
        from rasen.files.atomic import read_text
        from rasen.syntax import yaml

        if not isinstance(yaml.load(read_text(path), file=str(path)), dict | None):
            raise ProjectSettingsBroken(target="openspec.config", file=path)
    found = _normal(settings)
    if found is not None:
        membership_file.file_name(found, file=path)
    return found


def _normal(settings: ProjectConfig | None) -> str | None:
    if settings is None or settings.project_id is None:
        return None
    return membership_file.normal_project_id(settings.project_id)


def _quiet(_: object) -> None:
    """The settings are looked at for one field; other commands tell what is wrong with the rest."""
