"""Which files hold the tasks of a change."""

from __future__ import annotations

import pytest
from tests.support.world import World

from rasen.planning.changes.tracked import tracked_files
from rasen.roots.model import Root

HEAD = "name: ours\nversion: 1\nartifacts:\n"
CHANGE = "rasen/changes/x"


def one(name: str, generates: str) -> str:
    return f"  - {{id: {name}, generates: '{generates}', description: D, template: t.md}}\n"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (one("work", "work/*.md") + "apply: {requires: [work], tracks: work/*.md}\n",
         ["work/a.md", "work/b.md"]),
        (one("tasks", "work/*.md"), ["work/a.md", "work/b.md"]),
        (one("tasks", "todo.md"), ["tasks.md"]),
        (one("work", "todo.md") + "apply: {requires: [work], tracks: other.md}\n", ["tasks.md"]),
        (one("work", "work/*.md"), ["tasks.md"]),
        ("  - broken\n", ["tasks.md"]),
    ],
    ids=["tracks", "artifact-tasks", "no-match", "no-such-artifact", "neither", "broken-schema"],
)  # fmt: skip
def test_files(world: World, schema: str, expected: list[str]) -> None:
    world.workspace()
    world.write("rasen/schemas/ours/schema.yaml", HEAD + schema)
    world.write(f"{CHANGE}/.openspec.yaml", "schema: ours\n")
    for name in ("tasks.md", "work/b.md", "work/a.md"):
        world.write(f"{CHANGE}/{name}", "- [ ] a\n")
    folder = world.path(CHANGE)

    found = tracked_files(world.context(), Root(world.root, "nearest", "rasen"), folder)

    assert [path.relative_to(folder).as_posix() for path in found] == expected


@pytest.mark.parametrize("metadata", ["schema: nope\n", "schema: [\n", "created: x\n"])
def test_unusable_metadata_falls_back_to_the_usual_file(world: World, metadata: str) -> None:
    world.workspace()
    world.write(f"{CHANGE}/.openspec.yaml", metadata)
    world.write(f"{CHANGE}/tasks.md", "")

    found = tracked_files(world.context(), Root(world.root, "nearest", "rasen"), world.path(CHANGE))

    assert found == [world.path(f"{CHANGE}/tasks.md")]


def test_no_files_at_all(world: World) -> None:
    world.workspace()
    world.path(CHANGE).mkdir()

    assert not tracked_files(
        world.context(), Root(world.root, "nearest", "rasen"), world.path(CHANGE)
    )
