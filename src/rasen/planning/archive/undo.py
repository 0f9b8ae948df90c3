"""Take back an archive or a sync: specs byte for byte, and the change open again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, NotFound
from rasen.base.messages import NONE
from rasen.files.atomic import digest_or_absent, read_optional
from rasen.files.batch import Batch
from rasen.files.paths import inside
from rasen.planning import disk
from rasen.planning.archive import guards, reopening
from rasen.planning.archive.commit import JOURNAL, remove_spec
from rasen.planning.archive.reopening import Reopening
from rasen.planning.journal.choose import choose
from rasen.planning.journal.disk import TELLS_NOTHING, find
from rasen.planning.journal.model import ARCHIVE, Entry
from rasen.planning.journal.refusals import (
    UndoBlocked,
    UndoError,
    UndoNeedsConsent,
    UndoSyncNeedsConsent,
    UndoTargetExists,
)
from rasen.planning.journal.reverse import Restored, blockers, restored
from rasen.planning.load import decode
from rasen.roots.model import Root


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """The words of the call. name: None means the last archive or sync."""

    name: str | None = None
    yes: bool = False
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class SpecChange:
    """What undoing does to one spec. outcome: restored, recreated, removed or unchanged."""

    capability: str
    path: Path
    outcome: str


@dataclass(frozen=True, slots=True)
class Undone:
    """What was undone, or would be. path: the change's folder, open again or still."""

    kind: str
    name: str
    change: str
    path: Path
    specs: tuple[SpecChange, ...]


@dataclass(frozen=True, slots=True)
class _Spec:
    """A spec of the journal as it is now. data: its bytes; None without a file."""

    path: Path
    data: bytes | None
    text: str | None
    back: Restored


def undo(ctx: Context, root: Root, request: UndoRequest) -> Undone:
    """Take back what `request` names, all or nothing, unless later work stands on it.

    The change's folder is open again as it was archived; the journal is gone. A dry run writes
    nothing and needs no yes.
    Errors: undo_nothing, undo_not_found, undo_blocked, undo_target_exists,
    undo_confirmation_required, undo_error, journal_missing, journal_invalid, archive_error for
    folders that lead out of the root, path_traversal, file_*, disk_full, busy.
    """
    guards.check_places(root)
    found = find(ctx, root)
    entry = choose(found, request.name, selector=root.selector_text)
    for name, problem in found.unreadable:
        ctx.note(TELLS_NOTHING, name=name, problem=problem)
    specs = _specs(root, entry, found.entries)
    plan = reopening.prepare(root, entry) if entry.record.kind == ARCHIVE else None
    result = _result(entry, specs, entry.journal.parent if plan is None else plan.target)
    if request.is_dry_run:
        return result
    if not request.yes:
        raise _needs_consent(root, request, entry)
    _write(ctx, root, entry, specs, plan)
    return result


def _specs(root: Root, entry: Entry, entries: tuple[Entry, ...]) -> list[_Spec]:
    """The specs as they are, each with what it goes back to. Errors: undo_blocked."""
    read = {step.capability: _read(root, step.capability) for step in entry.record.specs}
    later = entries[entries.index(entry) + 1 :]
    objections = blockers(entry, later, lambda capability: read[capability][2])
    if objections:
        raise UndoBlocked(objections, name=entry.name)
    specs: list[_Spec] = []
    for step in entry.record.specs:
        back = restored(step, read[step.capability][2])
        assert back is not None  # otherwise there would be a blocker
        specs.append(_Spec(*read[step.capability], back))
    return specs


def _read(root: Root, capability: str) -> tuple[Path, bytes | None, str | None]:
    path = inside(root.specs_dir, f"{capability}/{disk.SPEC_FILE}")
    data = read_optional(path)
    return path, data, None if data is None else decode(data, path)


def _result(entry: Entry, specs: list[_Spec], folder: Path) -> Undone:
    changes = tuple(SpecChange(one.back.capability, one.path, _outcome(one)) for one in specs)
    return Undone(entry.record.kind, entry.name, entry.record.change, folder, changes)


def _outcome(spec: _Spec) -> str:
    if not spec.back.has_changed:
        return "unchanged"
    if spec.back.text is None:
        return "removed"
    return "recreated" if spec.data is None else "restored"


def _needs_consent(
    root: Root, request: UndoRequest, entry: Entry
) -> UndoNeedsConsent | UndoSyncNeedsConsent:
    words = ["rasen", "undo", *([guards.pasteable(request.name)] if request.name else [])]
    params: dict[str, str] = {
        "change": entry.record.change,
        "specs": ", ".join(step.capability for step in entry.record.specs) or NONE,
        "again": " ".join([*words, "--yes", *root.selector]),
    }
    if entry.record.kind == ARCHIVE:
        return UndoNeedsConsent(target="", fix=None, name=entry.name, **params)
    return UndoSyncNeedsConsent(target="", fix=None, **params)


def _write(
    ctx: Context, root: Root, entry: Entry, specs: list[_Spec], plan: Reopening | None
) -> None:
    purpose = f"undo {entry.record.kind} {entry.name}"
    batch = Batch(root.workspace_dir / JOURNAL, purpose=purpose, tell=ctx.tell)
    for spec in specs:
        _put_back(batch, root, spec)
    if plan is None:
        reopening.forget_sync(batch, entry)
    else:
        reopening.reopen(batch, entry, plan)
    try:
        batch.commit()
    except (Conflict, NotFound) as problem:
        if problem.code == "target_exists" and plan is not None:
            raise UndoTargetExists(place=str(plan.target), name=entry.name) from problem
        raise UndoError(problem=problem) from problem


def _put_back(batch: Batch, root: Root, spec: _Spec) -> None:
    expect = digest_or_absent(spec.data)
    if not spec.back.has_changed:
        return
    if spec.back.text is None:
        remove_spec(batch, root, spec.path, expect=expect)
    else:
        batch.write(spec.path, spec.back.text.encode("utf-8"), expect=expect)
