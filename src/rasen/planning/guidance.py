"""Use cases that tell how far a change is and what to write next; none of them writes anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, ToolError
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.paths import canonical
from rasen.planning import disk
from rasen.planning.changes import status as progress_of
from rasen.planning.changes.choice import Chooser
from rasen.planning.changes.status import Progress
from rasen.planning.open_change import find_change, open_changes
from rasen.planning.schemas.disk import template_text
from rasen.planning.schemas.model import DEFAULT_SCHEMA, Artifact
from rasen.planning.schemas.outputs import outputs
from rasen.roots import ops as roots
from rasen.roots.model import Root

if TYPE_CHECKING:
    from rasen.planning.apply import ApplyInstructions
    from rasen.planning.instructions import Instructions, Settings
    from rasen.planning.task_targets import Target

__all__ = [
    "StatusReport",
    "apply_instructions",
    "instructions",
    "open_changes",
    "planning_home",
    "status",
]

ON_MERGE, IN_REPO, EXTERNAL = "on-merge", "in-repo", "external"


class ArtifactNotNamed(InvalidInput):
    """Which artifact is meant was not said. It has no code of its own: the command's applies."""

    text = N_("say which artifact is meant; {schema} has: {known}, and apply for the tasks")
    fix = N_("run `rasen instructions <artifact> --change {change}`")


class ArtifactUnknown(NotFound):
    """The schema has no such artifact. It has no code of its own: the command's applies."""

    text = N_("the schema {schema} has no artifact '{artifact}'; it has: {known}")
    fix = N_("name one of them")


class StatusReport(NamedTuple):
    """How far a change is, and where everything about it lies.

    archive_dir: where it will be archived; None when nothing is kept or the place is not known.
    work_dir: its private folder; None when the project has no home on this machine.
    targets: how far the tasks are that name a repository.
    """

    root: Root
    progress: Progress
    action_context: Mapping[str, object]
    timing: str
    destination: str
    archive_dir: Path | None
    work_dir: Path | None
    targets: tuple[Target, ...] = ()

    @property
    def next_steps(self) -> list[str]:
        """What to do now, as sentences for an agent."""
        return progress_of.next_steps(self.progress, self.root.selector)

    def to_json(self) -> dict[str, object]:
        """The published document. Source: planning §4.5, correction 13."""
        progress, schema = self.progress, self.progress.schema
        archive = {"timing": self.timing, "destination": self.destination}
        if self.archive_dir:
            archive["archiveDir"] = str(self.archive_dir)
        answer: dict[str, object] = {
            "changeName": progress.name,
            "schemaName": schema.name,
            "planningHome": planning_home(self.root),
            "changeRoot": str(progress.directory),
            "artifactPaths": {one.id: _paths(progress, one) for one in _published(progress)},
            "nextSteps": self.next_steps,
            "actionContext": self.action_context,
            "isComplete": progress.is_complete,
            "applyRequires": list(schema.apply_requires),
            "artifacts": [_state(progress, one) for one in _published(progress)],
            "root": self.root.to_json(),
        }
        if schema.lane:
            answer["lane"] = schema.lane
        if self.work_dir:
            answer["workDir"] = str(self.work_dir)
        if self.targets:
            answer["targets"] = [one.to_json() for one in self.targets]
        return {**answer, "archive": archive}


def status(ctx: Context, root: Root, change: str | None, schema: str | None = None) -> StatusReport:
    """How far a change is.

    schema: the schema to measure by instead of the change's own.
    Errors: change_metadata_invalid, schema_invalid, yaml_invalid; an unknown or missing name has
    the command's own code. Source: planning §4.5.
    """
    chooser = Chooser(ctx, root)
    progress = _measured(root, chooser, change, schema)
    settings = chooser.settings
    destination = settings.archive_destination or IN_REPO
    return StatusReport(
        root,
        progress,
        roots.action_context(ctx, root, list(progress.states)),
        timing=settings.archive_timing or ON_MERGE,
        destination=destination,
        archive_dir=_archive_dir(ctx, root, destination),
        work_dir=_work_dir(ctx, root, progress.name),
        targets=_targets(ctx, root, progress),
    )


def instructions(
    ctx: Context, root: Root, artifact: str | None, change: str | None, schema: str | None = None
) -> Instructions:
    """How to write one artifact of a change.

    Notes name rules of the settings that belong to no artifact. Errors: as for `status`, and
    schema_template_missing. Source: planning §4.6, §5.6.
    """
    from rasen.planning.instructions import compose

    chooser = Chooser(ctx, root)
    progress = _measured(root, chooser, change, schema)
    wanted = _artifact(progress, artifact)
    work_dir = _work_dir(ctx, root, progress.name)
    return compose(
        progress,
        wanted,
        template=template_text(progress.schema, wanted),
        settings=_settings(ctx, chooser, progress),
        structured_context=_structured(progress, wanted),
        work_dir=str(work_dir) if work_dir else None,
    )


def apply_instructions(
    ctx: Context, root: Root, change: str | None, schema: str | None = None
) -> ApplyInstructions:
    """How to work through the tasks of a change. Errors: as for `status`. Source: planning §4.7."""
    from rasen.planning import apply
    from rasen.planning.changes import tasks_file
    from rasen.planning.changes.tracked import files_of

    chooser = Chooser(ctx, root)
    progress = _measured(root, chooser, change, schema)
    files = tuple(files_of(progress.schema, progress.directory))
    tasks = [task for file in files for task in tasks_file.parse(_text(file)).tasks]
    gate = progress.schema.apply
    tracked = apply.Tracked(gate.tracks if gate else None, files, tuple(tasks))
    work_dir = _work_dir(ctx, root, progress.name)
    return apply.decide(
        progress,
        tracked,
        selector=root.selector,
        work_dir=str(work_dir) if work_dir else None,
    )


def planning_home(root: Root) -> dict[str, str]:
    """The `planningHome` member. Source: planning §9.2."""
    return {
        "kind": "repo",
        "root": str(root.path),
        "changesDir": str(root.changes_dir),
        "defaultSchema": DEFAULT_SCHEMA,
    }


def _measured(root: Root, chooser: Chooser, change: str | None, override: str | None) -> Progress:
    folder = canonical(find_change(root, change))
    name = change or folder.name
    schema = chooser.schema(folder, override)
    has_deltas = any(one.holds_deltas for one in schema.artifacts)
    return progress_of.measure(
        name,
        schema,
        folder,
        existing={one.id: outputs(folder, one.generates) for one in schema.artifacts},
        misplaced=disk.delta_files(folder).misplaced if has_deltas else (),
    )


def _published(progress: Progress) -> list[Artifact]:
    found = [progress.schema.find(name) for name in progress.states]
    return [one for one in found if one is not None]


def _paths(progress: Progress, artifact: Artifact) -> dict[str, object]:
    return {
        "outputPath": artifact.generates,
        "resolvedOutputPath": str(progress.directory / artifact.generates),
        "existingOutputPaths": [str(one) for one in progress.existing[artifact.id]],
    }


def _state(progress: Progress, artifact: Artifact) -> dict[str, object]:
    state = progress.states[artifact.id]
    answer: dict[str, object] = {
        "id": artifact.id,
        "outputPath": artifact.generates,
        "status": state.status,
    }
    if artifact.is_optional:
        answer["optional"] = True
    if state.missing:
        answer["missingDeps"] = list(state.missing)
    misplaced = progress.misplaced_in(artifact)
    if misplaced:
        answer["misplaced"] = [f"specs/{one.path}" for one in misplaced]
    return answer


def _artifact(progress: Progress, wanted: str | None) -> Artifact:
    known = ", ".join(progress.schema.ids)
    if not wanted:
        raise ArtifactNotNamed(schema=progress.schema.name, known=known, change=progress.name)
    found = progress.schema.find(wanted)
    if found is None:
        raise ArtifactUnknown(schema=progress.schema.name, artifact=wanted, known=known)
    return found


def _settings(ctx: Context, chooser: Chooser, progress: Progress) -> Settings:
    from rasen.planning.instructions import Settings

    config = chooser.settings
    settings = Settings(config.context, config.rules, config.quality_rules)
    for unknown in settings.unknown_rules(progress.schema.ids):
        ctx.note(
            N_(
                "the settings have rules for '{artifact}', which {schema} does not know; it has {ids}"
            ),
            artifact=unknown,
            schema=progress.schema.name,
            ids=", ".join(progress.schema.ids),
        )
    return settings


def _structured(progress: Progress, artifact: Artifact) -> str | None:
    """The content of the artifact that `context-from` names, once it is done."""
    source = progress.schema.find(artifact.context_from or "")
    if source is None or not progress.is_done(source.id):
        return None
    files = progress.existing[source.id]
    if "specs" in source.generates:
        return _test_plans(files)
    if len(files) == 1:
        return atomic.read_text(files[0])
    parts = [f"{one.relative_to(progress.directory)}:\n\n{atomic.read_text(one)}" for one in files]
    return "\n".join(parts)


def _test_plans(files: Sequence[Path]) -> str:
    import json

    from rasen.planning.scenario_plan import plan

    plans = [plan(one.parent.name, atomic.read_text(one)) for one in files]
    return json.dumps(plans[0] if len(plans) == 1 else plans, indent=2, ensure_ascii=False)


def _targets(ctx: Context, root: Root, progress: Progress) -> tuple[Target, ...]:
    from rasen.planning.changes.tracked import files_of

    texts = [_text(path) for path in files_of(progress.schema, progress.directory)]
    if not any("[repo:" in text.lower() for text in texts):
        return ()
    from rasen.planning.changes import tasks_file
    from rasen.planning.task_targets import targets

    return targets(ctx, root, [task for text in texts for task in tasks_file.parse(text).tasks])


def _text(path: Path) -> str:
    try:
        return atomic.read_text(path)
    except ToolError:
        return ""  # unreadable files count as no tasks, as specified (planning §3.7)


def _work_dir(ctx: Context, root: Root, change: str) -> Path | None:
    from rasen.projects import ops

    return ops.work_dir(ctx, root.path, change)


def _archive_dir(ctx: Context, root: Root, destination: str) -> Path | None:
    if destination == IN_REPO:
        return root.archive_dir
    if destination == EXTERNAL:
        from rasen.projects import ops

        return ops.archive_dir_external(ctx, root.path)
    return None
