"""YAML 1.2 core: what scalars mean, what is refused and where, and that nothing is lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasen.syntax import yaml
from rasen.syntax.yaml_core import same
from rasen.syntax.yaml_reader import read

TRICKY = st.sampled_from(
    ["yes", "null", "~", "012", "1e3", ".inf", "---", "...", "- a", "? b", "0x1F", "true", "a: b"]
) | st.sampled_from(
    ["a #b", "=", "<<", "a\nb\n", "a\n\n", " a", "a ", "a:", "-", "1_000", "2026-01-31"]
)
ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
MARKS = st.text("ab -:#?,[]{}&*!|>'\"%@`\n\r\t~.01e_+=<\\\u2028\x85\x00\xa0\ufeff", max_size=12)
TEXTS = ANY_TEXT | MARKS | TRICKY
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
DATA = st.recursive(
    SCALARS,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXTS, below, max_size=4),
    max_leaves=15,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("~", None), ("null", None), ("Null", None), ("nULL", "nULL"),
        ("true", True), ("FALSE", False), ("tRue", "tRue"),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"),
        ("12", 12), ("-3", -3), ("+4", 4), ("012", 12), ("0o14", 12), ("0x1F", 31),
        ("0b11", "0b11"), ("1_000", "1_000"), ("1:20", "1:20"), ("1:20:30", "1:20:30"),
        ("1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("1e3", 1000.0), ("-1.5E-2", -0.015),
        (".inf", math.inf), ("-.INF", -math.inf), (".iNf", ".iNf"),
        ("2026-01-31", "2026-01-31"), ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z"),
        ("=", "="), ("<<", "<<"), ("123456789012345678901234567890", 123456789012345678901234567890),
        ("!!str 12", "12"), ("! 12", "12"), ("!!int '12'", 12), ("!!float 3", 3.0), ("'12'", "12"),
        ("a\u2028b", "a\u2028b"), ("'a\x85b'", "a\x85b"), ("a\ufeffb", "a\ufeffb"),
    ],
)  # fmt: skip
def test_scalars_mean_what_the_core_schema_says(text: str, value: object) -> None:
    found = yaml.load(f"key: {text}\n", file="f")

    assert same(found, {"key": value})
    assert same(read(f"key: {text}\n", file="f", pure=True), {"key": value})


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param("a: 1\nb: 2\na: 3\n", 3, 1, id="duplicate key"),
        pytest.param("m:\n  a: 1\n  'a': 2\n", 3, 3, id="duplicate key in another style"),
        pytest.param("1: a\n'1': b\n", 2, 1, id="keys that are the same text"),
        pytest.param("a: !python/object x\n", 1, 4, id="foreign tag"),
        pytest.param("a: !!binary aGk=\n", 1, 4, id="tag outside the core"),
        pytest.param("a: !!int x\n", 1, 4, id="value that does not fit its tag"),
        pytest.param("a: 1\n---\nb: 2\n", 2, 1, id="second document"),
        pytest.param("? [a]\n: 1\n", 1, 3, id="a key that is a list"),
        pytest.param("a: *nowhere\n", 1, 4, id="unknown alias"),
        pytest.param("a: &x [*x]\n", 1, 8, id="alias inside itself"),
        pytest.param("a: 1\nb: \x00\n", 2, 4, id="NUL"),
        pytest.param("a: \x1b[1m\n", 1, 4, id="escape character"),
        pytest.param("a: [1, 2\n", 2, 1, id="unclosed list"),
        pytest.param("a:\n\t- b\n", 2, 1, id="tab as indent"),
        pytest.param("\ufeffa: 1\nb: \x01\n", 2, 4, id="after a byte order mark"),
        pytest.param("n: " + "9" * 5000 + "\n", 1, 4, id="endless number"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(yaml.YamlInvalid) as caught:
        yaml.load(text, file="f.yaml")

    found = caught.value.params
    assert (found["file"], found["line"], found["column"]) == ("f.yaml", line, column)


@pytest.mark.parametrize("text", ["", "# only\n", "\n\n", "\ufeff", "---\n", "---\n...\n"])
def test_a_text_without_a_value_is_none(text: str) -> None:
    assert yaml.load(text, file="f") is None


def test_merge_keys_are_plain_keys() -> None:
    found = yaml.load("a: &a {x: 1}\nb:\n  <<: *a\n", file="f")

    assert found == {"a": {"x": 1}, "b": {"<<": {"x": 1}}}


def test_aliases_may_repeat_a_little() -> None:
    assert yaml.load("a: &a [1, 2]\nb: *a\n", file="f") == {"a": [1, 2], "b": [1, 2]}


def test_aliases_that_multiply_are_refused() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    for name, former in zip("bcdefghi", "abcdefgh", strict=True):
        lines.append(f"{name}: &{name} [{', '.join(['*' + former] * 10)}]")

    with pytest.raises(yaml.YamlInvalid, match="repeat"):
        yaml.load("\n".join(lines), file="f")


@pytest.mark.parametrize("text", ["[" * 5000, "- " * 5000 + "x", "{a: " * 5000])
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(yaml.YamlInvalid, match=r"deep|nesting depth"):
        yaml.load(text, file="f")


def test_depth_hidden_behind_aliases_is_refused() -> None:
    lines = ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 200))]

    with pytest.raises(yaml.YamlInvalid, match="deep"):
        yaml.load("\n".join(lines), file="f")


def test_ten_megabytes_are_read() -> None:
    text = "context: |\n" + "  a line of text that goes on for a while\n" * 250_000

    found = yaml.load(text, file="f")

    assert isinstance(found, dict)
    assert len(found["context"]) > 9_000_000


def test_every_path_has_its_place() -> None:
    text = "a: 1\nb:\n  - x\n  - k: {z: 2}\n"

    found = yaml.load_positioned(text, file="f")

    assert found.value == {"a": 1, "b": ["x", {"k": {"z": 2}}]}
    assert found.where(("a",)) == (1, 1)
    assert found.where(("b",)) == (2, 1)
    assert found.where(("b", 1)) == (4, 5)
    assert found.where(("b", 1, "k", "z")) == (4, 9)
    assert found.where(("c",)) is None


@settings(max_examples=300, deadline=None)
@given(DATA)
def test_what_is_written_is_read_back(data: object) -> None:
    text = yaml.dump(data)

    assert same(yaml.load(text, file="f"), data)
    assert same(read(text, file="f"), data)
    assert same(read(text, file="f", pure=True), data)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": "on"}, "a: on\n"),
        ({"created": "2026-01-31"}, "created: 2026-01-31\n"),
        ({"a": "true"}, 'a: "true"\n'),
        ({"a": "12"}, 'a: "12"\n'),
        ({"a": "x: y"}, 'a: "x: y"\n'),
        ({"a": ["b", {"c": 1, "d": []}]}, "a:\n  - b\n  - c: 1\n    d: []\n"),
        ({"a": "one\ntwo\n"}, "a: |\n  one\n  two\n"),
        ({"a": None, "b": {}}, "a: null\nb: {}\n"),
    ],
)
def test_quotes_appear_only_where_they_are_needed(value: object, text: str) -> None:
    assert yaml.dump(value) == text


@pytest.mark.parametrize("value", [{1: "a"}, {"a": object()}, {"a": b"x"}])
def test_what_yaml_cannot_hold_is_not_written(value: object) -> None:
    with pytest.raises(TypeError):
        yaml.dump(value)


FLAT_LINES = st.sampled_from(
    ["", "# c", " # d", "a:", "b: ", "  a:", "  b:", "    a:", "- a", "---", "a: b # c"]
) | st.builds(
    "{}{}:{}{}".format,
    st.sampled_from(["", "  ", "  ", " ", "    ", "    "]),
    st.text("abAB_-09é", min_size=1, max_size=3) | st.sampled_from(["a:b", "project:a", "null"]),
    st.sampled_from([" ", "  ", "", "\t"]),
    st.text("abc :@#.-+0129/中_xeEn", max_size=9)
    | st.sampled_from(["null", "true", "0x1", "2026-01-31", "1.5", "12:30:00", "https://a.b/c"]),
)


@settings(max_examples=1500, deadline=None)
@given(st.lists(FLAT_LINES, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_the_short_way_reads_as_the_long_way(lines: list[str], eol: str, is_ended: bool) -> None:
    text = eol.join(lines) + (eol if is_ended else "")

    flat = yaml.load_flat(text)

    assert flat is None or same(flat, read(text, file="f"))


def test_change_metadata_takes_the_short_way() -> None:
    text = "schema: spec-driven\ncreated: 2026-01-31\n"

    assert yaml.load_flat(text) == {"schema": "spec-driven", "created": "2026-01-31"}


def test_maps_in_maps_take_the_short_way() -> None:
    text = (
        "version: 2\nstores:\n  0b0e1d52-1111:\n    id: team\n    backend:\n      type: git\n"
        "      local_path: /srv/team\n  project:app:\n    id: app\n"
    )

    assert yaml.load_flat(text) == read(text, file="f")
    assert yaml.load_flat(text) is not None


@pytest.mark.parametrize("text", ["a:\n", "a:\nb: 1\n", "a:\n    b: 1\n", "a: 1\n  b: 2\n", ""])
def test_what_is_not_so_simple_takes_the_long_way(text: str) -> None:
    assert yaml.load_flat(text) is None


def test_a_map_of_plain_values_takes_the_short_way() -> None:
    text = "schema: s\nbase:\n  commit: 0abc\ncreated: 2026-01-31\n"

    assert yaml.load_flat(text) == {
        "schema": "s",
        "base": {"commit": "0abc"},
        "created": "2026-01-31",
    }
