"""The dashboard of a workspace as a value: changes by how far they are, specs by size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rasen.planning.listing import COMPLETE, IN_PROGRESS, NO_TASKS, ChangeRow, Progress, SpecRow


class Overview(NamedTuple):
    """The numbers of the dashboard; all in the order in which they are shown."""

    draft: tuple[ChangeRow, ...]
    active: tuple[ChangeRow, ...]
    completed: tuple[ChangeRow, ...]
    specs: tuple[SpecRow, ...]

    @property
    def requirements(self) -> int:
        """How many requirements the specs have together."""
        return sum(row.requirements for row in self.specs)

    @property
    def tasks(self) -> Progress:
        """The tasks of the active changes together."""
        rows = [row.progress for row in self.active]
        return Progress(
            sum(one.done for one in rows),
            sum(one.total for one in rows),
            sum(one.in_progress for one in rows),
        )

    def to_json(self) -> dict[str, object]:
        """`{summary, draft, active, completed, specs}`. Source: product rulings, `view`."""
        summary = {
            "specs": len(self.specs),
            "requirements": self.requirements,
            "draft": len(self.draft),
            "active": len(self.active),
            "completed": len(self.completed),
            "completedTasks": self.tasks.done,
            "totalTasks": self.tasks.total,
        }
        return {
            "summary": summary,
            "draft": [row.to_json() for row in self.draft],
            "active": [row.to_json() for row in self.active],
            "completed": [row.to_json() for row in self.completed],
            "specs": [row.to_json() for row in self.specs],
        }


def arrange(changes: Iterable[ChangeRow], specs: Iterable[SpecRow]) -> Overview:
    """`changes`, given by name, and `specs` in the order of the dashboard. Source: planning §4.4."""
    by_status: dict[str, list[ChangeRow]] = {NO_TASKS: [], IN_PROGRESS: [], COMPLETE: []}
    for row in changes:
        by_status[row.progress.status].append(row)
    active = sorted(
        by_status[IN_PROGRESS], key=lambda row: (row.progress.done / row.progress.total, row.name)
    )
    return Overview(
        draft=tuple(by_status[NO_TASKS]),
        active=tuple(active),
        completed=tuple(by_status[COMPLETE]),
        specs=tuple(sorted(specs, key=lambda row: (-row.requirements, row.id))),
    )
