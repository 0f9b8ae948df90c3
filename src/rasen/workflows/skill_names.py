"""What skills were called by earlier programs, and what they are called now. Source: library SP-022."""

from __future__ import annotations

from collections.abc import Collection

from rasen.hosts.model import PREFIX

_OLD = ("openspec-opsx-", "openspec-", "openspec:", "rasen:")
"""Prefixes of earlier names, longest first."""


def current_skill(name: str, known: Collection[str]) -> str:
    """The name that a skill goes by today; unknown names stay as they are."""
    if name in known:
        return name
    prefix = next((one for one in _OLD if name.startswith(one)), None)
    return name if prefix is None else f"{PREFIX}{name.removeprefix(prefix)}"
