"""JSON in the one form that digests are taken over: RFC 8785 (JCS)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rasen.syntax.portable_path import order

_SAFE: Final = 2**53 - 1


def encode(value: Mapping[str, object] | Sequence[object]) -> bytes:
    """`value` as JCS: compact UTF-8, keys in the order of their UTF-16 code units.

    Errors: ValueError for what JSON cannot hold: half of a surrogate pair, a whole number outside
    ±(2^53-1), NaN, infinities. Source: library PK-024, RFC 8785.
    """
    try:
        plain = _plain(value)
    except _NeedsMore:
        import rfc8785

        document: Any = value
        return rfc8785.dumps(document)
    # A third of the time; the encoder of the standard library escapes exactly what JCS escapes.
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


class _NeedsMore(Exception):
    """There is something in it whose form is not plain: a fraction, or what cannot be encoded."""


def _plain(value: object) -> object:
    """`value` with sorted keys, as long as it holds only texts, whole numbers, true, false and null."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int) and -_SAFE <= value <= _SAFE:
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(value[key]) for key in sorted(value, key=order)}
    raise _NeedsMore
