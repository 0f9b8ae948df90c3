"""From installed workflows, and profiles that name them, to package files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput, Refused, ToolError
from rasen.base.messages import N_, Phrase
from rasen.files import atomic
from rasen.packages import encode, install
from rasen.packages.contents import Known
from rasen.packages.importing import WorkflowInvalid
from rasen.packages.model import Entry, Kind, Package
from rasen.profiles.model import Profile, ProfileExists
from rasen.workflows import ops as workflows
from rasen.workflows.model import Source
from rasen.workflows.registry import WorkflowNotFound


class BuiltInExport(Refused):
    code: ClassVar[str] = "builtin_export_forbidden"
    text: ClassVar[str] = N_("{id} is built in; everybody who has Rasen has it")


class DestinationNotFile(InvalidInput):
    code: ClassVar[str] = "destination_not_file"
    text: ClassVar[str] = N_("{file} is there and is not a regular file")
    fix: ClassVar[str] = N_("name another file")


class DestinationExists(Conflict):
    code: ClassVar[str] = "destination_exists"
    text: ClassVar[str] = N_("{file} exists already")
    fix: ClassVar[str] = N_("name another file, or replace it with --force")


def export_workflow(
    ctx: Context, id: str, destination: Path, known: Known, *, is_replacing: bool
) -> Package:
    """Write the user's workflow `id` and all of the user's that it requires as a package.

    The same workflows give the same bytes, whenever and wherever. Source: library WC-018.
    """
    catalogue = workflows.catalogue(ctx)
    found = catalogue.find(id)
    if found is None:
        broken = next((one for one in catalogue.invalid if one.id == id), None)
        if broken is None and any(id in (one.id, one.folder) for one in workflows.experts()):
            raise BuiltInExport(id=id)
        if broken is None:
            raise WorkflowNotFound(id=id)
        raise install.refusal(WorkflowInvalid, id, broken.diagnostics, file=id)
    if found.source is Source.BUILT_IN:
        raise BuiltInExport(id=id)
    package = encode.workflow_package([id], _entries(catalogue, (id,)))
    _check(destination, DestinationExists(file=str(destination)), is_replacing=is_replacing)
    _write(destination, package, known)
    return package


def export_profile(
    ctx: Context,
    name: str,
    profile: Profile,
    destination: Path,
    known: Known,
    *,
    is_replacing: bool,
) -> Package:
    """Write a profile as a package with all of the user's workflows that it selects.

    Source: library PR-041, PR-043 to PR-045.
    """
    catalogue = workflows.catalogue(ctx)
    ids = catalogue.closed(profile.workflows)
    entries = _entries(catalogue, ids)
    package = encode.profile_package(name, ids, profile.retention.value, entries, known)
    taken = ProfileExists(what=Phrase(N_("the file")), name=str(destination))
    _check(destination, taken, is_replacing=is_replacing)
    _write(destination, package, known)
    return package


def _entries(catalogue: workflows.Catalogue, ids: Iterable[str]) -> list[Entry]:
    closed = set(catalogue.closed(tuple(ids)))
    return [
        encode.entry(Kind.WORKFLOW, one.id, workflows.contents(one))
        for one in catalogue.definitions
        if one.id in closed and one.source is Source.USER
    ]


def _check(destination: Path, taken: ToolError, *, is_replacing: bool) -> None:
    """Pass when a file can be written there. taken: raised when one is there that has to stay."""
    if not os.path.lexists(destination):
        return
    if destination.is_symlink() or not destination.is_file():
        raise DestinationNotFile(file=str(destination))
    if not is_replacing:
        raise taken


def _write(destination: Path, package: Package, known: Known) -> None:
    data = encode.encode(package, known, file=str(destination))
    atomic.replace_file(destination, data)
