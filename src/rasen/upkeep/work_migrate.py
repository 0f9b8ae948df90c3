"""Moving files of a running change that older programs kept in the repository to the machine's home.

They are the files of a process, not of the plan: run states, hand-offs, the ship log. Reports stay:
the archive measures them where they are. Source: planning §7.11; library §22.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, NotFound, Refused
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.projects import ops as projects
from rasen.roots.model import Root

NAMES = ("auto-run.json", "goal-run.json", "handoff", "portfolio-run.json", "ship-log.md")
_ARCHIVE = "archive"

TRACKED = Rule(
    "work_migrate_tracked_skipped",
    Level.WARNING,
    N_("{path} is kept by git and stays where it is"),
    N_("run it with --include-tracked, then commit that the file is gone"),
)


class ChangeNotFound(NotFound):
    code = "work_migrate_change_not_found"
    text = N_("no change named '{change}' in {folder}")
    fix = N_("'rasen list' shows the changes there are")


class NoHome(Refused):
    code = "work_migrate_no_home"
    text = N_("the project in {root} has no identity, so this machine has no home for it")
    fix = N_("run 'rasen init' there")


class TargetExists(Conflict):
    code = "work_migrate_target_exists"
    text = N_("these are in the work folder already, and differ: {paths}")
    fix = N_("compare the two, keep one, and run the command again")


class Unconfirmed(Refused):
    code = "work_migrate_confirmation_required"
    text = N_("files would move out of the repository ({count}), which needs a yes")
    fix = N_("run it with --yes, or with --dry-run to see them")


class Cancelled(Refused):
    code = "work_migrate_cancelled"
    text = N_("nothing was moved")


class Request(NamedTuple):
    """What a person asked for. change: None means every open change."""

    change: str | None = None
    include_tracked: bool = False


class Move(NamedTuple):
    """One file or folder. target: None while the machine has no home for the project yet.

    is_copy: the same is at the target already, so only the source goes.
    """

    change: str
    source: Path
    target: Path | None
    is_copy: bool = False

    def to_json(self) -> dict[str, str]:
        """A member of `moved`."""
        target = {} if self.target is None else {"target": str(self.target)}
        return {"change": self.change, "source": str(self.source), **target}


@dataclass(frozen=True)
class Plan:
    """What would move, and what git keeps and therefore stays."""

    root: Root
    moves: tuple[Move, ...]
    tracked: tuple[Path, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning for everything that stays."""
        return tuple(Finding(TRACKED, "work.files", {"path": path}) for path in self.tracked)


def count(workspace_dir: Path) -> int:
    """How many such files and folders the open changes of a workspace hold. A look only."""
    return sum(1 for _ in _found(workspace_dir / "changes", None))


def prepare(ctx: Context, root: Root, request: Request) -> Plan:
    """What the migration would do; nothing is written.

    Errors: work_migrate_change_not_found, work_migrate_no_home, work_migrate_target_exists.
    """
    folder = root.changes_dir
    if request.change is not None and not _is_change(folder, request.change):
        raise ChangeNotFound(target="change", change=request.change, folder=folder)
    found = list(_found(folder, request.change))
    home = projects.home_of(ctx, root.path)
    if found and home is None and not _has_identity(root):
        raise NoHome(target="project.registry", root=root.path)
    tracked = [] if request.include_tracked else [path for _, path in found if _is_tracked(path)]
    moves = tuple(_move(change, path, home) for change, path in found if path not in tracked)
    in_the_way = [str(m.target) for m in moves if _is_in_the_way(m)]
    if in_the_way:
        raise TargetExists(target="work.files", paths=", ".join(in_the_way))
    return Plan(root, moves, tuple(tracked))


def migrate(ctx: Context, plan: Plan, request: Request) -> Plan:
    """Do what `plan` says, all or nothing; the plan with its targets.

    A project that has an identity but no home here yet gets one.
    Errors: those of `prepare`, of registering a project and of moving files; busy, recovery_needed.
    """
    if plan.moves and any(move.target is None for move in plan.moves):
        projects.register(ctx, plan.root.path)
        plan = prepare(ctx, plan.root, request)
    from rasen.files.batch import Batch

    batch = Batch(plan.root.workspace_dir / ".journal", purpose="work migrate", tell=ctx.tell)
    for move in plan.moves:
        assert move.target is not None
        if move.is_copy:
            batch.remove_tree(move.source)
        else:
            batch.move(move.source, move.target)
    batch.commit()
    return plan


def _found(changes: Path, only: str | None) -> Iterator[tuple[str, Path]]:
    try:
        names = sorted(os.listdir(changes)) if only is None else [only]  # noqa: PTH208
    except OSError:
        return
    for name in names:
        if _is_change(changes, name):
            for entry in NAMES:
                path = changes / name / entry
                if os.path.lexists(path) and not path.is_symlink():
                    yield name, path


def _is_change(changes: Path, name: str) -> bool:
    from rasen.files.paths import is_plain_name

    is_name = is_plain_name(name) and name != _ARCHIVE and not name.startswith(".")
    return is_name and (changes / name).is_dir()


def _move(change: str, path: Path, home: Path | None) -> Move:
    if home is None:
        return Move(change, path, None)
    from rasen.files.tree import tree_digest

    target = home / "changes" / change / "work" / path.name
    is_copy = os.path.lexists(target) and tree_digest(target) == tree_digest(path)
    return Move(change, path, target, is_copy)


def _is_in_the_way(move: Move) -> bool:
    return move.target is not None and not move.is_copy and os.path.lexists(move.target)


def _has_identity(root: Root) -> bool:
    from rasen.stores.project import identity_of

    return identity_of(root.path) is not None


def _is_tracked(path: Path) -> bool:
    from rasen.git import repo

    top = repo.root_of(path.parent)
    return top is not None and repo.status(top, path).has_tracked
