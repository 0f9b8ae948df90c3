"""What a workflow is, wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from rasen.base.findings import Finding, Level
from rasen.hosts.model import Skill

MANIFEST = "workflow.yaml"


class Kind(StrEnum):
    """How a workflow is used; presentation only, never part of a digest."""

    TASK = "task"
    DRIVER = "driver"
    INTERNAL = "internal"
    EXPERT = "expert"


class Source(StrEnum):
    BUILT_IN = "built-in"
    USER = "user"


@dataclass(frozen=True)
class Requires:
    """What a workflow cannot do without, by id or name."""

    workflows: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    pipelines: tuple[str, ...] = ()
    schemas: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        """`{workflows, skills, pipelines, schemas}`."""
        return {
            "workflows": list(self.workflows),
            "skills": list(self.skills),
            "pipelines": list(self.pipelines),
            "schemas": list(self.schemas),
        }


@dataclass(frozen=True)
class Definition:
    """One entry of the catalogue. Source: library §2.2, §25.

    folder: the name of the generated folder, which is the skill's name too. load: reads its skill;
    called only when its text is needed. digest: `sha256:…` of a user workflow; built-ins compute theirs
    when asked (None here). is_available: generated now; the others are listed only.
    is_selectable: a profile may name it. place: the folder of a user workflow.
    files: of a user workflow, each path with its digest, sorted.
    """

    id: str
    folder: str
    kind: Kind
    purpose: str
    load: Callable[[], Skill]
    requires: Requires = Requires()
    recommends: tuple[str, ...] = ()
    source: Source = Source.BUILT_IN
    is_core: bool = False
    is_available: bool = True
    is_selectable: bool = True
    title: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    digest: str | None = None
    place: Path | None = None
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Diagnostic(Finding):
    """Something found about a workflow. Source: library WF-071, WF-072.

    path: the field of the manifest, or the file or folder of the tree; empty for the whole.
    params: what a program may need, in values that JSON knows. source: the file or folder that is
    meant, below the workflow's own, until `at` says where that is; then absolute.
    """

    source: str = ""

    def at(self, place: Path) -> Diagnostic:
        """The same, of the workflow in the folder `place`."""
        return replace(self, source=str(place / self.source if self.source else place))

    def to_json(self) -> dict[str, object]:
        """`{code, severity, message, path?, sourcePath?, line?, column?, details?}`."""
        severity = "error" if self.level is Level.ERROR else "warning"
        answer: dict[str, object] = {
            "code": self.code,
            "severity": severity,
            "message": self.message,
        }
        more = (
            ("path", self.path or None),
            ("sourcePath", self.source if Path(self.source).is_absolute() else None),
            ("line", self.line),
            ("column", self.column),
            ("details", dict(self.params) or None),
        )
        return {**answer, **{name: value for name, value in more if value is not None}}


@dataclass(frozen=True)
class Invalid:
    """A workflow of the user's that cannot be used, and why. Source: library WF-082."""

    id: str
    place: Path
    diagnostics: tuple[Diagnostic, ...]

    def to_json(self) -> dict[str, object]:
        """The member of `invalid`. Source: library §4."""
        return {
            "id": self.id,
            "source": Source.USER.value,
            "sourcePath": str(self.place),
            "valid": False,
            "diagnostics": [one.to_json() for one in self.diagnostics],
        }
