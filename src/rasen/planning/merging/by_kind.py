"""Which merge a file of a planning repository takes: specs, tasks and records by their own parsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rasen.base.errors import ToolError
from rasen.planning.changes import metadata_file
from rasen.planning.merging.records import merge_records
from rasen.planning.merging.specs import merge_specs
from rasen.planning.merging.tasks import merge_tasks
from rasen.planning.merging.whole import FileMerge, clashed
from rasen.stores import membership_file, store_file
from rasen.stores.membership_file import Membership

REQUIREMENTS, TASKS, KEYS = "requirements", "tasks", "keys"

_SPEC = re.compile(r"specs/.+/spec\.md|specs/spec\.md")
_TASKS = re.compile(r"changes/.+/tasks\.md")
_CHANGE = re.compile(r"changes/.+/\.openspec\.yaml")
_CONFIG = re.compile(r"config\.ya?ml")
_METADATA = re.compile(r"\.(?:rasen|openspec)-store/store\.yaml")
_MEMBER = re.compile(r"\.rasen-store/projects/[^/]+\.yaml")
_RECORD = re.compile(r"\.(?:rasen|openspec)-store/.+\.ya?ml")

Merge = Callable[[str, str, str], FileMerge]


class Kind(NamedTuple):
    """A way to merge. how: the word for it in reports."""

    how: str
    merge: Merge


def kind_of(path: str, *, workspace: str) -> Kind | None:
    """How to merge the file at `path` (from the top of the store, with `/`); None for no way.

    workspace: the name of the planning folder.
    """
    inside = path.removeprefix(f"{workspace}/") if path.startswith(f"{workspace}/") else ""
    if _SPEC.fullmatch(inside):
        return Kind(REQUIREMENTS, merge_specs)
    if _TASKS.fullmatch(inside):
        return Kind(TASKS, merge_tasks)
    if _CHANGE.fullmatch(inside):
        return _records(lambda text: metadata_file.parse(text, file=path))
    if _METADATA.fullmatch(path):
        return _records(lambda text: store_file.parse(text, file=path))
    if _MEMBER.fullmatch(path):
        return Kind(KEYS, lambda *sides: _members(path, *sides))
    if _CONFIG.fullmatch(inside) or _RECORD.fullmatch(path):
        return _records(lambda _: None)
    return None


def _records(check: Callable[[str], object]) -> Kind:
    return Kind(KEYS, lambda *sides: merge_records(*sides, check=check))


def _members(path: str, base: str, theirs: str, mine: str) -> FileMerge:
    """A record that both made for the same project has every role that either gave it."""
    if base:
        return merge_records(
            base, theirs, mine, check=lambda text: membership_file.parse(text, file=path)
        )
    try:
        one, other = (membership_file.parse(side, file=path) for side in (theirs, mine))
    except ToolError:
        return clashed("file", base, theirs, mine)
    united = one._replace(roles=one.roles.merged(other.roles))
    for field in ("id", "remote", "adoption", "knowledge_bundle"):
        left, right = getattr(one, field), getattr(other, field)
        if left is not None and right is not None and left != right:
            return clashed(field, base, theirs, mine)
        united = _with(united, field, left if right is None else right)
    return FileMerge(membership_file.render(united))


def _with(membership: Membership, field: str, value: object) -> Membership:
    return Membership(**{**membership._asdict(), field: value})
