"""Secrets in addresses: found, hidden, left out; plain addresses stay as they are."""

from __future__ import annotations

import pytest

from rasen.stores.remotes import has_credentials, redacted, same, without_credentials

PLAIN = [
    "git@host.example:team/plans.git",
    "ssh://git@host.example/team/plans.git",
    "https://host.example/team/plans.git",
    "https://alice@host.example/team/plans.git",
    "/srv/git/plans.git",
    "../plans",
    "file:///srv/git/plans.git",
]
SECRET = [
    (
        "https://alice:pa55@h.example/p.git",
        "https://***@h.example/p.git",
        "https://h.example/p.git",
    ),
    ("https://:pa55@h.example/p.git", "https://***@h.example/p.git", "https://h.example/p.git"),
    (
        "https://ghp_0123456789abcdefABCDEF@h.example/p",
        "https://***@h.example/p",
        "https://h.example/p",
    ),
    ("https://oauth2:tok@h.example/p", "https://***@h.example/p", "https://h.example/p"),
    ("ssh://git:pa55@h.example/p", "ssh://***@h.example/p", "ssh://git@h.example/p"),
    (
        "https://h.example/p?access_token=abc",
        "https://h.example/p?access_token=***",
        "https://h.example/p",
    ),
    ("git:pa55@h.example:p", "***@h.example:p", "h.example:p"),
]


@pytest.mark.parametrize("remote", PLAIN)
def test_a_plain_address_stays_as_it_is(remote: str) -> None:
    assert not has_credentials(remote)
    assert without_credentials(remote) == redacted(remote) == remote


@pytest.mark.parametrize(("remote", "shown", "plain"), SECRET, ids=[row[0] for row in SECRET])
def test_a_secret_is_found_hidden_and_left_out(remote: str, shown: str, plain: str) -> None:
    assert has_credentials(remote)
    assert redacted(remote) == shown
    assert without_credentials(remote) == plain
    assert not has_credentials(plain)


def test_addresses_in_a_sentence_are_hidden_too() -> None:
    said = "fatal: cannot read https://bob:pw@h.example/x and https://h.example/y"

    assert redacted(said) == "fatal: cannot read https://***@h.example/x and https://h.example/y"


@pytest.mark.parametrize(
    ("left", "right", "is_so"),
    [
        ("git@h.example:a/b.git", "ssh://git@h.example/a/b", True),
        ("https://H.example/a/b/", "https://h.example/a/b.git", True),
        ("https://h.example/a/b", "https://h.example/a/c", False),
        ("/srv/a", "/srv/b", False),
    ],
)
def test_two_spellings_of_one_place(left: str, right: str, is_so: bool) -> None:
    assert same(left, right) is is_so
