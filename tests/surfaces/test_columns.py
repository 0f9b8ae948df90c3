"""Rows for people: aligned as a terminal shows them, and never more than text."""

from __future__ import annotations

import json

import pytest
from tests.support.world import World

from rasen.surfaces.cli.columns import column, padded, row

ESCAPE = "\x1b[31m"


def test_a_row_has_two_blanks_between_its_cells_and_none_at_its_end() -> None:
    assert row("one", "two", "") == "one  two\n"


def test_wide_letters_fill_two_cells() -> None:
    width = column(["四月", "a"])

    assert [padded("四月", width) + "|", padded("a", width) + "|"] == ["四月|", "a   |"]


def test_a_row_cannot_steer_the_terminal() -> None:
    assert ESCAPE not in row(f"one{ESCAPE}", "two")


@pytest.mark.parametrize(
    ("file", "document", "command"),
    [
        (
            "rasen/library.lock.json",
            {
                "version": 1,
                "entries": [
                    {
                        "kind": "workflow",
                        "id": "team-review",
                        "digest": "sha256:" + "0" * 64,
                        "source": f"library/{ESCAPE}team-review",
                    }
                ],
            },
            ["outdated"],
        ),
        (
            "rasen/.rasen-files.json",
            {
                "version": 1,
                "folders": [],
                "files": [
                    {
                        "path": ".claude/skills/rasen-a/SKILL.md",
                        "digest": "sha256:" + "0" * 64,
                        "version": f"0.2.0{ESCAPE}",
                        "owners": [{"tool": "claude", "source": f"built-in:{ESCAPE}a"}],
                    }
                ],
            },
            ["footprint"],
        ),
    ],
    ids=["a lock", "a ledger"],
)
def test_what_a_repository_says_is_shown_as_text(
    world: World, file: str, document: object, command: list[str]
) -> None:
    world.workspace()
    world.write(file, json.dumps(document))

    result = world.cli(*command)

    assert "team-review" in result.out or "SKILL.md" in result.out
    assert "\x1b" not in result.out
