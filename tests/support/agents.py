"""Projects whose agents have skills, and what `init` and `update` answer about them."""

from __future__ import annotations

from typing import Any

from tests.support.documents import fits
from tests.support.world import World


def equipped(world: World, tools: str = "claude,codex") -> World:
    """`world` once its agents have got their skills."""
    assert world.cli("init", "--tools", tools).code == 0
    return world


def answered(world: World, command: str, *args: str, **options: Any) -> tuple[int, Any]:
    """The exit code and the document of `init` or `update`."""
    result = world.cli(command, *args, "--json", **options)
    return result.code, fits(command, result.json)


def outcomes(answer: Any) -> dict[str, str]:
    """What became of each agent."""
    return {one["tool"]: one["outcome"] for one in answer["tools"]}


def codes(answer: Any) -> list[str]:
    """The codes of what is told, in order."""
    return [one["code"] for one in answer["status"]]
