"""What can be asked about pipelines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rasen.base.context import Context
from rasen.base.errors import Refused
from rasen.base.findings import Finding, has_errors
from rasen.base.messages import N_, Sentences
from rasen.pipelines import classify as words
from rasen.pipelines import preflight as checks
from rasen.pipelines import rules
from rasen.pipelines.classify import Classified
from rasen.pipelines.disk import PipelineUnknown, Read, Shelf
from rasen.pipelines.effective import Layers, stage_view
from rasen.pipelines.model import PROJECT, USER, Pipeline
from rasen.pipelines.pipeline_file import FORMAT, PipelineInvalid
from rasen.pipelines.preflight import Skills
from rasen.pipelines.sense import build_order
from rasen.roots.model import Root

__all__ = [
    "Check",
    "Classified",
    "NotRunnable",
    "PipelineInvalid",
    "PipelineUnknown",
    "View",
    "check_own",
    "classify",
    "listing",
    "machine_names",
    "names",
    "own",
    "own_names",
    "show",
    "validate",
]

_PROBE_S = 3


class NotRunnable(Refused):
    """Something that a stage needs is not there; `findings` lists all of it."""

    text = N_("the pipeline '{name}' cannot run: {problems}")

    def __init__(self, *, name: str, findings: Sequence[Finding]) -> None:
        self.findings = list(findings)
        is_too_early = all(finding.rule is rules.SKILL_LATER for finding in findings)
        fix = rules.SKILL_LATER.fix if is_too_early else None
        super().__init__(name=name, problems=Sentences(findings), fix=fix)


class SkillsUnknown(NotRunnable):
    """A stage calls a skill that nothing has the name of."""

    code = rules.SKILL_UNKNOWN.code
    fix = N_("run `rasen pipeline validate {name}`, and correct the names")


class SkillsDisabled(NotRunnable):
    """A stage calls a skill that the active profile leaves out."""

    code = rules.SKILL_DISABLED.code
    fix = N_("add the workflows to the profile, then run `rasen update`")


class RuntimeUnavailable(NotRunnable):
    """A stage runs in a program that does not answer."""

    code = rules.RUNTIME_UNAVAILABLE.code
    fix = N_("install codex, or set another runtime for these roles")


@dataclass(frozen=True)
class View:
    """A pipeline with what counts for each stage. warnings: what is worth a word."""

    pipeline: Pipeline
    layers: Layers
    warnings: tuple[Finding, ...] = ()

    def stages(self) -> list[dict[str, Any]]:
        """The published view of each stage, in the order of the file."""
        return [stage_view(self.pipeline, one, self.layers) for one in self.pipeline.stages]

    def in_order(self) -> list[dict[str, Any]]:
        """The same, in the order in which they are built."""
        views = {view["id"]: view for view in self.stages()}
        return [views[name] for name in build_order(self.pipeline)]

    def to_json(self) -> dict[str, object]:
        """The published document. Source: library §21.5."""
        one = self.pipeline
        answer: dict[str, object] = {
            "name": one.name,
            "description": one.description,
            "agents": {role: agent.given for role, agent in one.agents.items()},
            "reuse": one.reuse.to_json(),
            "buildOrder": build_order(one),
            "stages": self.stages(),
        }
        return answer if one.origin is None else {**answer, "origin": one.origin}


@dataclass(frozen=True)
class Check:
    """What is right and wrong with one pipeline. kind: `installed` or `directory`."""

    name: str
    kind: str
    findings: tuple[Finding, ...]

    @property
    def is_valid(self) -> bool:
        """True when no finding is an error."""
        return not has_errors(self.findings)


def listing(ctx: Context, root: Root) -> list[Pipeline]:
    """Every usable pipeline by name; a higher layer hides a lower one. Source: library PL-011."""
    return _shelf(ctx, root).usable()


def names(ctx: Context, root: Root) -> list[str]:
    """The names of all pipelines, usable or not, sorted."""
    return _shelf(ctx, root).names()


def machine_names(ctx: Context) -> list[str]:
    """The names of the user's pipelines and of our own, usable or not, sorted."""
    return Shelf(None, ctx.data_dir).names()


def own_names(ctx: Context, root: Root) -> list[str]:
    """The names of those that the project or the user has written, sorted."""
    return _shelf(ctx, root).names(PROJECT, USER)


def own(ctx: Context, root: Root | None) -> list[Pipeline]:
    """The usable pipelines of the project and of the user, those too that are hidden; no built-in ones."""
    shelf = Shelf(None if root is None else root.workspace_dir, ctx.data_dir)
    found = []
    for source, folder in shelf.layers:
        if source in (PROJECT, USER):
            found += [shelf.read_at(folder / name, source).pipeline for name in shelf.names(source)]
    return [one for one in found if one is not None]


def show(ctx: Context, root: Root, name: str, *, for_execution: bool = False) -> View:
    """A pipeline, with the values that count for each stage.

    for_execution: everything that the stages and those of its child call has to be there.
    Errors: pipeline_not_found, pipeline_invalid; for_execution: pipeline_skill_unknown,
    pipeline_skill_disabled, pipeline_runtime_unavailable. Source: library §21.5, PL-048.
    """
    shelf = _shelf(ctx, root)
    pipeline = shelf.load(_plain(name))
    found = Read(pipeline, shelf.read(_plain(name)).findings)
    layers = _layers(ctx, root)
    if not for_execution:
        return View(pipeline, layers, found.findings)
    stage = pipeline.decompose
    child = [shelf.load(stage.child)] if stage is not None and stage.child else []
    wrong = checks.preflight(
        [pipeline, *child], _skills(ctx, root), layers, codex_answers=lambda: _codex_answers(ctx)
    )
    errors = [one for one in wrong if has_errors([one])]
    if errors:
        refusals = (SkillsUnknown, SkillsDisabled, RuntimeUnavailable)
        refusal = next(one for one in refusals if one.code == errors[0].code)
        raise refusal(name=pipeline.name, findings=errors)
    return View(pipeline, layers, (*found.findings, *wrong))


def validate(ctx: Context, root: Root, target: str) -> Check:
    """What is wrong with a pipeline: one of ours by name, or one in a folder by path.

    Earlier names of skills are only warned of. Errors: pipeline_not_found. Source: PL-014, §21.5.
    """
    shelf = _shelf(ctx, root)
    folder = ctx.at(target)
    if os.path.lexists(folder):
        place = folder.parent if folder.name == FORMAT else folder
        return _checked(ctx, root, shelf.read_at(place, USER), name=place.name, kind="directory")
    return check_own(ctx, root, _plain(target))


def check_own(ctx: Context, root: Root, name: str) -> Check:
    """What is wrong with the pipeline of that name. Errors: pipeline_not_found."""
    return _checked(ctx, root, _shelf(ctx, root).read(name), name=name, kind="installed")


def classify(ctx: Context, root: Root, task: str) -> Classified:
    """The pipeline that suits a task, by its words; advice only. Source: library PL-040."""
    return words.classify(task, names(ctx, root))


def _checked(ctx: Context, root: Root, read: Read, *, name: str, kind: str) -> Check:
    found = list(read.findings)
    if read.pipeline is not None:
        found += checks.skill_findings(read.pipeline, _skills(ctx, root), for_execution=False)
    return Check(read.pipeline.name if read.pipeline else name, kind, tuple(found))


def _skills(ctx: Context, root: Root) -> Skills:
    """Every skill that the catalogue lists, and those that are generated for this root."""
    from rasen.profiles import ops as profiles
    from rasen.workflows import ops as workflows

    catalogue = workflows.catalogue(ctx)
    selected = set(profiles.effective(ctx, root).workflows)
    listed = (*catalogue.definitions, *workflows.experts(), *workflows.always())
    chosen = (one for one in catalogue.definitions if one.id in selected and one.is_available)
    return Skills(
        known={one.folder for one in listed},
        enabled={one.folder for one in (*chosen, *workflows.always())},
        later={one.folder for one in listed if not one.is_available},
    )


def _plain(name: str) -> str:
    """`name` without the ending of a file. Source: PL-010."""
    return name.removesuffix(".yaml").removesuffix(".yml")


def _shelf(ctx: Context, root: Root) -> Shelf:
    return Shelf(root.workspace_dir, ctx.data_dir)


def _layers(ctx: Context, root: Root) -> Layers:
    from rasen.config import ops as config
    from rasen.roots import ops as roots

    own = config.project_config(root.workspace_dir, tell=ctx.tell)
    store = None if own is None else roots.store_settings(ctx, root, own)
    machine = config.global_config(ctx).values
    return Layers(own.values if own else {}, store.values if store else {}, machine)


def _codex_answers(ctx: Context) -> bool:
    from rasen.base.errors import ToolError
    from rasen.process.command import run

    try:
        return run(["codex", "--version"], cwd=ctx.cwd, timeout_s=_PROBE_S).status == 0
    except ToolError:
        return False
