"""Three-way merge of two task lists: the state of each task by itself, and the lines around them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rasen.planning.changes import tasks_file
from rasen.planning.changes.tasks_file import Task, TaskState
from rasen.planning.merging.lines import merge_items
from rasen.planning.merging.threeway import Clash
from rasen.planning.merging.whole import FileMerge, clashed, one_sided
from rasen.syntax.markdown import BOM, Markdown

_FILE = "file"
Key = tuple[str, int]
"""What a task calls itself, or its text, and which of its namesakes it is."""


def merge_tasks(base: str, theirs: str, mine: str) -> FileMerge:
    """What a task list becomes when one side made `theirs` of `base` and the other made `mine`.

    A state that one side set counts; where both went on from an open task, the one that got
    further. Lines are merged apart from the states, each for itself.
    """
    known = one_sided(base, theirs, mine)
    if known is not None:
        return known
    sides = _List(base), _List(theirs), _List(mine)
    lines = merge_items(*(side.unmarked for side in sides))
    if lines is None:
        return clashed(_FILE, base, theirs, mine)
    return _States(*sides).applied("".join(lines))


class _List:
    """One side: its tasks by key, and its lines with every box open, endings included."""

    def __init__(self, text: str) -> None:
        found = tasks_file.parse(text).tasks
        unmarked = text
        for task in found:
            unmarked = tasks_file.with_state(unmarked, task, TaskState.OPEN)
        document, plain = Markdown(text), Markdown(unmarked)
        self.lines = document.lines
        self.unmarked = [plain.raw(at, at + 1) for at in range(len(plain.lines))]
        if plain.bom:
            self.unmarked[:1] = [BOM + line for line in self.unmarked[:1]]
        self.tasks = _by_key(found)

    def line(self, key: Key) -> str | None:
        task = self.tasks.get(key)
        return None if task is None else self.lines[task.line].strip()


def _by_key(tasks: tuple[Task, ...]) -> dict[Key, Task]:
    numbers = Counter(task.number for task in tasks)
    seen: Counter[str] = Counter()
    found: dict[Key, Task] = {}
    for task in tasks:
        name = task.number if task.number and numbers[task.number] == 1 else task.text
        found[name, seen[name]] = task
        seen[name] += 1
    return found


@dataclass(slots=True)
class _States:
    base: _List
    theirs: _List
    mine: _List
    clashes: list[Clash] = field(default_factory=list)

    def applied(self, text: str) -> FileMerge:
        """`text`, the merged lines, with the merged states of its tasks."""
        merged = _by_key(tasks_file.parse(text).tasks)
        for key in dict.fromkeys([*self.base.tasks, *self.theirs.tasks, *self.mine.tasks]):
            state = self._state(key)
            if key in merged:
                text = tasks_file.with_state(text, merged[key], state)
            elif self._was_set(key):
                self._clash(key)
        return FileMerge(None if self.clashes else text, tuple(self.clashes))

    def _state(self, key: Key) -> TaskState:
        base, theirs, mine = (
            side.tasks[key].state if key in side.tasks else None
            for side in (self.base, self.theirs, self.mine)
        )
        if theirs is None or mine is None or theirs is mine or mine is base:
            return theirs or mine or TaskState.OPEN
        if theirs is base:
            return mine
        if base in (None, TaskState.OPEN):  # both went on: in progress here, done there
            return TaskState.DONE if TaskState.DONE in (theirs, mine) else TaskState.IN_PROGRESS
        self._clash(key)
        return theirs

    def _was_set(self, key: Key) -> bool:
        """True when a side set the state of a task that the merged lines do not have any more."""
        if key not in self.base.tasks:
            return False
        sides = [side.tasks[key].state for side in (self.theirs, self.mine) if key in side.tasks]
        return any(state is not self.base.tasks[key].state for state in sides)

    def _clash(self, key: Key) -> None:
        lines = (side.line(key) for side in (self.base, self.theirs, self.mine))
        self.clashes.append(Clash(f"task {key[0]}", *lines))
