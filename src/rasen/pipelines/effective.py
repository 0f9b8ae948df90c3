"""What counts for each stage once settings, roles and defaults have spoken. Source: library §21.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rasen.config.model import DEFAULT, GLOBAL, PROJECT, STORE
from rasen.pipelines.model import Pipeline, Stage, Threshold

_RELAYS, _STALLS, _HANDOFF = 3, 2, 0.5
_PRESETS: tuple[tuple[str, Threshold], ...] = (("gpt-5", {"remainingTokens": 60_000}),)
"""Thresholds for models whose windows are short, by part of the model's name. Source: §24.1."""

Layer = Mapping[str, object]


class Layers(NamedTuple):
    """The settings of each scope, nested as in their files; empty where there are none."""

    project: Layer
    store: Layer
    machine: Layer

    def named(self) -> Iterator[tuple[str, Layer]]:
        yield PROJECT, self.project
        yield STORE, self.store
        yield GLOBAL, self.machine

    def first(self, *path: str) -> tuple[str, object] | None:
        """The scope that sets `path`, and its value; the project's first."""
        for scope, fields in self.named():
            value = _at(fields, *path)
            if value is not None:
                return scope, value
        return None


class Choice(NamedTuple):
    """A value and the label of its source."""

    value: object
    source: str


class HandoffView(NamedTuple):
    """When the session of a stage hands on. source: who set the threshold."""

    threshold: Threshold
    max_relays: int
    stall_limit: int
    source: str


def gate(pipeline: Pipeline, stage: Stage, layers: Layers) -> Choice:
    """Whether the stage waits for a person.

    No setting approves a vet gate. Source: PL-030, PL-031.
    """
    if stage.is_vet:
        return Choice(value=True, source="stage")
    for scope, fields in layers.named():
        said = _at(fields, "pipelines", pipeline.name, "gates")
        if isinstance(said, str):  # one word for all stages makes no gate where there is none
            return Choice(stage.gate and said == "on", f"stage-override-{scope}")
        if isinstance(said, Mapping) and stage.id in said:
            return Choice(said[stage.id] == "on", f"stage-override-{scope}")
    policy = layers.first("autopilot", "gates")
    if policy is not None and policy[1] == "off" and stage.gate:
        return Choice(value=False, source=f"autopilot-{policy[0]}")
    return Choice(stage.gate, "stage")


def is_gate_kept(pipeline: Pipeline, stage: Stage, layers: Layers) -> bool:
    """True when settings ask for a vet gate to be off, in vain."""
    return stage.is_vet and not gate(pipeline, replace(stage, is_vet=False), layers).value


def model(pipeline: Pipeline, stage: Stage, layers: Layers) -> Choice:
    """The model that a stage runs on; None leaves it to the runtime."""
    override = layers.first("pipelines", pipeline.name, "models", stage.id)
    if override is not None:
        return Choice(override[1], f"stage-override-{override[0]}")
    if stage.model is not None:
        return Choice(stage.model, "stage")
    agent = pipeline.agents.get(stage.role or "")
    if agent is not None and agent.model is not None:
        return Choice(agent.model, "agent")
    for scope, fields in layers.named():
        for label, path in (("role", ("models", "roles", stage.role or "")), ("default", ("models", "default"))):  # fmt: skip
            value = _at(fields, *path)
            if isinstance(value, str):
                return Choice(value, f"{scope}-{label}")
    return Choice(None, DEFAULT)


def runtime(pipeline: Pipeline, stage: Stage, layers: Layers) -> Choice:
    """The program that a stage runs in."""
    override = layers.first("pipelines", pipeline.name, "runtimes", stage.role or "")
    if stage.role and override is not None:
        return Choice(override[1], f"stage-override-{override[0]}")
    if stage.runtime is not None:
        return Choice(stage.runtime, "stage")
    agent = pipeline.agents.get(stage.role or "")
    return Choice("claude", DEFAULT) if agent is None else Choice(agent.runtime, "agent")


def handoff(pipeline: Pipeline, stage: Stage, layers: Layers) -> HandoffView:
    """When the session of a stage hands its work on."""
    relays, stalls, setter = _RELAYS, _STALLS, None
    for label, one in (("pipeline", pipeline.handoff), ("stage", stage.handoff)):
        if one is not None and (one.max_relays, one.stall_limit) != (None, None):
            relays, stalls, setter = one.max_relays or relays, one.stall_limit or stalls, label
    found = next(_thresholds(pipeline, stage, layers), None)
    if found is not None:
        return HandoffView(found[0], relays, stalls, found[1])
    return HandoffView(_HANDOFF, relays, stalls, setter or DEFAULT)


def _thresholds(
    pipeline: Pipeline, stage: Stage, layers: Layers
) -> Iterator[tuple[Threshold, str]]:
    override = layers.first("pipelines", pipeline.name, "handoff", stage.id)
    yield from _given(
        override[1] if override else None, f"stage-override-{override and override[0]}"
    )
    yield from _given(stage.handoff.threshold if stage.handoff else None, "stage")
    yield from _given(pipeline.handoff.roles.get(stage.role or ""), "role")
    yield from _given(pipeline.handoff.threshold, "pipeline")
    for scope, fields in layers.named():
        yield from _given(_at(fields, "handoff", "roles", stage.role or ""), f"{scope}-role")
        yield from _given(_at(fields, "handoff", "threshold"), f"{scope}-config")
    yield from _given(_preset(model(pipeline, stage, layers).value), "preset")


def _given(value: object, source: str) -> Iterator[tuple[Threshold, str]]:
    if isinstance(value, int | float | Mapping):
        yield value, source


def _preset(name: object) -> Threshold | None:
    lowered = name.lower() if isinstance(name, str) else ""
    return next((value for part, value in _PRESETS if part in lowered), None)


def _at(fields: Layer, *path: str) -> object:
    node: object = fields
    for word in path:
        node = node.get(word) if isinstance(node, Mapping) else None
    return node


def stage_view(pipeline: Pipeline, stage: Stage, layers: Layers) -> dict[str, Any]:
    """The published view of a stage. Source: library §21.5."""
    agent = pipeline.agents.get(stage.role or "")
    passes, runs, uses = (one(pipeline, stage, layers) for one in (gate, runtime, model))
    hands = handoff(pipeline, stage, layers)
    return {
        "id": stage.id,
        "kind": stage.kind,
        "skill": stage.skill,
        "childPipeline": stage.child,
        "role": stage.role,
        "requires": list(stage.requires),
        "gate": stage.gate,
        "effectiveGate": passes.value,
        "gateSource": passes.source,
        "loop": stage.loop,
        "parallelGroup": stage.parallel_group,
        "condition": stage.condition,
        "leadReview": stage.lead_review,
        "verifyPolicy": stage.verify_policy,
        "runtime": runs.value,
        "runtimeSource": runs.source,
        "sessionReuse": stage.session_reuse or (agent.session_reuse if agent else None),
        "sandbox": stage.sandbox or (agent.sandbox if agent else None),
        "model": uses.value,
        "modelSource": uses.source,
        "effort": stage.effort or (agent.effort if agent else None),
        "handoff": {
            "threshold": hands.threshold,
            "maxRelays": hands.max_relays,
            "stallLimit": hands.stall_limit,
            "source": hands.source,
        },
    }
