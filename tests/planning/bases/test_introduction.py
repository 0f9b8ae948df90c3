"""With which commit a delta began."""

from __future__ import annotations

import pytest

from rasen.git.history import Event
from rasen.planning.bases.introduction import DeltaPlace, introduction, touching

PLACE = DeltaPlace("rasen/changes", "x", "specs/a/spec.md")
FILED = "rasen/changes/archive/2026-01-31-x/specs/a/spec.md"


def event(commit: str, *, added: str = "", removed: str = "") -> Event:
    return Event(commit, frozenset(added.split()), frozenset(removed.split()))


ADDED = event("add", added=PLACE.path)
AGAIN = event("again", added=PLACE.path)
GONE = event("gone", removed=PLACE.path)
ARCHIVED = event("archived", added=FILED, removed=PLACE.path)
REOPENED = event("reopened", added=PLACE.path, removed=FILED)


@pytest.mark.parametrize(
    ("events", "began"),
    [
        ([], None),
        ([ADDED], "add"),
        ([AGAIN, GONE, ADDED], "add"),
        ([GONE, ADDED], "add"),
        ([AGAIN, ARCHIVED, ADDED], "again"),
        ([ARCHIVED, ADDED], None),
        ([REOPENED, ARCHIVED, ADDED], "add"),
        ([REOPENED, ARCHIVED, AGAIN, ARCHIVED, ADDED], "again"),
    ],
    ids=[
        "never-committed",
        "once",
        "reverted-and-back",
        "removed-in-git-only",
        "name-used-again",
        "archived-and-new-one-uncommitted",
        "reopened",
        "second-of-the-name-reopened",
    ],
)
def test_where_it_began(events: list[Event], began: str | None) -> None:
    assert introduction(events, PLACE) == began


@pytest.mark.parametrize(
    ("name", "is_it"),
    [
        (FILED, True),
        ("rasen/changes/archive/x/specs/a/spec.md", True),
        ("rasen/changes/archive/2026-01-31-y-x/specs/a/spec.md", False),
        ("rasen/changes/archive/2026-01-31-x/specs/b/spec.md", False),
        (PLACE.path, False),
    ],
)
def test_an_archived_file_is_told_by_its_folder(name: str, is_it: bool) -> None:
    assert PLACE.is_archived_among([name]) is is_it


def test_events_are_sorted_to_their_files() -> None:
    assert touching([AGAIN, ARCHIVED, ADDED], [PLACE.path, "other"]) == {
        PLACE.path: [AGAIN, ARCHIVED, ADDED],
        "other": [],
    }
