"""Reading `pipeline.yaml`: shapes, defaults, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from rasen.base.findings import Finding, Level
from rasen.pipelines.disk import read_value
from rasen.pipelines.model import Pipeline
from rasen.syntax import yaml

TWO = "name: p\nstages:\n- {id: a, skill: rasen-propose}\n- {id: b, skill: rasen-ship, requires: [a]}\n"


def read(text: str) -> tuple[Pipeline | None, tuple[Finding, ...]]:
    document = yaml.load_positioned(text, file="pipeline.yaml")
    return read_value(document.value, document.where)


def parsed(text: str) -> Pipeline:
    found, findings = read(text)
    assert found is not None, [one.message for one in findings]
    return found


def errors(text: str) -> list[Finding]:
    return [one for one in read(text)[1] if one.level is Level.ERROR]


def stage(more: str) -> str:
    return f"name: p\nstages:\n- {{id: a, skill: s, {more}}}\n"


def loop(more: str) -> str:
    return stage(f"loop: {{{more}}}")


def test_the_least_that_a_pipeline_says() -> None:
    found = parsed(TWO)

    assert (found.name, found.description, found.origin) == ("p", "", None)
    assert found.ids == ("a", "b")
    assert found.stages[0].kind == "standard"
    assert found.reuse.to_json() == {
        "planner": "auto", "implementer": "auto", "threshold": None, "roles": {}
    }  # fmt: skip


@pytest.mark.requirement("PL-031")
def test_a_vet_gate_is_a_gate_and_told() -> None:
    found, findings = read(stage("gate: vet"))

    assert found is not None
    assert (found.stages[0].gate, found.stages[0].is_vet) == (True, True)
    assert [(one.code, one.line) for one in findings] == [("pipeline_gate_vet", 3)]


@pytest.mark.requirement("PL-001")
def test_fields_nobody_knows_are_ignored_with_a_word_at_the_two_upper_levels() -> None:
    found, findings = read("name: p\nextra: 1\nstages:\n- {id: a, skill: s, other: 2}\n")

    assert found is not None
    assert [(one.code, one.path, one.level) for one in findings] == [
        ("pipeline_field_ignored", "extra", Level.WARNING),
        ("pipeline_field_ignored", "stages[0].other", Level.WARNING),
    ]


def test_a_decompose_stage_has_a_child_unless_it_names_another() -> None:
    text = "name: p\nstages:\n- {id: a, kind: decompose, %s}\n- {id: b, skill: s, requires: [a]}\n"

    assert parsed(text % "role: planner").stages[0].child == "small-feature"
    assert parsed(text % "childPipeline: bug-fix").stages[0].child == "bug-fix"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("kind: review-cycle", {"kind": "review-cycle", "maxRounds": 3}),
        ("kind: review-cycle, maxRounds: 7", {"kind": "review-cycle", "maxRounds": 7}),
        (
            "kind: goal, gate: {kind: measure}",
            {"kind": "goal", "gate": {"kind": "measure", "direction": "gte", "timeoutSec": 120},
             "maxRounds": 5, "loopStallLimit": 2, "blockedThreshold": 3,
             "runArtifact": "goal-run.json"},
        ),
        (
            "kind: goal, gate: {kind: evaluate, rubric: r}, maxRounds: 2, runArtifact: x.json",
            {"kind": "goal", "gate": {"kind": "evaluate", "rubric": "r"}, "maxRounds": 2,
             "loopStallLimit": 2, "blockedThreshold": 3, "runArtifact": "x.json"},
        ),
    ],
)  # fmt: skip
def test_loops_have_defaults(given: str, expected: Any) -> None:
    assert parsed(loop(given)).stages[0].loop == expected


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[]", "pipeline.yaml"),
        ("name: p", "stages"),
        ("stages:\n- {id: a, skill: s}", "name"),
        ("name: ''\nstages:\n- {id: a, skill: s}", "name"),
        ("name: p\nstages: []", "stages"),
        ("name: p\nstages: {}", "stages"),
        ("name: p\nstages: [a]", "stages[0]"),
        ("name: p\nstages:\n- {skill: s}", "stages[0].id"),
        ("name: p\nstages:\n- {id: a}", "stages[0].skill"),
        ("name: p\nstages:\n- {id: 1, skill: s}", "stages[0].id"),
        (stage("kind: parallel"), "stages[0].kind"),
        (stage("role: boss"), "stages[0].role"),
        (stage("requires: b"), "stages[0].requires"),
        (stage("gate: 1"), "stages[0].gate"),
        (stage("leadReview: yes"), "stages[0].leadReview"),
        (stage("verifyPolicy: none"), "stages[0].verifyPolicy"),
        (stage("runtime: gemini"), "stages[0].runtime"),
        (stage("sessionReuse: all"), "stages[0].sessionReuse"),
        (stage("sandbox: none"), "stages[0].sandbox"),
        (stage("model: ''"), "stages[0].model"),
        (stage("handoff: {threshold: 0}"), "stages[0].handoff.threshold"),
        (stage("handoff: {threshold: 60000}"), "stages[0].handoff.threshold"),
        (stage("handoff: {maxRelays: true}"), "stages[0].handoff.maxRelays"),
        (stage("handoff: {roles: {planner: 0.5}}"), "stages[0].handoff.roles"),
        (loop("kind: forever"), "stages[0].loop.kind"),
        (loop("maxRounds: 1"), "stages[0].loop.kind"),
        (loop("kind: review-cycle, gate: {kind: measure}"), "stages[0].loop.gate"),
        (loop("kind: review-cycle, maxRounds: 0"), "stages[0].loop.maxRounds"),
        (loop("kind: goal"), "stages[0].loop.gate"),
        (loop("kind: goal, gate: {kind: guess}"), "stages[0].loop.gate.kind"),
        (loop("kind: goal, gate: {kind: evaluate, command: x}"), "stages[0].loop.gate.command"),
        (loop("kind: goal, gate: {kind: measure, direction: up}"), "stages[0].loop.gate.direction"),
        (f"{TWO}agents: {{boss: claude}}\n", "agents.boss"),
        (f"{TWO}agents: {{planner: gemini}}\n", "agents.planner.runtime"),
        (f"{TWO}agents: {{planner: {{model: x}}}}\n", "agents.planner.runtime"),
        (f"{TWO}agents: {{planner: {{runtime: codex, other: x}}}}\n", "agents.planner.other"),
        (f"{TWO}origin: hand\n", "origin"),
        (f"{TWO}reuse: {{planner: always}}\n", "reuse.planner"),
        (f"{TWO}reuse: {{reviewer: auto}}\n", "reuse.reviewer"),
        (f"{TWO}reuse: {{roles: {{reviewer: 0.5}}}}\n", "reuse.roles.reviewer"),
        (f"{TWO}handoff: {{other: 1}}\n", "handoff.other"),
        (f"{TWO}description: 3\n", "description"),
    ],
)
def test_what_is_wrong_is_named_by_its_place(text: str, place: str) -> None:
    found = errors(text)

    assert [(one.code, one.path) for one in found] == [("pipeline_invalid", place)]


@pytest.mark.requirement("PL-002", "PL-003")
@pytest.mark.parametrize(
    ("stages", "said"),
    [
        ("- {id: a, skill: s}\n- {id: a, skill: s}", "two stages are called a"),
        ("- {id: a, skill: s, requires: [b]}", "a requires b, which is no stage"),
        (
            "- {id: a, skill: s, requires: [b]}\n- {id: b, skill: s, requires: [a]}",
            "in a circle: a → b → a",
        ),
        ("- {id: a, skill: s, requires: [a]}", "in a circle: a → a"),
        (
            "- {id: a, skill: s, parallelGroup: g}\n"
            "- {id: b, skill: s, parallelGroup: g, requires: [a]}",
            "both are in the parallel group g",
        ),
        (
            "- {id: a, kind: decompose}\n- {id: b, kind: decompose}",
            "more than one stage decomposes",
        ),
        (
            "- {id: a, kind: decompose}\n- {id: b, skill: s}",
            "has to be the one stage that requires nothing",
        ),
        (
            "- {id: a, skill: s, loop: {kind: goal, gate: {kind: measure, command: c}}}",
            "nothing to compare its answer with",
        ),
    ],
)
def test_stages_may_not_contradict_each_other(stages: str, said: str) -> None:
    found = errors(f"name: p\nstages:\n{stages}\n")

    assert [one.code for one in found] == ["pipeline_invalid"]
    assert said in found[0].message
    assert found[0].line is not None


@pytest.mark.requirement("PL-004")
def test_a_composed_pipeline_has_a_review_and_a_review_loop() -> None:
    messages = [one.message for one in errors(f"{TWO}origin: composed\n")]

    assert len(messages) == 2
    assert errors(f"{TWO}origin: ui\n") == []
    reviewed = (
        "name: p\norigin: composed\nstages:\n"
        "- {id: a, skill: s, role: reviewer, loop: {kind: review-cycle}}\n"
    )
    assert errors(reviewed) == []


@pytest.mark.requirement("PL-005")
@pytest.mark.parametrize("more", ["threshold: 1", "target: 0", "threshold: 0.5, target: 1"])
def test_a_measure_with_something_to_compare_is_enough(more: str) -> None:
    assert errors(loop(f"kind: goal, gate: {{kind: measure, command: c, {more}}}")) == []
