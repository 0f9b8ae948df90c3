"""Rows of changes and specs."""

from __future__ import annotations

import os

import pytest
from tests.support.planning_texts import SPEC, requirement, spec_of
from tests.support.world import World

from rasen.planning.listing import Progress, change_rows, spec_rows
from rasen.roots.model import SOURCE_NEAREST, Root


def root(world: World) -> Root:
    world.workspace()
    return Root(world.root, SOURCE_NEAREST, "rasen")


@pytest.mark.parametrize(
    ("done", "total", "status"),
    [(0, 0, "no-tasks"), (0, 2, "in-progress"), (1, 2, "in-progress"), (2, 2, "complete")],
)
def test_status(done: int, total: int, status: str) -> None:
    assert Progress(done, total, 0).status == status


@pytest.mark.parametrize(
    ("done", "total", "share"),
    [(0, 0, 0), (0, 3, 0), (1, 3, 33), (2, 3, 67), (1, 8, 13), (3, 3, 100)],
)
def test_share_is_rounded(done: int, total: int, share: int) -> None:
    assert Progress(done, total, 0).share_of(100) == share


def test_change_row_counts_nested_and_begun_tasks(world: World) -> None:
    place = root(world)
    world.write(
        "rasen/changes/b/tasks.md", "- [x] 1\n  - [ ] 2\n- [~] 3\n- [notes](n.md)\n- [ x ] 4\n"
    )
    world.write("rasen/changes/a/proposal.md", "# A\n")

    first, second = change_rows(world.context(), place)

    assert (first.name, first.progress) == ("a", Progress(0, 0, 0))
    assert (second.name, second.progress) == ("b", Progress(2, 4, 1))


def test_change_row_as_json_has_the_time_of_the_newest_file(world: World) -> None:
    place = root(world)
    newest = world.write("rasen/changes/a/specs/x/spec.md", "x")
    older = world.write("rasen/changes/a/tasks.md", "- [x] 1\n")
    os.utime(older, (1, 1))
    os.utime(newest, (1_700_000_000.25, 1_700_000_000.25))

    (row,) = change_rows(world.context(), place)

    assert row.to_json() == {
        "name": "a",
        "completedTasks": 1,
        "totalTasks": 1,
        "lastModified": "2023-11-14T22:13:20.250Z",
        "status": "complete",
    }


def test_change_without_files_has_the_time_of_its_folder(world: World) -> None:
    place = root(world)
    folder = world.path("rasen/changes/a")
    folder.mkdir()
    os.utime(folder, (1_700_000_000, 1_700_000_000))

    (row,) = change_rows(world.context(), place)

    assert row.to_json()["lastModified"] == "2023-11-14T22:13:20.000Z"


def test_unreadable_tasks_count_as_none(world: World) -> None:
    place = root(world)
    world.write("rasen/changes/a/tasks.md", b"- [x] \xff\n")

    (row,) = change_rows(world.context(), place)

    assert row.progress == Progress(0, 0, 0)


def test_spec_rows_count_what_the_section_reader_sees(world: World) -> None:
    place = root(world)
    world.write("rasen/specs/lending/spec.md", "\ufeff" + SPEC.replace("\n", "\r\n"))
    world.write("rasen/specs/area/fees/spec.md", spec_of(requirement("A"), "### Note\nx\n"))
    world.write("rasen/specs/broken/spec.md", "# Broken\n\n## Requirements\n### A\n")
    world.write("rasen/specs/odd/spec.md", b"\xff")
    world.path("rasen/specs/empty").mkdir()

    rows = {row.id: (row.title, row.requirements) for row in spec_rows(place)}

    assert rows == {
        "area/fees": ("x Specification", 2),
        "broken": ("Broken", 0),
        "empty": ("empty", 0),
        "lending": ("lending Specification", 2),
        "odd": ("odd", 0),
    }
    assert list(rows) == sorted(rows)
