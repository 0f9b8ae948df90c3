"""`init`, `migrate` and registration, killed or refused by the disk at every change they make."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.projects import ops as projects
from rasen.roots import ops as roots
from rasen.roots.model import RootRequest
from rasen.upkeep.init import Plan, init
from rasen.upkeep.migrate import migrate

CONFIG = "# mine\nschema: spec-driven"


def _make(world: World) -> None:
    init(world.context(), Plan(world.root))


def _copy(world: World) -> None:
    migrate(world.context(), world.root)


def _bare(world: World) -> None:
    shutil.rmtree(world.root)
    shutil.rmtree(world.data_dir, ignore_errors=True)
    world.root.mkdir()


def _older(world: World) -> None:
    _bare(world)
    world.write("openspec/specs/a/spec.md", "# a\n")
    world.write("openspec/changes/b/proposal.md", "# b\n")
    world.write("openspec/config.yaml", "schema: spec-driven\n")
    world.write("rasen/specs/mine/spec.md", "# mine\n")


STORIES = [
    pytest.param(_make, _bare, id="init"),
    pytest.param(_copy, _older, id="migrate"),
]


@pytest.mark.parametrize(("work", "prepare"), STORIES)
@pytest.mark.parametrize("fault", ["enospc", "eacces"])
def test_a_refusal_of_the_disk_leaves_all_or_nothing(
    world: World,
    fault: str,
    work: Callable[[World], None],
    prepare: Callable[[World], None],
) -> None:
    prepare(world)
    before = snapshot(world.root)
    work(world)
    after = snapshot(world.root)

    for at in crash.points(lambda: work(world), lambda: prepare(world)):
        prepare(world)
        ending = crash.fork(lambda: work(world), at=at, fault=fault)
        left = snapshot(world.root, without=(".journal",))
        assert _same(left, (before, after)), f"at {at}"
        assert _same(left, (after,)) or ending.code, f"at {at}"


@pytest.mark.parametrize(("work", "prepare"), STORIES)
def test_a_kill_leaves_all_or_nothing_once_the_next_command_ran(
    world: World, work: Callable[[World], None], prepare: Callable[[World], None]
) -> None:
    prepare(world)
    before = snapshot(world.root)
    work(world)
    after = snapshot(world.root)

    for at in crash.points(lambda: work(world), lambda: prepare(world)):
        prepare(world)
        crash.fork(lambda: work(world), at=at)
        roots.select(world.context(), RootRequest())
        left = snapshot(world.root)
        if left.keys() == {"rasen"}:
            left = {}  # an empty folder is no workspace
        assert _same(left, (before, after)), f"at {at}"


def test_after_a_kill_registering_again_gives_one_identity_and_one_home(world: World) -> None:
    def prepare() -> None:
        _bare(world)
        world.write("rasen/config.yaml", CONFIG)

    def register() -> None:
        projects.register(world.context(), world.root)

    for at in crash.points(register, prepare):
        prepare()
        crash.fork(register, at=at)
        text = world.read("rasen/config.yaml")
        assert text == CONFIG or text.startswith(CONFIG + "\nprojectId: "), f"at {at}"

        home = projects.register(world.context(), world.root)

        assert world.read("rasen/config.yaml") == f"{CONFIG}\nprojectId: {home.project_id}\n"
        assert projects.home_of(world.context(), world.root) == home.path
        names = [path.name for path in (world.data_dir / "projects").iterdir()]
        assert "registry.json.lock" not in names, f"at {at}"


def _same(left: object, states: tuple[dict[str, object], ...]) -> bool:
    """Whether `left` is one of `states`, whatever identity was minted."""
    return any(_shape(left) == _shape(state) for state in states)


def _shape(state: object) -> str:
    import re

    return re.sub(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "ID", repr(state))
