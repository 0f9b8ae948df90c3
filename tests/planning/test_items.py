"""Which change or spec a name means."""

from __future__ import annotations

import pytest

from rasen.base.messages import NONE
from rasen.planning.items import AmbiguousItem, Item, UnknownItem, resolve

CHANGES = ["longer-loans", "lending", "desk"]
SPECS = ["lending", "area/login", "fees"]


@pytest.mark.parametrize(
    ("wanted", "kind", "expected"),
    [
        ("desk", None, ("change", "desk")),
        ("fees", None, ("spec", "fees")),
        ("area/login", None, ("spec", "area/login")),
        ("lending", "spec", ("spec", "lending")),
        ("lending", "CHANGE", ("change", "lending")),
        ("fees", "nonsense", ("spec", "fees")),
    ],
)
def test_item_is_found(wanted: str, kind: str | None, expected: tuple[str, str]) -> None:
    assert resolve(wanted, kind, CHANGES, SPECS) == Item(*expected)


def test_name_of_a_change_and_a_spec_needs_a_type() -> None:
    with pytest.raises(AmbiguousItem) as caught:
        resolve("lending", None, CHANGES, SPECS)

    assert caught.value.code == "ambiguous_item"
    assert "--type" in caught.value.fix_text


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        ("lendin", None),
        ("fees", "change"),
        ("desk", "spec"),
        ("../lending", None),
        ("Desk", None),
        ("", None),
    ],
)
def test_unknown_name(wanted: str, kind: str | None) -> None:
    with pytest.raises(UnknownItem) as caught:
        resolve(wanted, kind, CHANGES, SPECS)

    assert caught.value.code == "unknown_item"


def test_five_nearest_names_of_the_wanted_type() -> None:
    names = [f"name-{number}" for number in range(9)]

    with pytest.raises(UnknownItem) as caught:
        resolve("name-3x", "change", names, ["name-3x-spec"])

    near = str(caught.value.params["nearest"]).split(", ")
    assert near[0] == "name-3"
    assert len(near) == 5
    assert "name-3x-spec" not in near


def test_nothing_is_near_where_nothing_is() -> None:
    with pytest.raises(UnknownItem) as caught:
        resolve("x", None, [], [])

    assert caught.value.params["nearest"] == NONE
