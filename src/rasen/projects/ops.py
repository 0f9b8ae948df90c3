"""Registering checkouts on this machine and finding their homes.

Questions go through `os.path`, which answers no where looking is forbidden.
"""

# ruff: noqa: PTH112, PTH113

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.clock import iso_millis
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.projects import disk
from rasen.projects.homes import Assignment, Checkout, assign, record
from rasen.projects.model import (
    MODE_IN_REPO,
    MODE_STORE,
    Home,
    ProjectConfigMissing,
    ProjectRegistryBusy,
    Registry,
)

_WORKSPACES = ("rasen", "openspec")
_CONFIG_NAMES = ("config.yaml", "config.yml")


def register(ctx: Context, root_path: Path) -> Home:
    """Make this machine know the checkout at `root_path`, giving the project an identity if needed.

    The identity is one line more in the project's configuration, which must exist.
    Errors: project_config_missing, project_identity_not_written, invalid_project_registry,
    project_registry_busy, yaml_invalid, and those of reading and writing files.
    Source: planning §1.4, §7.11.
    """
    from rasen.files.atomic import make_dirs
    from rasen.files.drafts import sweep
    from rasen.files.lock import hold
    from rasen.files.paths import canonical
    from rasen.projects import identity

    root = canonical(root_path)
    workspace = _workspace(root, ctx.workspace)
    config = _config(root, workspace)
    if config is None:
        raise ProjectConfigMissing(target="openspec.config", workspace=root / workspace)
    make_dirs(disk.folder(ctx))
    with hold(disk.lock_path(ctx), busy=ProjectRegistryBusy, tell=ctx.tell):
        sweep(disk.registry_path(ctx))
        sweep(config)
        registry = disk.load(ctx)
        known = identity.read(config)
        project_id = known or identity.mint(config, ctx.ids.uuid())
        checkout = _checkout(root, project_id, workspace)
        given = _assign(registry, checkout)
        disk.save(ctx, record(registry, checkout, given, seen=iso_millis(ctx.clock.now())))
    return Home(disk.folder(ctx) / given.home, project_id, given.is_new, known is None)


def home_of(ctx: Context, root_path: Path) -> Path | None:
    """The home this machine has for the checkout at `root_path`; None when it has none.

    A look only: it registers nothing, and a registry that cannot be read answers None.
    """
    if not os.path.lexists(disk.registry_path(ctx)):
        return None
    try:
        return _known_home(ctx, root_path)
    except ToolError:
        return None


def work_dir(ctx: Context, root_path: Path, change: str) -> Path | None:
    """Where private working files of a change lie; None when the checkout has no home. A look only."""
    home = home_of(ctx, root_path)
    return None if home is None else home / "changes" / change / "work"


def archive_dir_external(ctx: Context, root_path: Path) -> Path | None:
    """Where changes archived out of the repository lie; None when the checkout has no home.

    A look only; `register` first where the archive is to be written.
    """
    home = home_of(ctx, root_path)
    return None if home is None else home / "archive"


def _known_home(ctx: Context, root_path: Path) -> Path | None:
    from rasen.files.paths import canonical

    registry = disk.load(ctx)
    root = canonical(root_path)
    known = registry.entries.get(str(root))
    if known is not None:
        return disk.folder(ctx) / known.home
    workspace = _workspace(root, ctx.workspace)
    config = _config(root, workspace)
    if config is None or not registry.entries:
        return None
    from rasen.projects.identity import read

    project_id = read(config)
    if project_id is None:
        return None
    given = _assign(registry, _checkout(root, project_id, workspace))
    return None if given.is_new else disk.folder(ctx) / given.home


def _workspace(root: Path, preferred: str) -> str:
    """The name of the planning folder in `root`: a store may have the other one."""
    names = (preferred, *_WORKSPACES)
    return next((name for name in names if os.path.isdir(root / name)), preferred)


def _config(root: Path, workspace: str) -> Path | None:
    for name in _CONFIG_NAMES:
        if os.path.isfile(root / workspace / name):
            return root / workspace / name
    return None


def _checkout(root: Path, project_id: str, workspace: str) -> Checkout:
    planning = root / workspace
    is_planning = any(os.path.isdir(planning / name) for name in ("specs", "changes"))
    mode = MODE_IN_REPO if is_planning else MODE_STORE
    return Checkout(str(root), project_id, mode, _base_name(root))


def _assign(registry: Registry, checkout: Checkout) -> Assignment:
    root = Path(checkout.path)
    return assign(
        registry,
        checkout,
        is_sibling=lambda path: _are_worktrees_of_one(root, Path(path)),
        exists=is_there,
    )


def is_there(path: str) -> bool:
    """Whether a registered checkout is still there; one that may not be looked at counts as there."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _base_name(root: Path) -> str:
    """The folder a home is named after: that of the main repository when `root` is a worktree."""
    if not os.path.isfile(root / ".git"):
        return root.name
    from rasen.git import repo

    common = repo.common_dir(root)
    if common is None or common == repo.git_dir(root):
        return root.name
    return common.parent.name if common.name == ".git" else common.name.removesuffix(".git")


def _are_worktrees_of_one(left: Path, right: Path) -> bool:
    if not os.path.isdir(right):
        return False
    from rasen.git import repo

    common = repo.common_dir(left)
    return (
        common is not None
        and common == repo.common_dir(right)
        and repo.git_dir(left) != repo.git_dir(right)
    )
