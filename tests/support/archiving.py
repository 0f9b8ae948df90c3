"""A desk with one spec and changes to archive, for tests of what archives leave behind."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.world import World

TARGET = "rasen/specs/lending/spec.md"
PURPOSE = "## Purpose\nRules for lending books and other stock to members at the branch desk.\n"


def requirement(name: str, text: str = "The system SHALL do it.") -> str:
    """A requirement block with one scenario."""
    return f"### Requirement: {name}\n{text}\n\n#### Scenario: s\n- **THEN** it is done\n"


def spec(*blocks: str) -> str:
    """A valid spec of these blocks."""
    return f"# lending Specification\n\n{PURPOSE}\n## Requirements\n\n" + "\n".join(blocks)


def added(*blocks: str) -> str:
    return "## ADDED Requirements\n\n" + "\n".join(blocks)


def modified(*blocks: str) -> str:
    return "## MODIFIED Requirements\n\n" + "\n".join(blocks)


def removed(name: str) -> str:
    return f"## REMOVED Requirements\n- ### Requirement: {name}\n"


def renamed(old: str, new: str) -> str:
    return (
        f"## RENAMED Requirements\n- FROM: ### Requirement: {old}\n- TO: ### Requirement: {new}\n"
    )


class Days:
    """A clock that shows noon of a day, and moves on by a second with every look."""

    def __init__(self, day: str = "2026-01-31") -> None:
        self.day(day)

    def day(self, day: str) -> None:
        """Go to noon of that day."""
        self._now = datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)

    def now(self) -> datetime:
        self._now += timedelta(seconds=1)
        return self._now

    def today(self) -> str:
        return self._now.date().isoformat()


def change(world: World, name: str, delta: str, capability: str = "lending") -> None:
    """Write a change with metadata, tasks and one delta."""
    folder = f"rasen/changes/{name}"
    world.write(f"{folder}/.openspec.yaml", "schema: spec-driven # ours\n")
    world.write(f"{folder}/tasks.md", "- [x] 1.1 done\n- [ ] 1.2 open\n")
    world.write(f"{folder}/specs/{capability}/spec.md", delta)


def archive(world: World, name: str, *more: str) -> dict[str, Any]:
    """Archive a change with the command; what it answers."""
    result = world.cli("archive", name, "--yes", *more, "--json")
    assert result.code == 0, result.out
    answer: dict[str, Any] = result.json["archive"]
    return answer
