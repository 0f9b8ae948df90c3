"""Time and fresh identities as ports, so that tests decide what they are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The current moment, aware, in UTC."""

    def today(self) -> str:
        """Today's date where the user is, as YYYY-MM-DD."""


class Ids(Protocol):
    """Makes identities that nobody has used before."""

    def uuid(self) -> str:
        """A lower-case UUID v4."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def today(self) -> str:
        return datetime.now().astimezone().date().isoformat()


class RandomIds:
    """Identities from the system's random source."""

    def uuid(self) -> str:
        from uuid import uuid4  # 2 ms of import that most commands do not need

        return str(uuid4())


def iso_millis(moment: datetime) -> str:
    """`moment` as ISO 8601 in UTC with milliseconds and `Z`, the form of all our JSON documents."""
    return (
        moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    )
