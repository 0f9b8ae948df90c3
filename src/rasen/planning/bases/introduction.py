"""Which commit a delta file came with, given all commits that added or removed files."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from rasen.git.history import Event

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}-")


@dataclass(frozen=True, slots=True)
class DeltaPlace:
    """A delta file. changes: its folder of changes; file: its path below the change's folder."""

    changes: str
    change: str
    file: str

    @property
    def path(self) -> str:
        return f"{self.changes}/{self.change}/{self.file}"

    def is_archived_among(self, names: Iterable[str]) -> bool:
        """True when one of `names` is this file in an archived change of the same name."""
        archive = f"{self.changes}/archive/"
        for name in names:
            if name.startswith(archive):
                folder, _, file = name[len(archive) :].partition("/")
                date = _DATE.match(folder)
                is_same = (
                    folder == self.change or folder[date.end() if date else 0 :] == self.change
                )
                if is_same and file == self.file:
                    return True
        return False


def introduction(events: Iterable[Event], place: DeltaPlace) -> str | None:
    """The commit with which the delta that is there now began; None when it is in none.

    events: those that touch it, newest first. A file that was taken out and put back (a reverted
    merge) began when it was first there; one whose namesake was archived before began afterwards.
    """
    began: str | None = None
    is_reopened = False
    for event in events:
        if place.path in event.added:
            began = event.commit
            is_reopened = place.is_archived_among(event.removed)
        elif not is_reopened and place.is_archived_among(event.added):
            break
    return began


def touching(events: Iterable[Event], paths: Collection[str]) -> Mapping[str, list[Event]]:
    """For each of `paths` the events that touch it, in the order of `events`."""
    found: dict[str, list[Event]] = {path: [] for path in paths}
    for event in events:
        for name in event.added | event.removed:
            if name in found:
                found[name].append(event)
    return found
