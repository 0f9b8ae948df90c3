"""Merging task lists: states by themselves, lines around them."""

from __future__ import annotations

import pytest

from rasen.planning.merging.tasks import merge_tasks

BASE = "## 1. Build\n\n- [ ] 1.1 Model\n- [ ] 1.2 View\n- [x] 1.3 Store\n"


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
            edited(("[ ] 1.1", "[x] 1.1")),
            edited(("[ ] 1.2", "[x] 1.2")),
            edited(("[ ] 1.1", "[x] 1.1"), ("[ ] 1.2", "[x] 1.2")),
            id="neighbours done",
        ),
        pytest.param(
            edited(("[ ] 1.1", "[~] 1.1")),
            edited(("[ ] 1.1", "[x] 1.1")),
            edited(("[ ] 1.1", "[x] 1.1")),
            id="begun and done",
        ),
        pytest.param(
            edited(("[ ] 1.1", "[x] 1.1")),
            edited(("1.1 Model", "1.1 Model and table")),
            edited(("[ ] 1.1 Model", "[x] 1.1 Model and table")),
            id="done and reworded",
        ),
        pytest.param(
            BASE + "- [ ] 1.4 Search\n",
            BASE + "- [x] 1.5 Sort\n",
            BASE + "- [ ] 1.4 Search\n- [x] 1.5 Sort\n",
            id="both append",
        ),
        pytest.param(
            edited(("- [ ] 1.2 View\n", "")),
            edited(("[ ] 1.1", "[x] 1.1")),
            edited(("- [ ] 1.2 View\n", ""), ("[ ] 1.1", "[x] 1.1")),
            id="removed beside a done one",
        ),
    ],
)
def test_both_sides_go_together(theirs: str, mine: str, merged: str) -> None:
    result = merge_tasks(BASE, theirs, mine)

    assert result.clashes == ()
    assert result.text == merged


@pytest.mark.parametrize(
    ("theirs", "mine", "place"),
    [
        pytest.param(
            edited(("[x] 1.3", "[ ] 1.3")),
            edited(("[x] 1.3", "[~] 1.3")),
            "task 1.3",
            id="two states after done",
        ),
        pytest.param(
            edited(("[ ] 1.1", "[x] 1.1")),
            edited(("- [ ] 1.1 Model\n", "")),
            "task 1.1",
            id="done and removed",
        ),
        pytest.param(
            edited(("1.1 Model", "1.1 Table")),
            edited(("1.1 Model", "1.1 Row")),
            "file",
            id="two wordings",
        ),
    ],
)
def test_contradictions_show_both_sides(theirs: str, mine: str, place: str) -> None:
    result = merge_tasks(BASE, theirs, mine)

    assert result.text is None
    assert [clash.place for clash in result.clashes] == [place]


def test_tasks_without_numbers_are_told_apart_by_their_text() -> None:
    base = "- [ ] Same\n- [ ] Same\n- [ ] Other\n"

    result = merge_tasks(
        base, base.replace("[ ] Same", "[x] Same", 1), base.replace("[ ] O", "[x] O")
    )

    assert result.text == "- [x] Same\n- [ ] Same\n- [x] Other\n"


def test_line_endings_stay() -> None:
    base = BASE.replace("\n", "\r\n")

    result = merge_tasks(
        base, base.replace("[ ] 1.1", "[x] 1.1"), base.replace("[ ] 1.2", "[x] 1.2")
    )

    assert result.text == base.replace("[ ]", "[x]")
