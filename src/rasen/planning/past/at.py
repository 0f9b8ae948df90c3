"""A spec as it was after an archive, at the end of a day, or in a commit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from rasen.base.context import Context
from rasen.base.messages import NONE
from rasen.base.text import nearest
from rasen.files.paths import canonical, inside
from rasen.git import repo
from rasen.planning import disk
from rasen.planning.items import SUGGESTIONS, UnknownItem
from rasen.planning.journal.disk import find
from rasen.planning.journal.model import ARCHIVE, Entry
from rasen.planning.load import decode
from rasen.planning.ops import spec_document_of
from rasen.planning.past.model import (
    FILE,
    GIT,
    JOURNAL,
    Past,
    ShowAtAbsent,
    ShowAtUnknown,
    ShowAtUntold,
)
from rasen.planning.showing import SpecFilter
from rasen.roots.model import Root

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def spec_at(ctx: Context, root: Root, capability: str, at: str) -> Past:
    """The spec as it was at `at`: an archived change (right after it), a day (its end), a revision.

    Journals are asked first, then git.
    Errors: show_at_unknown, unknown_item, path_traversal, file_*.
    """
    return _Look(ctx, root, capability, at).answer()


def document_at(root: Root, past: Past, at: str, wanted: SpecFilter) -> dict[str, object]:
    """The document of `show --json` for a spec as it was. Errors: show_error."""
    document = spec_document_of(root, past.capability, past.text, wanted)
    return {**document, "at": {"moment": at, **past.to_json()}}


class _Look:
    def __init__(self, ctx: Context, root: Root, capability: str, at: str) -> None:
        self._ctx = ctx
        self._root = root
        self._capability = capability
        self._at = at
        self._path = inside(root.specs_dir, f"{capability}/{disk.SPEC_FILE}")
        self._entries = find(ctx, root).entries

    def answer(self) -> Past:
        meant = self._archive()
        if meant is not None:
            return self._after(self._entries.index(meant))
        if _is_day(self._at):
            return self._at_day()
        return self._in_commit()

    def _archive(self) -> Entry | None:
        archives = [one for one in self._entries if one.record.kind == ARCHIVE]
        exact = [one for one in archives if one.name == self._at]
        meant = exact or [one for one in archives if one.record.change == self._at]
        return meant[-1] if meant else None

    def _after(self, number: int) -> Past:
        """The spec after the entry of that number; -1 for before them all."""
        told = self._told(self._entries[: number + 1], self._entries[number + 1 :])
        return told if told is not None else self._now()

    def _told(self, earlier: Sequence[Entry], later: Sequence[Entry]) -> Past | None:
        """What journals say of the moment between; None when none of them touches the spec."""
        for entry in reversed(earlier):
            step = entry.record.step(self._capability)
            if step is not None:
                return self._past(step.after, JOURNAL, entry.name)
        for entry in later:
            step = entry.record.step(self._capability)
            if step is not None:
                return self._past(step.before, JOURNAL, entry.name)
        return None

    def _at_day(self) -> Past:
        if self._at >= self._ctx.clock.today():
            return self._now()
        days = [_local_day(one.record.at) <= self._at for one in self._entries]
        told = self._told(
            [one for one, is_before in zip(self._entries, days, strict=True) if is_before],
            [one for one, is_before in zip(self._entries, days, strict=True) if not is_before],
        )
        if told is not None:
            return told
        top = repo.root_of(self._root.path)
        commit = None if top is None else repo.commit_before(top, f"{self._at}T23:59:59")
        if top is None or commit is None:
            self._must_be_known()
            raise ShowAtUntold(spec=self._capability, at=self._at)
        return self._committed(top, commit)

    def _in_commit(self) -> Past:
        top = repo.root_of(self._root.path)
        commit = None if top is None else repo.commit_of(top, self._at)
        if top is None or commit is None:
            names = [one.name for one in self._entries if one.record.kind == ARCHIVE]
            known = ", ".join(nearest(self._at, names, most=SUGGESTIONS)) or NONE
            raise ShowAtUnknown(at=self._at, known=known)
        return self._committed(top, commit)

    def _committed(self, top: Path, commit: str) -> Past:
        relative = canonical(self._path).relative_to(canonical(top)).as_posix()
        data = repo.show(top, commit, relative)
        return self._past(None if data is None else decode(data, self._path), GIT, commit)

    def _now(self) -> Past:
        is_there = disk.has_spec(self._root.specs_dir, self._capability)
        text = disk.read_spec(self._root.specs_dir, self._capability) if is_there else None
        return self._past(text, FILE, None)

    def _past(self, text: str | None, source: str, by: str | None) -> Past:
        if text is None:
            self._must_be_known()
            raise ShowAtAbsent(
                spec=self._capability, at=self._at, selector=self._root.selector_text
            )
        return Past(self._capability, text, source, by)

    def _must_be_known(self) -> None:
        """Refuse a name that no spec ever had, as far as journals and the workspace tell."""
        known = {entry.id for entry in disk.spec_entries(self._root.specs_dir)}
        known |= {step.capability for one in self._entries for step in one.record.specs}
        if self._capability not in known:
            close = ", ".join(nearest(self._capability, known, most=SUGGESTIONS)) or NONE
            raise UnknownItem(
                item=self._capability, nearest=close, selector=self._root.selector_text
            )


def _is_day(text: str) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _local_day(at: str) -> str:
    """The day of a journal's time where the user is; the first ten letters of what is no time."""
    try:
        return datetime.fromisoformat(at).astimezone().date().isoformat()
    except (ValueError, OverflowError):
        return at[:10]
