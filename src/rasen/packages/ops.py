"""What can be asked about packages, and done with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rasen import __version__
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.packages import disk, exporting, importing, install, locking, signatures, upgrading
from rasen.packages import inspect as looking
from rasen.packages.contents import Known
from rasen.packages.decode import decode
from rasen.packages.importing import Check, ImportedProfile, WorkflowInvalid
from rasen.packages.inspect import Inspection
from rasen.packages.install import Installed
from rasen.packages.locking import Locked, Standing
from rasen.packages.model import Kind, Package
from rasen.packages.signatures import Seal
from rasen.packages.upgrading import Change, Difference, Upgraded
from rasen.profiles.model import Profile
from rasen.roots.model import Root
from rasen.workflows import ops as workflows
from rasen.workflows.model import Diagnostic

__all__ = [
    "Change",
    "Check",
    "Difference",
    "ImportedProfile",
    "Inspection",
    "Installed",
    "Upgraded",
    "Verification",
    "check_package",
    "difference",
    "export_profile",
    "export_workflow",
    "import_profile",
    "import_workflows",
    "inspect",
    "known",
    "load",
    "sign",
    "unusable",
    "upgrade",
    "upgrade_back",
    "verify",
]


class Verification(NamedTuple):
    """A sound package, and what its signature says."""

    file: str
    package: Package
    seal: Seal

    def to_json(self) -> dict[str, object]:
        """`{file, kind, digest, state, signature, signer, key}`."""
        one = self.package
        return {
            "file": self.file,
            "kind": one.kind.value,
            "digest": one.digest,
            **self.seal.to_json(),
        }


def known() -> Known:
    """What this program brings along: its workflows, what is retired, its version."""
    idle = {*workflows.RETIRED, *(one.id for one in workflows.experts())}
    return Known(tuple(one.id for one in workflows.built_in()), frozenset(idle), __version__)


def load(path: Path, *, expected: Kind | None = None) -> tuple[Package, bytes]:
    """The package in a file, and the file's bytes.

    Errors: package_not_found, package_not_file, package_changed, and all codes of decoding.
    """
    data = disk.read(path)
    return decode(data, known(), file=str(path), expected=expected), data


def import_workflows(
    ctx: Context, source: str, known_here: workflows.Known | None = None
) -> Installed:
    """Install the workflows of a package, or the one in a folder; no script is run.

    known_here: which pipelines and schemas there are; None does not ask.
    Errors: import_source_not_found, import_source_invalid, workflow_invalid; those of `load`;
    package_unsigned and the like; packaged_workflow_invalid, builtin_collision,
    workflow_digest_conflict, expert_skill_collision, skill_name_collision, the codes of what is
    required; workflow_registry_busy, staged_workflow_invalid, workflow_install_rollback_failed.
    Source: library WC-004, WC-017, §3.6.
    """
    return importing.import_workflows(ctx, _place(ctx, source), known(), known_here)


def difference(ctx: Context, id: str, source: str) -> Difference:
    """How the workflow `id` in a package or folder differs from the one that is installed.

    Errors: workflow_not_found, builtin_collision, workflow_not_in_package, those of
    `import_workflows` about the source.
    """
    return upgrading.difference(ctx, id, _place(ctx, source), known())


def upgrade(
    ctx: Context, source: str, known_here: workflows.Known | None = None, *, is_dry: bool = False
) -> Upgraded:
    """Put the workflows of a package or folder in the place of those installed, all or none.

    The former versions are kept. is_dry: only check and say.
    Errors: workflow_upgrade_nothing_installed, and those of `import_workflows`, but for
    workflow_digest_conflict.
    """
    return upgrading.upgrade(ctx, _place(ctx, source), known(), known_here, is_dry=is_dry)


def upgrade_back(ctx: Context, id: str, known_here: workflows.Known | None = None) -> Change:
    """Bring back the version of `id` that was replaced last; the present one is kept in turn.

    Errors: workflow_no_former_version, workflow_invalid, the codes of what is required;
    workflow_registry_busy.
    """
    return upgrading.back(ctx, id, known_here)


def unusable(id: str, found: Sequence[Diagnostic]) -> ToolError:
    """The refusal, workflow_invalid, of an installed workflow in which all this was found."""
    return install.refusal(WorkflowInvalid, id, found, file=id)


def export_workflow(
    ctx: Context, id: str, destination: str, *, is_replacing: bool = False
) -> Package:
    """Write a user's workflow, with all of the user's that it requires, as a package.

    Errors: workflow_not_found, workflow_invalid, builtin_export_forbidden, destination_not_file,
    destination_exists without `is_replacing`, workflow_changed. Source: library WC-005, WC-018.
    """
    place = ctx.at(destination)
    return exporting.export_workflow(ctx, id, place, known(), is_replacing=is_replacing)


def check_package(
    ctx: Context,
    file: str,
    known_here: workflows.Known | None = None,
    *,
    expected: Kind | None = None,
) -> Check:
    """What is right and wrong with a package, with all that an import would look at.

    expected: the only kind that will do; None takes each.
    Errors: package_not_found, package_not_file, package_changed. Source: library WC-016.
    """
    return importing.check_package(ctx, ctx.at(file), known(), known_here, expected)


def import_profile(
    ctx: Context, source: str, *, name: str | None = None, is_replacing: bool = False
) -> ImportedProfile:
    """Save the profile of a package, with its workflows, all or nothing.

    name: under which it is saved; None takes the package's own.
    Errors: those of `load` and of `import_workflows`; invalid_name, reserved_name, invalid_file,
    already_exists without `is_replacing`, profile_registry_busy.
    Source: library PR-030 to PR-035.
    """
    place = ctx.at(source)
    return importing.import_profile(ctx, place, known(), name=name, is_replacing=is_replacing)


def export_profile(
    ctx: Context, name: str, profile: Profile, destination: str, *, is_replacing: bool = False
) -> Package:
    """Write a profile as a package that holds every user's workflow it selects.

    name: what the package calls it. Errors: destination_not_file, already_exists without
    `is_replacing`, workflow_changed. Source: library PR-041, PR-043, PR-045.
    """
    place = ctx.at(destination)
    return exporting.export_profile(ctx, name, profile, place, known(), is_replacing=is_replacing)


def inspect(ctx: Context, file: str) -> Inspection:
    """What is in a package file. Nothing is installed, and nothing in it is run.

    Errors: those of `load`, and of a signature beside it that is none of these bytes.
    """
    path = ctx.at(file)
    package, data = load(path)
    seal = signatures.seal_of(ctx, path, data)
    return looking.inspect(str(path), len(data), package, seal)


def sign(ctx: Context, file: str, *, key: str) -> tuple[Package, Path]:
    """Sign a sound package with an SSH key; the package, and where the signature lies.

    Errors: those of `load`; package_signing_key_missing, package_signing_refused, program_missing.
    """
    path = ctx.at(file)
    package, data = load(path)
    place = ctx.home / key[2:] if key.startswith("~/") else ctx.at(key)
    return package, signatures.sign(ctx, path, data, key=place)


def verify(
    ctx: Context, file: str, *, signature: str | None = None, trust: str | None = None
) -> Verification:
    """What the signature of a package says, whoever made it.

    signature: where it lies; None means beside the package. trust: the name under which the key is
    trusted from now on, unless it is already.
    Errors: those of `load`; package_signature_invalid, package_signature_unreadable,
    package_unsigned; with `trust` package_signer_name_invalid, package_signer_changed.
    """
    path = ctx.at(file)
    package, data = load(path)
    place = None if signature is None else ctx.at(signature)
    seal = signatures.seal_of(ctx, path, data, signature=place)
    if seal.key is None:
        signatures.require(seal, path)
    elif trust is not None:
        signatures.trust(ctx, trust, seal.key)
        seal = signatures.seal_of(ctx, path, data, signature=place)
    return Verification(str(path), package, seal)


def lock(ctx: Context, root: Root, sources: Sequence[str], removed: Sequence[str] = ()) -> Locked:
    """Lock what `sources` hold, or take `removed` out; without either, renew what is locked.

    Errors: library_lock_invalid, library_lock_source_outside, library_lock_source_empty,
    library_lock_source_unreadable, library_lock_entry_unknown; those of reading packages and folders.
    """
    if removed:
        return locking.forget(root, removed)
    return locking.lock(ctx, root, sources, known())


def lock_install(ctx: Context, root: Root, known_here: workflows.Known | None = None) -> Installed:
    """Install exactly what is locked, or nothing.

    Errors: library_lock_missing, library_lock_invalid, library_lock_not_exact; those of
    `import_workflows`.
    """
    return locking.install_locked(ctx, root, known(), known_here)


def outdated(ctx: Context, root: Root) -> list[Standing]:
    """How each locked entry stands: lock, source and what is installed compared.

    Errors: library_lock_missing, library_lock_invalid.
    """
    return locking.outdated(ctx, root, known())


def _place(ctx: Context, source: str) -> Path:
    """Where `source` is; an empty one, as a variable that is not set gives it, is nowhere."""
    if not source:
        raise importing.ImportSourceMissing(file="''")
    return ctx.at(source)
