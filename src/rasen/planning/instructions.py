"""What an agent needs to write one artifact, as data; composing it decides nothing on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.planning.changes.status import Progress
from rasen.planning.schemas.model import Artifact


@dataclass(frozen=True)
class Settings:
    """What the settings add to instructions; all of it is text of the repository, not ours.

    context: None when blank. rules: per artifact id. quality: rules for every artifact.
    """

    context: str | None = None
    rules: Mapping[str, Sequence[str]] | None = None
    quality: Sequence[str] = ()

    def unknown_rules(self, ids: Sequence[str]) -> list[str]:
        """Artifact ids that have rules but are no artifacts, sorted."""
        return sorted(set(self.rules or ()) - set(ids))


@dataclass(frozen=True)
class Dependency:
    """An artifact that the one to write requires. paths: its files, or where they go."""

    id: str
    is_done: bool
    generates: str
    description: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Instructions:
    """Everything about writing one artifact.

    existing: files that are already there. structured_context: content of the artifact that
    `context-from` names, when it is done. work_dir: the change's private folder, when the project
    has one on this machine. misplaced: what keeps deltas from counting.
    """

    progress: Progress
    artifact: Artifact
    template: str
    settings: Settings
    dependencies: tuple[Dependency, ...]
    unlocks: tuple[str, ...]
    structured_context: str | None = None
    work_dir: str | None = None

    @property
    def target(self) -> Path:
        """Where to write; the characters of a pattern are kept."""
        return self.progress.directory / self.artifact.generates

    @property
    def missing(self) -> tuple[str, ...]:
        """Unmet requirements; empty when writing may start."""
        return self.progress.states[self.artifact.id].missing

    @property
    def context(self) -> str | None:
        """The settings' context, trimmed; None when there is none."""
        return (self.settings.context or "").strip() or None

    @property
    def rules(self) -> list[str]:
        """The settings' rules for this artifact."""
        return list((self.settings.rules or {}).get(self.artifact.id, ()))

    def to_json(
        self, *, home: Mapping[str, object], root: Mapping[str, object], references: list[object]
    ) -> dict[str, object]:
        """The published document; keys without a value are left out. Source: planning §4.6.

        home: the `planningHome` member. references: the index, left out when empty.
        """
        artifact, directory = self.artifact, self.progress.directory
        members: dict[str, object] = {
            "changeName": self.progress.name,
            "artifactId": artifact.id,
            "schemaName": self.progress.schema.name,
            "lane": self.progress.schema.lane,
            "changeDir": str(directory),
            "planningHome": home,
            "outputPath": artifact.generates,
            "resolvedOutputPath": str(self.target),
            "existingOutputPaths": [str(one) for one in self.progress.existing[artifact.id]],
            "description": artifact.description,
            "instruction": artifact.instruction,
            "context": self.context,
            "rules": self.rules or None,
            "template": self.template,
            "dependencies": [_dependency(one) for one in self.dependencies],
            "unlocks": list(self.unlocks),
            "references": references or None,
            "root": root,
            "qualityRules": list(self.settings.quality) or None,
            "enhance": artifact.enhance,
            "provider": artifact.provider,
            "contextFrom": artifact.context_from,
            "structuredContext": self.structured_context,
            "workDir": self.work_dir,
        }
        return {key: value for key, value in members.items() if value is not None}


def compose(
    progress: Progress,
    artifact: Artifact,
    *,
    template: str,
    settings: Settings,
    structured_context: str | None = None,
    work_dir: str | None = None,
) -> Instructions:
    """The instructions for one artifact of a change."""
    unlocks = sorted(one.id for one in progress.schema.artifacts if artifact.id in one.requires)
    return Instructions(
        progress,
        artifact,
        template,
        settings,
        dependencies=tuple(_needed(progress, need) for need in artifact.requires),
        unlocks=tuple(unlocks),
        structured_context=structured_context,
        work_dir=work_dir,
    )


def _needed(progress: Progress, artifact_id: str) -> Dependency:
    artifact = progress.schema.find(artifact_id)
    assert artifact is not None, "a schema that loads names only its own artifacts"
    files = [str(one) for one in progress.existing[artifact_id]]
    return Dependency(
        id=artifact_id,
        is_done=progress.is_done(artifact_id),
        generates=artifact.generates,
        description=artifact.description,
        paths=tuple(files or [str(progress.directory / artifact.generates)]),
    )


def _dependency(one: Dependency) -> dict[str, object]:
    return {
        "id": one.id,
        "done": one.is_done,
        "path": one.generates,
        "description": one.description,
    }
