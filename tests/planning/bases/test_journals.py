"""Bases from the journals that real archives leave, where there is no git."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime

import pytest
from tests.support.planning_texts import DELTA, SPEC
from tests.support.world import World

from rasen.planning.bases.find import finder
from rasen.planning.bases.model import Base, Source
from rasen.roots import ops as roots
from rasen.roots.model import RootRequest

LENDING = "rasen/specs/lending/spec.md"
ARCHIVED = "rasen/changes/archive/2026-01-31-a"


@pytest.fixture
def archived(world: World) -> World:
    """The change `a` was archived on 31 January 2026 and has changed the spec."""
    world.workspace()
    world.write(LENDING, SPEC)
    world.write("rasen/changes/a/.openspec.yaml", "schema: spec-driven\n")
    world.write("rasen/changes/a/specs/lending/spec.md", DELTA)
    result = world.cli("archive", "a", "--yes", "--json")
    assert result.code == 0, result.out
    assert world.read(LENDING) != SPEC
    return world


def base(world: World, created: str) -> Base:
    world.write("rasen/changes/x/.openspec.yaml", f"schema: spec-driven\ncreated: {created}\n")
    world.write("rasen/changes/x/specs/lending/spec.md", DELTA)
    ctx = world.context()
    root = roots.select(ctx, RootRequest())
    return finder(ctx, root).of(root.changes_dir / "x", "lending")


def test_a_change_started_before_the_archive_saw_what_it_replaced(archived: World) -> None:
    found = base(archived, "2026-01-20")

    assert (found.source, found.text) == (Source.JOURNAL, SPEC)


def test_a_change_started_after_the_archive_saw_what_is_there(archived: World) -> None:
    found = base(archived, "2026-03-01")

    assert (found.source, found.text) == (Source.JOURNAL, archived.read(LENDING))


def test_on_the_day_of_the_archive_nobody_can_tell(archived: World) -> None:
    assert base(archived, "2026-01-31").source is Source.UNKNOWN


@pytest.mark.parametrize("name", [".openspec.yaml", "specs/lending/spec.md"])
def test_on_that_day_a_file_older_than_the_archive_tells(archived: World, name: str) -> None:
    base(archived, "2026-01-31")
    before = datetime(2026, 1, 31, 11, tzinfo=UTC).timestamp()
    os.utime(archived.path(f"rasen/changes/x/{name}"), (before, before))
    ctx = archived.context()
    root = roots.select(ctx, RootRequest())

    found = finder(ctx, root).of(root.changes_dir / "x", "lending")

    assert (found.source, found.text) == (Source.JOURNAL, SPEC)


@pytest.mark.parametrize("text", [None, "{", '{"version": 9}'], ids=["none", "broken", "newer"])
def test_an_archive_without_a_usable_journal_hides_what_came_after(
    archived: World, text: str | None
) -> None:
    folder = archived.path("rasen/changes/archive/2026-01-25-old")
    folder.mkdir()
    if text is not None:
        (folder / ".archive.json").write_text(text)

    assert base(archived, "2026-01-20").source is Source.UNKNOWN
    assert base(archived, "2026-03-01").source is Source.JOURNAL


def test_an_archived_folder_without_a_date_may_have_come_any_time(archived: World) -> None:
    shutil.copytree(archived.path(ARCHIVED), archived.path("rasen/changes/archive/old"))
    archived.path("rasen/changes/archive/old/.archive.json").unlink()

    assert base(archived, "2026-01-20").source is Source.UNKNOWN
