"""Reads items for mending, and writes what came of it as one transaction."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.files.atomic import digest, read_bytes
from rasen.files.batch import Batch
from rasen.files.lock import hold
from rasen.files.paths import canonical, inside
from rasen.planning.changes.proposal_file import Proposal
from rasen.planning.disk import SPEC_FILE
from rasen.planning.fixes import table
from rasen.planning.fixes.draft import ChangeDraft, Source, SpecDraft, Stray
from rasen.planning.fixes.model import Change
from rasen.planning.load import Reader, decode
from rasen.planning.task_ops import LOCK
from rasen.roots.model import Root

JOURNAL = ".journal"


def spec_draft(root: Root, capability: str) -> tuple[SpecDraft, Source]:
    """A spec, ready to be mended. Errors: file_*, path_traversal."""
    source = _source(inside(root.specs_dir, f"{capability}/{SPEC_FILE}"))
    return SpecDraft(source.path, source.text), source


def change_draft(reader: Reader, name: str) -> tuple[ChangeDraft, list[Source]]:
    """A change, ready to be mended, and its files as they are.

    Errors: file_*, path_traversal for a change that lies outside the workspace.
    """
    root = reader.root
    inside(root.changes_dir, name)
    loaded = reader.change(name)
    folder = canonical(loaded.directory)
    paths = {one.path for one in loaded.extra if one.code in table.IN_TASKS}
    tasks = {path: _source(inside(folder, path)) for path in sorted(paths)}
    strays: dict[str, Stray] = {}
    for finding in loaded.discovery.misplaced:
        stray = _stray(loaded.directory, finding) if finding.code in table.OF_PLACES else None
        if stray is not None:
            strays[finding.path] = stray
    targets = [one.target for one in strays.values()]
    strays = {path: one for path, one in strays.items() if targets.count(one.target) == 1}
    sources = [
        Source(one.file.path, one.text, one.digest) for one in loaded.deltas if one.text is not None
    ]
    sources += [*tasks.values(), *(one.source for one in strays.values())]
    return ChangeDraft(loaded, tasks, strays), sources


def write(ctx: Context, root: Root, changes: Iterable[Change], *, purpose: str) -> None:
    """Write all files, or none when one is no longer what it was planned from.

    Errors: file_changed, target_exists, file_*, disk_full, busy.
    """
    batch = Batch(root.workspace_dir / JOURNAL, purpose=purpose, tell=ctx.tell)
    for change in changes:
        if change.data is None:
            batch.remove(change.path, expect=change.expect)
        else:
            batch.write(change.path, change.data, expect=change.expect)
    with hold(root.workspace_dir / LOCK, tell=ctx.tell):
        batch.commit()


def _stray(folder: Path, finding: Finding) -> Stray | None:
    """Where a misplaced delta file belongs; None where that is not certain or not free."""
    path = folder / "specs" / finding.path
    capability = _capability(folder, finding.path)
    if path.is_symlink() or capability is None:
        return None
    target = f"{capability}/{SPEC_FILE}"
    try:
        if os.path.lexists(inside(folder / "specs", target)):
            return None
        return Stray(_source(path), target)
    except ToolError:
        return None


def _capability(folder: Path, relative: str) -> str | None:
    """The capability that a misplaced file is for; that of `spec.md` only the proposal can tell."""
    parent, _, name = relative.rpartition("/")
    if parent:
        return parent
    if name != SPEC_FILE:
        return name[: -len(".md")]
    try:
        names = Proposal(_source(inside(folder, "proposal.md")).text).capabilities()
    except ToolError:
        return None
    return names[0] if len(names) == 1 else None


def _source(path: Path) -> Source:
    data = read_bytes(path)
    return Source(path, decode(data, path), digest(data))
