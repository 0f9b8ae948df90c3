"""The journals of a root, as a source of bases."""

from __future__ import annotations

from collections.abc import Iterator
from re import fullmatch

from rasen.base.context import Context
from rasen.planning.bases.former import Replaced, Standing
from rasen.planning.journal import disk
from rasen.planning.journal.model import Record
from rasen.roots.model import Root

_UNDATED = ""
_DATED = r"(\d{4}-\d{2}-\d{2})-.+"
_FIRST_ZONE = "T00:00:00+14:00"  # where every date begins first


class RootJournals:
    """Reads the journals of archives and syncs of one root, when first asked."""

    def __init__(self, ctx: Context, root: Root) -> None:
        self._ctx, self._root = ctx, root

    def replaced(self) -> Iterator[Replaced]:
        """Every archive and sync; one without a usable journal may have touched any spec."""
        found = disk.find(self._ctx, self._root)
        for entry in found.entries:
            yield _of(entry.record)
        for folder in found.unjournalled:
            yield Replaced(_earliest(folder.name), None)
        for name, _ in found.unreadable:
            yield Replaced(_earliest(name), None)


def _of(record: Record) -> Replaced:
    before: dict[str, str | Standing | None] = {
        step.capability: step.before for step in record.specs
    }
    return Replaced(record.at, before)


def _earliest(name: str) -> str:
    """The first moment of the date that an archived change is named with; none without a date."""
    match = fullmatch(_DATED, name)
    return match[1] + _FIRST_ZONE if match else _UNDATED
