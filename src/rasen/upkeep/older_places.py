"""What the originals left in older places of this machine, and copying it to where it belongs now.

Nothing that is there is replaced, and nothing older is removed. Source: planning §1.5.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import places

FOUND = Rule(
    "older_data_found",
    Level.INFO,
    N_("{count} files of an older program lie in {folder} and are not in {target}"),
    N_("run 'rasen doctor --fix' to copy them"),
)

COPIED = Rule(
    "older_data_copied",
    Level.INFO,
    N_("{count} files of an older program were copied to {folder}; the originals stay"),
)
NOT_COPIED = Rule(
    "older_data_not_copied",
    Level.WARNING,
    N_("a file of an older program was not copied: {problem}"),
    N_("settle that, then run 'rasen doctor --fix'"),
)

_LIMIT_BYTES = 1 << 30
# Variable (empty: the home folder) and folders below it, in the order in which they are tried.
_DATA: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("XDG_DATA_HOME", ("openspec",)),
    ("", (".local", "share", "rasen")),
    ("", (".local", "share", "openspec")),
    ("LOCALAPPDATA", ("rasen",)),
    ("LOCALAPPDATA", ("openspec",)),
)
_KEPT = ("stores", "worksets", "projects", "schemas", "pipelines", "workflows", "profiles")
"""The only entries of an older data folder that mean anything; the rest is not ours to copy."""


class Leftover(NamedTuple):
    """One file of an older place, and where it belongs. folder: the older place."""

    source: Path
    target: Path
    folder: Path


def leftovers(ctx: Context) -> list[Leftover]:
    """The files that are in an older place only; none under RASEN_HOME. A look only."""
    if ctx.env.get("RASEN_HOME", "").strip():
        return []
    found: dict[Path, Leftover] = {}
    for one in (*_settings(ctx), *_data(ctx)):
        if not os.path.lexists(one.target):
            found.setdefault(one.target, one)
    return list(found.values())


def findings(ctx: Context) -> list[Finding]:
    """What there is to say about older places, one row for each."""
    counts: dict[Path, list[Leftover]] = {}
    for one in leftovers(ctx):
        counts.setdefault(one.folder, []).append(one)
    return [
        Finding(
            FOUND,
            "machine.data",
            {"count": len(rows), "folder": folder, "target": _base(ctx, rows[0])},
        )
        for folder, rows in counts.items()
    ]


def adopt(ctx: Context) -> tuple[list[Path], list[ToolError]]:
    """Copy what is in older places only: the files that were made, and what could not be copied."""
    from rasen.files.atomic import ABSENT, read_bytes, replace_file

    made: list[Path] = []
    problems: list[ToolError] = []
    for one in leftovers(ctx):
        try:
            data = read_bytes(one.source, limit_bytes=_LIMIT_BYTES)
            replace_file(one.target, data, expect=ABSENT)
        except ToolError as error:
            problems.append(error)
        else:
            made.append(one.target)
    return made, problems


def bring(ctx: Context) -> list[Finding]:
    """`adopt`, and what there is to say about it."""
    made, problems = adopt(ctx)
    params = {"count": len(made), "folder": ctx.data_dir}
    told = [Finding(COPIED, "machine.data", params)] if made else []
    return told + [Finding(NOT_COPIED, "machine.data", {"problem": one}) for one in problems]


def _settings(ctx: Context) -> Iterator[Leftover]:
    for path in places.older_files(ctx.env, ctx.home):
        if path.is_file() and path.parent != ctx.config_dir:
            yield Leftover(path, ctx.config_dir / places.FILE, path.parent)


def _data(ctx: Context) -> Iterator[Leftover]:
    for variable, names in _DATA:
        if not variable and ctx.env.get("XDG_DATA_HOME", "").strip():
            continue
        base = ctx.env.get(variable, "").strip() if variable else str(ctx.home)
        folder = Path(base).joinpath(*names) if base else None
        if folder is None or not folder.is_dir() or folder == ctx.data_dir:
            continue
        for name in _KEPT:
            target = ctx.config_dir if name == "profiles" else ctx.data_dir
            for path in _files(folder / name):
                yield Leftover(path, target / path.relative_to(folder), folder)


def _files(folder: Path) -> Iterator[Path]:
    """The plain files below `folder` that a writer is done with; links are not followed."""
    for place, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink() and not name.endswith((".lock", ".tmp")):
                yield path


def _base(ctx: Context, one: Leftover) -> Path:
    return ctx.config_dir if one.target.is_relative_to(ctx.config_dir) else ctx.data_dir
