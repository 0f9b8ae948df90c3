"""Which archive or sync is to be undone."""

from __future__ import annotations

from collections.abc import Iterable

from rasen.base.messages import NONE
from rasen.base.text import nearest
from rasen.planning.journal.disk import Found
from rasen.planning.journal.model import ARCHIVE, SYNC, Entry
from rasen.planning.journal.refusals import JournalMissing, UndoNotFound, UndoNothing

_NEAR = 5


def choose(found: Found, name: str | None, *, selector: str) -> Entry:
    """The last archive or sync, or the last that `name` means: an archived folder or a change.

    Of the syncs only the last of each open change counts.
    Errors: undo_nothing, undo_not_found, journal_missing, journal_invalid.
    """
    entries = list(_undoable(found.entries))
    bare = sorted(folder.name for folder in found.unjournalled)
    if name is None:
        if entries:
            return entries[-1]
        if found.unreadable:
            raise found.unreadable[-1][1]
        if bare:
            raise JournalMissing(name=bare[-1])
        raise UndoNothing(selector=selector)
    exact = [one for one in entries if one.record.kind == ARCHIVE and one.name == name]
    meant = exact or [one for one in entries if one.record.change == name]
    if meant:
        return meant[-1]
    for shown, problem in found.unreadable:
        if _means(shown, name):
            raise problem
    for shown in reversed(bare):
        if _means(shown, name):
            raise JournalMissing(name=shown)
    known = [one.name for one in entries]
    raise UndoNotFound(name=name, nearest=", ".join(nearest(name, known, most=_NEAR)) or NONE)


def _undoable(entries: Iterable[Entry]) -> Iterable[Entry]:
    """Without the syncs of archived changes, and those that a later one of their change covers."""
    rows = list(entries)
    last = {one.journal: one for one in rows if one.record.kind == SYNC}
    for one in rows:
        if one.record.kind == ARCHIVE or (one.is_open and last[one.journal] is one):
            yield one


def _means(folder: str, name: str) -> bool:
    """True when `name` is an archived folder, with or without the date before it."""
    dated = folder[:4].isdigit() and folder[4:5] == "-" and folder[10:11] == "-"
    return name == folder or (dated and name == folder[11:])
