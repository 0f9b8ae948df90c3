"""Which registrations fit together: names, identities and places."""

from __future__ import annotations

import pytest

from rasen.stores.enrol import StoreIdConflict, StorePathConflict, enrol
from rasen.stores.model import PROJECT, Registration, Registry

ONE = "00000000-0000-4000-8000-000000000001"
TWO = "00000000-0000-4000-8000-000000000002"


def row(name: str, path: str, uid: str | None = None) -> Registration:
    return Registration(name, path, uid=uid)


@pytest.mark.parametrize(
    ("known", "new", "codes", "is_known"),
    [
        pytest.param([], row("team", "/a", ONE), [], False, id="first"),
        pytest.param([], row("7", "/a", ONE), ["store_alias_numeric"], False, id="digits"),
        pytest.param(
            [row("team", "/a", ONE)],
            row("team", "/a", ONE),
            ["store_already_registered"],
            True,
            id="again",
        ),
        pytest.param(
            [row("team", "/a")],
            row("team", "/a"),
            ["store_already_registered"],
            True,
            id="v1 again",
        ),
        pytest.param(
            [row("team", "/a")],
            row("team", "/a", ONE),
            ["store_already_registered"],
            True,
            id="identity learned",
        ),
        pytest.param(
            [row("team", "/a", ONE)],
            row("crew", "/a", ONE),
            ["store_alias_renamed"],
            True,
            id="renamed",
        ),
        pytest.param(
            [row("team", "/a", ONE)],
            row("team", "/b", TWO),
            ["store_alias_repeated"],
            False,
            id="name twice",
        ),
        pytest.param(
            [row("team", "/gone", ONE)],
            row("team", "/b", ONE),
            ["store_registration_moved"],
            False,
            id="moved",
        ),
        pytest.param(
            [row("team", "/gone", ONE)],
            row("crew", "/b", ONE),
            ["store_registration_moved", "store_alias_renamed"],
            False,
            id="moved and renamed",
        ),
        pytest.param(
            [Registration("team", "/a", PROJECT)],
            row("team", "/a", ONE),
            [],
            False,
            id="namespaces",
        ),
    ],
)
def test_a_checkout_is_taken_in(
    known: list[Registration], new: Registration, codes: list[str], is_known: bool
) -> None:
    put = enrol(Registry(tuple(known)), new, exists=lambda path: path != "/gone")

    assert [finding.code for finding in put.findings] == codes
    assert put.is_known is is_known
    assert new in put.registry.rows
    assert all(one.path != "/gone" for one in put.registry.rows)


@pytest.mark.parametrize(
    ("known", "new", "refusal"),
    [
        pytest.param(row("team", "/a"), row("team", "/b"), StoreIdConflict, id="name, no identity"),
        pytest.param(row("team", "/a"), row("team", "/b", ONE), StoreIdConflict, id="one has none"),
        pytest.param(
            row("team", "/a", ONE), row("team", "/b", ONE), StoreIdConflict, id="two checkouts"
        ),
        pytest.param(
            row("team", "/a"), row("crew", "/a"), StorePathConflict, id="place, no identity"
        ),
        pytest.param(
            row("team", "/a", ONE), row("team", "/a", TWO), StorePathConflict, id="other identity"
        ),
        pytest.param(
            row("team", "/a", ONE), row("team", "/a"), StorePathConflict, id="identity lost"
        ),
    ],
)
def test_a_contradiction_is_refused(
    known: Registration, new: Registration, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        enrol(Registry((known,)), new, exists=lambda _: True)
