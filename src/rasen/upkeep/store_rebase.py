"""Planning commits on another parent, file by file: each kind of file by its own merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rasen.git.scratch import Entry, Scratch
from rasen.planning.merging.by_kind import kind_of

SAME: Final = "same"
_SHOWN: Final = 4000
_WHOLE: Final = "file"


class MergedFile(NamedTuple):
    """A file that both sides changed. how: requirements, tasks, keys, or same."""

    file: str
    how: str


class FileConflict(NamedTuple):
    """A place in a file that both sides changed differently. base, theirs, mine: None for not there."""

    file: str
    place: str
    base: str | None
    theirs: str | None
    mine: str | None

    def to_json(self) -> dict[str, object]:
        return self._asdict()


class Rebased(NamedTuple):
    """Where the commits ended up. head: meaningless with conflicts."""

    head: str
    merged: tuple[MergedFile, ...]
    conflicts: tuple[FileConflict, ...]


def rebase(
    place: Scratch, commits: Sequence[tuple[str, ...]], onto: str, *, workspace: str
) -> Rebased:
    """The `commits` (each with its parent, oldest first) made again on `onto`.

    One whose changes are all there already is left out. It ends at the first commit with conflicts.
    """
    work = _Rebase(place, workspace)
    head = onto
    theirs = place.entries(onto)
    for commit, parent in commits:
        base, mine = place.entries(parent), place.entries(commit)
        changes: dict[str, Entry | None] = {}
        for path in sorted(set(base) | set(mine)):
            if base.get(path) != mine.get(path):
                entry = work.file(path, base.get(path), theirs.get(path), mine.get(path))
                if entry != theirs.get(path):
                    changes[path] = entry
        work.check_places({**theirs, **changes}, changes)
        if work.conflicts:
            break
        if changes:
            head = place.commit(place.tree(head, changes), head, like=commit)
            theirs = place.entries(head)
    merged = tuple(MergedFile(path, how) for path, how in sorted(work.merged.items()))
    return Rebased(head, merged, tuple(work.conflicts))


@dataclass(slots=True)
class _Rebase:
    place: Scratch
    workspace: str
    merged: dict[str, str] = field(default_factory=dict)
    conflicts: list[FileConflict] = field(default_factory=list)

    def file(
        self, path: str, base: Entry | None, theirs: Entry | None, mine: Entry | None
    ) -> Entry | None:
        """What `path` becomes; None for not there. mine is not base."""
        if theirs == base:
            return mine
        if theirs == mine:
            self.merged.setdefault(path, SAME)
            return mine
        if theirs is None or mine is None:
            return self._conflict(path, base, theirs, mine)
        sides = [side for side in (base, theirs, mine) if side is not None]
        if not all(side.is_regular for side in sides):
            return self._conflict(path, base, theirs, mine)
        mode = mine.mode if base is not None and theirs.mode == base.mode else theirs.mode
        if theirs.oid == mine.oid or (base is not None and base.oid in (theirs.oid, mine.oid)):
            changed = mine if base is not None and base.oid == theirs.oid else theirs
            return Entry(mode, changed.oid)
        return self._content(path, mode, base, theirs=theirs, mine=mine)

    def _content(
        self, path: str, mode: str, base: Entry | None, *, theirs: Entry, mine: Entry
    ) -> Entry | None:
        kind = kind_of(path, workspace=self.workspace)
        texts = [self._text(side) for side in (base, theirs, mine)]
        if kind is None or None in texts:
            return self._conflict(path, base, theirs, mine)
        outcome = kind.merge(*(text or "" for text in texts))
        if outcome.text is None:
            self.conflicts += [
                FileConflict(path, place, *(_bounded(side) for side in sides))
                for place, *sides in outcome.clashes
            ]
            return theirs
        self.merged[path] = kind.how
        return Entry(mode, self.place.keep(outcome.text.encode("utf-8")))

    def check_places(
        self, entries: dict[str, Entry | None], changes: dict[str, Entry | None]
    ) -> None:
        """A file of one side where the other has a folder."""
        there = {path for path, entry in entries.items() if entry is not None}
        folders = {path.rpartition("/")[0] for path in there}
        for path in sorted(folders):
            parts = path.split("/")
            folders |= {"/".join(parts[:count]) for count in range(1, len(parts))}
        for path in sorted(there & folders):
            if any(one == path or one.startswith(f"{path}/") for one in changes):
                self.conflicts.append(FileConflict(path, _WHOLE, None, None, None))

    def _text(self, entry: Entry | None) -> str | None:
        """The text of a side, "" for none; None for what is no text."""
        if entry is None:
            return ""
        try:
            return self.place.content(entry.oid).decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _conflict(self, path: str, *sides: Entry | None) -> Entry | None:
        shown = (None if side is None else self._shown(side) for side in sides)
        self.conflicts.append(FileConflict(path, _WHOLE, *shown))
        return sides[1]

    def _shown(self, entry: Entry) -> str:
        content = self.place.content(entry.oid) if entry.mode != "160000" else entry.oid.encode()
        try:
            return _bounded(content.decode("utf-8")) or ""
        except UnicodeDecodeError:
            return f"({len(content)} bytes that are no text)"


def _bounded(text: str | None) -> str | None:
    if text is None or len(text) <= _SHOWN:
        return text
    return text[:_SHOWN] + "…"
