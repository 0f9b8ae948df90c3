"""Installing workflows as one transaction: laid out in private, checked again, then put in place.

Killed at any moment, all of them are installed or none; the next command settles which.
Source: library §3.6.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, Damaged, InvalidInput, Refused, ToolError
from rasen.base.findings import Level
from rasen.base.messages import N_, Sentences
from rasen.files.batch import Batch
from rasen.files.errors import RecoveryNeeded, TargetExists
from rasen.files.removal import remove_tree
from rasen.files.scratch import lay_aside
from rasen.syntax.portable_path import collision_key, order
from rasen.workflows import ops as workflows
from rasen.workflows import registry
from rasen.workflows.model import Definition, Diagnostic, Source


class WorkflowsRefused(InvalidInput):
    """Workflows that cannot be installed; `diagnostics` says everything that is wrong with them."""

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def details(self) -> Mapping[str, object]:
        """`{codes, diagnostics}`: what is wrong with the workflows."""
        found = [one for one in self.diagnostics if one.level is Level.ERROR]
        return {
            "codes": [one.code for one in found],
            "diagnostics": [one.to_json() for one in found],
        }


class PackagedWorkflowInvalid(WorkflowsRefused):
    code: ClassVar[str] = "packaged_workflow_invalid"
    text: ClassVar[str] = N_("the workflow {id} cannot be used: {problems}")


class StagedWorkflowInvalid(WorkflowsRefused):
    code: ClassVar[str] = "staged_workflow_invalid"
    text: ClassVar[str] = N_(
        "the workflow {id} is not what it was after it was written: {problems}"
    )
    fix: ClassVar[str] = N_("see what else writes in {folder}")


class StagedDigestMismatch(InvalidInput):
    code: ClassVar[str] = "staged_digest_mismatch"
    text: ClassVar[str] = N_("the files of {id} are not what they were after they were written")
    fix: ClassVar[str] = N_("see what else writes in {folder}")


class BuiltInCollision(Refused):
    code: ClassVar[str] = "builtin_collision"
    text: ClassVar[str] = N_("{id} is built in and cannot be replaced")
    fix: ClassVar[str] = N_("give the workflow another id")


class WorkflowDigestConflict(Conflict):
    code: ClassVar[str] = "workflow_digest_conflict"
    text: ClassVar[str] = N_("another {id} is installed: {installed}; this one is {offered}")
    fix: ClassVar[str] = N_("delete the installed one first: rasen workflow delete {id}")


class ExpertSkillCollision(Refused):
    code: ClassVar[str] = "expert_skill_collision"
    text: ClassVar[str] = N_("the skill name {skill} of {id} belongs to an expert")
    fix: ClassVar[str] = N_("give the skill another name")


class SkillNameCollision(Refused):
    code: ClassVar[str] = "skill_name_collision"
    text: ClassVar[str] = N_("the skill name {skill} of {id} belongs to {owner}")
    fix: ClassVar[str] = N_("give the skill another name")


class WorkflowIdTwice(InvalidInput):
    code: ClassVar[str] = "workflow_id_duplicate"
    text: ClassVar[str] = N_("{id} is to be installed twice")


class DependenciesMissing(WorkflowsRefused):
    """What a workflow requires is not there; the code is that of the first diagnostic."""

    text: ClassVar[str] = N_("{problems}")

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(problems=Sentences(diagnostics))
        self.diagnostics = tuple(diagnostics)
        self.code = diagnostics[0].code  # type: ignore[misc]  # the rules' own, as for the catalogue


class RollbackIncomplete(Damaged):
    code: ClassVar[str] = "workflow_install_rollback_failed"
    text: ClassVar[str] = N_("the installation was undone but for: {files}")
    fix: ClassVar[str] = N_("look at these places, and remove what you do not need")


class Installed(NamedTuple):
    """What became of the workflows, by id. Source: library PK-084."""

    imported: tuple[str, ...]
    reused: tuple[str, ...]
    roots: tuple[str, ...]

    def to_json(self) -> dict[str, list[str]]:
        """`{imported, reused, roots}`."""
        return {name: list(ids) for name, ids in self._asdict().items()}


class Offer(NamedTuple):
    """A workflow that is to be installed, sound in itself."""

    definition: Definition
    files: Mapping[str, bytes]


def refusal(
    kind: type[WorkflowsRefused], id: str, found: Sequence[Diagnostic], **params: object
) -> WorkflowsRefused:
    """A refusal that carries what was found about the workflow `id`."""
    errors = [one for one in found if one.level is Level.ERROR]
    told: dict[str, object] = {
        "id": id,
        "problems": Sentences(errors),
        "codes": [one.code for one in errors],
        **params,
    }
    made = kind(target="", fix=None, **told)
    made.diagnostics = tuple(found)
    return made


def offer(id: str, files: Mapping[str, bytes]) -> Offer:
    """The workflow that consists of `files`. Errors: packaged_workflow_invalid."""
    reading = workflows.definition_from(files, folder_name=id)
    if reading.definition is None:
        raise refusal(PackagedWorkflowInvalid, id, reading.found)
    return Offer(reading.definition, files)


def check(
    ctx: Context, offers: Sequence[Offer], known: workflows.Known | None
) -> tuple[list[Offer], list[str]]:
    """Those of `offers` that are new here, and the ids of those that are here already.

    Errors: workflow_id_duplicate, builtin_collision, workflow_digest_conflict,
    expert_skill_collision, skill_name_collision, and the codes of what they require.
    Source: library PK-082, PK-083, WF-010 to WF-013.
    """
    catalogue = workflows.catalogue(ctx, known)
    ids = [one.definition.id for one in offers]
    twice = next((one for one in ids if ids.count(one) > 1), None)
    if twice is not None:
        raise WorkflowIdTwice(id=twice)
    new = [one for one in offers if not _is_installed(ctx, one.definition, catalogue)]
    added = [one.definition.id for one in new]
    _check_names([one.definition for one in new], catalogue)
    wrong = [
        one
        for bad in after(catalogue, offers, known).invalid
        if bad.id in added
        for one in bad.diagnostics
    ]
    if wrong:
        raise DependenciesMissing(wrong)
    return new, [one for one in ids if one not in added]


def with_offers(
    ctx: Context, offers: Sequence[Offer], known: workflows.Known | None = None
) -> workflows.Catalogue:
    """The catalogue as it will be when `offers` are installed."""
    return after(workflows.catalogue(ctx, known), offers, known)


def install(
    ctx: Context,
    offers: Sequence[Offer],
    *,
    roots: Sequence[str],
    known: workflows.Known | None = None,
    also: Callable[[Batch], None] | None = None,
) -> Installed:
    """Put `offers` into the user's workflows, all or none; with them what `also` adds to the write.

    Those that are here already are not touched.
    Errors: those of `check`; workflow_registry_busy, staged_workflow_invalid,
    staged_digest_mismatch, workflow_install_rollback_failed, those of writing files.
    """
    new, reused = check(ctx, offers, known)
    if not new and also is None:
        return Installed((), _by_id(reused), tuple(roots))
    with registry.locked(ctx):
        new, reused = check(ctx, offers, known)
        staging = registry.staging(ctx)
        try:
            if new:
                stage(new, staging)
            _put(ctx, [one.definition.id for one in new], staging, also)
        finally:
            with suppress(ToolError):  # what stays is swept by the next one
                remove_tree(staging)
    imported = _by_id(one.definition.id for one in new)
    return Installed(imported, _by_id(reused), tuple(roots))


def rehearse(
    ctx: Context, folder: Path, offers: Sequence[Offer], known: workflows.Known | None
) -> None:
    """All that `install` checks, with the files laid out below `folder` and thrown away.

    Errors: those of `install`, but for places that are taken. Source: library WC-016.
    """
    new, _ = check(ctx, offers, known)
    if new:
        stage(new, folder / "staging")


def _is_installed(ctx: Context, one: Definition, catalogue: workflows.Catalogue) -> bool:
    """True for a workflow that is here with the same digest."""
    there = catalogue.find(one.id)
    if there is not None and there.source is Source.BUILT_IN:
        raise BuiltInCollision(id=one.id)
    place = workflows.home(ctx) / one.id
    if there is None and not os.path.lexists(place):
        return False
    installed = there.digest if there is not None else digest_at(place)
    if installed == one.digest:
        return True
    shown = installed or N_("something that cannot be used")
    raise WorkflowDigestConflict(id=one.id, installed=shown, offered=one.digest)


def digest_at(place: Path) -> str | None:
    """The digest of a workflow that the catalogue does not take, as when it lacks a dependency.

    None when it has none.
    """
    found = workflows.read_folder(place).definition
    return None if found is None else found.digest


def _check_names(new: Sequence[Definition], catalogue: workflows.Catalogue) -> None:
    experts = {collision_key(one.folder) for one in workflows.experts()}
    taken = {collision_key(one.folder): one.id for one in catalogue.definitions}
    taken.update((collision_key(one.folder), one.id) for one in workflows.always())
    for one in new:
        key = collision_key(one.folder)
        if key in experts:
            raise ExpertSkillCollision(id=one.id, skill=one.folder)
        if key in taken:
            raise SkillNameCollision(id=one.id, skill=one.folder, owner=taken[key])
        taken[key] = one.id


def after(
    catalogue: workflows.Catalogue, offers: Sequence[Offer], known: workflows.Known | None
) -> workflows.Catalogue:
    """`catalogue` once `offers` are in it, in place of what had their ids."""
    ids = {one.definition.id for one in offers}
    there = [
        one for one in catalogue.definitions if one.source is Source.USER and one.id not in ids
    ]
    all_of_them = [*there, *(one.definition for one in offers)]
    readings = [workflows.Reading(one.id, one, (), Path(one.id)) for one in all_of_them]
    return workflows.assemble(readings, (), known)


def stage(new: Sequence[Offer], staging: Path) -> None:
    """Lay the files out and read them again, as whoever uses them will. Source: PK-080."""
    lay_aside(staging, {one.definition.id: one.files for one in new})
    for one in new:
        id = one.definition.id
        reading = workflows.read_folder(staging / id)
        if reading.definition is None:
            raise refusal(StagedWorkflowInvalid, id, reading.found, folder=str(staging.parent))
        if reading.definition.digest != one.definition.digest:
            raise StagedDigestMismatch(id=id, folder=str(staging.parent))


def _put(
    ctx: Context, ids: Sequence[str], staging: Path, also: Callable[[Batch], None] | None
) -> None:
    batch = Batch(registry.journal(ctx), purpose="installation of workflows", tell=ctx.tell)
    for id in ids:
        batch.place_tree(workflows.home(ctx) / id, staging / id)
    if also is not None:
        also(batch)
    try:
        batch.commit()
    except TargetExists as error:
        id = Path(str(error.params["file"])).name
        raise WorkflowDigestConflict(id=id, installed=N_("something new"), offered="") from error
    except RecoveryNeeded as error:
        if not error.params.get("paths"):
            raise
        paths = error.params["paths"]
        raise RollbackIncomplete(paths=paths, files=error.params.get("files", "")) from error


def _by_id(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=order))
