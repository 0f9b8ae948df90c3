"""What settings declare about stores is changed in place."""

from __future__ import annotations

import pytest

from rasen.config import declare
from rasen.config.model import Reference, StorePointer

APP = Reference("app", "project")
TEAM = StorePointer("00000000-0000-4000-8000-00000000000a", "team")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", "references:\n  - project:app\n", id="nothing"),
        pytest.param("a: 1 # x\n", "a: 1 # x\nreferences:\n  - project:app\n", id="no list"),
        pytest.param(
            "references:\n  # one\n  - a # b\n  # end\nz: 1\n",
            "references:\n  # one\n  - a # b\n  - project:app\n  # end\nz: 1\n",
            id="comments",
        ),
        pytest.param("references:\n- a", "references:\n- a\n- project:app", id="no last newline"),
        pytest.param(
            "references:\r\n- a\r\nz: 1\r\n",
            "references:\r\n- a\r\n- project:app\r\nz: 1\r\n",
            id="line endings",
        ),
        pytest.param("references: [a] # x\n", 'references: [a, "project:app"] # x\n', id="flow"),
        pytest.param("references: [project:app]\n", "references: [project:app]\n", id="there"),
        pytest.param(
            "references:\n  - id: app\n    type: project\n    remote: r\n",
            "references:\n  - id: app\n    type: project\n    remote: r\n",
            id="there as a map",
        ),
        pytest.param(
            "references:\n  - id: a\n    remote: r\n",
            "references:\n  - id: a\n    remote: r\n  - project:app\n",
            id="after a map",
        ),
    ],
)
def test_a_reference_is_appended(before: str, after: str) -> None:
    assert declare.with_reference(before, APP, file="config.yaml") == after


def test_a_locator_is_there_once_whatever_its_case() -> None:
    text = declare.with_membership("a: 1\n", TEAM, file="f")

    again = declare.with_membership(text, StorePointer(str(TEAM.uid).upper()), file="f")

    assert again == text
    assert declare.without_membership(text, TEAM, file="f") == "a: 1\n"


def test_other_locators_stay() -> None:
    other = StorePointer("00000000-0000-4000-8000-00000000000b", "other")
    text = declare.with_membership("", other, file="f")
    both = declare.with_membership(text, TEAM, file="f")

    assert declare.without_membership(both, TEAM, file="f") == text


def test_the_store_is_set_and_taken_away() -> None:
    before = "# top\nschema: x # y\n"
    text = declare.with_store(before, TEAM, file="f")

    assert text == f"{before}store:\n  uid: {TEAM.uid}\n  id: team\n"
    assert declare.without_store(text, file="f") == before
