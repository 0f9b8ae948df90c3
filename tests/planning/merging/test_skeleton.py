"""The first text of a new spec."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import DELTA, PURPOSE

from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging.skeleton import new_spec
from rasen.planning.specs.rules import PURPOSE_MIN


def text_for(purpose: str) -> str:
    return new_spec(Delta(f"## Purpose\n{purpose}\n\n{DELTA}"), "lending", "loans").markdown.text()


def test_placeholder_names_the_change_and_is_long_enough() -> None:
    spec = new_spec(Delta(DELTA), "area/lending", "c")

    assert spec.markdown.text().startswith("# area/lending Specification\n\n## Purpose\nTBD")
    assert spec.markdown.text().endswith("\n\n## Requirements\n")
    assert spec.purpose is not None
    assert " c;" in spec.purpose
    assert len(spec.purpose) >= PURPOSE_MIN


def test_own_purpose_is_carried_over() -> None:
    assert text_for(f"\n\n{PURPOSE}\n\nMore.\n\n") == (
        f"# lending Specification\n\n## Purpose\n{PURPOSE}\n\nMore.\n\n## Requirements\n"
    )


def test_own_purpose_of_a_windows_file_gets_plain_endings() -> None:
    delta = Delta(f"\ufeff## Purpose\n{PURPOSE}\nMore.\n\n{DELTA}".replace("\n", "\r\n"))

    assert f"\n{PURPOSE}\nMore.\n" in new_spec(delta, "lending", "loans").markdown.text()
    assert "\r" not in new_spec(delta, "lending", "loans").markdown.text()


@pytest.mark.parametrize(
    "purpose",
    [
        "",
        "<!-- write one\nor two sentences -->",
        "```\nsample\n```",
        "Text.\n```\nnever closed",
        "Text.\n# Another title\nmore",
        "Text.\n### Requirements\nmore",
    ],
    ids=["none", "comment", "fence", "open fence", "title", "captures the lookup"],
)
def test_purpose_that_cannot_stand_gives_way_to_a_placeholder(purpose: str) -> None:
    assert "## Purpose\nTBD" in text_for(purpose)


@pytest.mark.parametrize(
    "purpose", ["Text.\n\n### Scope\nAll.", "Text.\n<!-- note -->", "Text.\n```\nsample\n```"]
)
def test_purpose_with_more_than_prose_is_kept(purpose: str) -> None:
    assert f"## Purpose\n{purpose}\n\n## Requirements\n" in text_for(purpose)
