"""What each of the agents that we promise most about gets, byte for byte, for one skill of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.world import World

from rasen import __version__
from rasen.hosts.model import Sidecar, Skill
from rasen.hosts.ops import host, render, skills_home

GOLDEN = Path(__file__).parent / "golden"
IDS = ("claude", "codex", "cursor", "gemini", "github-copilot", "hermes", "opencode", "pi")
SKILL = Skill(
    "rasen-lend-bike",
    'Lends a bike: asks for "whom", then when. Use it for #loans',
    "# Lend a bike\n\nFirst /rasen:explore, then `rasen list --json`.\n",
    sidecars=(Sidecar("bin/ask.sh", b"#!/bin/sh\nread whom\n"), Sidecar("guide.md", b"# Guide\n")),
    is_user_invoked=True,
)


@pytest.mark.parametrize("id", IDS)
def test_the_files_of_a_skill_are_those_of_the_golden_file(world: World, id: str) -> None:
    assert described(world, id) == (GOLDEN / f"{id}.txt").read_text(encoding="utf-8")


def described(world: World, id: str) -> str:
    home = skills_home(world.context(), world.root, host(id)).relative_to(world.base)
    parts = []
    for one in render(host(id), SKILL):
        mode = "may be run" if one.is_executable else "is read"
        text = one.data.decode().replace(f'"{__version__}"', '"VERSION"')
        parts.append(f"=== {home.as_posix()}/{one.path} ({mode})\n{text}")
    return "".join(parts)
