"""Which value counts for a stage, and who set it."""

from __future__ import annotations

from typing import Any

import pytest

from rasen.pipelines.effective import Layers, gate, handoff, model, runtime, stage_view
from rasen.pipelines.model import Agent, Handoff, Pipeline, Stage

A_STAGE: dict[str, Any] = {"id": "work", "skill": "s", "role": "implementer"}
OVERRIDE = {"pipelines": {"p": {"models": {"work": "m"}, "runtimes": {"implementer": "codex"},
            "handoff": {"work": 0.1}}}}  # fmt: skip
NONE: dict[str, Any] = {}


def pipeline(stage: dict[str, Any] | None = None, **more: Any) -> Pipeline:
    return Pipeline("p", "", (Stage(**A_STAGE, **(stage or {})),), **more)


def layers(project: Any = NONE, store: Any = NONE, machine: Any = NONE) -> Layers:
    return Layers(project, store, machine)


@pytest.mark.requirement("PL-030")
@pytest.mark.parametrize(
    ("is_gate", "settings", "value", "source"),
    [
        (True, layers(), True, "stage"),
        (False, layers(), False, "stage"),
        (True, layers({"autopilot": {"gates": "off"}}), False, "autopilot-project"),
        (True, layers(NONE, {"autopilot": {"gates": "off"}}), False, "autopilot-store"),
        (True, layers(NONE, NONE, {"autopilot": {"gates": "off"}}), False, "autopilot-global"),
        (
            True,
            layers({"autopilot": {"gates": "on"}}, NONE, {"autopilot": {"gates": "off"}}),
            True,
            "stage",
        ),
        (False, layers({"autopilot": {"gates": "off"}}), False, "stage"),
        (
            True,
            layers({"pipelines": {"p": {"gates": {"work": "off"}}}}),
            False,
            "stage-override-project",
        ),
        (
            False,
            layers({"pipelines": {"p": {"gates": {"work": "on"}}}}),
            True,
            "stage-override-project",
        ),
        (
            True,
            layers(
                {"autopilot": {"gates": "off"}},
                NONE,
                {"pipelines": {"p": {"gates": {"work": "on"}}}},
            ),
            True,
            "stage-override-global",
        ),
        (True, layers(NONE, {"pipelines": {"p": {"gates": "off"}}}), False, "stage-override-store"),
        (False, layers({"pipelines": {"p": {"gates": "on"}}}), False, "stage-override-project"),
        (True, layers({"pipelines": {"p": {"gates": {"other": "off"}}}}), True, "stage"),
    ],
)
def test_gates(is_gate: bool, settings: Layers, value: bool, source: str) -> None:
    one = pipeline({"gate": is_gate})

    assert gate(one, one.stages[0], settings) == (value, source)


@pytest.mark.requirement("PL-031")
@pytest.mark.parametrize(
    "settings",
    [
        layers({"autopilot": {"gates": "off"}}),
        layers({"pipelines": {"p": {"gates": {"work": "off"}}}}),
        layers({"pipelines": {"p": {"gates": "off"}}}),
    ],
)
def test_no_setting_approves_a_vet_gate(settings: Layers) -> None:
    one = pipeline({"gate": True, "is_vet": True})

    assert gate(one, one.stages[0], settings) == (True, "stage")


@pytest.mark.parametrize(
    ("one", "settings", "value", "source"),
    [
        (pipeline(), layers(), None, "default"),
        (pipeline({"model": "own"}), layers(OVERRIDE), "m", "stage-override-project"),
        (pipeline({"model": "own"}), layers(NONE, OVERRIDE), "m", "stage-override-store"),
        (pipeline({"model": "own"}), layers(NONE, NONE, OVERRIDE), "m", "stage-override-global"),
        (
            pipeline({"model": "own"}, agents={"implementer": Agent("claude", model="a")}),
            layers({"models": {"default": "d"}}),
            "own",
            "stage",
        ),
        (
            pipeline(agents={"implementer": Agent("claude", model="a")}),
            layers({"models": {"default": "d"}}),
            "a",
            "agent",
        ),
        (
            pipeline(agents={"planner": Agent("claude", model="a")}),
            layers({"models": {"default": "d", "roles": {"implementer": "r"}}}),
            "r",
            "project-role",
        ),
        (pipeline(), layers({"models": {"default": "d"}}), "d", "project-default"),
        (
            pipeline(),
            layers({"models": {"default": "d"}}, {"models": {"roles": {"implementer": "r"}}}),
            "d",
            "project-default",
        ),
        (pipeline(), layers(NONE, {"models": {"roles": {"implementer": "r"}}}), "r", "store-role"),
        (pipeline(), layers(NONE, {"models": {"default": "d"}}), "d", "store-default"),
        (
            pipeline(),
            layers(NONE, NONE, {"models": {"roles": {"implementer": "r"}}}),
            "r",
            "global-role",
        ),
        (pipeline(), layers(NONE, NONE, {"models": {"default": "d"}}), "d", "global-default"),
    ],
)
def test_models(one: Pipeline, settings: Layers, value: object, source: str) -> None:
    assert model(one, one.stages[0], settings) == (value, source)


@pytest.mark.parametrize(
    ("one", "settings", "value", "source"),
    [
        (pipeline(), layers(), "claude", "default"),
        (pipeline({"runtime": "codex"}), layers(), "codex", "stage"),
        (pipeline({"runtime": "claude"}), layers(OVERRIDE), "codex", "stage-override-project"),
        (pipeline(agents={"implementer": Agent("codex")}), layers(), "codex", "agent"),
        (
            pipeline({"runtime": "claude"}, agents={"implementer": Agent("codex")}),
            layers(),
            "claude",
            "stage",
        ),
    ],
)
def test_runtimes(one: Pipeline, settings: Layers, value: str, source: str) -> None:
    assert runtime(one, one.stages[0], settings) == (value, source)


HANDOFF_LADDER: list[tuple[Pipeline, Layers, object, str]] = [
    (
        pipeline({"handoff": Handoff(0.2)}, handoff=Handoff(0.4, roles={"implementer": 0.3})),
        layers(OVERRIDE),
        0.1,
        "stage-override-project",
    ),
    (
        pipeline({"handoff": Handoff(0.2)}, handoff=Handoff(0.4, roles={"implementer": 0.3})),
        layers(),
        0.2,
        "stage",
    ),
    (pipeline(handoff=Handoff(0.4, roles={"implementer": 0.3})), layers(), 0.3, "role"),
    (pipeline(handoff=Handoff(0.4)), layers({"handoff": {"threshold": 0.6}}), 0.4, "pipeline"),
    (
        pipeline(),
        layers({"handoff": {"threshold": 0.6, "roles": {"implementer": 0.7}}}),
        0.7,
        "project-role",
    ),
    (pipeline(), layers({"handoff": {"threshold": 0.6}}), 0.6, "project-config"),
    (pipeline(), layers(NONE, {"handoff": {"roles": {"implementer": 0.7}}}), 0.7, "store-role"),
    (pipeline(), layers(NONE, {"handoff": {"threshold": 0.6}}), 0.6, "store-config"),
    (
        pipeline(),
        layers(NONE, NONE, {"handoff": {"roles": {"implementer": 0.7}}}),
        0.7,
        "global-role",
    ),
    (pipeline(), layers(NONE, NONE, {"handoff": {"threshold": 0.6}}), 0.6, "global-config"),
    (pipeline({"model": "GPT-5-mini"}), layers(), {"remainingTokens": 60_000}, "preset"),
    (pipeline({"model": "sonnet"}), layers(), 0.5, "default"),
]


@pytest.mark.parametrize(("one", "settings", "value", "source"), HANDOFF_LADDER)
def test_handoff_thresholds(one: Pipeline, settings: Layers, value: object, source: str) -> None:
    found = handoff(one, one.stages[0], settings)

    assert (found.threshold, found.source) == (value, source)


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (pipeline(), (3, 2, "default")),
        (pipeline(handoff=Handoff(max_relays=5)), (5, 2, "pipeline")),
        (
            pipeline({"handoff": Handoff(stall_limit=9)}, handoff=Handoff(max_relays=5)),
            (5, 9, "stage"),
        ),
        (pipeline({"handoff": Handoff(0.2)}, handoff=Handoff(max_relays=5)), (5, 2, "stage")),
    ],
)
def test_relays_and_stalls(one: Pipeline, expected: tuple[int, int, str]) -> None:
    found = handoff(one, one.stages[0], layers())

    assert (found.max_relays, found.stall_limit, found.source) == expected


def test_the_view_has_every_published_member() -> None:
    one = pipeline(agents={"implementer": Agent("codex", sandbox="read-only", effort="high")})

    assert list(stage_view(one, one.stages[0], layers())) == [
        "id", "kind", "skill", "childPipeline", "role", "requires", "gate", "effectiveGate",
        "gateSource", "loop", "parallelGroup", "condition", "leadReview", "verifyPolicy",
        "runtime", "runtimeSource", "sessionReuse", "sandbox", "model", "modelSource", "effort",
        "handoff",
    ]  # fmt: skip
    assert stage_view(one, one.stages[0], layers())["sandbox"] == "read-only"
