"""What a new change notes of the specs as its author sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.files.paths import is_plain_name
from rasen.planning.bases.find import current_text
from rasen.planning.disk import SPEC_FILE
from rasen.roots.model import Root

MOST_DIFFERING: Final = 8
"""How many specs that git does not have as they are get recorded with a new change."""


class CapabilityNameInvalid(InvalidInput):
    """A name that no capability can have."""

    code = "capability_name_invalid"
    text = N_("{name} cannot be the name of a capability")
    fix = N_("use names such as lending or desk/loans, with commas between them")


class Noted(NamedTuple):
    """commit: what git has of the specs, None without. texts: to record; None is no spec."""

    commit: str | None
    texts: Mapping[str, str | None]


def capability_names(text: str) -> tuple[str, ...]:
    """The capabilities in a list with commas, each once. Errors: capability_name_invalid."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if not all(is_plain_name(step) and step[0] != "." for step in name.split("/")):
            raise CapabilityNameInvalid(name=name)
    return names


def note(root: Root, touches: Iterable[str]) -> Noted:
    """The current commit, and the texts of `touches` and of specs that differ from that commit.

    Where git could not tell what the author saw (too many differ, or git ignores the specs), no
    commit is noted. Errors: file_*, path_traversal for a spec that cannot be read.
    """
    commit, differing = _from_git(root)
    wanted = dict.fromkeys([*touches, *differing])
    return Noted(commit, {name: current_text(root, name) for name in wanted})


def _from_git(root: Root) -> tuple[str | None, tuple[str, ...]]:
    from rasen.git import history, repo

    commit = history.head(root.path)
    if commit is None:
        return None, ()
    status = repo.status(root.path, root.specs_dir)
    if not status.is_known or any(_may_hide_specs(name) for name in status.ignored):
        return None, ()
    below = f"{history.prefix(root.path)}{root.workspace}/specs/"
    differing = tuple(
        name[len(below) : -len(SPEC_FILE) - 1]
        for name in dict.fromkeys((*status.dirty, *status.untracked))
        if name.startswith(below) and Path(name).name == SPEC_FILE
    )
    return (commit, differing) if len(differing) <= MOST_DIFFERING else (None, ())


def _may_hide_specs(ignored: str) -> bool:
    """True when an ignored path is a spec, or a folder that may hold some."""
    return ignored.endswith(("/", f"/{SPEC_FILE}"))
