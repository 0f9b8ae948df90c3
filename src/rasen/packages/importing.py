"""From a package or a folder to installed workflows, and to a saved profile with them."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, NamedTuple

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, ToolError
from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_, Phrase
from rasen.files import atomic
from rasen.files.batch import Batch
from rasen.files.scratch import scratch_folder
from rasen.packages import disk, install, policy
from rasen.packages.contents import Known
from rasen.packages.decode import decode
from rasen.packages.install import Installed, Offer, WorkflowsRefused
from rasen.packages.model import Entry, Kind, Package, PackageRefused
from rasen.profiles import disk as profiles
from rasen.profiles import profile_file, saving, select
from rasen.profiles.model import Profile, ProfileExists, ProfileFileInvalid
from rasen.workflows import ops as workflows
from rasen.workflows.model import Diagnostic, Source


class ImportSourceMissing(NotFound):
    code: ClassVar[str] = "import_source_not_found"
    text: ClassVar[str] = N_("there is nothing at {file}")


class ImportSourceInvalid(InvalidInput):
    code: ClassVar[str] = "import_source_invalid"
    text: ClassVar[str] = N_("{file} is neither a package nor a folder; links are not followed")
    fix: ClassVar[str] = N_("name the package, or the folder of a workflow")


class WorkflowInvalid(WorkflowsRefused):
    code: ClassVar[str] = "workflow_invalid"
    text: ClassVar[str] = N_("the workflow {id} cannot be used: {problems}")
    fix: ClassVar[str] = N_("`rasen workflow validate {file}` lists everything")


class Check(NamedTuple):
    """What is right and wrong with a package. package: None when it could not be decoded."""

    package: Package | None
    found: tuple[Diagnostic, ...]

    @property
    def is_valid(self) -> bool:
        """True when nothing keeps it from being imported."""
        return not has_errors(self.found)


class ImportedProfile(NamedTuple):
    """A profile that was saved, and the workflows that came with it."""

    name: str
    profile: Profile
    path: Path
    installed: Installed
    notices: tuple[Finding, ...] = ()


def import_workflows(
    ctx: Context, source: Path, known: Known, resolving: workflows.Known | None
) -> Installed:
    """Install what a package is about, or the workflow in a folder. Source: library WC-004, §3.6."""
    try:
        mode = source.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise ImportSourceMissing(file=str(source)) from error
    except OSError as error:
        raise ImportSourceInvalid(file=str(source)) from error
    if stat.S_ISDIR(mode):
        one = from_folder(source)
        return install.install(ctx, [one], roots=(one.definition.id,), known=resolving)
    if not stat.S_ISREG(mode):
        raise ImportSourceInvalid(file=str(source))
    package = admitted(ctx, source, known, Kind.WORKFLOW)
    return install.install(ctx, offers_of(package.workflows), roots=package.roots, known=resolving)


def import_profile(
    ctx: Context, source: Path, known: Known, *, name: str | None, is_replacing: bool
) -> ImportedProfile:
    """Save the profile of a package under its own name, or `name`, with the workflows it holds.

    Everything happens or nothing. is_replacing: a saved profile of that name is replaced; installed
    workflows never are. Source: library PR-030 to PR-035.
    """
    package = admitted(ctx, source, known, Kind.PROFILE)
    chosen = name or package.name or ""
    saving.check_name(chosen)
    offers = offers_of(package.workflows)
    install.check(ctx, offers, None)
    kept, notices = profile_of(ctx, package, offers, file=str(source))
    path = profiles.path_of(ctx, chosen)
    with saving.locked(ctx):
        before = atomic.read_optional(path)
        if before is not None and not is_replacing:
            raise ProfileExists(what=Phrase(N_("the profile")), name=chosen)
        expect = atomic.digest_or_absent(before)
        data = profile_file.render(kept).encode()

        def save(batch: Batch) -> None:
            batch.write(path, data, expect=expect, mode=0o600)

        installed = install.install(ctx, offers, roots=package.roots, also=save)
    return ImportedProfile(chosen, kept, path, installed, notices)


def check_package(
    ctx: Context,
    file: Path,
    known: Known,
    resolving: workflows.Known | None,
    expected: Kind | None = None,
) -> Check:
    """What an import of the package would find; nothing is installed. Source: library WC-016.

    expected: the only kind that will do.

    Errors: package_not_found, package_not_file, package_changed: then there is nothing to judge.
    """
    data = disk.read(file)
    try:
        package = decode(data, known, file=str(file), expected=expected)
    except PackageRefused as refusal:
        found = Diagnostic(refusal.rule, "", refusal.params, source=str(file))
        return Check(None, (found,))
    try:
        offers = offers_of(package.workflows)
        with scratch_folder() as folder:
            install.rehearse(ctx, folder, offers, resolving)
        if package.kind is Kind.PROFILE:
            profile_of(ctx, package, offers, file=str(file))
    except WorkflowsRefused as refusal:
        return Check(package, refusal.diagnostics)
    except ToolError as refusal:
        return Check(package, (_told(refusal, file),))
    return Check(package, ())


def admitted(ctx: Context, file: Path, known: Known, kind: Kind) -> Package:
    """The package in `file`, if it is sound and the policy of this machine takes it."""
    data = disk.read(file)
    package = decode(data, known, file=str(file), expected=kind)
    policy.admit(ctx, file, data)
    return package


def offers_of(entries: Iterable[Entry]) -> list[Offer]:
    """The workflows of a package. Errors: packaged_workflow_invalid."""
    return [install.offer(one.id, one.contents()) for one in entries]


def from_folder(folder: Path) -> Offer:
    reading = workflows.read_folder(folder)
    if reading.definition is None:
        refusal = install.refusal(WorkflowInvalid, reading.id, reading.found, file=str(folder))
        raise refusal
    return install.offer(reading.definition.id, workflows.contents(reading.definition))


def profile_of(
    ctx: Context, package: Package, offers: list[Offer], *, file: str
) -> tuple[Profile, tuple[Finding, ...]]:
    """The profile of a package, normalised against what will be installed."""
    assert package.profile is not None
    found = profile_file.from_value(package.profile.to_json(), file=file)
    catalogue = install.with_offers(ctx, offers)
    experts = tuple(one.id for one in workflows.experts())
    kept, notices = saving.checked(
        found, select.Catalogue(catalogue.definitions, experts), place=file
    )
    held = {one.definition.id for one in offers}
    own = {one.id for one in catalogue.definitions if one.source is Source.USER}
    lacking = [one for one in kept.workflows if one in own and one not in held]
    if lacking:
        problem = N_("it is not self-contained: {ids}").format(ids=", ".join(lacking))
        raise ProfileFileInvalid(file=file, problem=problem)
    return kept, notices


def _told(problem: ToolError, file: Path) -> Diagnostic:
    rule = Rule(problem.code, Level.ERROR, N_("{problem}"))
    return Diagnostic(rule, "", {"problem": str(problem)}, source=str(file))
