"""The one reader and editor of task lists: every mark counted, nothing else touched."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from rasen.syntax.markdown import Markdown

_TASK = re.compile(r"(?P<lead>[^\S\n]*(?:[-*+]|\d+[.)])[^\S\n]*)\[(?P<mark>[^\]\n]*)\](?P<rest>.*)")
_BARE = re.compile(r"[^\S\n]*(?:>[^\S\n]*(?:[-*+][^\S\n]+)?)?\[[ xX~/-]\][^\S\n]+\S.*")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_TARGET = re.compile(
    r"\s\[repo:\s*([A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)\s*\]\s*$", re.IGNORECASE
)
_GROUP = re.compile(r"(\d+)[.)]?(?:\s|$)")


class TaskState(Enum):
    """Where a task stands; only DONE counts as done."""

    OPEN = "open"
    IN_PROGRESS = "in-progress"
    DONE = "done"

    @property
    def mark(self) -> str:
        """The character between the brackets that says so."""
        return {"open": " ", "in-progress": "~", "done": "x"}[self.value]


_STATES = {
    "": TaskState.OPEN,
    "x": TaskState.DONE,
    "~": TaskState.IN_PROGRESS,
    "-": TaskState.IN_PROGRESS,
    "/": TaskState.IN_PROGRESS,
}


class Task(NamedTuple):
    """One line with a check box.

    id: its number in document order, from "1". number: what it calls itself ("1.2"), "" without.
    group: the number of the `##` group it stands under, "" without. line: zero-based.
    """

    id: str
    text: str
    state: TaskState
    number: str
    group: str
    line: int

    @property
    def target(self) -> str:
        """The project whose repository it is done in, from `[repo: name]` at its end; "" without."""
        match = _TARGET.search(self.text)
        return match.group(1) if match else ""


class TaskList(NamedTuple):
    """The tasks of one file. suspicious: zero-based lines that look like tasks but are none."""

    tasks: tuple[Task, ...]
    suspicious: tuple[int, ...]

    @property
    def done(self) -> int:
        return sum(task.state is TaskState.DONE for task in self.tasks)

    @property
    def in_progress(self) -> int:
        return sum(task.state is TaskState.IN_PROGRESS for task in self.tasks)

    @property
    def total(self) -> int:
        return len(self.tasks)


def parse(text: str) -> TaskList:
    """The tasks of `text`, nested ones too; code fences are not honoured.

    `[ ]` is open, `[x]`, `[X]` and `[ x ]` done, `[~]`, `[-]` and `[/]` in progress. A link such as
    `[notes](notes.md)` is no task. Source: planning §3.7; product rulings, task marks.
    """
    document = Markdown(text)
    tasks: list[Task] = []
    suspicious: list[int] = []
    groups = {heading.line: heading for heading in document.headings if heading.level == 2}
    group = ""
    for number, line in enumerate(document.lines):
        if number in groups:
            match = _GROUP.match(groups[number].title)
            group = match.group(1) if match else ""
        if "[" not in line:
            continue
        match = _TASK.fullmatch(line)
        if match is None:
            if _BARE.fullmatch(line):  # a box without a list marker
                suspicious.append(number)
            continue
        state = _state(match["mark"], match["rest"])
        if state is None:
            if _looks_like_task(match["mark"], match["rest"]):
                suspicious.append(number)
            continue
        body = match["rest"].strip()
        own = _NUMBER.match(body)
        tasks.append(
            Task(str(len(tasks) + 1), body, state, own.group() if own else "", group, number)
        )
    return TaskList(tuple(tasks), tuple(suspicious))


def with_state(text: str, task: Task, state: TaskState) -> str:
    """`text` with the mark of `task` changed to say `state`; every other byte stays."""
    document = Markdown(text)
    line = document.lines[task.line]
    match = _TASK.fullmatch(line)
    if match is None or task.state is state:
        return text
    start, end = match.span("mark")
    document.lines[task.line] = line[:start] + state.mark + line[end:]
    return document.text()


def _state(mark: str, rest: str) -> TaskState | None:
    if not mark or _is_link(rest):
        return None
    return _STATES.get(mark.strip().lower())


def _looks_like_task(mark: str, rest: str) -> bool:
    """An empty box or one strange character in it; longer words in brackets are ordinary text."""
    return not _is_link(rest) and len(mark.strip()) <= 1


def _is_link(rest: str) -> bool:
    return rest.startswith(("(", "[", ":"))
