"""One member of somebody else's JSON file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.ownership.member import CannotSplice, put, taken, value_text

PART = "env.TEAMS"


@pytest.mark.parametrize(
    ("text", "expected", "made"),
    [
        (None, '{\n  "env": {\n    "TEAMS": "1"\n  }\n}\n', ""),
        ("{}", '{"env": {"TEAMS": "1"}}', "env"),
        ("{\n}\n", '{\n  "env": {\n    "TEAMS": "1"\n  }\n}\n', "env"),
        ('{"a": 1}', '{"a": 1, "env": {"TEAMS": "1"}}', "env"),
        ('{"env": {"B": 2}}', '{"env": {"B": 2, "TEAMS": "1"}}', "env.TEAMS"),
        (
            '{\n\t"env": {\n\t\t"B": 2\n\t}\n}\n',
            '{\n\t"env": {\n\t\t"B": 2,\n\t\t"TEAMS": "1"\n\t}\n}\n',
            "env.TEAMS",
        ),
        ('{"env": {"TEAMS": "0" }}', '{"env": {"TEAMS": "1" }}', None),
        ('{"env": { }}', '{"env": {"TEAMS": "1" }}', "env.TEAMS"),
    ],
)
def test_it_is_put_where_it_belongs(text: str | None, expected: str, made: str | None) -> None:
    found, new = put(text, PART, '"1"')

    assert json.loads(found)["env"]["TEAMS"] == "1"
    assert (found, new) == (expected, made)
    assert value_text(found, PART) == '"1"'


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"a" 1}', '{"a": 1} x', "", '{"env": 3}', "{,}", "// c\n{}"]
)
def test_what_cannot_be_edited_is_left_alone(text: str) -> None:
    with pytest.raises(CannotSplice):
        put(text, PART, '"1"')


SPACES = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n    "])
VALUES = st.sampled_from([None, True, 3, "x", "}", '\\"', [], [1, {"a": []}], {"b": "{"}, {}])


@st.composite
def objects(draw: st.DrawFn, names: list[str], inner: str | None = None) -> str:
    """A JSON object with odd spaces; `inner` is the text of the first name's value."""
    members = [
        f'"{name}"{draw(SPACES)}:{draw(SPACES)}{json.dumps(draw(VALUES))}' for name in names[1:]
    ]
    if names:
        first = inner if inner is not None else json.dumps(draw(VALUES))
        members.insert(draw(st.integers(0, len(members))), f'"{names[0]}":{draw(SPACES)}{first}')
    joined = f"{draw(SPACES)},{draw(SPACES)}".join(members)
    return f"{{{draw(SPACES)}{joined}{draw(SPACES)}}}"


@st.composite
def files(draw: st.DrawFn) -> str:
    others = draw(st.lists(st.sampled_from("abc"), unique=True, max_size=3))
    env = draw(st.none() | objects(draw(st.lists(st.sampled_from("XYZ"), unique=True, max_size=2))))
    names = ["env", *others] if env is not None else others
    return draw(SPACES) + draw(objects(names, env)) + draw(st.sampled_from(["", "\n", " \n"]))


@given(files())
def test_taking_it_away_gives_the_very_bytes_back(text: str) -> None:
    found, made = put(text, PART, '"1"')

    assert json.loads(found)["env"]["TEAMS"] == "1"
    assert taken(found, PART, made) == text


def test_a_file_that_was_made_for_it_goes_with_it() -> None:
    found, made = put(None, PART, "true")

    assert taken(found, PART, made) is None


def test_what_others_added_beside_it_stays() -> None:
    found, made = put(None, PART, "true")
    edited = found.replace('"env"', '"theirs": 1,\n  "env"')

    left = taken(edited, PART, made)

    assert left is not None
    assert json.loads(left) == {"theirs": 1}


def test_a_member_that_is_first_by_now_is_taken_too() -> None:
    assert taken('{"env": {"TEAMS": 1, "B": 2}}', PART, "env.TEAMS") == '{"env": { "B": 2}}'


def test_a_member_that_is_gone_already_changes_nothing() -> None:
    assert taken('{"env": {"B": 2}}', PART, "env.TEAMS") == '{"env": {"B": 2}}'
