"""What a package holds, and the refusal of one that cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from rasen.base.errors import InvalidInput
from rasen.base.findings import Finding, Rule

ENDING: Final = ".rasenpkg"
FORMAT: Final = "rasen-package"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/vnd.rasen.package+json"
PIPELINE: Final = "pipeline.yaml"


class Kind(StrEnum):
    """What a package is for. Source: library C-03."""

    WORKFLOW = "workflow"
    PROFILE = "profile"
    PIPELINE = "pipeline"


@dataclass(frozen=True)
class PackagedFile:
    """One file: its text as it is in the package, and the digest that the package claims."""

    path: str
    content: str
    sha256: str

    @cached_property
    def data(self) -> bytes:
        """The exact bytes."""
        return self.content.encode()


@dataclass(frozen=True)
class Entry:
    """One workflow or pipeline. id: of a pipeline, its name. files: sorted by path."""

    id: str
    digest: str
    files: tuple[PackagedFile, ...]

    def contents(self) -> dict[str, bytes]:
        """The bytes of each file by its path."""
        return {one.path: one.data for one in self.files}


@dataclass(frozen=True)
class PackagedProfile:
    """The profile of a package. retention: only of version 2; delivery: only of 1, ignored."""

    version: int
    workflows: tuple[str, ...]
    retention: str | None = None
    delivery: str | None = None

    def to_json(self) -> dict[str, object]:
        """The member `profile` of the envelope."""
        answer: dict[str, object] = {"version": self.version, "workflows": list(self.workflows)}
        for name, value in (("retention", self.retention), ("delivery", self.delivery)):
            if value is not None:
                answer[name] = value
        return answer


@dataclass(frozen=True)
class Package:
    """A whole package. name, profile: of the kind profile; pipelines: of the kind pipeline.

    min_version: the oldest program that may read it. digest: empty until it is encoded.
    """

    kind: Kind
    roots: tuple[str, ...]
    workflows: tuple[Entry, ...] = ()
    pipelines: tuple[Entry, ...] = ()
    name: str | None = None
    profile: PackagedProfile | None = None
    min_version: str | None = None
    digest: str = ""

    def entries(self) -> tuple[Entry, ...]:
        """Its workflows and pipelines."""
        return self.workflows + self.pipelines


class PackageRefused(InvalidInput):
    """A package that cannot be taken; which code it carries is the rule's business.

    params: the numbers and names that a program may need. Source: library WF-072.
    """

    def __init__(self, rule: Rule, package: str, /, **params: object) -> None:
        """package: its file, which the texts call {file} unless `params` says otherwise."""
        super().__init__(fix=rule.fix)
        self.params = {"file": package, **params}
        self.package = package
        self.rule = rule
        self.code = rule.code  # type: ignore[misc]  # one class for all rules of a package
        self.text = rule.text  # type: ignore[misc]

    @property
    def details(self) -> Mapping[str, object]:
        """The numbers and names of the refusal."""
        return {name: one for name, one in self.params.items() if name != "file"}

    def finding(self) -> Finding:
        """The same as something found; its path is the package's file."""
        return Finding(self.rule, self.package, self.params)
