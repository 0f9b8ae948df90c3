"""Help texts keep within the window, measured in cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rasen.surfaces.cli.help import display_width, two_columns, wrapped

WORDS = st.lists(
    st.text(alphabet="abc日本語の説明、。「」", min_size=1, max_size=12), min_size=1, max_size=20
)


@given(WORDS, st.integers(min_value=30, max_value=100))
def test_wrapping_loses_nothing_but_spaces(words: list[str], width: int) -> None:
    text = " ".join(words)

    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


def test_japanese_is_measured_in_cells() -> None:
    lines = wrapped("これは日本語の長い説明です。" * 6, 30)

    assert len(lines) > 4
    assert all(display_width(line) <= 30 for line in lines)


def test_no_line_begins_with_a_closing_mark() -> None:
    for width in range(8, 40):
        lines = wrapped("仕様を、確認します。変更を、統合します。「括弧」も、見ます。", width)
        assert not any(line[0] in "、。」" for line in lines)


def test_columns_stay_aligned_beside_wide_names() -> None:
    lines = two_columns([("名前", "first"), ("--long", "second")], 60)

    starts = [
        display_width(line[: line.index(word)])
        for line, word in zip(lines, ("first", "second"), strict=True)
    ]
    assert starts[0] == starts[1]


def test_a_name_too_long_for_its_column_stands_alone() -> None:
    lines = two_columns([("--" + "x" * 60, "text")], 80)

    assert lines == ["  --" + "x" * 60, " " * 38 + "text"]
