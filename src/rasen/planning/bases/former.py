"""What archives and syncs replaced, as a source of bases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from typing import Protocol

# A local date begins up to 14 hours before, and ends up to 12 hours after, the same date in UTC.
_EARLIEST = timedelta(hours=-14)
_LATEST = timedelta(days=1, hours=12)


class Standing(Enum):
    """What journals say where they have no text: it is still the CURRENT one, or they CANNOT tell."""

    CURRENT = "current"
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Replaced:
    """One archive or sync. at: ISO time with its zone, the earliest it can have been.

    before: by capability, the text it found. None as a text means that there was no spec; CANNOT,
    that the journal does not hold it. None as a whole means an archive that left no journal.
    """

    at: str
    before: dict[str, str | Standing | None] | None

    def touches(self, capability: str) -> bool:
        """False only when it surely left the spec alone."""
        return self.before is None or capability in self.before

    def text(self, capability: str) -> str | Standing | None:
        return Standing.CANNOT if self.before is None else self.before[capability]


class Journals(Protocol):
    """Tells what archives and syncs replaced."""

    def replaced(self) -> Iterable[Replaced]:
        """Every archive and sync, in any order; those without a journal too."""


def former(
    journals: Iterable[Replaced], capability: str, created: str, *, written: datetime | None = None
) -> str | Standing | None:
    """The spec of `capability` on the day `created` (YYYY-MM-DD), told by what came after.

    written: when a file of the change was last written. An archive on the day may have come before
    or after; when the file is older than the archive, it came after, and else they cannot tell.
    That nothing came after is proven only where journals were left before that day too.
    """
    found = _from_the_day(journals, capability, created)
    if isinstance(found, Standing):
        return found
    moment, first = found[0]
    day = _midnight(created)
    is_after = day is not None and moment >= day + _LATEST
    if is_after or (written is not None and written < moment):
        return first.text(capability)
    return Standing.CANNOT


def at_the_latest(
    journals: Iterable[Replaced], capability: str, created: str
) -> list[str | Standing | None]:
    """The texts that archives and syncs replaced from the day `created` on, oldest first.

    One on the day itself counts, so the first text is the author's or an older one. Empty when
    journals cannot tell, or nothing came.
    """
    found = _from_the_day(journals, capability, created)
    return [] if isinstance(found, Standing) else [one.text(capability) for _, one in found]


def _from_the_day(
    journals: Iterable[Replaced], capability: str, created: str
) -> list[tuple[datetime, Replaced]] | Standing:
    """What may have come after the day began, oldest first; never empty."""
    day = _midnight(created)
    if day is None:
        return Standing.CANNOT
    later: list[tuple[datetime, Replaced]] = []
    has_older = False
    for one in journals:
        moment = _moment(one.at)
        if moment is None:
            return Standing.CANNOT
        if moment < day + _EARLIEST:
            has_older = has_older or one.before is not None
        elif one.touches(capability):
            later.append((moment, one))
    if not later:
        return Standing.CURRENT if has_older else Standing.CANNOT
    return sorted(later, key=lambda pair: pair[0])


def _midnight(day: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(day), time(), UTC)
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
