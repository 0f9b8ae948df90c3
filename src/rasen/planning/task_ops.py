"""The tasks of a change: all of them as one list, and changing the mark of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound
from rasen.base.messages import N_, NONE
from rasen.files.atomic import digest, read_bytes, replace_file
from rasen.files.lock import hold
from rasen.files.paths import canonical, inside
from rasen.planning.changes import tasks_file
from rasen.planning.changes.tasks_file import Task, TaskList, TaskState
from rasen.planning.changes.tracked import tracked_files
from rasen.planning.listing import Progress
from rasen.planning.load import change_dir, decode
from rasen.planning.task_targets import Target, targets
from rasen.roots.model import Root
from rasen.syntax.markdown import Markdown

_IDS_SHOWN = 30
LOCK = ".lock"
"""Held in the workspace by whoever edits the tasks of a change."""


class TaskNotFound(NotFound):
    """No task of the change goes by that id."""

    code = "task_not_found"
    text = N_('change "{change}" has no task {task}; it has: {known}')
    fix = N_("Run `rasen task list {change}{selector}` to see them")


class TaskAmbiguous(InvalidInput):
    """Several tasks give themselves that number."""

    code = "task_ambiguous"
    text = N_('change "{change}" has more than one task {task}: {found}')
    fix = N_("Give the tasks different numbers")


@dataclass(frozen=True, slots=True)
class PlacedTask:
    """A task with where it stands. file: below the folder of the change, with `/`.

    task.id: its number across all task files of the change, from "1".
    """

    task: Task
    file: str

    def to_json(self) -> dict[str, object]:
        """`{id, number?, text, target?, state, file, line}`; the line counts from 1."""
        answer: dict[str, object] = {"id": self.task.id}
        if self.task.number:
            answer["number"] = self.task.number
        answer["text"] = self.task.text
        if self.task.target:
            answer["target"] = self.task.target
        answer["state"] = self.task.state.value
        answer["file"] = self.file
        answer["line"] = self.task.line + 1
        return answer


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line that looks like a task but is none. line: from 1."""

    text: str
    file: str
    line: int

    def to_json(self) -> dict[str, object]:
        return {"text": self.text, "file": self.file, "line": self.line}


@dataclass(frozen=True, slots=True)
class Board:
    """All tasks of one change, in the order of its task files.

    targets: how far the tasks are that name a repository.
    """

    change: str
    tasks: tuple[PlacedTask, ...]
    suspects: tuple[Suspect, ...]
    targets: tuple[Target, ...] = ()

    @property
    def progress(self) -> Progress:
        states = [one.task.state for one in self.tasks]
        return Progress(
            states.count(TaskState.DONE), len(states), states.count(TaskState.IN_PROGRESS)
        )

    def to_json(self) -> dict[str, object]:
        """`{change, tasks, progress, targets?, suspicious?}`."""
        answer: dict[str, object] = {
            "change": self.change,
            "tasks": [one.to_json() for one in self.tasks],
            "progress": progress_json(self.progress),
        }
        if self.targets:
            answer["targets"] = [one.to_json() for one in self.targets]
        if self.suspects:
            answer["suspicious"] = [one.to_json() for one in self.suspects]
        return answer


@dataclass(frozen=True, slots=True)
class Marked:
    """A task after its mark was set. is_changed: False when it had that mark before."""

    task: PlacedTask
    is_changed: bool
    progress: Progress

    def to_json(self) -> dict[str, object]:
        """`{task, changed, progress}`."""
        return {
            "task": self.task.to_json(),
            "changed": self.is_changed,
            "progress": progress_json(self.progress),
        }


@dataclass(frozen=True, slots=True)
class _TaskFile:
    path: Path
    relative: str
    data: bytes
    text: str
    parsed: TaskList


def progress_json(progress: Progress) -> dict[str, int]:
    """`{total, done, inProgress, remaining}`; remaining counts what is not done."""
    return {
        "total": progress.total,
        "done": progress.done,
        "inProgress": progress.in_progress,
        "remaining": progress.total - progress.done,
    }


def board(ctx: Context, root: Root, change: str) -> Board:
    """The tasks of the open change `change`. Errors: ChangeNotFound, file_*."""
    found = _board(change, list(_files(ctx, root, change)))
    return replace(found, targets=targets(ctx, root, (one.task for one in found.tasks)))


def mark(ctx: Context, root: Root, change: str, wanted: str, *, state: TaskState) -> Marked:
    """Make the mark of one task say `state`; every other byte of its file stays.

    wanted: the id of the task on the board, or the number that it alone gives itself; the number
    wins. A task that is in that state already is not written.
    Errors: ChangeNotFound, task_not_found, task_ambiguous, path_traversal, lock_busy, file_*.
    """
    change_dir(root, change)
    inside(root.changes_dir, change)  # a linked folder outside the workspace is not ours to edit
    with hold(root.workspace_dir / LOCK, tell=ctx.tell):
        files = list(_files(ctx, root, change))
        known = _board(change, files)
        found = _found(known, wanted, root)
        if found.task.state is state:
            return Marked(found, False, known.progress)
        file = next(one for one in files if one.relative == found.file)
        text = tasks_file.with_state(file.text, found.task, state)
        replace_file(file.path, text.encode("utf-8"), expect=digest(file.data))
    marked = replace(found, task=found.task._replace(state=state))
    tasks = tuple(marked if one is found else one for one in known.tasks)
    return Marked(marked, True, replace(known, tasks=tasks).progress)


def _files(ctx: Context, root: Root, change: str) -> Iterator[_TaskFile]:
    folder = change_dir(root, change)
    for path in tracked_files(ctx, root, folder):
        data = read_bytes(path)
        text = decode(data, path)
        relative = path.relative_to(canonical(folder)).as_posix()
        yield _TaskFile(path, relative, data, text, tasks_file.parse(text))


def _board(change: str, files: list[_TaskFile]) -> Board:
    tasks: list[PlacedTask] = []
    suspects: list[Suspect] = []
    for file in files:
        for task in file.parsed.tasks:
            tasks.append(PlacedTask(task._replace(id=str(len(tasks) + 1)), file.relative))
        lines = Markdown(file.text).lines
        suspects += [
            Suspect(lines[at].strip(), file.relative, at + 1) for at in file.parsed.suspicious
        ]
    return Board(change, tuple(tasks), tuple(suspects))


def _found(known: Board, wanted: str, root: Root) -> PlacedTask:
    named = [one for one in known.tasks if wanted and one.task.number == wanted]
    if len(named) > 1:
        found = ", ".join(f"{one.file}:{one.task.line + 1}" for one in named)
        raise TaskAmbiguous(change=known.change, task=wanted, found=found)
    if not named:
        named = [one for one in known.tasks if one.task.id == wanted]
    if not named:
        ids = [one.task.number or one.task.id for one in known.tasks]
        more = ["…"] if len(ids) > _IDS_SHOWN else []
        raise TaskNotFound(
            change=known.change,
            task=wanted,
            known=", ".join(ids[:_IDS_SHOWN] + more) or NONE,
            selector=root.selector_text,
        )
    return named[0]
