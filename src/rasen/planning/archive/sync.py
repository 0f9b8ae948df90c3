"""Sync a change: merge its deltas into the specs now, and keep the change open."""

from __future__ import annotations

from rasen.base.context import Context
from rasen.base.findings import Level
from rasen.files.batch import Batch
from rasen.planning.archive.checks import check_consent, checked_plan, spec_updates
from rasen.planning.archive.commit import JOURNAL, commit, merge_specs
from rasen.planning.archive.model import Request, Synced
from rasen.planning.archive.recording import record_sync
from rasen.planning.archive.refusals import (
    InputsChanged,
    NotWritten,
    SyncInputsChanged,
    SyncNotWritten,
)
from rasen.roots.model import Root


def sync(ctx: Context, root: Root, request: Request) -> Synced:
    """Merge the change's deltas into the specs, all or nothing, and remember it in the change.

    Archiving the change later leaves alone what is there already; `undo` takes the sync back. When
    the specs have everything, nothing is written. request: with `is_sync`.
    Errors: those of `checks.checked_plan`, archive_confirmation_required, archive_error for files
    that changed meanwhile, file_*, disk_full, busy.
    """
    plan = checked_plan(ctx, root, request)
    updates = spec_updates(plan) or ()
    check_consent(root, request, updates)
    warnings = tuple(one for one in plan.findings if one.level is Level.WARNING)
    if updates:
        batch = Batch(root.workspace_dir / JOURNAL, purpose=f"sync {plan.name}", tell=ctx.tell)
        merge_specs(batch, root, plan, updates)
        record_sync(ctx, batch, plan, updates)
        try:
            commit(batch, plan, target=None)
        except InputsChanged as problem:
            raise SyncInputsChanged(problem=problem.params["problem"]) from problem
        except NotWritten as problem:
            raise SyncNotWritten(
                problem=problem.params["problem"], step=problem.params["step"]
            ) from problem
    return Synced(plan.name, updates, warnings, tuple(plan.decisions))
