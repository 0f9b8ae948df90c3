"""Tasks that are done in another repository: which project each names, and how far each is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, NONE
from rasen.planning.changes import tasks_file
from rasen.planning.changes.tasks_file import Task, TaskState
from rasen.roots.model import Root

TARGET_UNKNOWN = Rule(
    "task_target_unknown",
    Level.WARNING,
    N_('Line {line}: no project "{target}" is known here; known are: {known}'),
    N_("Name a member of the store or a registered project, by its id or its alias"),
)


class Target(NamedTuple):
    """The tasks for one repository. name: as the first of them gives it."""

    name: str
    is_known: bool
    total: int
    done: int
    in_progress: int

    def to_json(self) -> dict[str, object]:
        """`{target, known, total, done, inProgress, remaining}`."""
        return {
            "target": self.name,
            "known": self.is_known,
            "total": self.total,
            "done": self.done,
            "inProgress": self.in_progress,
            "remaining": self.total - self.done,
        }


def targets(ctx: Context, root: Root, tasks: Iterable[Task]) -> tuple[Target, ...]:
    """The repositories that tasks name, in the order of their first task; usually none.

    Names of one project, its id and its alias, count together.
    """
    named = [task for task in tasks if task.target]
    if not named:
        return ()
    projects = known_projects(ctx, root)
    groups: dict[str, list[Task]] = {}
    for task in named:
        key = task.target.lower()
        groups.setdefault(projects.get(key, key), []).append(task)
    return tuple(_target(group, projects) for group in groups.values())


def unknown_targets(ctx: Context, root: Root, text: str, path: str) -> list[Finding]:
    """Tasks of the file `text` that name a project nobody knows here. path: for the findings."""
    named = [task for task in tasks_file.parse(text).tasks if task.target]
    projects = known_projects(ctx, root) if named else {}
    shown = ", ".join(sorted(projects)) or NONE
    return [
        Finding(
            TARGET_UNKNOWN,
            path,
            {"line": task.line + 1, "target": task.target, "known": shown},
            task.line + 1,
        )
        for task in named
        if task.target.lower() not in projects
    ]


def known_projects(ctx: Context, root: Root) -> Mapping[str, str]:
    """Every name a task may use here, in lower case, with the name that stands for the project.

    Members of the store, projects that the settings refer to, projects registered on this machine,
    and the project of the root itself. What cannot be read is left out.
    """
    from rasen.config import ops as config
    from rasen.stores import ops as stores
    from rasen.stores import records
    from rasen.stores.model import PROJECT

    names: dict[str, str] = {}
    folder = root.path / records.RECORDS
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
        with suppress(ToolError):
            member = records.load(path)
            if member is not None:
                names[member.project_id] = member.project_id
                names.setdefault((member.id or member.project_id).lower(), member.project_id)
    settings = config.project_config(root.workspace_dir, tell=lambda _: None)
    if settings is not None:
        own = [settings.project_id] if settings.project_id else []
        own += [one.id for one in settings.references if one.type == PROJECT]
        for name in own:
            names.setdefault(name.lower(), name.lower())
    with suppress(ToolError):
        for row in stores.registry(ctx).of(PROJECT):
            names.setdefault(row.id.lower(), row.id.lower())
    return names


def _target(group: list[Task], projects: Mapping[str, str]) -> Target:
    states = [task.state for task in group]
    return Target(
        group[0].target,
        group[0].target.lower() in projects,
        len(group),
        states.count(TaskState.DONE),
        states.count(TaskState.IN_PROGRESS),
    )
