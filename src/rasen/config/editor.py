"""Opens a file in the editor that the environment names."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from rasen.base.context import Context
from rasen.config.model import EditorFailed, EditorNotSet
from rasen.files.atomic import make_dirs
from rasen.process.command import run_attached


def run(ctx: Context, path: Path) -> None:
    """Open `path`, which may not exist, and wait until the editor ends; no shell is involved.

    Errors: editor_not_set, editor_failed, program_missing. Source: planning §1.9.
    """
    words = command(ctx)
    make_dirs(path.parent)
    status = run_attached([*words, str(path)], ctx.cwd, env=dict(ctx.env))
    if status:
        raise EditorFailed(program=words[0], status=status, argv=[*words, str(path)])


def command(ctx: Context) -> list[str]:
    """The words of the editor's call. Errors: editor_not_set."""
    for variable in ("EDITOR", "VISUAL"):
        said = ctx.env.get(variable, "").strip()
        if said:
            return _words(said)
    raise EditorNotSet


def _words(said: str) -> list[str]:
    try:
        words = shlex.split(said, posix=os.name != "nt")
    except ValueError as error:
        raise EditorNotSet from error
    return [word.strip('"') for word in words]
