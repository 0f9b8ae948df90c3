"""Which workflows somebody wants, and what a finished change leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from rasen.base.errors import Conflict, InvalidInput, NotFound, Refused
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_

FULL, CORE, CUSTOM = "full", "core", "custom"
BUILT_IN = (FULL, CORE)
RESERVED = (FULL, CORE, CUSTOM)


class Retention(StrEnum):
    """What a finished change leaves behind. Source: library RT-002."""

    OFF = "off"
    REPORT = "report"
    CODIFY = "codify"


class Profile(NamedTuple):
    """A snapshot: workflow ids in catalogue order, and the retention mode. Source: PR-002."""

    workflows: tuple[str, ...]
    retention: Retention

    def to_json(self) -> dict[str, object]:
        """The definition of version 2."""
        return {
            "version": 2,
            "workflows": list(self.workflows),
            "retention": self.retention.value,
        }


class Source(StrEnum):
    """Which layer decided a selection."""

    PROJECT_WORKFLOWS = "project-workflows"
    PROJECT_PROFILE = "project-profile"
    MACHINE = "machine"


@dataclass(frozen=True)
class Selection:
    """What counts for a project, or for the machine.

    workflows: with everything they require, in catalogue order. name: the profile's, or `custom`.
    notices: what was dropped or passed over on the way.
    """

    workflows: tuple[str, ...]
    source: Source
    name: str
    retention: Retention
    notices: tuple[Finding, ...] = ()


LOCK_SHADOWED = Rule(
    "profile_lock_shadowed",
    Level.INFO,
    N_(
        "the project names its workflows itself, so its lock on the profile {profile} does not count"
    ),
    N_("remove `workflows` or `profile` from {file}"),
)
LOCK_UNUSABLE = Rule(
    "profile_lock_unusable",
    Level.WARNING,
    N_("the project is locked to the profile {profile}, which cannot be used here: {problem}"),
    N_("import that profile, or correct `profile` in {file}"),
)
MACHINE_UNUSABLE = Rule(
    "profile_unusable",
    Level.WARNING,
    N_("the profile {profile} of this machine cannot be used, so full counts: {problem}"),
    N_("run `rasen profile use` with one of `rasen profile list`"),
)
WORKFLOW_UNKNOWN = Rule(
    "profile_workflow_unknown",
    Level.WARNING,
    N_("{place} names the workflow {workflow}, which is not installed"),
    N_("install it with `rasen workflow import`, or take it out"),
)
EXPERT_DROPPED = Rule(
    "profile_expert_dropped",
    Level.INFO,
    N_("{place} names {workflow}, an expert; those are always installed and no part of a profile"),
)


class ProfileNameInvalid(InvalidInput):
    code = "invalid_name"
    text = N_("'{name}' cannot be the name of a profile")
    fix = N_("use lower-case letters, digits, dots, underscores and hyphens, at most 64")


class ProfileNameReserved(Refused):
    code = "reserved_name"
    text = N_("the name '{name}' is taken by the program")
    fix = N_("choose another name")


class ProfileNotFound(NotFound):
    code = "not_found"
    text = N_("there is no profile '{name}'; there are: {known}")
    fix = N_("run `rasen profile list`")


class ProfileExists(Conflict):
    code = "already_exists"
    text = N_("{what} already exists: {name}")
    fix = N_("choose another name, or replace it with --force")


class ProfileFileInvalid(InvalidInput):
    code = "invalid_file"
    text = N_("{file} is no usable profile: {problem}")
    fix = N_("correct the file")


class ProfileFormatUnsupported(InvalidInput):
    code = "unsupported_format"
    text = N_("{file}: {problem}")
    fix = N_("use a file that ends in {endings}")


class PackageThin(InvalidInput):
    code = "unsupported_format"
    text = N_("{file}: a package holds its workflows, so it cannot be thin")
    fix = N_("leave out --thin, or write a .yaml or .json file")
