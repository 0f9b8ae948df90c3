"""What the stages of a pipeline mean together: order, groups, decomposition, the quality floor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rasen.base.findings import Finding, Rule
from rasen.pipelines import rules
from rasen.pipelines.model import COMPOSED, DECOMPOSE, GOAL, REVIEW_CYCLE, Pipeline, Stage
from rasen.pipelines.pipeline_file import Where
from rasen.planning.schemas import graph


def check(pipeline: Pipeline, where: Where) -> list[Finding]:
    """Every contradiction between stages, in the order of PL-002; the first kind found ends it.

    Children are not looked at. Source: library §21.1.
    """
    for part in (_duplicates, _unknown, _cycles, _groups, _decompose, _measures, _floor):
        found = list(part(_At(pipeline, where)))
        if found:
            return found
    return []


def build_order(pipeline: Pipeline) -> list[str]:
    """Stage ids such that each comes after what it requires; ties by name. Source: PL-006."""
    return graph.ordered({stage.id: stage.requires for stage in pipeline.stages})


class _At:
    """A pipeline with where its stages stand."""

    def __init__(self, pipeline: Pipeline, where: Where) -> None:
        self.pipeline, self.where = pipeline, where

    def finding(
        self, rule: Rule, stage: Stage | None, key: str = "id", **params: object
    ) -> Finding:
        if stage is None:
            return Finding(rule, "stages", params)
        number = next(at for at, one in enumerate(self.pipeline.stages) if one is stage)
        line, column = (
            self.where(("stages", number, key))
            or self.where(("stages", number))
            or (
                None,
                None,
            )
        )
        params = {"stage": stage.id, **params}
        return Finding(rule, f"stages[{number}].{key}", params, line, column)


def _duplicates(at: _At) -> Iterator[Finding]:
    seen: set[str] = set()
    for stage in at.pipeline.stages:
        if stage.id in seen:
            yield at.finding(rules.DUPLICATE, stage)
        seen.add(stage.id)


def _unknown(at: _At) -> Iterator[Finding]:
    ids = at.pipeline.ids
    for stage in at.pipeline.stages:
        for need in stage.requires:
            if need not in ids:
                known = ", ".join(ids)
                yield at.finding(rules.REQUIRES_UNKNOWN, stage, "requires", need=need, known=known)


def _cycles(at: _At) -> Iterator[Finding]:
    for circle in graph.cycles({one.id: one.requires for one in at.pipeline.stages}):
        first = at.pipeline.stage(circle[0])
        yield at.finding(rules.CYCLE, first, "requires", path=" → ".join(circle))


def _groups(at: _At) -> Iterator[Finding]:
    by_id = {stage.id: stage for stage in at.pipeline.stages}
    for stage in at.pipeline.stages:
        for need in stage.requires if stage.parallel_group else ():
            if by_id[need].parallel_group == stage.parallel_group:
                group = stage.parallel_group
                yield at.finding(rules.GROUP_ORDER, stage, "requires", need=need, group=group)


def _decompose(at: _At) -> Iterator[Finding]:
    found = [stage for stage in at.pipeline.stages if stage.kind == DECOMPOSE]
    if len(found) > 1:
        names = ", ".join(stage.id for stage in found)
        yield at.finding(rules.DECOMPOSE_MANY, found[1], "kind", stages=names)
    elif found:
        roots = [stage for stage in at.pipeline.stages if not stage.requires]
        if roots != found:
            yield at.finding(rules.DECOMPOSE_ROOT, found[0], "kind")


def _measures(at: _At) -> Iterator[Finding]:
    for stage in at.pipeline.stages:
        gate = stage.loop.get("gate") if stage.loop and stage.loop["kind"] == GOAL else None
        if not isinstance(gate, Mapping) or "command" not in gate:
            continue
        if "threshold" not in gate and "target" not in gate:
            yield at.finding(rules.MEASURE_OPEN, stage, "loop")


def _floor(at: _At) -> Iterator[Finding]:
    if at.pipeline.origin != COMPOSED:
        return
    stages = at.pipeline.stages
    if not any(stage.role == "reviewer" for stage in stages):
        yield at.finding(rules.FLOOR_REVIEWER, None)
    if not any(stage.loop and stage.loop["kind"] == REVIEW_CYCLE for stage in stages):
        yield at.finding(rules.FLOOR_LOOP, None)
