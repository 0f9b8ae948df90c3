"""Text from a repository stays data inside our blocks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.planning.instruction_text import TAGS, attribute, kept, quoted

_TAG = re.compile(r"<\s*[/!?A-Za-z]")
_PIECES = st.lists(
    st.sampled_from(
        ["<", "</", ">", "&lt;", "&amp;lt;", "&", " ", "\n", "rules", "x", "!--", *TAGS]
    )
    | st.text(max_size=3)
).map("".join)


@given(_PIECES)
def test_quoted_text_holds_no_tag(text: str) -> None:
    assert not _TAG.search(quoted(text))


@given(_PIECES)
def test_quoting_can_be_undone(text: str) -> None:
    undone = re.sub(r"&((?:amp;)*)lt;", _one_less, quoted(text))

    assert undone == text


def _one_less(found: re.Match[str]) -> str:
    return f"&{found[1].removeprefix('amp;')}lt;" if found[1] else "<"


@given(_PIECES)
def test_kept_text_holds_no_tag_of_ours(text: str) -> None:
    ours = re.compile(rf"<\s*/?\s*(?:{'|'.join(TAGS)})\b", re.IGNORECASE)

    assert not ours.search(kept(text))


@given(st.text())
def test_attributes_stay_between_their_quotes(text: str) -> None:
    assert not set('<"\n') & set(attribute(text))


@pytest.mark.parametrize("text", ["<!-- a hint -->", "<capability>", "a < b", "List<T>"])
def test_templates_are_not_touched_without_need(text: str) -> None:
    assert kept(text) == text
