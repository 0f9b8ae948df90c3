"""Comparing an installed workflow with another version, putting that in its place, and going back.

Format version 1 never replaces what is installed; this is the explicit way. The version that was
there is kept whole, so that it can come back.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound
from rasen.base.messages import N_
from rasen.files.batch import Batch
from rasen.files.removal import remove_tree
from rasen.packages import importing, install
from rasen.packages.contents import Known
from rasen.packages.install import BuiltInCollision, DependenciesMissing, Offer
from rasen.packages.model import Kind
from rasen.workflows import ops as workflows
from rasen.workflows import registry
from rasen.workflows.model import Source

KEPT = 5
"""So many former versions of a workflow are kept; the oldest go first."""


class NotInPackage(NotFound):
    code: ClassVar[str] = "workflow_not_in_package"
    text: ClassVar[str] = N_("{file} has no workflow {id}; it has: {known}")
    fix: ClassVar[str] = N_("name another package or folder")


class NothingInstalled(InvalidInput):
    code: ClassVar[str] = "workflow_upgrade_nothing_installed"
    text: ClassVar[str] = N_("none of the workflows in {file} is installed")
    fix: ClassVar[str] = N_("run `rasen workflow import {file}`")


class NoFormerVersion(NotFound):
    code: ClassVar[str] = "workflow_no_former_version"
    text: ClassVar[str] = N_("no former version of {id} is kept")
    fix: ClassVar[str] = N_("only what `rasen workflow upgrade` replaced can come back")


class FileDifference(NamedTuple):
    """One file that differs. change: added, removed or changed. patch: as a unified diff."""

    path: str
    change: str
    patch: str

    def to_json(self) -> dict[str, str]:
        """`{path, change, patch}`."""
        return self._asdict()


@dataclass(frozen=True)
class Difference:
    """An installed workflow and another version of it, by digest; and the files that differ."""

    id: str
    installed: str
    offered: str
    files: tuple[FileDifference, ...]

    def to_json(self) -> dict[str, object]:
        """`{id, installed, offered, same, files}`."""
        return {
            "id": self.id,
            "installed": self.installed,
            "offered": self.offered,
            "same": self.installed == self.offered,
            "files": [one.to_json() for one in self.files],
        }


class Change(NamedTuple):
    """A workflow that was replaced, by digest. kept: where the former version is now."""

    id: str
    former: str
    present: str
    kept: Path

    def to_json(self) -> dict[str, str]:
        """`{id, from, to, kept}`."""
        return {"id": self.id, "from": self.former, "to": self.present, "kept": str(self.kept)}


class Upgraded(NamedTuple):
    """What became of the workflows of a source, by id."""

    upgraded: tuple[Change, ...]
    imported: tuple[str, ...]
    reused: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """`{upgraded, imported, reused}`."""
        return {
            "upgraded": [one.to_json() for one in self.upgraded],
            "imported": list(self.imported),
            "reused": list(self.reused),
        }


def difference(ctx: Context, id: str, source: Path, known: Known) -> Difference:
    """What would change if the version in a package or folder took the place of the installed one."""
    installed = _installed(ctx, id)
    offers = _offers(ctx, source, known)
    found = next((one for one in offers if one.definition.id == id), None)
    if found is None:
        ids = ", ".join(one.definition.id for one in offers)
        raise NotInPackage(file=str(source), id=id, known=ids)
    files = tuple(_files(installed.files, found.files))
    return Difference(id, str(installed.definition.digest), str(found.definition.digest), files)


def upgrade(
    ctx: Context, source: Path, known: Known, resolving: workflows.Known | None, *, is_dry: bool
) -> Upgraded:
    """Put the workflows of a package or folder in the place of those installed, all or none.

    is_dry: only check and say. Those that are new are installed, those that are the same stay.
    """
    offers = _offers(ctx, source, known)
    if is_dry:
        return _sorted(ctx, source, offers, resolving)
    with registry.locked(ctx):
        plan = _sorted(ctx, source, offers, resolving)
        fresh = [one for one in offers if one.definition.id not in plan.reused]
        _put(ctx, plan, fresh)
    return plan


def back(ctx: Context, id: str, resolving: workflows.Known | None) -> Change:
    """Bring back the version of `id` that was replaced last; the present one is kept in turn."""
    with registry.locked(ctx):
        kept = registry.former_versions(ctx, id)
        if not kept:
            raise NoFormerVersion(id=id)
        reading = workflows.read_folder(kept[-1], folder_name=id)
        if reading.definition is None:
            raise install.refusal(importing.WorkflowInvalid, id, reading.found, file=str(kept[-1]))
        offer = Offer(reading.definition, workflows.contents(reading.definition))
        plan = _sorted(ctx, kept[-1], [offer], resolving)
        if not plan.upgraded:
            raise NoFormerVersion(id=id)
        change = plan.upgraded[0]
        batch = _batch(ctx)
        batch.move(workflows.home(ctx) / id, change.kept)
        batch.move(kept[-1], workflows.home(ctx) / id)
        batch.commit()
    return change


def _offers(ctx: Context, source: Path, known: Known) -> list[Offer]:
    if source.is_dir() and not source.is_symlink():
        return [importing.from_folder(source)]
    if not os.path.lexists(source):
        raise importing.ImportSourceMissing(file=str(source))
    package = importing.admitted(ctx, source, known, Kind.WORKFLOW)
    return importing.offers_of(package.workflows)


def _installed(ctx: Context, id: str) -> Offer:
    catalogue = workflows.catalogue(ctx)
    found = catalogue.find(id)
    if found is None:
        raise registry.WorkflowNotFound(id=id)
    if found.source is Source.BUILT_IN:
        raise BuiltInCollision(id=id)
    return Offer(found, workflows.contents(found))


def _sorted(
    ctx: Context, source: Path, offers: Sequence[Offer], resolving: workflows.Known | None
) -> Upgraded:
    """What is to be done with each, if all of them can work here together with the others."""
    catalogue = workflows.catalogue(ctx, resolving)
    changes, imported, reused = [], [], []
    for one in offers:
        id, digest = one.definition.id, str(one.definition.digest)
        there = catalogue.find(id)
        if there is not None and there.source is Source.BUILT_IN:
            raise BuiltInCollision(id=id)
        place = workflows.home(ctx) / id
        if there is not None and there.digest == digest:
            reused.append(id)
        elif os.path.lexists(place):
            former = (there.digest if there is not None else install.digest_at(place)) or ""
            changes.append(Change(id, former, digest, registry.next_version(ctx, id, former)))
        else:
            imported.append(id)
    if not changes and not reused:
        raise NothingInstalled(file=str(source))
    wrong = [
        one
        for bad in install.after(catalogue, offers, resolving).invalid
        for one in bad.diagnostics
    ]
    if wrong:
        raise DependenciesMissing(wrong)
    return Upgraded(tuple(changes), tuple(imported), tuple(reused))


def _put(ctx: Context, plan: Upgraded, fresh: Sequence[Offer]) -> None:
    if not fresh:
        return
    staging = registry.staging(ctx)
    try:
        install.stage(fresh, staging)
        batch = _batch(ctx)
        for change in plan.upgraded:
            batch.move(workflows.home(ctx) / change.id, change.kept)
            for old in registry.former_versions(ctx, change.id)[: -(KEPT - 1)]:
                batch.remove_tree(old)
        for one in fresh:
            id = one.definition.id
            batch.move(staging / id, workflows.home(ctx) / id)
        batch.commit()
    finally:
        if os.path.lexists(staging):
            remove_tree(staging)


def _batch(ctx: Context) -> Batch:
    return Batch(registry.journal(ctx), purpose="upgrade of workflows", tell=ctx.tell)


def _files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[FileDifference]:
    found = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        change = "added" if old is None else "removed" if new is None else "changed"
        found.append(FileDifference(path, change, _patch(path, old, new)))
    return found


def _patch(path: str, old: bytes | None, new: bytes | None) -> str:
    told = difflib.unified_diff(
        _lines(old), _lines(new), _side("a", path, old), _side("b", path, new)
    )
    return "".join(one if one.endswith("\n") else f"{one}\n\\ No newline\n" for one in told)


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode().splitlines(keepends=True)


def _side(name: str, path: str, data: bytes | None) -> str:
    return "/dev/null" if data is None else f"{name}/{path}"
