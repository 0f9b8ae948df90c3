"""The catalogue of what we ship holds what the specification lists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.support.skills import folders

from rasen.workflows import ops
from rasen.workflows.model import Definition, Kind, Source

# id, folder, kind, core, requires
ROWS = [
    ("propose", "rasen-propose", "task", True, ()),
    ("explore", "rasen-explore", "task", True, ()),
    ("new", "rasen-new-change", "task", False, ()),
    ("continue", "rasen-continue-change", "task", False, ()),
    ("apply", "rasen-apply-change", "task", True, ()),
    ("sync", "rasen-sync-specs", "task", True, ()),
    ("archive", "rasen-archive-change", "task", True, ()),
    ("bulk-archive", "rasen-bulk-archive-change", "task", False, ()),
    ("verify", "rasen-verify-change", "task", False, ()),
    ("onboard", "rasen-onboard", "task", False, ()),
    ("help", "rasen-help", "task", True, ()),
    ("office-hours-command", "rasen-office-hours-command", "task", False, ()),
    (
        "verify-enhanced-command",
        "rasen-verify-enhanced",
        "task",
        False,
        ("rasen-review", "rasen-cso", "rasen-qa", "rasen-design-review", "rasen-qa-only"),
    ),
    ("ship-command", "rasen-ship", "task", False, ()),
    (
        "auto-command",
        "rasen-auto",
        "driver",
        True,
        (
            "retain-command",
            "rasen-review",
            "small-feature",
            "full-feature",
            "bug-fix",
            "auto-decompose",
        ),
    ),
    ("review-cycle", "rasen-review-cycle", "task", False, ("rasen-review",)),
    ("handoff", "rasen-handoff", "task", False, ()),
    ("goal-plan", "rasen-goal-plan", "internal", False, ()),
    ("goal-iterate", "rasen-goal-iterate", "internal", False, ()),
    ("goal-report", "rasen-goal-report", "internal", False, ()),
    (
        "goal-command",
        "rasen-goal",
        "driver",
        False,
        ("goal-loop-measure", "goal-loop-evaluate", "goal-loop-research"),
    ),
    ("audit", "rasen-audit", "task", False, ()),
    ("retain-command", "rasen-retain", "internal", False, ()),
]
LATER = {
    "auto-command", "review-cycle", "handoff", "goal-plan", "goal-iterate", "goal-report",
    "goal-command", "audit",
}  # fmt: skip
EXPERTS = [
    "benchmark", "careful", "chrome-use", "codebase-design", "codex", "cso", "design-consultation",
    "design-review", "freeze", "guard", "investigate", "navigator", "office-hours", "prototype",
    "qa", "qa-only", "review", "tdd", "unfreeze", "workflow-author", "workflow-review",
]  # fmt: skip


def _shape(one: Definition) -> tuple[str, str, str, bool, tuple[str, ...]]:
    needs = one.requires
    return (
        one.id,
        one.folder,
        str(one.kind),
        one.is_core,
        (*needs.workflows, *needs.skills, *needs.pipelines, *needs.schemas),
    )


def test_built_in_workflows_are_those_of_the_catalogue_in_its_order() -> None:
    assert [_shape(one) for one in ops.built_in()] == ROWS


def test_built_ins_recommend_nothing_and_say_where_they_come_from() -> None:
    for one in (*ops.built_in(), *ops.experts()):
        assert (one.recommends, one.source, one.digest, one.place) == (
            (),
            Source.BUILT_IN,
            None,
            None,
        )
        assert one.purpose


def test_what_comes_later_is_listed_and_not_available() -> None:
    assert {one.id for one in ops.built_in() if not one.is_available} == LATER
    assert all(one.is_available for one in ops.experts())


@pytest.mark.requirement("RT-011", "RT-013")
def test_all_but_the_retention_runner_can_be_selected() -> None:
    assert [one.id for one in ops.built_in() if not one.is_selectable] == ["retain-command"]


@pytest.mark.requirement("WF-009")
def test_experts_are_those_of_the_catalogue_and_cannot_be_selected() -> None:
    assert [one.id for one in ops.experts()] == EXPERTS
    assert {one.folder for one in ops.experts()} == {f"rasen-{name}" for name in EXPERTS}
    assert {(one.kind, one.is_selectable) for one in ops.experts()} == {(Kind.EXPERT, False)}


@pytest.mark.requirement("WF-007")
def test_full_and_core_consist_of_built_ins() -> None:
    assert ops.core() == (
        "propose",
        "explore",
        "apply",
        "sync",
        "archive",
        "help",
        "auto-command",
    )
    assert ops.full() == tuple(row[0] for row in ROWS if row[0] != "retain-command")


@pytest.mark.requirement("GN-003", "RT-013")
def test_the_retention_runner_and_its_old_name_are_generated_whatever_is_selected() -> None:
    always = [one.folder for one in ops.always()]

    assert always[:2] == ["rasen-retain", "rasen-retro"]
    assert always[2:] == [f"rasen-{name}" for name in EXPERTS]


@pytest.mark.requirement("RT-011")
def test_the_old_name_of_retention_is_no_member() -> None:
    assert "rasen-retro" not in {one.folder for one in ops.built_in()}


def test_folders_of_skills_are_unique_whatever_their_case() -> None:
    names = [one.folder for one in (*ops.built_in(), *ops.always(), *ops.experts())]
    twice = {"rasen-retain", *(one.folder for one in ops.experts() if one.is_available)}

    assert {name for name in names if names.count(name) > 1} == twice


def _known(kind: str) -> list[str]:
    kinds = {"workflows": (*ops.built_in(), *ops.always()), "experts": ops.experts()}
    return sorted(
        {
            one.folder
            for one in kinds[kind]
            if one.is_available and (one.kind is Kind.EXPERT) == (kind == "experts")
        }
    )


@pytest.mark.parametrize("kind", ["workflows", "experts"])
def test_each_available_skill_has_a_text_and_each_text_a_row(kind: str) -> None:
    assert [path.name for path in folders(kind)] == _known(kind)


@pytest.mark.parametrize("one", [*ops.built_in(), *ops.always()], ids=lambda one: one.folder)
def test_skills_bear_the_name_of_their_folder(one: Definition) -> None:
    if one.is_available:
        assert one.load().name == one.folder


@pytest.mark.requirement("RT-013")
def test_the_retention_runner_brings_its_report_branch() -> None:
    [runner] = [one for one in ops.built_in() if one.id == "retain-command"]

    assert [one.path for one in runner.load().sidecars] == ["report.md"]


def test_reporting_only_brings_the_files_of_testing() -> None:
    by_id = {one.id: one for one in ops.experts()}
    lent = {one.path for one in by_id["qa"].load().sidecars}

    assert lent
    assert {one.path for one in by_id["qa-only"].load().sidecars} >= lent


@pytest.mark.requirement("RT-013", "WF-040")
def test_selecting_autopilot_brings_the_retention_runner() -> None:
    assert ops.closure(ops.built_in(), ["auto-command", "propose"]) == (
        "propose",
        "auto-command",
        "retain-command",
    )


def test_unknown_ids_are_left_out_of_a_closure() -> None:
    assert ops.closure(ops.built_in(), ["help", "ff"]) == ("help",)


@pytest.mark.requirement("WF-025")
def test_another_kind_is_no_other_content() -> None:
    """What is filed differently in a later version is not generated anew."""
    one = next(one for one in ops.built_in() if one.id == "propose")

    moved = replace(one, kind=Kind.INTERNAL)

    assert moved.kind is not one.kind
    assert ops.built_in_digest(moved) == ops.built_in_digest(one)


def test_digests_are_stable_and_differ() -> None:
    digests = {one.id: ops.built_in_digest(one) for one in ops.built_in()}

    assert digests == {one.id: ops.built_in_digest(one) for one in ops.built_in()}
    assert len(set(digests.values())) == len(digests)
    assert all(value.startswith("sha256:") and len(value) == 71 for value in digests.values())
