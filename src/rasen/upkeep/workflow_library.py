"""What people and programs see of the workflows of this machine, and taking one away."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict
from rasen.base.findings import Finding, has_errors
from rasen.base.messages import N_
from rasen.packages import ops as packages
from rasen.roots.model import Root
from rasen.upkeep import library
from rasen.upkeep.usage import Usage, Use
from rasen.workflows import ops as workflows
from rasen.workflows.model import Definition, Diagnostic, Invalid, Kind, Source

ORDER = (Kind.TASK, Kind.DRIVER, Kind.EXPERT, Kind.INTERNAL)


class WorkflowInUse(Conflict):
    """Something that this machine can see would miss the workflow."""

    code = "workflow_in_use"
    text = N_("{id} is used by: {names}")
    fix = N_("take it out there first, or delete it all the same with --force")

    def __init__(self, *, id: str, uses: list[Use]) -> None:
        self.consumers = [f"{one.kind}:{one.consumer}" for one in uses]
        super().__init__(id=id, names=", ".join(self.consumers))

    @property
    def details(self) -> dict[str, object]:
        """`{consumers}`."""
        return {"consumers": self.consumers}


@dataclass(frozen=True)
class Row:
    """A workflow of the listing. is_unused: the user's, and nobody is known to use it."""

    definition: Definition
    is_unused: bool

    def to_json(self) -> dict[str, object]:
        """The member of `workflows`. Source: library §4, WF-027."""
        one = self.definition
        return {**_head(one), "kind": one.kind.value, **self._rest()}

    def _rest(self) -> dict[str, object]:
        one = self.definition
        return {"skillName": one.folder, "title": one.title, "unused": self.is_unused}


@dataclass(frozen=True)
class Listing:
    """All workflows; those that cannot be used; and what is worth a word about the others."""

    rows: tuple[Row, ...]
    invalid: tuple[Invalid, ...]
    diagnostics: tuple[Finding, ...]

    def to_json(self) -> dict[str, object]:
        """The published document. Source: library §4."""
        return {
            "workflows": [row.to_json() for row in self.rows],
            "invalid": [one.to_json() for one in self.invalid],
            "diagnostics": [
                one.to_json() for one in self.diagnostics if isinstance(one, Diagnostic)
            ],
            "status": [],
        }


@dataclass(frozen=True)
class View:
    """One workflow and who uses it."""

    definition: Definition
    uses: tuple[Use, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The published document of `show`. Source: library §4, WF-027, WF-028."""
        one = self.definition
        workflow = {
            **_head(one),
            "manifestVersion": 1,
            "kind": one.kind.value,
            "title": one.title,
            "category": one.category,
            "tags": list(one.tags) or None,
            "skill": {"name": one.folder, "dirName": one.folder, "description": one.purpose},
            "requires": one.requires.to_json(),
            "recommends": {"workflows": list(one.recommends)},
            "files": [{"path": path, "sha256": sha} for path, sha in one.files],
        }
        return {"workflow": workflow, "usage": [use.to_json() for use in self.uses], "status": []}

    def head(self) -> dict[str, object]:
        """The published document of `which`."""
        return {"workflow": _head(self.definition), "status": []}


@dataclass(frozen=True)
class Check:
    """What is right and wrong with a workflow or package. kind: installed, directory or package.

    digest: what a folder would be installed with; None for the others and while it cannot be told.
    """

    target: str
    kind: str
    found: tuple[Finding, ...]
    id: str | None = None
    package_kind: str | None = None
    digest: str | None = None

    @property
    def is_valid(self) -> bool:
        """True when nothing keeps it from being used."""
        return not has_errors(self.found)

    def to_json(self) -> dict[str, object]:
        """The published document, and the digest of a valid folder. Source: library §4, BI-001."""
        answer: dict[str, object] = {"valid": self.is_valid, "kind": self.kind}
        digest = self.digest if self.is_valid else None
        known = {"id": self.id, "packageKind": self.package_kind, "digest": digest}
        for name, value in known.items():
            if value is not None:
                answer[name] = value
        told = [one.to_json() for one in self.found if isinstance(one, Diagnostic)]
        return {"validation": {**answer, "diagnostics": told}, "status": []}


def listing(ctx: Context, root: Root | None, *, only_unused: bool = False) -> Listing:
    """Every workflow: ours, the experts, then the user's by id. Source: library WC-011, WC-012."""
    catalogue = library.catalogue(ctx, root)
    own = [one for one in catalogue.definitions if one.source is Source.USER]
    usage = Usage(ctx, root, catalogue) if own else None
    unused = {one.id for one in own if usage is not None and not usage.of(one)}
    ours = [one for one in catalogue.definitions if one.source is not Source.USER]
    rows = [Row(one, one.id in unused) for one in (*ours, *workflows.experts(), *own)]
    shown = [row for row in rows if row.is_unused] if only_unused else rows
    return Listing(tuple(shown), catalogue.invalid, catalogue.diagnostics)


def show(ctx: Context, root: Root | None, id: str) -> View:
    """A workflow or an expert, and who uses it. Errors: workflow_not_found, workflow_invalid."""
    catalogue = library.catalogue(ctx, root)
    found = _find(catalogue, id)
    return View(found, tuple(Usage(ctx, root, catalogue).of(found)))


def which(ctx: Context, root: Root | None, id: str) -> View:
    """Where a workflow comes from. Errors: workflow_not_found, workflow_invalid."""
    return View(_find(library.catalogue(ctx, root), id))


def validate(ctx: Context, root: Root | None, target: str) -> Check:
    """What is wrong with the workflow in a folder, a package, or an installed workflow; looks only.

    Errors: workflow_not_found, package_not_found, package_changed. Source: library WC-003, WC-016.
    """
    place = ctx.at(target)
    known = library.known(ctx, root)
    if not target or not os.path.lexists(place):
        return _installed(library.catalogue(ctx, root), target)
    if place.is_symlink() or not place.is_file():
        reading = workflows.read_folder(place)
        found = workflows.judge(library.catalogue(ctx, root), reading, known)
        digest = None if reading.definition is None else reading.definition.digest
        return Check(target, "directory", tuple(found), reading.id or None, digest=digest)
    check = packages.check_package(ctx, str(place), known)
    kind = None if check.package is None else check.package.kind.value
    return Check(target, "package", check.found, package_kind=kind)


def removable(
    ctx: Context, root: Root | None, id: str, *, is_forced: bool = False
) -> tuple[Use, ...]:
    """Who would miss the workflow `id`.

    Errors: builtin_delete_forbidden, workflow_not_found; workflow_in_use unless `is_forced`.
    """
    workflows.check_removable(ctx, id)
    catalogue = library.catalogue(ctx, root)
    found = catalogue.find(id)
    if found is not None and found.source is not Source.USER:
        return ()  # a folder that took an id of ours, so that nobody can use it
    usage = Usage(ctx, root, catalogue)
    uses = usage.of_id(id) if found is None else usage.of(found)
    if uses and not is_forced:
        raise WorkflowInUse(id=id, uses=uses)
    return tuple(uses)


def delete(ctx: Context, root: Root | None, id: str, *, is_forced: bool = False) -> tuple[Use, ...]:
    """Take a workflow out of the library; who misses it now. What agents have of it stays.

    Errors: those of `removable`, workflow_registry_busy, busy, file_not_writable.
    """
    uses = removable(ctx, root, id, is_forced=is_forced)
    workflows.delete(ctx, id)
    return uses


def _find(catalogue: workflows.Catalogue, id: str) -> Definition:
    found = catalogue.find(id)
    if found is None:
        found = next((one for one in workflows.experts() if id in (one.id, one.folder)), None)
    if found is not None:
        return found
    broken = next((one for one in catalogue.invalid if one.id == id), None)
    if broken is None:
        raise workflows.WorkflowNotFound(id=id)
    raise packages.unusable(id, broken.diagnostics)


def _installed(catalogue: workflows.Catalogue, id: str) -> Check:
    broken = next((one for one in catalogue.invalid if one.id == id), None)
    if broken is not None:
        return Check(id, "installed", broken.diagnostics, id)
    place = _find(catalogue, id).place
    told = [
        one
        for one in catalogue.diagnostics
        if isinstance(one, Diagnostic)
        and place is not None
        and Path(one.source).is_relative_to(place)
    ]
    return Check(id, "installed", tuple(told), id)


def _head(one: Definition) -> dict[str, object]:
    is_users = one.source is Source.USER
    return {
        "id": one.id,
        "source": one.source.value,
        "sourcePath": str(one.place) if is_users else None,
        "digest": one.digest if is_users else workflows.built_in_digest(one),
    }
