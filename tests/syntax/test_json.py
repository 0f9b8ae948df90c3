"""Strict JSON: what is refused, and where it stands."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.syntax import json


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param('{"a": 1,\n "a": 2}', 2, 2, id="duplicate key"),
        pytest.param('{"a": {"b": 1, "\\u0062": 2}}', 1, 16, id="duplicate key written otherwise"),
        pytest.param("[1,\n NaN]", 2, 2, id="NaN"),
        pytest.param("[-Infinity]", 1, 2, id="infinity"),
        pytest.param("[1e400]", 1, 2, id="number too large"),
        pytest.param("[" + "9" * 5000 + "]", 1, 2, id="endless number"),
        pytest.param('["\\ud800"]', 1, 2, id="half a surrogate pair"),
        pytest.param('"\ud800"', 1, 1, id="half a surrogate pair as it is"),
        pytest.param("\ufeff{}", 1, 1, id="byte order mark"),
        pytest.param("[" * 101 + "]" * 101, 1, 101, id="deep"),
        pytest.param("[" * 200_000, 1, 101, id="very deep"),
        # Python 3.13 points at the comma, earlier ones at what follows.
        pytest.param(
            '{"a": 1,\n}', *((1, 8) if sys.version_info >= (3, 13) else (2, 1)), id="trailing comma"
        ),
        pytest.param('{"a": 1} x', 1, 10, id="something behind"),
        pytest.param("", 1, 1, id="empty"),
        pytest.param('{"a": "x\ny"}', 1, 9, id="line break in a text"),
        pytest.param("{'a': 1}", 1, 2, id="single quotes"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(
    text: str, line: int, column: int
) -> None:
    with pytest.raises(json.JsonInvalid) as caught:
        json.load(text, file="f.json")

    found = caught.value.params
    assert (found["file"], found["line"], found["column"]) == ("f.json", line, column)


def test_a_whole_pair_of_surrogates_is_a_letter() -> None:
    assert json.load('["\\ud83d\\ude00"]', file="f") == ["😀"]


def test_a_hundred_levels_are_read() -> None:
    json.load("[" * 100 + "]" * 100, file="f")


def test_brackets_in_texts_are_no_levels() -> None:
    assert json.load('["' + "[" * 500 + '"]', file="f") == ["[" * 500]


def test_the_written_form_is_fixed() -> None:
    assert json.dump({"b": 1, "a": ["é"]}) == '{\n  "b": 1,\n  "a": [\n    "é"\n  ]\n}\n'


def test_what_json_cannot_hold_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json.dump(float("nan"))


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
        | TEXTS,
        lambda below: st.lists(below) | st.dictionaries(TEXTS, below),
    )
)  # fmt: skip
def test_what_is_written_is_read_back(data: object) -> None:
    assert json.load(json.dump(data), file="f") == data
