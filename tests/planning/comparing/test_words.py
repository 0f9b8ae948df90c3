"""Words of two texts in one sequence, from which both can be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.comparing.words import GONE, NEW, SAME, rows, words

_LEFT = {GONE: "[-{}-]", NEW: "{{+{}+}}", SAME: "{}"}
TEXT = st.text(alphabet="ab 日本語。カナ\n.-", max_size=30)


def shown(before: str, after: str) -> str:
    return "".join(_LEFT[span.kind].format(span.text) for span in words(before, after))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("after 21 days", "after 28 days", "after [-21-]{+28+} days", id="one-word"),
        pytest.param("a b c d", "a x y d", "a [-b c-]{+x y+} d", id="words-together"),
        pytest.param("a c", "a b c", "a {+b +}c", id="inserted"),
        pytest.param("期限は21日後", "期限は28日後", "期限は[-21-]{+28+}日後", id="japanese"),
        pytest.param("必须三日内归还", "必须七日内归还", "必须[-三-]{+七+}日内归还", id="chinese"),
        pytest.param("same", "same", "same", id="same"),
        pytest.param("", "new", "{+new+}", id="from-nothing"),
    ],
)
def test_differences_are_as_small_as_words_or_characters(
    before: str, after: str, expected: str
) -> None:
    assert shown(before, after) == expected


@given(before=TEXT, after=TEXT)
def test_both_texts_can_be_told(before: str, after: str) -> None:
    spans = words(before, after)

    assert "".join(span.text for span in spans if span.kind != NEW) == before
    assert "".join(span.text for span in spans if span.kind != GONE) == after


@given(before=TEXT, after=TEXT)
def test_rows_hold_all_lines_of_both_texts(before: str, after: str) -> None:
    found = rows(before, after, context=1000)

    assert bool(found) == (before != after)
    if not found:
        return
    old = ["".join(s.text for s in row.spans if s.kind != NEW) for row in found if row.kind != NEW]
    new = [
        "".join(s.text for s in row.spans if s.kind != GONE) for row in found if row.kind != GONE
    ]
    assert "\n".join(old).split("\n") == before.split("\n")
    assert "\n".join(new).split("\n") == after.split("\n")


def test_unchanged_lines_far_away_are_left_out() -> None:
    lines = [str(number) for number in range(20)]
    changed = [*lines[:10], "x", *lines[11:]]

    found = rows("\n".join(lines), "\n".join(changed), context=1)

    assert [row.is_gap for row in found] == [True, False, False, False, False, True]


def test_long_texts_are_compared_as_a_whole() -> None:
    assert [span.kind for span in words("a " * 3000, "b " * 3000)] == [GONE, NEW]
