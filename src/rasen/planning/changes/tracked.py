"""Which files of a change hold its tasks: one answer for every command."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.planning.changes.choice import Chooser
from rasen.planning.schemas.model import Schema
from rasen.planning.schemas.outputs import outputs
from rasen.roots.model import Root

USUAL = "tasks.md"


def tracked_files(
    ctx: Context, root: Root, change_dir: Path, *, chooser: Chooser | None = None
) -> list[Path]:
    """The existing files whose check boxes are the change's tasks; empty when there are none.

    chooser: hand the same one in for all changes of a root, so that schemas are read once. A change whose metadata or schema cannot be used is counted by its `tasks.md`.
    Source: planning §3.7, §9.1.
    """
    try:
        schema = (chooser or Chooser(ctx, root)).schema(change_dir)
    except ToolError:
        return outputs(change_dir, USUAL)
    return files_of(schema, change_dir)


def files_of(schema: Schema, change_dir: Path) -> list[Path]:
    """The same, for a schema that is known: the tracked artifact's files, else `tasks.md`."""
    artifact = schema.tracked
    found = outputs(change_dir, artifact.generates) if artifact else []
    return found or outputs(change_dir, USUAL)
