"""Which home a checkout gets."""

from __future__ import annotations

from hashlib import sha256

import pytest

from rasen.projects.homes import Assignment, Checkout, assign, kebab, record
from rasen.projects.model import Entry, Registry

ID = "0b0e1d52-1111-4222-8333-444455556666"
HASH = sha256(ID.encode()).hexdigest()[:8]


def entry(home: str = "shop-1", project_id: str = ID, mode: str = "in-repo") -> Entry:
    return Entry(project_id, "shop", mode, home, "before")


def given(
    registry: Registry,
    path: str = "/new/shop",
    *,
    siblings: tuple[str, ...] = (),
    gone: tuple[str, ...] = (),
) -> Assignment:
    return assign(
        registry,
        Checkout(path, ID, "in-repo", "Shop Front"),
        is_sibling=lambda other: other in siblings,
        exists=lambda other: other not in gone,
    )


@pytest.mark.parametrize(
    ("registry", "world", "expected"),
    [
        pytest.param({}, {}, Assignment(f"shop-front-{HASH}", is_new=True), id="first"),
        pytest.param({"/new/shop": entry()}, {}, Assignment("shop-1"), id="known path"),
        pytest.param(
            {"/new/shop": entry(project_id="other")},
            {},
            Assignment("shop-1"),
            id="known path, new id",
        ),
        pytest.param(
            {"/old": entry()}, {"siblings": ("/old",)}, Assignment("shop-1"), id="worktree sibling"
        ),
        pytest.param(
            {"/old": entry()},
            {"gone": ("/old",)},
            Assignment("shop-1", moved_from="/old"),
            id="moved",
        ),
        pytest.param(
            {"/old": entry(f"shop-front-{HASH}")},
            {},
            Assignment(f"shop-front-{HASH}-2", is_new=True),
            id="clone",
        ),
        pytest.param(
            {"/a": entry(f"shop-front-{HASH}"), "/b": entry(f"shop-front-{HASH}-2")},
            {},
            Assignment(f"shop-front-{HASH}-3", is_new=True),
            id="second clone",
        ),
        pytest.param(
            {"/old": entry(project_id=f" {ID.upper()} ")},
            {"gone": ("/old",)},
            Assignment("shop-1", moved_from="/old"),
            id="identity in another case",
        ),
        pytest.param(
            {"/old": entry(project_id="other")},
            {"gone": ("/old",)},
            Assignment(f"shop-front-{HASH}", is_new=True),
            id="another project is gone",
        ),
        pytest.param(
            {"/a": entry("gone-1"), "/b": entry("kept-1")},
            {"gone": ("/a",), "siblings": ("/b",)},
            Assignment("kept-1"),
            id="sibling before moved",
        ),
    ],
)
def test_a_checkout_gets_its_home(
    registry: dict[str, Entry], world: dict[str, tuple[str, ...]], expected: Assignment
) -> None:
    assert given(Registry(registry), **world) == expected


def test_a_known_path_keeps_identity_and_home_and_is_seen_again() -> None:
    before = Registry({"/new/shop": entry(project_id="first")})
    checkout = Checkout("/new/shop", ID, "store", "shop")

    after = record(before, checkout, Assignment("shop-1"), seen="now")

    assert after.entries == {"/new/shop": Entry("first", "shop", "store", "shop-1", "now")}


def test_a_moved_checkout_takes_the_place_of_its_former_entry() -> None:
    before = Registry({"/old": entry(), "/else": entry("else-1", "other")})
    checkout = Checkout("/new/shop", ID, "in-repo", "shop")

    after = record(before, checkout, Assignment("shop-1", moved_from="/old"), seen="now")

    assert set(after.entries) == {"/new/shop", "/else"}
    assert after.entries["/new/shop"].home == "shop-1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Shop Front", "shop-front"), ("--x__y--", "x-y"), ("Crème", "creme"), ("店", "project")],
)
def test_a_home_is_named_in_kebab(name: str, expected: str) -> None:
    assert kebab(name) == expected
