"""Merging YAML maps key by key."""

from __future__ import annotations

import pytest

from rasen.base.errors import InvalidInput
from rasen.planning.merging.records import merge_records

BASE = """\
# the settings of the store
schema: spec-driven
context: shared
rules:
  specs:
  - short sentences  # always
references:
- team
"""


def edited(*changes: tuple[str, str]) -> str:
    text = BASE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("theirs", "mine", "merged"),
    [
        pytest.param(
            edited(("schema: spec-driven", "schema: house")),
            edited(("context: shared", "context: ours")),
            edited(("schema: spec-driven", "schema: house"), ("context: shared", "context: ours")),
            id="neighbouring keys",
        ),
        pytest.param(
            BASE + "- project:web\n",
            BASE + "- project:app\n",
            BASE + "- project:web\n- project:app\n",
            id="lists are united",
        ),
        pytest.param(
            edited(("references:\n- team\n", "")),
            edited(("schema: spec-driven", "# chosen\nschema: spec-driven")),
            edited(
                ("references:\n- team\n", ""),
                ("schema: spec-driven", "# chosen\nschema: spec-driven"),
            ),
            id="a comment of mine stays",
        ),
        pytest.param(
            BASE + "profile: core\n",
            BASE + "profile: core\nworkflows: []\n",
            BASE + "profile: core\nworkflows: []\n",
            id="new keys",
        ),
    ],
)
def test_both_sides_go_together(theirs: str, mine: str, merged: str) -> None:
    result = merge_records(BASE, theirs, mine)

    assert result.clashes == ()
    assert result.text == merged


@pytest.mark.parametrize(
    ("theirs", "mine", "place"),
    [
        pytest.param(
            edited(("context: shared", "context: a")),
            edited(("context: shared", "context: b")),
            "context",
            id="one key",
        ),
        pytest.param(
            edited(("context: shared\n", "")),
            edited(("context: shared", "context: b")),
            "context",
            id="removed and changed",
        ),
        pytest.param(
            edited(("  - short sentences", "  - long sentences")),
            edited(("  - short sentences", "  - no sentences")),
            "rules.specs",
            id="one item",
        ),
        pytest.param(BASE + "[", BASE + "x: 1\n", "file", id="not YAML"),
    ],
)
def test_contradictions_show_both_sides(theirs: str, mine: str, place: str) -> None:
    result = merge_records(BASE, theirs, mine)

    assert result.text is None
    assert [clash.place for clash in result.clashes] == [place]


def test_what_the_reader_of_the_file_refuses_is_a_clash() -> None:
    def check(text: str) -> None:
        if "a: 1" in text and "b: 1" in text:
            raise InvalidInput()

    result = merge_records("c: 1\n", "a: 1\nc: 1\n", "c: 1\nb: 1\n", check=check)

    assert [clash.place for clash in result.clashes] == ["file"]


def test_a_file_that_both_create_is_united() -> None:
    result = merge_records("", "version: 1\nid: web\n", "version: 1\nremote: x\n")

    assert result.text is not None
    assert set(result.text.splitlines()) == {"version: 1", "id: web", "remote: x"}
