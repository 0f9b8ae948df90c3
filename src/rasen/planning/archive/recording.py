"""Writes the journal of an archive or sync into the transaction that does it."""

from __future__ import annotations

from pathlib import Path

import rasen
from rasen.base.clock import iso_millis
from rasen.base.context import Context
from rasen.base.messages import N_
from rasen.files.atomic import ABSENT, digest_or_absent, read_optional
from rasen.files.batch import Batch
from rasen.files.paths import canonical
from rasen.planning.archive.model import PRUNE, SpecUpdate, Work
from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.journal import disk, journal_file
from rasen.planning.journal.model import ARCHIVE, SYNC, Commit, Record, SpecStep
from rasen.planning.journal.steps import requirement_steps
from rasen.roots.model import Root

_NO_HOME = N_("this machine has no home for the project, so the archive cannot be undone later")


def record_archive(
    ctx: Context, root: Root, batch: Batch, work: Work, *, metadata: tuple[str, str] | None
) -> None:
    """Add the journal of the archive to `batch`, before the change's folder moves.

    metadata: the change's metadata before and after, when the archive writes into it.
    """
    is_pruned = work.place.destination == PRUNE
    record = Record(
        kind=ARCHIVE,
        id=ctx.ids.uuid(),
        change=work.plan.name,
        at=iso_millis(ctx.clock.now()),
        program=rasen.__version__,
        specs=_steps(work.plan, work.updates, with_deltas=False),
        archived_as=work.place.name,
        destination=work.place.destination,
        metadata=metadata,
        deleted_at=_commit(work.folder) if is_pruned else None,
    )
    path = _place(ctx, root, work)
    if path is None:
        ctx.note(_NO_HOME)
        return
    _write(batch, path, journal_file.render(record))


def record_sync(
    ctx: Context, batch: Batch, plan: ChangePlan, updates: tuple[SpecUpdate, ...]
) -> None:
    """Add one more sync to the journal in the change's folder.

    Errors: journal_invalid, file_*.
    """
    record = Record(
        kind=SYNC,
        id=ctx.ids.uuid(),
        change=plan.name,
        at=iso_millis(ctx.clock.now()),
        program=rasen.__version__,
        specs=_steps(plan, updates, with_deltas=True),
    )
    path = plan.directory / journal_file.SYNC_FILE
    former = disk.text_of(path)
    records = (*disk.syncs_of(plan.directory), record)
    _write(batch, path, journal_file.render_syncs(records, former=former))


def _place(ctx: Context, root: Root, work: Work) -> Path | None:
    """Beside the files of the change; in the machine's home when these leave the repository."""
    if work.place.path is not None and work.place.path.is_relative_to(root.archive_dir):
        return work.folder / journal_file.ARCHIVE_FILE
    folder = disk.home_journals(ctx, root)
    return None if folder is None else disk.free_name(folder, work.place.name)


def _write(batch: Batch, path: Path, text: str) -> None:
    old = read_optional(path, limit_bytes=disk.LIMIT_BYTES)
    batch.write(path, text.encode("utf-8"), expect=digest_or_absent(old))


def _steps(
    plan: ChangePlan, updates: tuple[SpecUpdate, ...] | None, *, with_deltas: bool
) -> tuple[SpecStep, ...]:
    touched = {update.capability for update in updates or ()}
    return tuple(
        _step(planned, with_delta=with_deltas)
        for planned in plan.deltas
        if planned.file.capability in touched
    )


def _step(planned: PlannedDelta, *, with_delta: bool) -> SpecStep:
    assert planned.merged is not None
    delta = planned.delta  # None for a spec that only loses what moves away
    spec = planned.target.spec
    was_there = spec is not None and planned.target.digest != ABSENT
    before = spec.markdown.text() if spec is not None and was_there else None
    after = planned.merged.text
    renames = [(one.old, one.new) for one in delta.renamed] if delta is not None else []
    return SpecStep(
        planned.file.capability,
        before,
        after,
        planned.merged.counts,
        requirement_steps(before, after, renames),
        delta.markdown.text() if with_delta and delta is not None else None,
    )


def _commit(folder: Path) -> Commit | None:
    """Where git keeps what is about to be deleted; the archive has made sure that it does."""
    from rasen.git import repo

    top = repo.root_of(folder)
    head = None if top is None else repo.head(top)
    if top is None or head is None:
        return None
    return Commit(head, canonical(folder).relative_to(canonical(top)).as_posix())
