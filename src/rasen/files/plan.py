"""What a batch will meet: the folders it has to make, and the refusals it can know beforehand."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from rasen.files import atomic
from rasen.files.errors import FileMissing, NotAFolder, TargetExists
from rasen.files.journal_file import Step
from rasen.files.tree import refuse_special


def complete(steps: Iterable[Step]) -> tuple[Step, ...]:
    """`steps` with the missing parent folders of everything new, each before it is needed.

    Errors: not_a_folder.
    """
    world = _Foreseen()
    planned: list[Step] = []
    for step in steps:
        needed = step.path if step.kind == "make_dir" else step.path.parent
        if step.kind in ("write", "move", "make_dir", "new_tree"):
            folders = world.missing(needed)
            if step.kind == "make_dir" and not folders and not world.is_touched(step.path):
                _check_place(step)  # a folder is no step; what stands in its place is refused
            planned += [Step("make_dir", folder, inode=_inode(folder)) for folder in folders]
            for folder in folders:
                world.made(folder)
        if step.kind != "make_dir":
            planned.append(step)
            world.after(step)
    return tuple(planned)


def check(steps: Iterable[Step]) -> None:
    """Refuse, before anything is done, what the disk as it is already forbids of completed steps.

    Places that earlier steps change are left to the moment of their own step.
    Errors: file_changed, file_missing, target_exists, special_file, not_a_file,
    not_a_folder.
    """
    world = _Foreseen()
    for step in steps:
        if not world.is_touched(step.path):
            _check_place(step)
        if step.source is not None and not world.is_touched(step.source):
            if not os.path.lexists(step.source):
                raise FileMissing(file=str(step.source))
            refuse_special(step.source)
        if step.kind == "make_dir":
            world.made(step.path)
        else:
            world.after(step)


def _check_place(step: Step) -> None:
    if step.kind in ("write", "remove"):
        atomic.require(step.path, step.old)
    elif step.kind in ("move", "new_tree") and os.path.lexists(step.path):
        raise TargetExists(file=str(step.path))
    elif step.kind == "make_dir" and os.path.lexists(step.path) and not step.path.is_dir():
        raise NotAFolder(file=str(step.path))
    elif step.kind == "remove_tree" and os.path.lexists(step.path):
        refuse_special(step.path)


class _Foreseen:
    """The disk as it will be after some steps, as far as folders go."""

    def __init__(self) -> None:
        self._new: set[Path] = set()
        self._above: set[Path] = set()  # every folder that ever had something new below it
        self._events: list[tuple[Path, Path | None]] = []  # (place, where its content came from)
        self._places: set[Path] = set()  # of the events: thousands of steps ask about them

    def made(self, folder: Path) -> None:
        self._new.add(folder)
        self._above.update(folder.parents)

    def after(self, step: Step) -> None:
        """Take a step into account."""
        if step.kind in ("write", "new_tree"):
            self.made(step.path)
        elif step.source is not None:
            self._forget(step.source)
            self._happened(step.path, step.source)
        else:
            self._forget(step.path)

    def is_touched(self, path: Path) -> bool:
        """True when an earlier step changes what stands at `path`."""
        return path in self._new or self._is_below_an_event(path)

    def missing(self, folder: Path) -> list[Path]:
        """The folders to make so that `folder` exists, outermost first."""
        found: list[Path] = []
        while not self._is_there(folder, len(self._events)) and folder != folder.parent:
            found.append(folder)
            folder = folder.parent
        return found[::-1]

    def _forget(self, path: Path) -> None:
        if path in self._new or path in self._above:
            self._new = {new for new in self._new if not new.is_relative_to(path)}
        self._happened(path, None)

    def _happened(self, place: Path, source: Path | None) -> None:
        self._events.append((place, source))
        self._places.add(place)

    def _is_below_an_event(self, path: Path) -> bool:
        return path in self._places or any(one in self._places for one in path.parents)

    def _is_there(self, path: Path, until: int) -> bool:
        if path in self._new:
            return True
        events = until if self._is_below_an_event(path) else 0
        for number in range(events - 1, -1, -1):
            place, source = self._events[number]
            if path.is_relative_to(place):
                # A move's own source is forgotten one event before its target appears.
                earlier = number - 1
                return source is not None and self._is_there(
                    source / path.relative_to(place), earlier
                )
        return os.path.lexists(path)


def _inode(folder: Path) -> int:
    try:
        return folder.lstat().st_ino
    except OSError:
        return 0
