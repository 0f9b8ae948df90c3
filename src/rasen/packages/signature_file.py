"""Owns two small formats of OpenSSH as far as we need them: a detached signature, a list of signers.

What a signature is worth is for `ssh-keygen` to say; here only its key is read.
Source: OpenSSH PROTOCOL.sshsig; ssh-keygen(1), "ALLOWED SIGNERS".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import ClassVar, Final, NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_

NAMESPACE: Final = "rasen-package"
"""What our signatures are for; one made for anything else does not count."""
ENDING: Final = ".sig"
LIMIT_BYTES: Final = 64 * 1024

_ARMOUR = re.compile(
    r"\s*-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*"
)
_MAGIC = b"SSHSIG"
_KEY_TYPE = re.compile(r"[A-Za-z0-9@.-]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._+-]{0,127}")


class SignatureUnreadable(InvalidInput):
    """The file is no SSH signature."""

    code: ClassVar[str] = "package_signature_unreadable"
    text: ClassVar[str] = N_("{file} is no SSH signature")
    fix: ClassVar[str] = N_("get the signature again from where the package comes from")


class Key(NamedTuple):
    """A public key: its type, and its bytes in base64."""

    type: str
    base64: str

    @property
    def fingerprint(self) -> str:
        """`SHA256:…` as ssh-keygen shows it."""
        digest = hashlib.sha256(base64.b64decode(self.base64)).digest()
        return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


class Signer(NamedTuple):
    """Someone whose key was trusted."""

    name: str
    key: Key


def key_of(text: str, *, file: str) -> Key:
    """The public key that an armoured signature names. Errors: package_signature_unreadable."""
    found = _ARMOUR.fullmatch(text)
    try:
        blob = base64.b64decode("".join(found[1].split()), validate=True) if found else b""
        if not blob.startswith(_MAGIC):
            raise SignatureUnreadable(file=file)
        key, _ = _string(blob, len(_MAGIC) + 4)
        kind, _ = _string(key, 0)
        type = kind.decode("ascii")
    except (binascii.Error, ValueError) as error:
        raise SignatureUnreadable(file=file) from error
    if not _KEY_TYPE.fullmatch(type):
        raise SignatureUnreadable(file=file)
    return Key(type, base64.b64encode(key).decode())


def is_name(text: str) -> bool:
    """True for text that a signer may be called by."""
    return _NAME.fullmatch(text) is not None


def signers(text: str) -> list[Signer]:
    """The plain entries of a list of signers; others (authorities, patterns) are ssh-keygen's."""
    found = []
    for line in text.splitlines():
        words = line.split()
        at = next((at for at, word in enumerate(words) if _is_type(word)), 0)
        if at and not line.lstrip().startswith("#") and at + 1 < len(words):
            found.append(Signer(words[0], Key(words[at], words[at + 1])))
    return found


def entry(signer: Signer) -> str:
    """The line of a list that trusts a signer with packages and nothing else."""
    return f'{signer.name} namespaces="{NAMESPACE}" {signer.key.type} {signer.key.base64}\n'


def _is_type(word: str) -> bool:
    return word.startswith(("ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-"))


def _string(data: bytes, start: int) -> tuple[bytes, int]:
    """A string of the SSH wire format, and where it ends. Raises ValueError."""
    size = int.from_bytes(data[start : start + 4], "big")
    end = start + 4 + size
    if start + 4 > len(data) or end > len(data):
        raise ValueError("it is cut off")
    return data[start + 4 : end], end
