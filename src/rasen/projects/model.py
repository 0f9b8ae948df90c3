"""A project as this machine registers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import Busy, Damaged, NotFound, Refused
from rasen.base.messages import N_

MODE_IN_REPO = "in-repo"
MODE_STORE = "store"


class Entry(NamedTuple):
    """One registered checkout.

    home: name of its folder under `<data>/projects`. mode: where it plans, one of the MODE_ values.
    last_seen: ISO moment of the last command that was allowed to write it.
    """

    project_id: str
    name: str
    mode: str
    home: str
    last_seen: str


@dataclass(frozen=True)
class Registry:
    """All registered checkouts by canonical path."""

    entries: Mapping[str, Entry] = field(default_factory=dict)


class Home(NamedTuple):
    """Where a project's private files lie.

    is_new, is_minted: this very call assigned the home, and gave the project its identity.
    """

    path: Path
    project_id: str
    is_new: bool = False
    is_minted: bool = False


class InvalidProjectRegistry(Damaged):
    code = "invalid_project_registry"
    text = N_("{file} is not a project registry: {problem}")
    fix = N_("correct or remove {file}; 'rasen init' registers a project again")


class ProjectRegistryBusy(Busy):
    code = "project_registry_busy"
    text = N_("the project registry is being written by another command ({lock})")
    fix = N_("try again; if no other command runs, remove {lock}")

    def __init__(
        self, *, target: str = "project.registry", fix: str | None = None, **params: object
    ) -> None:
        """The lock raises it without naming a target."""
        super().__init__(target=target, fix=fix, **params)


class ProjectConfigMissing(NotFound):
    code = "project_config_missing"
    text = N_("{workspace} has no config.yaml, so it cannot carry an identity")
    fix = N_("run 'rasen init' there")


class ProjectIdentityNotWritten(Refused):
    code = "project_identity_not_written"
    text = N_("{file} cannot take a projectId line: {problem}")
    fix = N_("add the line 'projectId: {project_id}' to {file} by hand")
