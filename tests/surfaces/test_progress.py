"""A bar on stderr for people who wait, and nothing for anyone else."""

from __future__ import annotations

from tests.support.terminal import Terminal
from tests.support.world import World


def _specs(world: World) -> None:
    world.workspace()
    for number in range(3):
        world.write(f"rasen/specs/s{number}/spec.md", "# x\n")


def test_long_work_shows_a_bar_on_a_terminal(world: World) -> None:
    _specs(world)

    with Terminal(world, "validate", "--all") as terminal:
        assert terminal.code() == 1

    assert "Checking" in terminal.seen


def test_there_is_no_bar_without_a_terminal(world: World) -> None:
    _specs(world)

    assert "Checking" not in world.cli("validate", "--all").err


def test_there_is_no_bar_beside_a_document(world: World) -> None:
    _specs(world)

    assert world.cli("validate", "--all", "--json", tty=True).err == ""


def test_writing_skills_shows_a_bar_on_a_terminal(world: World) -> None:
    with Terminal(world, "init", "--tools", "all") as terminal:
        assert terminal.code() == 0

    assert "Writing skills" in terminal.seen
