"""JSON of strangers: what is taken, what is not, and where the fault stands."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.packages import limits
from rasen.packages.strict_json import read

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
_SAFE = {"__proto__", "prototype", "constructor"}


def issues(text: str) -> list[str]:
    return [one.code for one in read(text).issues]


@given(VALUES, st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_what_another_reader_reads_is_read_alike(value: Any, ascii: bool, indent: Any) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)
    expected = json.loads(text)

    parsed = read(text)

    if not any(f'"{key}"' in text for key in _SAFE):
        assert parsed.value == expected
        assert parsed.issues == ()


@given(st.text(alphabet='{}[]:,"\\u0aé\n -1eE.tfn/'))
def test_any_text_is_judged_as_another_reader_judges_it(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda _: 1 / 0)
        is_json = True
    except (ValueError, ZeroDivisionError):
        is_json = False

    assert ("json_syntax_invalid" not in issues(text)) is is_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0", 1),
        ("1e2", 100),
        ("-0", 0),
        ("9007199254740991", 2**53 - 1),
        ("-9007199254740991", -(2**53) + 1),
        ("1.5", 1.5),
        ('"\\u0041\\u00e9\\ud83d\\ude00"', "Aé😀"),
        ('"\\u0000\\\\u0041\\\\\\n"', "\0\\u0041\\\n"),
        ('"' + "\\u4e00\\\\" * 20_000 + '"', "一\\" * 20_000),
        ('"' + "\\ud83d\\ude00" * 20_000 + '"', "😀" * 20_000),
    ],
)
@pytest.mark.requirement("PK-025", "SP-052")
def test_numbers_and_escapes_have_one_meaning(text: str, value: object) -> None:
    parsed = read(text)

    assert parsed.issues == ()
    assert parsed.value == value
    assert type(parsed.value) is type(value)


@pytest.mark.requirement("PK-045")
def test_depth_and_properties_count_over_the_whole_document() -> None:
    assert issues("[" * 32 + "]" * 32) == []
    assert issues("[" * 33 + "]" * 33) == ["json_depth_exceeded"]
    many = ",".join(f'{{"p{number}":0}}' for number in range(4096))
    assert issues(f"[{many}]") == []
    assert issues(f'[{many},{{"p":0}}]') == ["json_property_limit_exceeded"]
    assert issues('{"a":' * 20 + "[" * 20) == ["json_depth_exceeded"]


def test_a_great_many_faults_are_not_all_told() -> None:
    assert len(issues("[" + '"\\ud800",' * 500 + "1]")) == limits.ISSUES


def test_items_beyond_what_a_package_can_have_are_left_out_and_members_are_not() -> None:
    parsed = read('{"a":[' + "1," * 20_000 + '1],"b":{"c":2},"formatVersion":2}')

    assert parsed.is_cut
    assert parsed.issues == ()
    assert parsed.value["formatVersion"] == 2
    assert parsed.value["b"] == {"c": 2}
    assert len(parsed.value["a"]) <= limits.VALUES


@pytest.mark.parametrize(
    ("text", "offset"),
    [('["😀",x]', 6), ('{"é😀":1,"a" 1}', 13), ("[1,,2]", 3), ("", 0), ('  {"a"', 6)],
)
def test_places_are_counted_in_utf_16_code_units(text: str, offset: int) -> None:
    assert [one.offset for one in read(text).issues] == [offset]
