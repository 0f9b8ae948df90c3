"""Narrowing a schema to a lane."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.planning.schemas.lanes import FULL, LIGHT, NOTE, narrowed, offers
from rasen.planning.schemas.model import PACKAGE, PROJECT, Apply, Artifact, Schema


def artifact(name: str, generates: str, *requires: str) -> Artifact:
    return Artifact(name, generates, "", f"{name}.md", f"How to write {name}.", requires)


FOUR = (
    artifact("proposal", "proposal.md"),
    artifact("specs", "specs/**/*.md", "proposal"),
    artifact("design", "design.md", "proposal"),
    artifact("tasks", "tasks.md", "specs", "design"),
)


def schema(*artifacts: Artifact, source: str = PROJECT, apply: Apply | None = None) -> Schema:
    return Schema("ours", 1, "", artifacts or FOUR, apply, source, Path())


@pytest.mark.parametrize("lane", [FULL, None])
def test_the_full_lane_is_the_schema_itself(lane: str | None) -> None:
    whole = schema()

    assert narrowed(whole, lane) is whole


def test_light_leaves_out_all_but_proposal_specs_and_tasks() -> None:
    light = narrowed(schema(apply=Apply(("tasks", "design"), "tasks.md")), LIGHT)

    assert light.ids == ("proposal", "specs", "tasks")
    assert light.lane == LIGHT
    assert [one.requires for one in light.artifacts] == [(), ("proposal",), ("specs", "proposal")]
    assert light.apply_requires == ("tasks", "proposal")
    assert not any(one.is_optional for one in light.artifacts)


def test_note_keeps_the_proposal_and_tasks_nobody_has_to_write() -> None:
    note = narrowed(schema(apply=Apply(("tasks",), "tasks.md")), NOTE)

    assert note.ids == ("proposal", "tasks")
    assert [one.is_optional for one in note.artifacts] == [False, True]
    assert [one.requires for one in note.artifacts] == [(), ("proposal",)]
    assert note.apply_requires == ("proposal",)


def test_the_words_of_the_lane_come_before_those_of_a_schema() -> None:
    text = narrowed(schema(), LIGHT).artifacts[0].instruction or ""

    assert text.startswith("This change is in the lane `light`")
    assert text.endswith("How to write proposal.")


def test_a_note_of_our_own_schema_is_not_told_what_larger_changes_need() -> None:
    text = narrowed(schema(source=PACKAGE), NOTE).artifacts[0].instruction or ""

    assert "How to write proposal." not in text
    assert "2000 characters" in text


def test_the_first_artifact_that_requires_nothing_stands_for_the_proposal() -> None:
    brief = artifact("brief", "brief.md")
    tasks = artifact("tasks", "tasks.md", "brief")

    assert narrowed(schema(brief, tasks), NOTE).ids == ("brief", "tasks")


@pytest.mark.parametrize(
    ("artifacts", "lane", "is_offered"),
    [
        (FOUR, NOTE, True),
        (FOUR, LIGHT, True),
        (FOUR[:3], LIGHT, False),
        (FOUR[:3], NOTE, True),
        ((FOUR[0], FOUR[3]._replace(requires=("proposal",))), LIGHT, False),
        ((FOUR[1]._replace(requires=()),), NOTE, False),
        ((FOUR[1]._replace(requires=()),), FULL, True),
    ],
)
def test_a_lane_needs_its_artifacts(
    artifacts: tuple[Artifact, ...], lane: str, is_offered: bool
) -> None:
    whole = schema(*artifacts)

    assert offers(whole, lane) is is_offered
    if not is_offered:
        assert narrowed(whole, lane) is whole
