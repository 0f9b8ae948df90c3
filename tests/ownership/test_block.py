"""Blocks between markers: every byte around them stays, also when they go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.ownership.block import block_text, markers, put, taken
from rasen.ownership.member import CannotSplice

PATH, NAME = "AGENTS.md", "guide"
START, END = markers(PATH, NAME)
BLOCK = f"{START}\nUse rasen.\n{END}\n"


@pytest.mark.parametrize(
    ("text", "expected", "made"),
    [
        (None, BLOCK, ""),
        ("", BLOCK, None),
        ("Mine.\n", f"Mine.\n\n{BLOCK}", "\n"),
        ("Mine.", f"Mine.\n\n{BLOCK}", "\n\n"),
        ("Mine.\r\n", f"Mine.\n\n{BLOCK}".replace("\n", "\r\n"), "\r\n"),
        (f"Mine.\n{START}\nOld.\n\n{END}\nYours.", f"Mine.\n{BLOCK}Yours.", None),
        (f"Mine.\n{START} \t\r\nOld.\n{END}", f"Mine.\n{BLOCK}", None),
        (f"\ufeff{START}\nOld.\n{END}\n", f"\ufeff{BLOCK}", None),
    ],
)
def test_it_is_put_at_the_end_or_where_it_was(
    text: str | None, expected: str, made: str | None
) -> None:
    assert put(PATH, text, NAME, "Use rasen.\n") == (expected, made)


TEXTS = st.text("ab \t\n\r#<!->é", max_size=30)


@given(TEXTS, TEXTS.map(lambda text: text.replace("\r", "")))
def test_taking_it_away_gives_the_very_bytes_back(text: str, value: str) -> None:
    with_it, made = put(PATH, text, NAME, value)

    found = block_text(PATH, with_it, NAME)
    assert found == (value if value.endswith("\n") else f"{value}\n")
    assert taken(PATH, with_it, NAME, made) == text


@given(TEXTS, TEXTS)
def test_what_is_written_around_it_later_stays(before: str, after: str) -> None:
    with_it, made = put(PATH, "Mine.\n", NAME, "x\n")
    lead = before if not before or before.endswith("\n") else f"{before}\n"

    left = taken(PATH, f"{lead}{with_it}{after}", NAME, made)

    assert left == f"{lead}Mine.\n{after}"


def test_a_file_that_was_made_for_it_goes_unless_others_wrote_in_it() -> None:
    assert taken(PATH, f"\n{BLOCK}\n", NAME, "") is None
    assert taken(PATH, f"Mine.\n{BLOCK}", NAME, "") == "Mine.\n"


def test_two_blocks_do_not_meet() -> None:
    one, _ = put(PATH, "Mine.\n", "a", "A\n")
    two, made = put(PATH, one, "b", "B\n")

    assert (block_text(PATH, two, "a"), block_text(PATH, two, "b")) == ("A\n", "B\n")
    assert block_text(PATH, two, "c") is None
    assert taken(PATH, two, "b", made) == one


def test_the_markers_are_comments_of_the_file() -> None:
    assert put(".gitignore", None, NAME, "x\n")[0].startswith("# rasen:start guide\nx\n# rasen:end")
    assert put("a/RULES.mdc", None, NAME, "x\n")[0].startswith("<!-- rasen:start guide -->\n")


@pytest.mark.parametrize(
    "text",
    [
        f"{START}\n",
        f"{END}\n",
        f"{END}\n{START}\n",
        f"{BLOCK}{BLOCK}",
        f"{START}\n{START}\n{END}\n",
    ],
)
def test_markers_without_a_counterpart_are_left_alone(text: str) -> None:
    for look in (
        lambda: block_text(PATH, text, NAME),
        lambda: put(PATH, text, NAME, "x\n"),
        lambda: taken(PATH, text, NAME, None),
    ):
        with pytest.raises(CannotSplice):
            look()


def test_a_marker_within_a_line_is_none() -> None:
    text = f"See `{START}`.\n  {END}\n"

    assert block_text(PATH, text, NAME) is None
