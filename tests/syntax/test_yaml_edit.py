"""Edits in place: the value changes, every other byte stays."""

from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rasen.syntax import yaml
from rasen.syntax.yaml_core import same

SETTINGS = [
    pytest.param("", "a.b", 1, "a:\n  b: 1\n", id="empty file"),
    pytest.param("# only\n", "a", "yes", "# only\na: yes\n", id="only a comment"),
    pytest.param("a: 1 # x\n", "a", 2, "a: 2 # x\n", id="scalar, comment stays"),
    pytest.param("a: 1 # x\n", "a", [1], "a: # x\n  - 1\n", id="scalar to list"),
    pytest.param("a: # x\n  - y\n# t\nb: 1\n", "a", "q", "a: q # x\n# t\nb: 1\n", id="list to scalar"),
    pytest.param("a: # x\n  - y\nb: 1\n", "a", ["p", "q"], "a: # x\n  - p\n  - q\nb: 1\n", id="list"),
    pytest.param("a:\n- x\n", "b", ["x"], "a:\n- x\nb:\n- x\n", id="lists stand as the file's do"),
    pytest.param("a: |\n  x", "b", 2, "b: 2\na: |\n  x", id="a block cut short by the end"),
    pytest.param("a: |\n  x\n  y\n\n# c\nb: 1\n", "a", "one", "a: one\n\n# c\nb: 1\n", id="block scalar"),
    pytest.param("a: x # c\n", "a", "p\nq", "a: |- # c\n  p\n  q\n", id="text of several lines"),
    pytest.param("a: 1", "b", 2, "a: 1\nb: 2", id="no final newline"),
    pytest.param("a:\r\n  b: 1 # c\r\nd: 2\r\n", "a.x.y", "on",
                 "a:\r\n  b: 1 # c\r\n  x:\r\n    y: on\r\nd: 2\r\n", id="CRLF"),
    pytest.param("a:\n    b: 1\n", "c.d", 1, "a:\n    b: 1\nc:\n    d: 1\n", id="indent of the file"),
    pytest.param("{a: 1}\n", "b.c", [1], "{a: 1, b: {c: [1]}}\n", id="flow map"),
    pytest.param("a: {}\n", "a.b", "x, y", 'a: {b: "x, y"}\n', id="empty flow map"),
    pytest.param("a:\n", "a.b", 1, "a:\n  b: 1\n", id="empty value"),
    pytest.param("a: &q 1\nb: *q\n", "b", 2, "a: &q 1\nb: 2\n", id="alias"),
    pytest.param("---\na: 1\n...\n", "b", 1, "---\na: 1\nb: 1\n...\n", id="document marks"),
    pytest.param("\ufeffa: 1\n", "b", 2, "\ufeffa: 1\nb: 2\n", id="byte order mark"),
    pytest.param("a: x\n", "a", "012", 'a: "012"\n', id="text that looks like a number"),
    pytest.param("a: 1\n\n# tail\n", "b", 2, "a: 1\nb: 2\n\n# tail\n", id="comments at the end"),
    pytest.param("a: 1\n", "a", 1, "a: 1\n", id="nothing to do"),
    pytest.param("é: 1\n日本: 2 # 注\n", "日本", "語", "é: 1\n日本: 語 # 注\n", id="other scripts"),
    pytest.param("'a': \"b\"\n", "a", "c", "'a': c\n", id="quoted key"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "path", "value", "expected"), SETTINGS)
def test_setting_changes_only_the_value(text: str, path: str, value: object, expected: str) -> None:
    assert yaml.set_value(text, tuple(path.split(".")), value, file="f") == expected


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        pytest.param("a: 1\nb: 2 # c\n# d\nc: 3\n", "b", "a: 1\n# d\nc: 3\n", id="line"),
        pytest.param("a:\n  b:\n    c: 1\n  # k\nd: 1\n", "a.b.c", "  # k\nd: 1\n", id="empty parents"),
        pytest.param("a:\n  b: 1\n  c: 2\n", "a.b", "a:\n  c: 2\n", id="sibling stays"),
        pytest.param("a: 1\n", "a", "", id="last key"),
        pytest.param("a: {x: 1, y: 2}\n", "a.x", "a: {y: 2}\n", id="first of a flow map"),
        pytest.param("a: {x: 1, y: 2}\n", "a.y", "a: {x: 1}\n", id="last of a flow map"),
        pytest.param("{a: 1}\n", "a", "{}\n", id="only one of a flow map"),
        pytest.param("a: |+\n  x\n\nb: 1\n\n", "b", "a: |+\n  x\n\n", id="after a block that keeps lines"),
        pytest.param("a: 1\r\nb:\r\n  - x\r\nc: 2\r\n", "b", "a: 1\r\nc: 2\r\n", id="CRLF"),
        pytest.param("a: 1", "z.y", "a: 1", id="not there"),
        pytest.param("a: 1\n", "a.b", "a: 1\n", id="below a scalar"),
    ],
)  # fmt: skip
def test_unsetting_takes_only_the_lines_of_the_key(text: str, path: str, expected: str) -> None:
    assert yaml.unset(text, tuple(path.split(".")), file="f") == expected


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("a: x\n", "a.b", id="below a scalar"),
        pytest.param("- x\n", "a", id="the document is a list"),
        pytest.param("a: &q 1\nb: *q\n", "a", id="an anchor that is used"),
        pytest.param("a: &q {x: 1}\nb: *q\n", "b.x", id="through an alias to a map"),
    ],
)
def test_an_edit_that_would_change_more_is_refused(text: str, path: str) -> None:
    with pytest.raises(yaml.YamlEditRefused):
        yaml.set_value(text, tuple(path.split(".")), 5, file="f")


def test_a_broken_file_is_not_edited() -> None:
    with pytest.raises(yaml.YamlInvalid):
        yaml.set_value("a: [1\n", ("b",), 1, file="f")


KEYS = st.sampled_from(["a", "b", "key", "x-y", "on", "日本"])
VALUES = st.sampled_from(
    ["plain", "two words", "'quoted'", '"x # y"', "12", "true", "~", "", "[1, 2]", "{p: 1, q: [2]}"]
)
NEW = st.sampled_from(["on", "true", "x: y", "", "one\ntwo\n", "a\n\n", 12, 1.5, None, True]) | (
    st.sampled_from([["a", "b"], [], {}, {"m": {"n": [1]}}, ["a: b"]])
)


@st.composite
def documents(draw: st.DrawFn, level: int = 0) -> list[str]:
    """Lines of a block map with comments, nested maps, lists and block scalars."""
    lines: list[str] = []
    indent = "  " * level
    for key in draw(st.lists(KEYS, min_size=1, max_size=4, unique=True)):
        lines += draw(st.sampled_from([[], [f"{indent}# note {key}"], [""]]))
        comment = draw(st.sampled_from(["", " # behind"]))
        shape = draw(st.sampled_from(["scalar", "map", "list", "literal"]))
        if shape == "map" and level < 2:
            lines += [f"{indent}{key}:{comment}", *draw(documents(level + 1))]
        elif shape == "list":
            lines += [f"{indent}{key}:{comment}", f"{indent}  - 1", f"{indent}  - {{z: 2}}"]
        elif shape == "literal":
            lines += [f"{indent}{key}: |", f"{indent}  some", f"{indent}  text"]
        else:
            value = draw(VALUES)
            lines.append(f"{indent}{key}:{' ' if value else ''}{value}{comment}")
    return lines


def _paths(data: object, above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    if isinstance(data, dict):
        for key, value in data.items():
            found += [(*above, key), *_paths(value, (*above, key))]
    return found


def _lines_outside(text: str, path: tuple[str, ...]) -> list[str]:
    """The lines of `text` that do not belong to the value at `path`."""
    place = yaml.load_positioned(text, file="f").places[path]
    first = text.count("\n", 0, place.key_start)
    last = text.count("\n", 0, max(place.end - 1, place.key_end))
    lines = text.split("\n")
    return lines[:first] + lines[last + 1 :]


def _is_within(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(line in rest for line in part)


@settings(max_examples=300, deadline=None)
@given(st.data(), documents(), st.sampled_from(["\n", "\r\n"]))
def test_random_changes_keep_every_other_line(
    data: st.DataObject, lines: list[str], eol: str
) -> None:
    text = eol.join(lines) + eol
    before = yaml.load(text, file="f")
    path = data.draw(st.sampled_from(_paths(before)))
    value = data.draw(NEW)

    after = yaml.set_value(text, path, value, file="f")

    assert same(yaml.load(after, file="f"), _changed(before, path, value))
    assert _is_within(_lines_outside(text, path), after.split("\n"))
    assert eol == "\n" or "\n" not in after.replace("\r\n", "")


@settings(max_examples=300, deadline=None)
@given(st.data(), documents())
def test_random_additions_keep_every_line(data: st.DataObject, lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    before = yaml.load(text, file="f")
    maps = [(), *(path for path in _paths(before) if isinstance(_at(before, path), dict))]
    owner = data.draw(st.sampled_from(maps))
    path = (*owner, "new", "below")
    value = data.draw(NEW)

    after = yaml.set_value(text, path, value, file="f")

    assert same(yaml.load(after, file="f"), _changed(before, path, value))
    if not _is_inside_flow(text, owner):
        assert _is_within(text.split("\n"), after.split("\n"))


@settings(max_examples=300, deadline=None)
@given(st.data(), documents())
def test_random_removals_keep_every_other_line(data: st.DataObject, lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    before = yaml.load(text, file="f")
    path = data.draw(st.sampled_from(_paths(before)))

    after = yaml.unset(text, path, file="f")

    gone = _pruned_path(before, path)
    assert same(yaml.load(after, file="f") or {}, _removed(before, gone))
    assert yaml.unset(after, path, file="f") == after
    if not _is_inside_flow(text, gone[:-1]):
        assert _is_within(_lines_outside(text, gone), after.split("\n"))


def _pruned_path(data: object, path: tuple[str, ...]) -> tuple[str, ...]:
    """`path`, or the outermost map that holds nothing else."""
    while len(path) > 1:
        owner = _at(data, path[:-1])
        assert isinstance(owner, dict)
        if len(owner) > 1:
            break
        path = path[:-1]
    return path


def _removed(data: object, path: tuple[str, ...]) -> object:
    copy = deepcopy(data)
    owner = _at(copy, path[:-1])
    assert isinstance(owner, dict)
    del owner[path[-1]]
    return copy


def _is_inside_flow(text: str, path: tuple[str, ...]) -> bool:
    places = yaml.load_positioned(text, file="f").places
    return any(places[path[:depth]].is_flow for depth in range(len(path) + 1))


def _at(data: object, path: tuple[str, ...]) -> object:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _changed(data: object, path: tuple[str, ...], value: object) -> object:
    copy = deepcopy(data)
    node = copy
    for key in path[:-1]:
        assert isinstance(node, dict)
        node = node.setdefault(key, {})
    assert isinstance(node, dict)
    node[path[-1]] = value
    return copy
