"""Write a prepared archive: specs, metadata and the move, as one transaction."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, NotFound, ToolError
from rasen.base.messages import N_
from rasen.files.atomic import digest, digest_or_absent, read_optional, read_text
from rasen.files.batch import Batch
from rasen.planning import disk
from rasen.planning.archive import quality, ship_log
from rasen.planning.archive.model import SpecUpdate, Work
from rasen.planning.archive.recording import record_archive
from rasen.planning.archive.refusals import InputsChanged, NotWritten, TargetTaken
from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.changes.metadata_file import FORMAT
from rasen.roots.model import Root

JOURNAL = ".journal"


def write(ctx: Context, root: Root, work: Work) -> None:
    """Do all of `work`, or nothing when a file is no longer the one it was prepared from.

    Errors: archive_error, archive_target_exists, file_*, disk_full, busy. Source: planning §6.7.
    """
    purpose = f"archive {work.plan.name}"
    batch = Batch(root.workspace_dir / JOURNAL, purpose=purpose, tell=ctx.tell)
    merge_specs(batch, root, work.plan, work.updates)
    if work.place.path is None:
        _tombstone(ctx, root, batch, work.folder)
        record_archive(ctx, root, batch, work, metadata=None)
        batch.remove_tree(work.folder)
    else:
        metadata = _note_quality(batch, work)
        record_archive(ctx, root, batch, work, metadata=metadata)
        batch.make_dir(work.place.path.parent)
        batch.move(work.folder, work.place.path)
    commit(batch, work.plan, target=work.place.path)


def merge_specs(
    batch: Batch, root: Root, plan: ChangePlan, updates: tuple[SpecUpdate, ...] | None
) -> None:
    """Add to `batch` the specs named in `updates`, on the condition that no delta has changed."""
    touched = {update.capability for update in updates or ()}
    for planned in plan.deltas:
        _unchanged(batch, planned)
        if planned.file.capability in touched:
            _merge(batch, root, planned)


def commit(batch: Batch, plan: ChangePlan, *, target: Path | None) -> None:
    """Commit the batch, unless delta files came, went or changed since the plan was made.

    target: where the change's folder goes, if it moves. Errors: as `write`.
    """
    _recheck(plan)
    try:
        batch.commit()
    except (Conflict, NotFound) as problem:
        if problem.code == "target_exists" and target is not None:
            raise TargetTaken(place=str(target)) from problem
        raise InputsChanged(problem=problem) from problem
    except ToolError as problem:
        if problem.code in ("file_not_writable", "disk_full"):
            raise NotWritten(problem=problem, step=problem.fix) from problem
        raise


def _unchanged(batch: Batch, planned: PlannedDelta) -> None:
    """Make the batch insist that the delta file is still the one that was planned."""
    if planned.delta is not None:
        data = planned.delta.markdown.text().encode("utf-8")
        batch.write(planned.file.path, data, expect=planned.digest)


def _merge(batch: Batch, root: Root, planned: PlannedDelta) -> None:
    assert planned.merged is not None
    target = planned.target
    if planned.merged.text is not None:
        batch.write(target.path, planned.merged.text.encode("utf-8"), expect=target.digest)
        return
    remove_spec(batch, root, target.path, expect=target.digest)


def remove_spec(batch: Batch, root: Root, path: Path, *, expect: str) -> None:
    """Add to `batch` that a spec goes, with the folders that are empty then."""
    batch.remove(path, expect=expect)
    folder = path.parent
    while folder != root.specs_dir and folder.is_relative_to(root.specs_dir):
        batch.remove_empty_dir(folder)
        folder = folder.parent


def _recheck(plan: ChangePlan) -> None:
    """Refuse when a delta file came or went since the plan was made. Errors: archive_error."""
    now = disk.delta_files(plan.directory)
    planned = [one.file.relative for one in plan.deltas if not one.is_derived]
    if [one.relative for one in now.files] != planned or now.misplaced:
        problem = N_("the delta files of the change are others now")
        raise InputsChanged(problem=problem)


def _note_quality(batch: Batch, work: Work) -> tuple[str, str] | None:
    """Write the numbers of the change's reports into its metadata; its text before and after.

    Where that fails, the metadata stays as it is and the answer is None.
    """
    path = work.folder / FORMAT
    if not work.metrics or not path.is_file() or path.is_symlink():
        return None
    from rasen.syntax import yaml

    with suppress(ToolError):
        text = read_text(path)
        value = quality.block(work.metrics)
        edited = yaml.set_value(text, ("quality",), value, file=str(path))
        batch.write(path, edited.encode("utf-8"), expect=digest(text.encode("utf-8")))
        return text, edited
    return None


def _tombstone(ctx: Context, root: Root, batch: Batch, folder: Path) -> None:
    """Say in the ship log that the change was pruned; a machine without a home goes without."""
    from rasen.projects import ops as projects

    with suppress(ToolError):
        projects.register(ctx, root.path)
        work = projects.work_dir(ctx, root.path, folder.name)
        if work is None:
            return
        path = work / ship_log.NAME
        old = read_optional(path)
        text = ship_log.with_tombstone((old or b"").decode("utf-8", "replace"), ctx.clock.now())
        batch.write(path, text.encode("utf-8"), expect=digest_or_absent(old))
