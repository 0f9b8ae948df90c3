"""How far a change is, decided from the files that are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.base.findings import Finding
from rasen.planning import disk as planning_disk
from rasen.planning.changes import status
from rasen.planning.changes.status import Progress
from rasen.planning.schemas import disk
from rasen.planning.schemas.model import Place, Schema

FOLDER = Path("/w/rasen/changes/longer-loans")
SCHEMA: Schema = disk.load(Place("spec-driven", "package", disk.SHIPPED / "spec-driven"))
STRAY = Finding(
    planning_disk.MISPLACED,
    "lending.md",
    {"file": "specs/lending.md", "expected": "specs/lending/spec.md"},
)


def measure(*present: str, misplaced: tuple[Finding, ...] = ()) -> Progress:
    existing = {
        one.id: [FOLDER / one.generates] if one.id in present else [] for one in SCHEMA.artifacts
    }
    return status.measure("longer-loans", SCHEMA, FOLDER, existing=existing, misplaced=misplaced)


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ((), ["ready", "blocked", "blocked", "blocked"]),
        (("proposal",), ["done", "ready", "ready", "blocked"]),
        (("design",), ["ready", "done", "blocked", "blocked"]),
        (("proposal", "specs", "design"), ["done", "done", "done", "ready"]),
        (("proposal", "specs", "design", "tasks"), ["done"] * 4),
    ],
    ids=["nothing", "proposal", "design-alone", "before-tasks", "everything"],
)
def test_states_in_published_order(present: tuple[str, ...], expected: list[str]) -> None:
    states = measure(*present).states

    assert list(states) == ["proposal", "design", "specs", "tasks"]
    assert [state.status for state in states.values()] == expected


def test_next_step_follows_the_order_of_the_schema_not_the_alphabet() -> None:
    [step] = status.next_steps(measure("proposal"))

    assert '`rasen instructions specs --change "longer-loans" --json`' in step


def test_next_step_repeats_the_selector_of_the_root() -> None:
    [step] = status.next_steps(measure(), ("--store", "team"))

    assert '--change "longer-loans" --store team --json' in step


def test_complete_change_is_reminded_of_its_tasks() -> None:
    progress = measure("proposal", "specs", "design", "tasks")

    assert progress.is_complete
    [step] = status.next_steps(progress)
    assert "tasks" in step


def test_misplaced_delta_keeps_specs_from_being_done() -> None:
    progress = measure("proposal", "specs", "design", "tasks", misplaced=(STRAY,))

    assert not progress.is_complete
    assert progress.states["specs"].status == "ready"
    assert progress.states["tasks"].status == "done"
    [step] = status.next_steps(progress)
    assert "specs/lending.md" in step
    assert "specs/lending/spec.md" in step


def test_what_the_gate_waits_for() -> None:
    assert measure("proposal").missing_for_apply == ["tasks"]
    assert measure("tasks").missing_for_apply == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("status", "--change", "add-x"), 'rasen status --change "add-x"'),
        (("status", "--change", "a b$"), "rasen status --change 'a b$'"),
        (("archive", "x; rm"), "rasen archive 'x; rm'"),
    ],
)
def test_calls_can_be_pasted(words: tuple[str, ...], expected: str) -> None:
    assert status.command(*words) == expected
