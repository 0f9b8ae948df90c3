"""Rows about changes and specs, for lists and the dashboard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from rasen.base.clock import iso_millis
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.atomic import read_text
from rasen.planning import disk
from rasen.planning.changes import tasks_file
from rasen.planning.changes.choice import Chooser
from rasen.planning.changes.tracked import tracked_files
from rasen.planning.specs.spec_file import SpecDocument
from rasen.roots.model import Root

NO_TASKS, IN_PROGRESS, COMPLETE = "no-tasks", "in-progress", "complete"


class Progress(NamedTuple):
    """Tasks of a change. in_progress: begun, and not counted as done."""

    done: int
    total: int
    in_progress: int

    @property
    def status(self) -> str:
        """`no-tasks`, `complete` or `in-progress`."""
        if not self.total:
            return NO_TASKS
        return COMPLETE if self.done == self.total else IN_PROGRESS

    def share_of(self, most: int) -> int:
        """How many of `most` equal parts are done, halves rounded up; 0 without tasks."""
        return (2 * most * self.done + self.total) // (2 * self.total) if self.total else 0


class ChangeRow(NamedTuple):
    """One open change in a list. modified: when the newest file below it changed, in UTC."""

    name: str
    progress: Progress
    modified: datetime

    def to_json(self) -> dict[str, object]:
        return {
            "name": self.name,
            "completedTasks": self.progress.done,
            "totalTasks": self.progress.total,
            "lastModified": iso_millis(self.modified),
            "status": self.progress.status,
        }


class SpecRow(NamedTuple):
    """One spec in a list; a spec that cannot be read has no requirements."""

    id: str
    title: str
    requirements: int

    def to_json(self) -> dict[str, object]:
        return {"id": self.id, "requirementCount": self.requirements}


def change_rows(ctx: Context, root: Root) -> list[ChangeRow]:
    """The open changes of `root`, by name. Source: planning §4.3."""
    chooser = Chooser(ctx, root)
    return [
        ChangeRow(name, progress_of(ctx, root, folder, chooser), _modified(folder))
        for name in disk.change_names(root.changes_dir)
        if (folder := root.changes_dir / name)
    ]


def progress_of(ctx: Context, root: Root, folder: Path, chooser: Chooser) -> Progress:
    """How far the tasks of the change in `folder` are; unreadable files count as none."""
    done = total = started = 0
    for path in tracked_files(ctx, root, folder, chooser=chooser):
        try:
            tasks = tasks_file.parse(read_text(path))
        except ToolError:
            continue  # as specified: unreadable files count as zero (planning §3.7)
        done += tasks.done
        total += tasks.total
        started += tasks.in_progress
    return Progress(done, total, started)


def spec_rows(root: Root) -> list[SpecRow]:
    """The specs of `root`, by id. Source: planning §4.3."""
    return [_spec_row(root, entry.id) for entry in disk.spec_entries(root.specs_dir)]


def _spec_row(root: Root, spec_id: str) -> SpecRow:
    try:
        spec = SpecDocument(disk.read_spec(root.specs_dir, spec_id))
    except ToolError:
        return SpecRow(spec_id, spec_id, 0)
    readable = spec.purpose and spec.requirements is not None
    title = next(
        (one.title for one in spec.markdown.headings if one.level == 1 and one.is_spaced), spec_id
    )
    return SpecRow(spec_id, title, len(spec.requirements or ()) if readable else 0)


def _modified(folder: Path) -> datetime:
    newest = max(_mtimes(str(folder)), default=None)
    return datetime.fromtimestamp(folder.stat().st_mtime if newest is None else newest, UTC)


def _mtimes(folder: str) -> Iterator[float]:
    """When each file below `folder` was written; what cannot be looked at is left out."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _mtimes(entry.path)
            else:
                yield entry.stat(follow_symlinks=False).st_mtime
