"""Every requirement of the library has a test that says so, or a reason why not yet."""

from __future__ import annotations

from tools import requirements


def test_every_requirement_has_a_test_that_carries_it() -> None:
    assert requirements.missing() == []


def test_what_comes_later_is_named_and_has_no_test_yet() -> None:
    waiting, page = requirements.later(), requirements.page()

    assert sorted({*waiting} & {*requirements.marked(), *requirements.wanted()}) == []
    assert [one for one in waiting if f"| {one} | comes later, with " not in page] == []


def test_marks_name_ids_of_the_specification() -> None:
    odd = [one for one in requirements.marked() if not _is_id(one)]

    assert odd == []


def _is_id(text: str) -> bool:
    area, _, number = text.partition("-")
    return area.isupper() and len(number) == 3 and number.isdigit()
