"""The catalogue: order, who keeps a name, what cannot work, and what depends on that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from tests.support.workflow_makers import Files, skill, workflow

from rasen.workflows.catalogue import Catalogue, Known, assemble, current_skill
from rasen.workflows.model import Source
from rasen.workflows.ops import core, experts, full
from rasen.workflows.reading import Reading, definition_from


def reading(id: str, files: Files | None = None) -> Reading:
    made = definition_from(files or workflow(id), folder_name=id)
    return Reading(id, made.definition, made.found, Path("/library") / id)


def of(*ids: str, known: Known | None = None, **requires: Mapping[str, Sequence[str]]) -> Catalogue:
    """A catalogue of plain workflows and of some that require others (`_` for `-` in the name)."""
    needy = [
        reading(id.replace("_", "-"), workflow(id.replace("_", "-"), requires=needed))
        for id, needed in requires.items()
    ]
    return assemble([*map(reading, ids), *needy], known=known)


def users(catalogue: Catalogue) -> list[str]:
    return [one.id for one in catalogue.definitions if one.source is Source.USER]


def invalid(catalogue: Catalogue) -> dict[str, list[str]]:
    return {one.id: [found.code for found in one.diagnostics] for one in catalogue.invalid}


@pytest.mark.requirement("WF-006")
def test_the_users_come_after_ours_by_id() -> None:
    catalogue = of("zeta", "a10", "a9", "beta")

    assert users(catalogue) == ["a10", "a9", "beta", "zeta"]
    assert [one.source for one in catalogue.definitions[:3]] == [Source.BUILT_IN] * 3


@pytest.mark.requirement("WF-007")
def test_the_built_in_profiles_have_only_ours() -> None:
    ours = {one.id for one in Catalogue().definitions}

    assert set(core()) <= ours
    assert set(full()) <= ours


@pytest.mark.requirement("WF-010", "WF-083")
@pytest.mark.parametrize("id", ["propose", "retain-command", "review"])
def test_an_id_of_ours_cannot_be_taken(id: str) -> None:
    files = {**workflow(id), "SKILL.md": skill("free").encode()}

    catalogue = assemble([reading(id, files)])

    assert users(catalogue) == []
    assert invalid(catalogue) == {id: ["workflow_id_collision"]}


@pytest.mark.requirement("WF-011", "WF-083")
@pytest.mark.parametrize("name", ["rasen-propose", "rasen-review", "rasen-retro", "aaa"])
def test_a_skill_name_belongs_to_who_has_it_first(name: str) -> None:
    files = {**workflow("bbb"), "SKILL.md": skill(name).encode()}

    catalogue = assemble([reading("bbb", files), reading("aaa")])

    assert users(catalogue) == ["aaa"]
    assert invalid(catalogue) == {"bbb": ["skill_name_collision"]}


@pytest.mark.requirement("WF-082", "WF-084", "WF-040")
def test_what_depends_on_something_broken_is_broken_however_far() -> None:
    broken = reading("broken", {"SKILL.md": b"x"})
    chain = [
        reading("one", workflow("one", requires={"workflows": ["broken"]})),
        reading("two", workflow("two", requires={"workflows": ["one"]})),
        reading("three", workflow("three", requires={"workflows": ["two"]})),
        reading("sound"),
    ]

    catalogue = assemble([broken, *chain])

    assert users(catalogue) == ["sound"]
    assert invalid(catalogue) == {
        "broken": ["manifest_missing"],
        "one": ["workflow_dependency_invalid"],
        "two": ["workflow_dependency_invalid"],
        "three": ["workflow_dependency_invalid"],
    }


@pytest.mark.requirement("WF-040", "WF-084")
def test_every_member_of_a_circle_is_told_and_no_other() -> None:
    catalogue = of(
        "free",
        a={"workflows": ["b"]},
        b={"workflows": ["c"]},
        c={"workflows": ["a"]},
        itself={"workflows": ["itself"]},
        outside={"workflows": ["a", "free"]},
    )

    assert users(catalogue) == ["free"]
    found = invalid(catalogue)
    assert found.pop("outside") == ["workflow_dependency_invalid"]
    assert found == {id: ["workflow_dependency_cycle"] for id in ("a", "b", "c", "itself")}


@pytest.mark.requirement("WF-040", "WF-041", "WF-084", "WF-015", "SP-022")
def test_what_is_required_has_to_be_there() -> None:
    catalogue = of(
        lacks_one={"workflows": ["nowhere"]},
        lacks_expert={"skills": ["rasen-nobody"]},
        no_expert={"skills": ["rasen-propose"]},
        fine={"workflows": ["apply"], "skills": ["rasen-review", "rasen:cso", "openspec-opsx-qa"]},
    )

    assert users(catalogue) == ["fine"]
    assert invalid(catalogue) == {
        "lacks-one": ["workflow_dependency_missing"],
        "lacks-expert": ["skill_dependency_missing"],
        "no-expert": ["skill_dependency_missing"],
    }
    closed = catalogue.closed(("fine",))
    assert closed == ("apply", "fine")


@pytest.mark.requirement("WF-043")
def test_required_pipelines_and_schemas_are_asked_for() -> None:
    known = Known({"nightly"}.__contains__, {"spec-driven"}.__contains__)
    needs: dict[str, Mapping[str, Sequence[str]]] = {
        "fine": {"pipelines": ["nightly"], "schemas": ["spec-driven"]},
        "poor": {"pipelines": ["weekly"], "schemas": ["other"]},
    }

    assert users(of(known=known, **needs)) == ["fine"]
    assert invalid(of(known=known, **needs)) == {
        "poor": ["pipeline_dependency_missing", "schema_dependency_missing"]
    }
    assert users(of(**needs)) == ["fine", "poor"]


@pytest.mark.requirement("WF-042")
def test_what_is_only_recommended_may_be_missing() -> None:
    files = workflow("flow", more="recommends: {workflows: [apply, nowhere]}\n")

    catalogue = assemble([reading("flow", files)])

    assert users(catalogue) == ["flow"]
    assert [one.code for one in catalogue.diagnostics] == ["recommended_workflow_missing"]
    assert catalogue.closed(("flow",)) == ("flow",)


@pytest.mark.requirement("WF-003")
def test_a_workflow_may_have_the_name_of_a_pipeline_or_schema() -> None:
    assert users(of("small-feature", "spec-driven")) == ["small-feature", "spec-driven"]


@pytest.mark.requirement("SP-022", "WF-015")
@pytest.mark.parametrize(
    ("name", "now"),
    [
        ("rasen-review", "rasen-review"),
        ("rasen:review", "rasen-review"),
        ("openspec:review", "rasen-review"),
        ("openspec-review", "rasen-review"),
        ("openspec-opsx-review", "rasen-review"),
        ("openspec-kept", "openspec-kept"),
        ("other", "other"),
    ],
)
def test_earlier_names_are_tried_when_nobody_has_the_literal_one(name: str, now: str) -> None:
    known: Iterable[str] = [*(one.folder for one in experts()), "openspec-kept"]

    assert current_skill(name, list(known)) == now
