"""What each of `references:` may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rasen.base.messages import N_, Phrase
from rasen.config.model import Reference

A_REFERENCE = Phrase(
    N_("the id of a store, 'project:' with an id in kebab case, or a map with an id")
)

_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PROJECT_PREFIX = "project:"


def reference(value: object) -> Reference | None:
    """The reference that `value` means; None when it means none.

    An id in a bare text or a map is not checked further: the index reports it.
    """
    if isinstance(value, str):
        name = value.strip()
        if not name.startswith(_PROJECT_PREFIX):
            return Reference(name) if name else None
        wanted = name.removeprefix(_PROJECT_PREFIX)
        return Reference(wanted, "project") if _KEBAB.fullmatch(wanted) else None
    if not isinstance(value, dict):
        return None
    given, kind, remote = value.get("id"), value.get("type"), value.get("remote")
    if not isinstance(given, str) or not given.strip() or kind not in (None, "project", "store"):
        return None
    found = remote.strip() if isinstance(remote, str) else ""
    return Reference(given.strip(), kind or "store", found or None)


def merged(items: Iterable[Reference]) -> tuple[Reference, ...]:
    """One of each type and id: the first place, and the first remote that any of them names."""
    found: dict[tuple[str, str], Reference] = {}
    for item in items:
        known = found.setdefault((item.type, item.id), item)
        if known.remote is None and item.remote is not None:
            found[item.type, item.id] = known._replace(remote=item.remote)
    return tuple(found.values())
