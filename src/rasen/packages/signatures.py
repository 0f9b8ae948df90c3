"""Detached signatures of packages, made and checked with SSH keys, and whom we trust with them.

A signature says that the holder of a key signed exactly these bytes. It says nothing about what they
do. A key is trusted when somebody on this machine has said so, by name, the first time it was seen.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import ClassVar, NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, External, InvalidInput, NotFound, Refused
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.scratch import scratch_folder
from rasen.packages import signature_file
from rasen.packages.signature_file import ENDING, LIMIT_BYTES, NAMESPACE, Key, Signer
from rasen.process.command import Completed, run

SIGNERS = "package-signers"
_LIST_LIMIT_BYTES = 1024 * 1024
_ERROR_CHARS = 300


class PackageUnsigned(Refused):
    code: ClassVar[str] = "package_unsigned"
    text: ClassVar[str] = N_("{file} has no signature; {signature} is not there")
    fix: ClassVar[str] = N_("ask for the signature, or sign it with `rasen package sign`")


class SignerUnknown(Refused):
    code: ClassVar[str] = "package_signer_unknown"
    text: ClassVar[str] = N_(
        "{file} is signed with the key {fingerprint}, which nobody here trusts"
    )
    fix: ClassVar[str] = N_(
        "ask the signer for the fingerprint; if it is that one, run"
        " `rasen package verify {file} --trust <name>`"
    )


class SignatureWrong(Refused):
    code: ClassVar[str] = "package_signature_invalid"
    text: ClassVar[str] = N_("{signature} is not a signature of {file}: {reason}")
    fix: ClassVar[str] = N_("get both files again from where they come from")


class SignerChanged(Conflict):
    code: ClassVar[str] = "package_signer_changed"
    text: ClassVar[str] = N_(
        "'{name}' is trusted with another key, {known}; this one is {fingerprint}"
    )
    fix: ClassVar[str] = N_("ask {name} why the key has changed; to accept it, edit {list}")


class SignerNameInvalid(InvalidInput):
    code: ClassVar[str] = "package_signer_name_invalid"
    text: ClassVar[str] = N_("'{name}' cannot be the name of a signer")
    fix: ClassVar[str] = N_("use letters, digits and @ . _ + -, such as an address")


class SigningKeyMissing(NotFound):
    code: ClassVar[str] = "package_signing_key_missing"
    text: ClassVar[str] = N_("there is no key {key}")
    fix: ClassVar[str] = N_("name the file of an SSH key with --key")


class SigningRefused(External):
    code: ClassVar[str] = "package_signing_refused"
    text: ClassVar[str] = N_("ssh-keygen made no signature with {key}: {reason}")
    fix: ClassVar[str] = N_("a key with a passphrase has to be in your SSH agent")


class State(StrEnum):
    """What the signature beside a package says."""

    UNSIGNED = "unsigned"
    KNOWN = "known"
    UNKNOWN = "unknown"


class Seal(NamedTuple):
    """A sound signature, or none. signature: its file. signer: whom we know the key of."""

    state: State
    signature: Path
    key: Key | None = None
    signer: str | None = None

    def to_json(self) -> dict[str, object]:
        """`{state, signature, signer, key}`."""
        key = (
            None
            if self.key is None
            else {"type": self.key.type, "fingerprint": self.key.fingerprint}
        )
        signature = None if self.state is State.UNSIGNED else str(self.signature)
        return {
            "state": self.state.value,
            "signature": signature,
            "signer": self.signer,
            "key": key,
        }


def signers_path(ctx: Context) -> Path:
    """The list of those whom this machine trusts, in the form of ssh-keygen; it may not exist."""
    return ctx.config_dir / SIGNERS


def signature_of(package: Path) -> Path:
    """Where the signature of a package lies."""
    return package.with_name(package.name + ENDING)


def sign(ctx: Context, package: Path, data: bytes, *, key: Path) -> Path:
    """Put a signature of `data`, the bytes of `package`, beside it; an older one is replaced.

    key: a private key, or the public half of one that the SSH agent holds.
    Errors: package_signing_key_missing, package_signing_refused, program_missing, those of writing.
    """
    if not os.path.isfile(key):  # noqa: PTH113 - False for names that can be none
        raise SigningKeyMissing(key=str(key))
    argv = ["ssh-keygen", "-Y", "sign", "-f", str(key), "-n", NAMESPACE]
    done = run(argv, cwd=ctx.cwd, limit_bytes=LIMIT_BYTES, stdin=data)
    if done.status != 0 or not done.stdout:
        raise SigningRefused(key=str(key), reason=_reason(done))
    place = signature_of(package)
    atomic.replace_file(place, done.stdout)
    return place


def seal_of(ctx: Context, package: Path, data: bytes, *, signature: Path | None = None) -> Seal:
    """What the signature of `data`, the bytes of `package`, says; none is no error.

    signature: where it lies; None means beside the package.
    Errors: package_signature_invalid, package_signature_unreadable, program_missing.
    """
    place = signature or signature_of(package)
    given = atomic.read_optional(place, limit_bytes=LIMIT_BYTES)
    if given is None:
        return Seal(State.UNSIGNED, place)
    key = signature_file.key_of(given.decode("ascii", "replace"), file=str(place))
    with scratch_folder() as folder:
        copy = folder / "signature"
        atomic.replace_file(copy, given)
        signer = _known_signer(ctx, copy, data)
        if signer is None:
            done = _ask(ctx, "check-novalidate", copy, data)
            if done.status != 0:
                raise SignatureWrong(file=str(package), signature=str(place), reason=_reason(done))
            return Seal(State.UNKNOWN, place, key)
    return Seal(State.KNOWN, place, key, signer)


def require(seal: Seal, package: Path) -> str:
    """The name of the known signer of a package. Errors: package_unsigned, package_signer_unknown."""
    if seal.key is None:
        raise PackageUnsigned(file=str(package), signature=str(seal.signature))
    if seal.signer is None:
        raise SignerUnknown(file=str(package), fingerprint=seal.key.fingerprint)
    return seal.signer


def trust(ctx: Context, name: str, key: Key) -> None:
    """Trust the holder of `key` with packages from now on, under `name`.

    Errors: package_signer_name_invalid; package_signer_changed when that name has another key.
    """
    if not signature_file.is_name(name):
        raise SignerNameInvalid(name=name)
    path = signers_path(ctx)
    there = atomic.read_optional(path, limit_bytes=_LIST_LIMIT_BYTES)
    before = there or b""
    text = before.decode("utf-8", "replace")
    for one in signature_file.signers(text):
        if name in one.name.split(","):
            if one.key.base64 == key.base64:
                return
            raise SignerChanged(
                name=name,
                known=one.key.fingerprint,
                fingerprint=key.fingerprint,
                list=str(path),
            )
    line = signature_file.entry(Signer(name, key)).encode()
    seam = b"" if not before or before.endswith(b"\n") else b"\n"
    atomic.replace_file(
        path, before + seam + line, expect=atomic.digest_or_absent(there), mode=0o600
    )


def _known_signer(ctx: Context, signature: Path, data: bytes) -> str | None:
    """Whom of our list the signature is of, when it is sound."""
    path = signers_path(ctx)
    if not path.is_file():
        return None
    found = run(
        ["ssh-keygen", "-Y", "find-principals", "-s", str(signature), "-f", str(path)],
        cwd=ctx.cwd,
        limit_bytes=LIMIT_BYTES,
    )
    names = found.stdout.decode("utf-8", "replace").split()
    if found.status != 0:
        return None
    for name in names:
        if _ask(ctx, "verify", signature, data, "-f", str(path), "-I", name).status == 0:
            return name
    return None


def _ask(ctx: Context, question: str, signature: Path, data: bytes, *more: str) -> Completed:
    argv = ["ssh-keygen", "-Y", question, *more, "-n", NAMESPACE, "-s", str(signature)]
    return run(argv, cwd=ctx.cwd, limit_bytes=LIMIT_BYTES, stdin=data)


def _reason(done: Completed) -> str:
    """The last thing that ssh-keygen said."""
    said = (done.stderr_tail + done.stdout.decode("utf-8", "replace")).strip().splitlines()
    return said[-1][:_ERROR_CHARS] if said else f"status {done.status}"
