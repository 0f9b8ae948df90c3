"""`rasen task`: the tasks of a change, and their marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.planning.listing import Progress
    from rasen.planning.task_ops import Board, Marked
    from rasen.planning.task_targets import Target
    from rasen.roots.model import RootRequest

_STATES = {"open": N_("open"), "in-progress": N_("in progress"), "done": N_("done")}
_MARKS = {"open": " ", "in-progress": "~", "done": "x"}


@click.command(
    name="list",
    help=N_(
        "List the tasks of a change, those of all its task files.\n\n"
        "Every task has an id to mark it by: its number in this list, or the one it gives itself."
    ),
)
@click.argument("change")
@json_option
@root_options
@guarded(fallback="change_error")
def list_tasks(app: App, *, selector: RootRequest, as_json: bool, change: str) -> None:
    from rasen.planning import task_ops

    root = app.root(selector)
    board = task_ops.board(app.ctx, root, change)
    if as_json:
        app.document({**board.to_json(), "root": root.to_json()})
    else:
        _tell_board(app, board)


def _marking(name: str, state: str, text: str) -> Callable[..., Any]:
    """The command that marks one task as `state`."""

    @click.command(name=name, help=text)
    @click.argument("change")
    @click.argument("task", metavar="ID")
    @json_option
    @root_options
    @guarded(fallback="change_error")
    def command(app: App, *, selector: RootRequest, as_json: bool, change: str, task: str) -> None:
        from rasen.planning import task_ops
        from rasen.planning.changes.tasks_file import TaskState

        root = app.root(selector)
        marked = task_ops.mark(app.ctx, root, change, task, state=TaskState(state))
        if as_json:
            app.document({**marked.to_json(), "root": root.to_json()})
        else:
            _tell_marked(app, marked)

    return command


start = _marking(
    "start",
    "in-progress",
    N_(
        "Mark a task as in progress: `[~]`.\n\n"
        "ID is what `rasen task list` shows: a running number, or the task's own (1.2)."
    ),
)
done = _marking(
    "done",
    "done",
    N_(
        "Mark a task as done: `[x]`.\n\n"
        "ID is what `rasen task list` shows: a running number, or the task's own (1.2)."
    ),
)
reopen = _marking(
    "reopen",
    "open",
    N_(
        "Mark a task as open again: `[ ]`.\n\n"
        "ID is what `rasen task list` shows: a running number, or the task's own (1.2)."
    ),
)


def _tell_board(app: App, board: Board) -> None:
    from rasen.surfaces.cli.columns import padded

    cells = len(str(len(board.tasks)))
    file = None
    for one in board.tasks:
        if one.file != file:
            file = one.file
            app.raw(f"{padded(file, 0)}\n")
        mark = _MARKS[one.task.state.value]
        app.raw(f"  {padded(one.task.id, cells)}  [{mark}] {padded(one.task.text, 0)}\n")
    if board.tasks:
        app.line()
    _tell_progress(app, board.progress)
    tell_targets(app, board.targets)
    for suspect in board.suspects:
        app.say(
            "Warning: {file}, line {line} looks like a task but is none: {text}",
            file=suspect.file,
            line=suspect.line,
            text=suspect.text,
        )


def tell_targets(app: App, targets: Sequence[Target]) -> None:
    """One line for each repository that tasks name."""
    for one in targets:
        app.line(
            "  in {target}: {done} of {total} done", target=one.name, done=one.done, total=one.total
        )


def _tell_marked(app: App, marked: Marked) -> None:
    task = marked.task.task
    params = {"id": task.id, "text": task.text, "state": app.t(_STATES[task.state.value])}
    if marked.is_changed:
        app.line("Now {state}: {id} {text}", **params)
    else:
        app.line("Was {state} already, nothing written: {id} {text}", **params)
    _tell_progress(app, marked.progress)


def _tell_progress(app: App, progress: Progress) -> None:
    if not progress.total:
        app.line("No tasks")
        return
    app.line(
        "{done} of {total} done, {started} in progress, {rest} remaining",
        done=progress.done,
        total=progress.total,
        started=progress.in_progress,
        rest=progress.total - progress.done,
    )
