"""Where recorded bases lie: `.base/` in a change's folder, out of sight of deltas and artifacts.

`.base/<capability>/spec.md` is a copy of the spec, byte for byte; `.base/<capability>/.absent`
says that there was no such spec.
"""

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.files.atomic import ABSENT, digest_of, read_text
from rasen.files.batch import Batch
from rasen.files.paths import inside
from rasen.planning.bases.model import (
    RECORD_UNREADABLE,
    RECORDED_ABSENCE,
    RECORDED_TEXT,
    Base,
    Source,
)
from rasen.planning.disk import SPEC_FILE

FOLDER = ".base"
NO_SPEC = ".absent"
_NO_SPEC_TEXT = "There was no such spec when this base was recorded.\n"


def place(change_dir: Path, capability: str) -> Path:
    """Where the base of one capability is recorded. Errors: path_traversal."""
    return inside(change_dir, f"{FOLDER}/{capability}/{SPEC_FILE}")


def recorded(change_dir: Path, capability: str) -> Base | None:
    """The recorded base; None when none is recorded.

    One that is there but cannot be read is an unknown base with its problem, so that nobody takes
    a lesser source for it.
    """
    if not (change_dir / FOLDER).exists():
        return None
    try:
        path = place(change_dir, capability)
        if path.exists() or path.is_symlink():
            return Base(capability, Source.RECORDED, read_text(path), RECORDED_TEXT)
        if path.with_name(NO_SPEC).exists():
            return Base(capability, Source.RECORDED, None, RECORDED_ABSENCE)
    except ToolError as problem:
        return Base(capability, Source.UNKNOWN, why=RECORD_UNREADABLE, problem=problem)
    return None


def recorded_file(change_dir: Path, capability: str) -> Path:
    """The file that records a base, text or absence, which has to be there. Errors: path_traversal."""
    path = place(change_dir, capability)
    return path if path.exists() else path.with_name(NO_SPEC)


def recorded_names(change_dir: Path) -> list[str]:
    """The capabilities that have a recorded base, sorted."""
    top = change_dir / FOLDER
    found = []
    for folder, _, files in os.walk(top):
        if SPEC_FILE in files or NO_SPEC in files:
            found.append(Path(folder).relative_to(top).as_posix())
    return sorted(name for name in found if name != ".")


def record(batch: Batch, change_dir: Path, capability: str, text: str | None) -> None:
    """Make `batch` record `text` as the base; None records that there was no such spec.

    Errors: path_traversal, file_*.
    """
    path = place(change_dir, capability)
    mark = path.with_name(NO_SPEC)
    kept, left = (mark, path) if text is None else (path, mark)
    if text is None:
        text = _NO_SPEC_TEXT
    old = digest_of(left)
    if old != ABSENT:
        batch.remove(left, expect=old)
    batch.write(kept, text.encode("utf-8"), expect=digest_of(kept))
