"""Which open changes touch the same requirements, here and elsewhere, and whether they would merge."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.planning import disk
from rasen.planning.change_plan import LoadedChange
from rasen.planning.load import Reader, change_dir
from rasen.planning.overlaps import trial
from rasen.planning.overlaps.elsewhere import Found, in_work_trees, on_branches
from rasen.planning.overlaps.model import Candidate, Overlaps
from rasen.planning.overlaps.touches import touches
from rasen.planning.planner import plan_change
from rasen.roots.model import Root

_NO_GIT = N_("Git cannot be asked here, so nothing is known of other branches and work trees.")


def overlaps(
    ctx: Context,
    root: Root,
    change: str | None = None,
    *,
    branches: bool = False,
    worktrees: bool = False,
) -> Overlaps:
    """The pairs of open changes that touch the same, each tried in both orders; nothing is written.

    change: only pairs with that change. branches, worktrees: consider also the open changes of
    other local branches, and of other work trees. A change that lies elsewhere with the same deltas
    is the same change; one that was archived here is no longer open.
    Errors: ChangeNotFound.
    """
    if change is not None:
        change_dir(root, change)
    reader = Reader(ctx, root)
    candidates = _own(root, reader)
    elsewhere = [
        in_work_trees(ctx, root, reader) if worktrees else [],
        on_branches(root, reader) if branches else [],
    ]
    if None in elsewhere:
        ctx.note(_NO_GIT)
    candidates += _others(root, candidates, [one for found in elsewhere for one in found or ()])
    considered = len(candidates)
    near = candidates if change is None else _near(candidates, change)
    return Overlaps(trial.overlaps(near, change), considered)


def _own(root: Root, reader: Reader) -> list[Candidate]:
    names = disk.change_names(root.changes_dir)
    reader.prepare(names)
    found = []
    for name in names:
        with suppress(ToolError):  # `validate` tells it
            loaded = reader.change(name, with_tasks=False)
            found.append(Candidate(loaded, plan_change(loaded)))
    return found


def _others(root: Root, own: Sequence[Candidate], found: Sequence[Found]) -> list[Candidate]:
    """The changes elsewhere that are others than ours, alike ones once with all their places."""
    known = {_content(one.loaded) for one in own} | _archived(root, found)
    others: dict[tuple[str, frozenset[tuple[str, str]]], Candidate] = {}
    for loaded, where in found:
        content = _content(loaded)
        if content in known or not loaded.deltas:
            continue
        other = others.get(content)
        if other is None:
            others[content] = Candidate(loaded, plan_change(loaded), (where,))
        else:
            others[content] = other._replace(where=(*other.where, where))
    return list(others.values())


def _archived(root: Root, found: Sequence[Found]) -> set[tuple[str, frozenset[tuple[str, str]]]]:
    """The contents of archived changes that have the name of one that was found elsewhere."""
    names = {loaded.name for loaded, _ in found}
    known = set()
    for archived in disk.archived_names(root.archive_dir) if names else ():
        for name in {archived, archived[len("YYYY-MM-DD-") :]} & names:
            with suppress(ToolError, UnicodeDecodeError, OSError):
                files = disk.delta_files(root.archive_dir / archived).files
                texts = ((one.relative, one.path.read_bytes().decode()) for one in files)
                known.add((name, frozenset(texts)))
    return known


def _content(loaded: LoadedChange) -> tuple[str, frozenset[tuple[str, str]]]:
    deltas = ((one.file.relative, one.text or "") for one in loaded.deltas)
    return loaded.name, frozenset(deltas)


def _near(candidates: Sequence[Candidate], change: str) -> list[Candidate]:
    """The change, and those that touch a capability which it touches."""
    wanted = {
        capability
        for one in candidates
        if one.name == change
        for capability, _ in touches(one.plan)
    }
    return [
        one
        for one in candidates
        if one.name == change or any(capability in wanted for capability, _ in touches(one.plan))
    ]
