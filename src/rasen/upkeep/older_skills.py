"""Skills and command files that earlier programs generated here and that no ledger of ours knows."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.atomic import digest_of
from rasen.files.batch import Batch
from rasen.git import repo
from rasen.hosts import ops as hosts
from rasen.hosts.model import PREFIX, SKILL, Host
from rasen.upkeep.sites import skills_path
from rasen.workflows import ops as workflows

_SHOWN = 5

SKILLS_LEFT = Rule(
    "inherited_skills_left",
    Level.INFO,
    N_("{count} skills of an earlier version are not selected and were left: {names}"),
    N_("remove them with 'rasen update --adopt'"),
)
COMMANDS_LEFT = Rule(
    "old_commands_left",
    Level.INFO,
    N_("command files of an earlier version were left ({count}): {names}"),
    N_("remove them with 'rasen update --adopt'; skills took their place"),
)


class Place(NamedTuple):
    """Where the files of one agent lie. base: what a ledger's paths are relative to."""

    root: Path
    base: Path
    host: Host


class Older:
    """What earlier programs left for one agent. owned: the paths that our ledger names."""

    def __init__(self, ctx: Context, place: Place, owned: Container[str]) -> None:
        self._ctx, self._place, self._owned = ctx, place, owned
        # Below the base, whichever way a link led there.
        self._home = place.base / skills_path(place.host)

    @cached_property
    def folders(self) -> tuple[Path, ...]:
        """The skills that some program of ours generated and that the ledger does not name."""
        found = hosts.generated_skills(self._ctx, self._place.root, self._place.host)
        places = (self._home / one.name for one in found)
        return tuple(one for one in places if self._name(one / SKILL) not in self._owned)

    def is_inherited(self, path: str) -> bool:
        """True for a file in one of those folders. path: below the base."""
        return any((self._place.base / path).is_relative_to(one) for one in self.folders)

    def is_committed(self, path: str) -> bool:
        """True when git could bring back just the bytes that are there. path: below the base."""
        if self._changed is None:
            return False
        top, changed = self._changed
        name = (self._place.base / path).resolve().relative_to(top).as_posix()
        return not any(name == one or (one[-1:] == "/" and name.startswith(one)) for one in changed)

    def unselected(self, wanted: Container[str]) -> list[Path]:
        """The SKILL.md of each that bears a name of our catalogue and is not wanted now.

        wanted: names of folders.
        """
        ours = names()
        found = (one for one in self.folders if one.name in ours and one.name not in wanted)
        return [one / SKILL for one in found if not one.is_symlink()]

    @cached_property
    def commands(self) -> list[Path]:
        """The command files of earlier versions, by what their workflows were called."""
        calls = set(_calls())
        found = hosts.old_commands(self._ctx, self._place.root, self._place.host)
        return [one for one in found if _stem(one) in calls and not one.is_symlink()]

    def findings(self, wanted: Container[str]) -> list[Finding]:
        """What there is to say about files that are left."""
        found = ((SKILLS_LEFT, self.unselected(wanted)), (COMMANDS_LEFT, self.commands))
        return [self._finding(rule, paths) for rule, paths in found if paths]

    def shown(self, path: Path) -> str:
        """`path` as people write it."""
        root = self._place.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)

    def _finding(self, rule: Rule, paths: list[Path]) -> Finding:
        names = ", ".join(self.shown(one) for one in paths[:_SHOWN])
        more = ", …" if len(paths) > _SHOWN else ""
        return Finding(rule, self._place.host.id, {"count": len(paths), "names": names + more})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._place.base).as_posix()

    @cached_property
    def _changed(self) -> tuple[Path, list[str]] | None:
        """The repository, and what in the skills folder git would not bring back."""
        home = self._home.resolve()
        top = repo.root_of(home)
        if top is None:
            return None
        said = repo.status(top, home)
        if not said.is_known or not said.has_tracked:
            return None
        return top, [*said.dirty, *said.untracked, *said.ignored]


def remove(batch: Batch, paths: list[Path]) -> None:
    """Have files of earlier versions removed, and the folders that this empties."""
    for path in paths:
        batch.remove(path, expect=digest_of(path))
    for folder in sorted({path.parent for path in paths}):
        batch.remove_empty_dir(folder)


def names() -> set[str]:
    """What the folders of skills of ours are called."""
    every = (*workflows.built_in(), *workflows.always(), *workflows.experts())
    return {one.folder for one in every}


def _calls() -> Iterator[str]:
    for one in workflows.built_in():
        yield from (one.id, one.id.removesuffix("-command"), one.folder.removeprefix(PREFIX))
    for id in workflows.RETIRED:
        yield from (id, id.removesuffix("-command"))


def _stem(path: Path) -> str:
    return path.name.partition(".")[0].removeprefix(PREFIX)
