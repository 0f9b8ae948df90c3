"""What an agent needs to work through a change's tasks: the gate, the context, the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.planning.changes.status import Progress, command, next_steps
from rasen.planning.changes.tasks_file import Task, TaskState

BLOCKED, ALL_DONE, READY = "blocked", "all_done", "ready"
SKILL_CONTINUE = "rasen-continue"
_GENERIC = (
    "Read the context files, then take the open tasks in order. Mark each one as soon as it is "
    "done, and pause to ask when something is unclear or in the way."
)


@dataclass(frozen=True)
class Tracked:
    """The tasks of a change. name: what the schema tracks, None when nothing; files: those found."""

    name: str | None
    files: tuple[Path, ...]
    tasks: tuple[Task, ...]

    @property
    def done(self) -> int:
        return sum(task.state is TaskState.DONE for task in self.tasks)

    @property
    def total(self) -> int:
        return len(self.tasks)


@dataclass(frozen=True)
class ApplyInstructions:
    """How to apply a change. state: `blocked`, `ready` or `all_done`."""

    progress: Progress
    tracked: Tracked
    state: str
    instruction: str
    work_dir: str | None = None

    @property
    def missing(self) -> list[str]:
        """Artifacts that have to be written first."""
        return self.progress.missing_for_apply

    @property
    def context_files(self) -> dict[str, list[str]]:
        """The files of every artifact that has some, in build order."""
        existing = self.progress.existing
        return {
            name: [str(one) for one in existing[name]]
            for name in self.progress.states
            if existing[name]
        }

    def to_json(self, *, root: Mapping[str, object], references: list[object]) -> dict[str, object]:
        """The published document; keys without a value are left out. Source: planning §4.7."""
        done, total = self.tracked.done, self.tracked.total
        members: dict[str, object] = {
            "changeName": self.progress.name,
            "changeDir": str(self.progress.directory),
            "schemaName": self.progress.schema.name,
            "lane": self.progress.schema.lane,
            "contextFiles": self.context_files,
            "progress": {"total": total, "complete": done, "remaining": total - done},
            "tasks": [_task(at, task) for at, task in enumerate(self.tracked.tasks, start=1)],
            "state": self.state,
            "missingArtifacts": self.missing or None,
            "instruction": self.instruction,
            "references": references or None,
            "workDir": self.work_dir,
            "root": root,
        }
        return {key: value for key, value in members.items() if value is not None}


def decide(
    progress: Progress,
    tracked: Tracked,
    *,
    selector: Sequence[str] = (),
    work_dir: str | None = None,
) -> ApplyInstructions:
    """Whether work can start, and what to say. Source: planning §4.7, the table of states."""
    state, instruction = _verdict(progress, tracked, selector)
    return ApplyInstructions(progress, tracked, state, instruction, work_dir)


def _verdict(progress: Progress, tracked: Tracked, selector: Sequence[str]) -> tuple[str, str]:
    missing = progress.missing_for_apply
    if missing:
        step = " ".join(next_steps(progress, selector))
        return BLOCKED, (
            f"Not yet: {', '.join(missing)} still to be written. {step} "
            f"The {SKILL_CONTINUE} skill does the same."
        )
    artifact = progress.schema.tracked
    is_needed = tracked.name and not (artifact is not None and artifact.is_optional)
    if is_needed and not tracked.files:
        return BLOCKED, (
            f"Not yet: there is no {tracked.name}. Write it as a list of check boxes "
            f"(`- [ ] 1.1 …`), or use the {SKILL_CONTINUE} skill."
        )
    if is_needed and not tracked.tasks:
        names = ", ".join(one.name for one in tracked.files)
        return BLOCKED, (
            f"Not yet: {names} holds no tasks. Add them as check boxes (`- [ ] 1.1 …`), "
            f"or use the {SKILL_CONTINUE} skill."
        )
    if tracked.tasks and tracked.done == tracked.total:
        archive = command("archive", progress.name, *selector)
        return ALL_DONE, f"Every task is done. Review the result, then archive: `{archive}`."
    apply = progress.schema.apply
    return READY, (apply.instruction if apply else None) or _GENERIC


def _task(at: int, task: Task) -> dict[str, object]:
    return {"id": str(at), "description": task.text, "done": task.state is TaskState.DONE}
