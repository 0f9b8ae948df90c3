"""Two readers of one format, made apart, say the same about thousands of packages."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.packages.second_reader import verdict
from tests.support.package_makers import Maker
from tests.support.packages import jcs

from rasen.packages import ops
from rasen.packages.decode import decode
from rasen.packages.encode import encode
from rasen.packages.model import PackageRefused

_KNOWN = ops.known()
_RUNNING = (0, 2, 0)
_SOUND = 1000
_BROKEN = 5000


def _ours(data: bytes) -> str:
    try:
        return "ok " + decode(data, _KNOWN, file="x").digest
    except PackageRefused as refusal:
        return refusal.code


def _theirs(data: bytes) -> str:
    return verdict(
        data, built_in=list(_KNOWN.built_in), idle=set(_KNOWN.passed_over), running=_RUNNING
    )


@pytest.mark.requirement("PK-020", "PK-021", "PK-024", "PK-031", "PK-032", "PK-033")
def test_sound_packages_have_one_digest_and_one_encoding() -> None:
    maker = Maker(1, list(_KNOWN.built_in))

    for number in range(_SOUND):
        data = jcs(maker.package())
        ours = _ours(data)

        assert ours.startswith("ok sha256:"), (number, ours, data)
        assert _theirs(data) == ours, (number, data)
        assert encode(decode(data, _KNOWN, file="x"), _KNOWN, file="x") == data


@pytest.mark.requirement("PK-003", "PK-044", "PK-047", "PK-050")
def test_broken_packages_are_refused_with_one_code() -> None:
    maker = Maker(2, list(_KNOWN.built_in))
    codes: Counter[str] = Counter()

    for number in range(_BROKEN):
        data = maker.broken(maker.package())
        ours = _ours(data)
        codes[ours.split()[0]] += 1

        assert _theirs(data) == ours, (number, data)

    assert len(codes) > 30, codes
    assert codes["ok"] < _BROKEN / 10
