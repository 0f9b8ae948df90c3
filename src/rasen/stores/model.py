"""A store as its own metadata, the machine's registry, and a lookup describe it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rasen.base.errors import ToolError

STORE = "store"
PROJECT = "project"

_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_UID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def is_id(text: str) -> bool:
    """Whether `text` may name a store or project. Source: planning §7.1."""
    return _KEBAB.fullmatch(text) is not None


def is_uid(text: str) -> bool:
    """Whether `text` has the form of a permanent identity."""
    return _UID.fullmatch(normal_uid(text)) is not None


def normal_uid(text: str) -> str:
    """`text` in the form identities are compared in."""
    return text.strip().lower()


@dataclass(frozen=True)
class Metadata:
    """What a store says about itself. uid: None in version 1."""

    id: str
    uid: str | None = None
    remote: str | None = None

    @property
    def version(self) -> int:
        return 1 if self.uid is None else 2


@dataclass(frozen=True)
class Registration:
    """One row of the machine's registry.

    namespace: STORE or PROJECT. uid: None in version 1 and for projects.
    """

    id: str
    path: str
    namespace: str = STORE
    uid: str | None = None
    remote: str | None = None
    branch: str | None = None


@dataclass(frozen=True)
class Registry:
    """Everything registered on this machine, in the order of the file."""

    rows: tuple[Registration, ...] = field(default=())

    def of(self, namespace: str) -> Iterator[Registration]:
        """The rows of one namespace."""
        return (row for row in self.rows if row.namespace == namespace)


@dataclass(frozen=True)
class Checkout:
    """A registered root that was found, identified and is healthy. path: canonical.

    is_shared_name: another registered root of the namespace has the same name.
    """

    id: str
    path: Path
    workspace: str
    namespace: str = STORE
    uid: str | None = None
    remote: str | None = None
    is_shared_name: bool = False

    @property
    def workspace_dir(self) -> Path:
        """Its planning folder."""
        return self.path / self.workspace

    @property
    def journal(self) -> Path:
        """Where a write of several files in its planning folder keeps its journal."""
        return self.workspace_dir / ".journal"


@dataclass(frozen=True)
class Unavailable:
    """A pointer that leads nowhere on this machine.

    reason: one of not-registered, metadata-missing, uid-mismatch, root-unhealthy, alias-ambiguous,
    pointer-malformed, registry-unreadable. error: the refusal that a strict caller would get.
    """

    reason: str
    error: ToolError
