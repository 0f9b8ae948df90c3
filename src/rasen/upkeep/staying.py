"""What stays when everything of ours is taken out of a project, and why: the notices of a removal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.ownership.model import OUTSIDE, UNREADABLE, Action, Plan
from rasen.projects.release import Neighbours, release
from rasen.roots.disk import CONFIG_NAMES
from rasen.upkeep.init import FOLDERS

STILL_OURS = (UNREADABLE, OUTSIDE)
"""The findings about things that stay in a ledger."""

CONFIG_KEPT = Rule(
    "uninstall_config_kept",
    Level.INFO,
    N_("{path} was edited since `init` wrote it, so it stays"),
    N_("delete it when you do not need it"),
)
PLANNING_KEPT = Rule(
    "uninstall_planning_kept",
    Level.INFO,
    N_("{path} holds your planning, so it stays"),
    N_("delete it when you do not need it"),
)
OTHER_KEPT = Rule(
    "uninstall_other_kept",
    Level.INFO,
    N_("{path} was not made by `init`, so it stays"),
    N_("delete it when you do not need it"),
)
SHARED = Rule(
    "uninstall_shared_kept",
    Level.INFO,
    N_("{count} files in {path} stay, because {other} wants them too"),
    N_("they go with the last project that wants them"),
)
HOME_KEPT = Rule(
    "uninstall_home_kept",
    Level.INFO,
    N_("{path} keeps private files of this project, so this machine still knows it"),
    N_("look there; delete the project's folder, then 'rasen doctor --gc' clears it away"),
)
NOT_RELEASED = Rule(
    "uninstall_not_released",
    Level.WARNING,
    N_("this machine still has the project in its registry: {problem}"),
    N_("run 'rasen doctor --gc' once the folder is gone"),
)


def edited_config(root: Path, config: Path) -> Finding:
    """Settings that a person changed."""
    return _about(CONFIG_KEPT, config.relative_to(root).as_posix())


def in_workspace(root: Path, workspace: Path, ledgers: Collection[Path]) -> Iterator[Finding]:
    """What the workspace holds besides what goes: planning, and things that others put there.

    ledgers: where one stays, notices about files say why; so do notices about the settings.
    """
    if not workspace.is_dir():
        return
    shown = workspace.relative_to(root).as_posix()
    if _has_planning(workspace):
        yield _about(PLANNING_KEPT, shown)
    known = {".journal", *CONFIG_NAMES, *(one.name for one in ledgers)}
    known |= {name.partition("/")[0] for name in FOLDERS}
    for name in sorted(one.name for one in workspace.iterdir()):
        if name not in known:
            yield _about(OTHER_KEPT, f"{shown}/{name}")


def shared(plan: Plan, others: Neighbours) -> Iterator[Finding]:
    """Files in a home of the machine that other projects want."""
    if plan.site.project is None:
        return
    wants = Counter(
        owner.project
        for step in plan.by(Action.KEEP)
        if step.row is not None
        for owner in {one.project: one for one in step.row.owners}.values()
        if owner.project is not None
    )
    for project, count in sorted(wants.items()):
        other = ", ".join(others.places(project)) or project
        base = str(plan.site.base)
        yield Finding(SHARED, base, {"path": base, "count": count, "other": other})


def released(ctx: Context, root: Path) -> Iterator[Finding]:
    """Take the project off this machine's registry, and say when something of it stays there."""
    try:
        home = release(ctx, root)
    except ToolError as problem:
        yield Finding(NOT_RELEASED, "project.registry", {"problem": problem})
        return
    if home is not None:
        yield _about(HOME_KEPT, str(home))


def _about(rule: Rule, path: str) -> Finding:
    return Finding(rule, path, {"path": path})


def _has_planning(workspace: Path) -> bool:
    places = (workspace / "specs", workspace / "changes")
    return any(one.is_file() for place in places if place.is_dir() for one in place.rglob("*"))
