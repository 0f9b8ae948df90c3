"""Whether everything that the stages of a pipeline call is there. Source: library PL-013 to PL-015."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from rasen.base.findings import Finding
from rasen.pipelines import rules
from rasen.pipelines.effective import Layers, is_gate_kept, runtime
from rasen.pipelines.model import Pipeline
from rasen.workflows.skill_names import current_skill


class Skills(NamedTuple):
    """The skills by name. known: all that the catalogue lists; enabled: those that are generated.

    later: those that no profile can bring yet.
    """

    known: Collection[str]
    enabled: Collection[str]
    later: Collection[str] = ()


def skill_findings(pipeline: Pipeline, skills: Skills, *, for_execution: bool) -> Iterator[Finding]:
    """What is wrong with the skills that the stages call.

    for_execution: they also have to be enabled, and earlier names are not taken.
    """
    for number, stage in enumerate(pipeline.stages):
        if stage.skill is None:
            continue
        place = f"stages[{number}].skill"
        params = {"stage": stage.id, "skill": stage.skill}
        name = current_skill(stage.skill, skills.known)
        if name not in skills.known:
            yield Finding(rules.SKILL_UNKNOWN, place, params)
        elif name != stage.skill:
            rule = rules.SKILL_UNKNOWN if for_execution else rules.LEGACY_SKILL
            yield Finding(rule, place, {**params, "name": name})
        elif for_execution and name not in skills.enabled:
            if name in skills.later:
                rule, reason = rules.SKILL_LATER, rules.COMES_LATER
            else:
                rule, reason = rules.SKILL_DISABLED, rules.LEFT_OUT
            yield Finding(rule, place, {**params, "reason": reason})


def preflight(
    pipelines: Collection[Pipeline],
    skills: Skills,
    layers: Layers,
    *,
    codex_answers: Callable[[], bool],
) -> list[Finding]:
    """Everything that stands against running a pipeline and its child.

    codex_answers: asked once at most, and only when a stage runs there.
    """
    found: list[Finding] = []
    on_codex: list[str] = []
    for pipeline in pipelines:
        found += skill_findings(pipeline, skills, for_execution=True)
        for stage in pipeline.stages:
            if stage.skill is not None and runtime(pipeline, stage, layers).value == "codex":
                on_codex.append(stage.id)
            if is_gate_kept(pipeline, stage, layers):
                found.append(Finding(rules.VET_OFF, "stages", {"stage": stage.id}))
    if on_codex and not codex_answers():
        params = {"stages": ", ".join(dict.fromkeys(on_codex))}
        found.append(Finding(rules.RUNTIME_UNAVAILABLE, "stages", params))
    return found
