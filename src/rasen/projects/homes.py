"""Which home a checkout gets: its own, a shared one, or that of a checkout that moved."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection
from typing import NamedTuple

from rasen.projects.model import Entry, Registry


class Checkout(NamedTuple):
    """What registration knows about a checkout.

    base_name: folder name the home is named after; that of the main repository in a worktree.
    """

    path: str
    project_id: str
    mode: str
    base_name: str


class Assignment(NamedTuple):
    """The home decided for a checkout.

    moved_from: path of the entry that is to be replaced; None when none is.
    is_new: no checkout used this home before.
    """

    home: str
    moved_from: str | None = None
    is_new: bool = False


def assign(
    registry: Registry,
    checkout: Checkout,
    *,
    is_sibling: Callable[[str], bool],
    exists: Callable[[str], bool],
) -> Assignment:
    """Decide the home of `checkout`.

    is_sibling: whether a registered path is another worktree of the same repository.
    exists: whether a registered path is still there. A home folder that no entry names any more is
    taken up again: its name carries the identity, so it can only be this project's.
    Source: planning §7.11.
    """
    known = registry.entries.get(checkout.path)
    if known is not None:
        return Assignment(known.home)
    same = [p for p in sorted(registry.entries) if _same_identity(registry, p, checkout)]
    for path in same:
        if is_sibling(path):
            return Assignment(registry.entries[path].home)
    for path in same:
        if not exists(path):
            return Assignment(registry.entries[path].home, moved_from=path)
    used = {entry.home for entry in registry.entries.values()}
    return Assignment(_fresh_name(checkout, used), is_new=True)


def record(registry: Registry, checkout: Checkout, given: Assignment, *, seen: str) -> Registry:
    """`registry` with `checkout` in it; a known path keeps its identity and its home."""
    entries = dict(registry.entries)
    if given.moved_from is not None:
        del entries[given.moved_from]
    known = entries.get(checkout.path)
    if known is not None:
        entries[checkout.path] = known._replace(mode=checkout.mode, last_seen=seen)
    else:
        name = checkout.base_name
        entries[checkout.path] = Entry(checkout.project_id, name, checkout.mode, given.home, seen)
    return Registry(entries)


def normal_id(project_id: str) -> str:
    """`project_id` in the form identities are compared in."""
    return project_id.strip().lower()


def kebab(name: str) -> str:
    """`name` as a kebab identifier; `project` when nothing of it can be kept."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "project"


def _same_identity(registry: Registry, path: str, checkout: Checkout) -> bool:
    return normal_id(registry.entries[path].project_id) == normal_id(checkout.project_id)


def _fresh_name(checkout: Checkout, used: Collection[str]) -> str:
    from hashlib import sha256  # 2 ms that a look at the registry need not pay

    digest = sha256(checkout.project_id.encode()).hexdigest()[:8]
    plain = f"{kebab(checkout.base_name)}-{digest}"
    name, number = plain, 1
    while name in used:
        number += 1
        name = f"{plain}-{number}"
    return name
