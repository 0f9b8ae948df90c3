"""An agent that asks what the text of `rasen-retain` tells it to ask finds the mode that counts."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.support import skills
from tests.support.world import World

from rasen.profiles import ops as profiles
from rasen.roots import ops as roots

TEXT = (skills.ASSETS / "workflows/rasen-retain/SKILL.md").read_text(encoding="utf-8")


def _asked(world: World) -> str:
    """The mode, by the commands of the text in their order."""
    setting, lock, listed = (
        world.cli(*shlex.split(command)[1:]).out for command in skills.fenced_commands(TEXT)
    )
    if setting:
        return setting.strip()
    document = json.loads(listed)
    for row in document["profiles"]:
        if row["name"] == lock.strip():
            return str(row["definition"]["retention"])
    return str(document["current"]["retention"])


@pytest.mark.parametrize(
    ("machine", "project", "mode"),
    [
        pytest.param([], "", "off", id="a new user"),
        pytest.param(["profile use full"], "", "report", id="full was chosen"),
        pytest.param(["profile use core"], "", "off", id="core was chosen"),
        pytest.param([], "profile: full\n", "report", id="locked to full"),
        pytest.param(["profile use full"], "profile: core\n", "off", id="locked to core"),
        pytest.param(
            ["config set retention off"], "profile: full\n", "off", id="a setting wins over a lock"
        ),
        pytest.param(["config set retention report"], "", "report", id="a setting alone"),
    ],
)
def test_the_mode_is_the_one_that_counts(
    world: World, machine: list[str], project: str, mode: str
) -> None:
    world.workspace(config=f"schema: spec-driven\n{project}")
    for command in machine:
        assert world.cli(*command.split()).code == 0

    asked = _asked(world)

    ctx = world.context()
    assert (asked, profiles.effective(ctx, roots.here(ctx)).retention.value) == (mode, mode)
