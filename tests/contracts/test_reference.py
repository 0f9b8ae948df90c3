"""The committed reference says what the source says."""

from __future__ import annotations

from tools import reference

from rasen.surfaces import table


def test_generated_pages_are_current() -> None:
    assert reference.stale() == []


def test_every_visible_command_has_a_section() -> None:
    page = reference.commands_page()

    assert [
        row.name for row in table.OPERATIONS if not row.hidden and f"\n## {row.name}\n" not in page
    ] == []
