"""Which packages this machine lets in, by who signed them."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.base.messages import N_
from rasen.packages import signatures
from rasen.packages.signatures import Seal
from rasen.process.command import ProgramMissing

KEY = "packages.signatures"
REQUIRED = "required"


def admit(ctx: Context, package: Path, data: bytes) -> Seal | None:
    """Let a package in, or refuse it; what its signature says, None where nothing can check one.

    A signature beside a package that is not one of these bytes is always refused. Settings that cannot
    be read count as the strict ones.
    Errors: package_signature_invalid, package_signature_unreadable; where signatures are required also
    package_unsigned, package_signer_unknown, program_missing.
    """
    is_required = _is_required(ctx)
    try:
        seal = signatures.seal_of(ctx, package, data)
    except ProgramMissing as error:
        if is_required:
            raise
        ctx.note(
            N_("the signature of {file} was not checked: {problem}"), file=package, problem=error
        )
        return None
    if is_required:
        signatures.require(seal, package)
    return seal


def _is_required(ctx: Context) -> bool:
    from rasen.config import ops as config

    settings = config.global_config(ctx)
    packages = settings.values.get("packages")
    said = packages.get("signatures") if isinstance(packages, dict) else None
    return settings.is_broken or said == REQUIRED
