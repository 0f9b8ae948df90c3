"""Where the worksets and the workspace files made for them lie; loading and saving them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.atomic import make_dirs, read_text, remove_file, replace_file
from rasen.files.errors import FileMissing
from rasen.syntax import json
from rasen.worksets import worksets_file
from rasen.worksets.model import InvalidWorksetFile, Member, Workset


def folder(ctx: Context) -> Path:
    return ctx.data_dir / "worksets"


def file(ctx: Context) -> Path:
    return folder(ctx) / "worksets.yaml"


def lock_path(ctx: Context) -> Path:
    return folder(ctx) / "worksets.yaml.lock"


def load(ctx: Context) -> dict[str, Workset]:
    """The worksets by name; none when there is no file. Errors: invalid_workset_file."""
    path = file(ctx)
    try:
        text = read_text(path)
    except FileMissing:
        return {}
    except ToolError as error:
        raise InvalidWorksetFile(target="workset.file", file=path, problem=error) from error
    return worksets_file.parse(text, file=str(path))


def save(ctx: Context, worksets: Mapping[str, Workset]) -> None:
    """Make the file say `worksets`. Hold its lock."""
    replace_file(file(ctx), worksets_file.render(worksets).encode())


def workspace_file(ctx: Context, name: str) -> Path:
    return folder(ctx) / f"{name}.code-workspace"


def write_workspace(ctx: Context, name: str, members: Iterable[Member]) -> Path:
    """Make the workspace file of a workset anew."""
    path = workspace_file(ctx, name)
    make_dirs(path.parent)
    replace_file(path, json.dump({"folders": [one.to_json() for one in members]}).encode())
    return path


def remove_workspace(ctx: Context, name: str) -> None:
    """Make sure there is no workspace file for a workset."""
    if workspace_file(ctx, name).is_file():
        remove_file(workspace_file(ctx, name))
