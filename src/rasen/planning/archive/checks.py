"""What an archive and a sync check alike before either writes: the plan, its findings, consent."""

from __future__ import annotations

from typing import NamedTuple

from rasen.base.context import Context
from rasen.planning.archive import guards
from rasen.planning.archive.model import IN_REPO, Request, SpecUpdate
from rasen.planning.archive.refusals import (
    Point,
    SpecsNeedConsent,
    SpecUpdateFailed,
    SpecValidationFailed,
    SyncSpecsNeedConsent,
    SyncUncheckedNeedsConsent,
    UncheckedNeedsConsent,
    ValidationFailed,
)
from rasen.planning.change_plan import ChangePlan
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.roots.model import Root


class Settings(NamedTuple):
    """When a change may be archived, and where to."""

    timing: str
    destination: str


def checked_plan(ctx: Context, root: Root, request: Request) -> ChangePlan:
    """The plan of the change, once nothing stands against merging it; nothing is written.

    Errors: archive_*, of which those with a `point` need a yes. Source: planning §6.2.
    """
    guards.check_places(root)
    folder = guards.change_folder(root, request.change)
    guards.check_timing(ctx, root, folder, request, timing=settings(ctx, root).timing)
    plan = plan_change(Reader(ctx, root).change(request.change))
    _check_findings(plan, request)
    if request.skip_validation and not request.agrees(Point.UNCHECKED):
        refusal = SyncUncheckedNeedsConsent if request.is_sync else UncheckedNeedsConsent
        raise refusal(Point.UNCHECKED, **asked(root, request, Point.UNCHECKED))
    return plan


def check_consent(root: Root, request: Request, updates: tuple[SpecUpdate, ...] | None) -> None:
    """Refuse to change specs without a yes. Errors: archive_confirmation_required."""
    if not updates or request.agrees(Point.SPECS):
        return
    names = ", ".join(update.capability for update in updates)
    refusal = SyncSpecsNeedConsent if request.is_sync else SpecsNeedConsent
    raise refusal(Point.SPECS, names=names, **asked(root, request, Point.SPECS))


def spec_updates(plan: ChangePlan) -> tuple[SpecUpdate, ...] | None:
    """What really changes in the specs; None for a change without deltas."""
    if not plan.deltas:
        return None
    return tuple(
        SpecUpdate(
            planned.file.capability,
            planned.target.path,
            planned.merged.counts,
            planned.merged.is_new,
            planned.merged.is_retired,
        )
        for planned in plan.deltas
        if planned.merged is not None and planned.merged.changes
    )


def asked(root: Root, request: Request, point: Point) -> dict[str, object]:
    """The change, and the call that says yes to `point` in advance, safe to paste."""
    flags = {
        "--skip-specs": request.skip_specs,
        "--no-validate": request.skip_validation,
        "--confirm-prune": request.confirm_prune or point is Point.PRUNE,
        "--yes": request.yes or point is not Point.PRUNE,
    }
    words = ["rasen", "sync" if request.is_sync else "archive", guards.pasteable(request.change)]
    words += [flag for flag, is_given in flags.items() if is_given]
    return {"change": request.change, "again": " ".join([*words, *root.selector])}


def settings(ctx: Context, root: Root) -> Settings:
    """What the settings say about archiving."""
    from rasen.roots import ops as roots

    found = roots.settings(ctx, root)
    timing = found.archive_timing if found else None
    destination = found.archive_destination if found else None
    return Settings(timing or "on-merge", destination or IN_REPO)


def _check_findings(plan: ChangePlan, request: Request) -> None:
    """Refuse what `validate` calls an error, with the code of the step that would fail.

    Errors: archive_validation_failed, archive_spec_update_failed, archive_spec_validation_failed.
    """
    errors = plan.objections(with_wording=not request.skip_validation)
    merged = [one for one in errors if one.code == "merged_spec_invalid"]
    merging = [one for one in errors if one.code.startswith("merge_")]
    own = [one for one in errors if one not in merged and one not in merging]
    if own:
        refusal = SpecUpdateFailed if request.skip_validation else ValidationFailed
        raise refusal(errors, plan.conflicts, change=request.change)
    if request.skip_specs:
        return
    if merging:
        raise SpecUpdateFailed(errors, plan.conflicts, change=request.change)
    if merged:
        raise SpecValidationFailed(errors, change=request.change)
