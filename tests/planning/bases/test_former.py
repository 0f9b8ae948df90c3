"""What journals of archives tell of the day a change was started."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rasen.planning.bases.former import Replaced, Standing, former

CANNOT, CURRENT = Standing.CANNOT, Standing.CURRENT
OTHER = {"desk": "d"}


def one(at: str, text: str | Standing | None = "old") -> Replaced:
    return Replaced(at, {"lending": text})


@pytest.mark.parametrize(
    ("journals", "told"),
    [
        ([], CANNOT),
        ([one("2026-03-01T10:00:00.000Z")], "old"),
        ([one("2026-03-01T10:00:00.000Z", None)], None),
        ([one("2026-03-01T10:00:00.000Z", CANNOT)], CANNOT),
        ([one("2026-04-01T10:00:00Z", "b"), one("2026-03-01T10:00:00+02:00", "a")], "a"),
        ([one("2026-01-01T10:00:00Z")], CURRENT),
        ([one("2026-01-01T10:00:00Z", "a"), one("2026-03-01T10:00:00Z", "b")], "b"),
        ([Replaced("2026-01-01T10:00:00Z", OTHER)], CURRENT),
        ([Replaced("2026-03-01T10:00:00Z", OTHER)], CANNOT),
        ([one("2026-01-31T10:00:00Z")], CANNOT),
        ([one("2026-01-30T10:00:00Z")], CANNOT),
        ([one("2026-01-30T09:59:59Z")], CURRENT),
        ([one("2026-02-01T11:59:59Z")], CANNOT),
        ([one("2026-02-01T12:00:00Z")], "old"),
        ([one("2026-01-31T10:00:00Z", "a"), one("2026-03-01T10:00:00Z", "b")], CANNOT),
        ([Replaced("2026-02-10T00:00:00Z", None), one("2026-03-01T10:00:00Z")], CANNOT),
        ([Replaced("2026-03-10T00:00:00Z", None), one("2026-03-01T10:00:00Z")], "old"),
        ([Replaced("2026-01-01T00:00:00Z", None)], CANNOT),
        ([one("yesterday"), one("2026-03-01T10:00:00Z")], CANNOT),
        ([one("2026-03-01T10:00:00")], CANNOT),
    ],
    ids=[
        "no-journal",
        "archived-later",
        "created-later",
        "without-its-text",
        "first-of-two-by-time-not-by-order",
        "archived-before",
        "before-and-after",
        "only-others-before",
        "only-others-after",
        "same-day",
        "perhaps-the-same-day-in-the-east",
        "surely-the-day-before",
        "perhaps-the-same-day-in-the-west",
        "surely-the-day-after",
        "same-day-hides-later-ones",
        "an-archive-without-journal-between",
        "an-archive-without-journal-after",
        "an-archive-without-journal-proves-nothing",
        "unreadable-time",
        "time-without-zone",
    ],
)
def test_the_first_archive_after_the_day_has_the_text(
    journals: list[Replaced], told: str | Standing | None
) -> None:
    assert former(journals, "lending", "2026-01-31") == told


NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("journals", "told"),
    [
        ([one("2026-01-31T12:00:01Z")], "old"),
        ([one("2026-01-31T12:00:00Z")], CANNOT),
        ([one("2026-01-31T11:00:00Z")], CANNOT),
        ([one("2026-01-31T11:00:00Z", "a"), one("2026-01-31T13:00:00Z", "b")], CANNOT),
        ([one("2026-01-31T14:00:00Z", "a"), one("2026-01-31T13:00:00Z", "b")], "b"),
        ([Replaced("2026-01-31T13:00:00Z", None)], CANNOT),
    ],
    ids=["older", "same-moment", "younger", "between-two", "older-than-two", "without-journal"],
)
def test_on_the_same_day_an_older_file_tells_what_came_first(
    journals: list[Replaced], told: str | Standing | None
) -> None:
    assert former(journals, "lending", "2026-01-31", written=NOON) == told


def test_a_day_that_does_not_exist_tells_nothing() -> None:
    assert former([one("2026-03-01T10:00:00Z")], "lending", "2026-02-31") is CANNOT
