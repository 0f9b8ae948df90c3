"""The values of a workflow schema: its artifacts, what each needs, and the gate to applying."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

DEFAULT_SCHEMA = "spec-driven"
PROJECT, USER, PACKAGE = "project", "user", "package"


class Artifact(NamedTuple):
    """One document of a change.

    generates: path or glob, relative to the change. template: file under `templates/`.
    context_from: id of the artifact whose content goes along with the instructions.
    enhance, provider: names of skills. is_optional: the change is complete without it (no file
    says so; a lane does).
    """

    id: str
    generates: str
    description: str
    template: str
    instruction: str | None = None
    requires: tuple[str, ...] = ()
    enhance: str | None = None
    provider: str | None = None
    context_from: str | None = None
    is_optional: bool = False

    @property
    def holds_deltas(self) -> bool:
        """True for the artifact whose files are the change's delta specs."""
        return self.generates.removeprefix("./").startswith("specs/")


class Apply(NamedTuple):
    """The gate to building. tracks: the file whose check boxes count; None: nothing is tracked."""

    requires: tuple[str, ...]
    tracks: str | None = None
    instruction: str | None = None


class Schema(NamedTuple):
    """A workflow schema as found on disk.

    name: the name it is addressed by, that of its folder. artifacts: in the order of the file.
    source: `project`, `user` or `package`. directory: where `schema.yaml` lies.
    lane: `note` or `light` when this is only that part of it; None for the whole.
    """

    name: str
    version: int
    description: str
    artifacts: tuple[Artifact, ...]
    apply: Apply | None
    source: str
    directory: Path
    lane: str | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The artifact ids, in the order of the file."""
        return tuple(artifact.id for artifact in self.artifacts)

    @property
    def apply_requires(self) -> tuple[str, ...]:
        """What must be there before work starts: everything, when the schema has no gate."""
        return self.apply.requires if self.apply else self.ids

    @property
    def tracked(self) -> Artifact | None:
        """The artifact whose check boxes are the tasks. Source: planning §3.7."""
        wanted = self.apply.tracks if self.apply else None
        for artifact in self.artifacts:
            if (artifact.generates == wanted) if wanted else (artifact.id == "tasks"):
                return artifact
        return None

    def find(self, artifact_id: str) -> Artifact | None:
        """The artifact of that id, or None."""
        return next((one for one in self.artifacts if one.id == artifact_id), None)


class Place(NamedTuple):
    """Where a schema of some name lies."""

    name: str
    source: str
    directory: Path
