"""Archive a change: check everything in memory, then write all or nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level
from rasen.files.atomic import read_text
from rasen.planning.archive import guards, quality
from rasen.planning.archive.checks import (
    asked,
    check_consent,
    checked_plan,
    settings,
    spec_updates,
)
from rasen.planning.archive.commit import write
from rasen.planning.archive.model import (
    EXTERNAL,
    IN_REPO,
    PRUNE,
    Archived,
    Place,
    Request,
    Work,
)
from rasen.planning.archive.naming import archived_name
from rasen.planning.archive.refusals import (
    Point,
    PruneConfirmationRequired,
    TargetTaken,
    TasksIncomplete,
)
from rasen.planning.changes.choice import Chooser
from rasen.planning.changes.proposal_file import NO_DELTA, Proposal, advise
from rasen.planning.listing import Progress, progress_of
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.planning.showing import descriptions
from rasen.roots.model import Root

JOURNAL = ".journal"


def archive(ctx: Context, root: Root, request: Request) -> Archived:
    """Merge the change's deltas into the specs and file the change away.

    Nothing is written before everything is known to work; a crash leaves the old or the new state.
    A rehearsal writes nothing at all and needs no consent.
    Errors: those of `prepare` and `finish`.
    """
    work = prepare(ctx, root, request)
    return (
        _outcome(work, work.place, is_rehearsal=True)
        if request.is_rehearsal
        else finish(ctx, root, work)
    )


def prepare(ctx: Context, root: Root, request: Request) -> Work:
    """Check everything and build every new text in memory; nothing is written.

    Errors: archive_* (those with a `point` go on when the call is repeated with that consent),
    file_*. Source: planning §6.2.
    """
    plan = checked_plan(ctx, root, request)
    folder = plan.directory
    destination = settings(ctx, root).destination
    progress = progress_of(ctx, root, folder, Chooser(ctx, root))
    _check_tasks(root, request, progress)
    place = _place(ctx, root, request.change, destination)
    updates = None if request.skip_specs else spec_updates(plan)
    check_consent(root, request, updates)
    if place.destination != IN_REPO:
        guards.check_clean(folder, destination=place.destination)
    if place.destination == PRUNE and not request.agrees(Point.PRUNE):
        raise PruneConfirmationRequired(Point.PRUNE, **asked(root, request, Point.PRUNE))
    metrics = {} if place.path is None else quality.measure(folder)
    return Work(folder, plan, place, updates, metrics, open_tasks=progress.total - progress.done)


def finish(ctx: Context, root: Root, work: Work) -> Archived:
    """Write what `prepare` has made ready. Errors: those of `commit.write`."""
    place = _minted(ctx, root, work.place)
    write(ctx, root, replace(work, place=place))
    return _outcome(work, place)


def _outcome(work: Work, place: Place, *, is_rehearsal: bool = False) -> Archived:
    return Archived(
        change=work.plan.name,
        destination=place.destination,
        name=None if place.path is None else place.name,
        path=place.path,
        updates=work.updates,
        warnings=tuple(one for one in work.plan.findings if one.level is Level.WARNING),
        open_tasks=work.open_tasks,
        fallback=place.fallback,
        quality=work.metrics or None,
        decisions=() if work.updates is None else tuple(work.plan.decisions),
        is_rehearsal=is_rehearsal,
    )


def advice(ctx: Context, root: Root, change: str) -> list[Finding]:
    """What a person may want to improve in the proposal of `change`; it never blocks.

    Source: planning §3.8.3.
    """
    folder = guards.change_folder(root, change)
    try:
        proposal = Proposal(read_text(folder / "proposal.md"))
    except ToolError:
        return []
    loaded = Reader(ctx, root).change(change, with_tasks=False)
    plan = plan_change(loaded)
    deltas = [(one.file.capability, one.delta) for one in plan.deltas if one.delta is not None]
    found = advise(proposal, descriptions(deltas, proposal))
    return [one for one in found if one.rule is not NO_DELTA or not loaded.skip_specs]


def _check_tasks(root: Root, request: Request, progress: Progress) -> None:
    left = progress.total - progress.done
    if left and not request.agrees(Point.TASKS):
        raise TasksIncomplete(
            Point.TASKS,
            open=left,
            total=progress.total,
            **asked(root, request, Point.TASKS),
        )


def _place(ctx: Context, root: Root, change: str, destination: str) -> Place:
    """Where the change would go, found without writing. Errors: archive_target_exists."""
    name = archived_name(change, ctx.clock.today())
    if destination == PRUNE:
        return Place(PRUNE, name, None)
    folder = root.archive_dir
    if destination == EXTERNAL:
        from rasen.projects import ops as projects

        folder = projects.archive_dir_external(ctx, root.path) or folder
    _free(folder / name)
    return Place(destination, name, folder / name)


def _free(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise TargetTaken(place=str(target))


def _minted(ctx: Context, root: Root, place: Place) -> Place:
    """`place` with the external home made sure of; in-repo where this machine has none to give."""
    if place.destination != EXTERNAL:
        return place
    from rasen.projects import ops as projects

    try:
        projects.register(ctx, root.path)
        folder = projects.archive_dir_external(ctx, root.path)
        reason = "this machine has no home for the project"
    except ToolError as problem:
        folder, reason = None, str(problem)
    if folder is None:
        target = root.archive_dir / place.name
        _free(target)
        return Place(IN_REPO, place.name, target, fallback=reason)
    _free(folder / place.name)
    return Place(EXTERNAL, place.name, folder / place.name)
