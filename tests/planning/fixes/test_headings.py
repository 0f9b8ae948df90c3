"""Which section a heading was meant to begin."""

from __future__ import annotations

import pytest

from rasen.planning.fixes.headings import meant_operation


@pytest.mark.parametrize(
    ("title", "operation"),
    [
        ("Add Requirements", "ADDED"),
        ("ADDED Requirement", "ADDED"),
        ("New requirements", "ADDED"),
        ("added  requirements:", "ADDED"),
        ("**Added Requirements**", "ADDED"),
        ("Requirements Added", "ADDED"),
        ("ADEDD Requirements", "ADDED"),
        ("Added", "ADDED"),
        ("Modify Requirements", "MODIFIED"),
        ("Modifed Requirements", "MODIFIED"),
        ("Changed Requirements", "MODIFIED"),
        ("Delete Requirements", "REMOVED"),
        ("Removd Requirements", "REMOVED"),
        ("Rename Requirements", "RENAMED"),
        ("Notes", None),
        ("Requirements", None),
        ("New", None),
        ("Added value", None),
        ("Non-functional Requirements", None),
        ("emoved Requirements", None),
        ("", None),
    ],
)
def test_only_word_forms_and_typos_are_near_misses(title: str, operation: str | None) -> None:
    assert meant_operation(title) == operation
