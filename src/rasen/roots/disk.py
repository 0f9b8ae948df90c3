"""How a planning root looks on disk: its shape, its configuration's pointer, what lies above.

Questions go through `os.path`: they are asked for every folder up to the top, and there a folder
that may not be looked into is as good as none.
"""

# ruff: noqa: PTH112, PTH113, PTH118

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.roots.select import Found, Shape


class WorkspaceUnreadable(Refused):
    code = "workspace_unreadable"
    text = N_("{path} cannot be read")
    fix = N_("give yourself the right to read {path}")


LEGACY_WORKSPACE = "openspec"
CONFIG_NAMES = ("config.yaml", "config.yml")

# A cheap "no" before any YAML is parsed: a `store` key is written with these bytes, or with an escape.
_MAY_POINT = re.compile(rb"store[\"']?\s*:|\\")


def ancestors(start: Path) -> Iterator[Path]:
    """`start` and everything above it; the parent of `start` comes first when it is a file."""
    if not os.path.isfile(start):
        yield start
    yield from start.parents


def config_file(workspace_dir: Path) -> Path | None:
    """The configuration that counts; `.yaml` wins when both exist."""
    for name in CONFIG_NAMES:
        if os.path.isfile(workspace_dir / name):
            return workspace_dir / name
    return None


def shape(folder: Path, workspace: str) -> Shape | None:
    """Why `folder` counts as a root; None when it does not.

    A planning folder that may not be looked into is refused where we may write beside it, as it is
    probably meant; further up, in other people's places, it is passed over.
    Errors: workspace_unreadable. Source: planning §1.2, §2.2.
    """
    inside = os.path.join(folder, workspace)
    if not os.path.isdir(inside):
        return None
    if not os.access(inside, os.R_OK | os.X_OK):
        if os.access(folder, os.W_OK):
            raise WorkspaceUnreadable(target="openspec.root", path=inside)
        return None
    if any(os.path.isdir(os.path.join(inside, name)) for name in ("specs", "changes")):
        return Shape.PLANNING
    return None if config_file(Path(inside)) is None else Shape.CONFIG_ONLY


def nearest(start: Path, workspace: str) -> Found | None:
    """The nearest folder from `start` upwards that counts as a root."""
    for folder in ancestors(start):
        found = shape(folder, workspace)
        if found is not None:
            return Found(folder, found)
    return None


def legacy_above(start: Path) -> Path | None:
    """The nearest folder of the older layout from `start` upwards."""
    for folder in ancestors(start):
        if os.path.isdir(folder / LEGACY_WORKSPACE):
            return folder / LEGACY_WORKSPACE
    return None


def may_point(file: Path) -> bool:
    """False when the configuration surely names no store; costs one read and no parser."""
    try:
        return _MAY_POINT.search(file.read_bytes()) is not None
    except OSError:
        return False
