"""The marked lines in a shell's profile: added once, replaced, removed without a trace."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.upkeep.profile_block import added, removed

LINES = ["line one"]


@given(
    st.binary(max_size=200).filter(lambda data: b"RASEN" not in data and b"OPENSPEC" not in data)
)
def test_removing_gives_back_every_byte(profile: bytes) -> None:
    assert removed(added(profile, LINES)) == profile


def test_a_profile_that_was_not_there_is_gone_again() -> None:
    assert removed(added(None, LINES)) is None


def test_adding_twice_changes_nothing() -> None:
    once = added(b"export A=1\n", LINES)

    assert added(once, LINES) == once


def test_new_lines_replace_the_old_block_in_place() -> None:
    profile = added(b"before\n", ["old"]) + b"after\n"

    changed = added(profile, ["new"])

    assert changed == b"before\n\n# RASEN:START\nnew\n# RASEN:END\nafter\n"


def test_a_block_of_the_original_is_replaced() -> None:
    profile = b"a\n# OPENSPEC:START\nx\n# OPENSPEC:END\nb\n"

    assert added(profile, LINES) == b"a\n# RASEN:START\nline one\n# RASEN:END\nb\n"


def test_line_endings_follow_the_profile() -> None:
    assert b"line one\r\n# RASEN:END\r\n" in added(b"a\r\n", LINES)


@pytest.mark.parametrize(
    "profile",
    [
        b"# RASEN:START\n",
        b"# RASEN:END\n",
        b"# RASEN:END\n# RASEN:START\n",
        b"# RASEN:START\n# RASEN:START\n# RASEN:END\n",
        b"# OPENSPEC:START\n",
    ],
    ids=["only start", "only end", "reversed", "two starts", "legacy"],
)
def test_malformed_markers_are_refused(profile: bytes) -> None:
    with pytest.raises(ValueError, match="markers"):
        added(profile, LINES)
