"""Ceremony in proportion: changes that go through only a part of their schema."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.world import World

PROPOSAL = (
    "# x\n\n## Why\n\nThe opening hours on the page are those of last year, and people come in vain."
    "\n\n## What Changes\n\n- The page shows the hours of this year.\n"
)
DELTA = (
    "## ADDED Requirements\n\n### Requirement: Hours\nThe page SHALL show the hours.\n\n"
    "#### Scenario: Today\n- **WHEN** it is opened\n- **THEN** the hours of today stand out\n"
)


def metadata(world: World) -> str:
    return world.read("rasen/changes/x/.openspec.yaml")


def start(world: World, lane: str | None = None, *more: str) -> None:
    words = ["--lane", lane] if lane else []
    assert world.cli("new", "change", "x", *words, *more).code == 0


def status(world: World) -> dict[str, Any]:
    document: dict[str, Any] = fits("status", world.cli("status", "--change", "x", "--json").json)
    return document


def findings(world: World, *words: str) -> list[tuple[str, str]]:
    document = world.cli("validate", "x", "--json", *words).json
    return [(one["level"], one.get("code", "")) for one in document["items"][0]["issues"]]


@pytest.mark.parametrize(
    ("lane", "text"),
    [("note", "lane: note\nskip_specs: true\n"), ("light", "lane: light\n"), ("full", "")],
)
def test_a_change_starts_in_the_lane_that_was_asked_for(world: World, lane: str, text: str) -> None:
    result = world.cli("new", "change", "x", "--lane", lane, "--json")

    assert fits("new-change", result.json)["change"]["lane"] == lane
    assert metadata(world) == f"schema: spec-driven\ncreated: 2026-01-31\n{text}"


def test_a_lane_nobody_knows_makes_nothing(world: World) -> None:
    result = world.cli("new", "change", "x", "--lane", "fast", "--json")

    assert result.code == 1
    assert result.json["change"] is None
    assert result.json["status"][0]["code"] == "lane_unknown"
    assert not world.path("rasen").exists()


def test_a_schema_without_the_artifacts_does_not_offer_the_lane(world: World) -> None:
    world.workspace()
    assert world.cli("schema", "init", "plain", "--artifacts", "proposal,tasks").code == 0

    result = world.cli("new", "change", "x", "--schema", "plain", "--lane", "light", "--json")

    assert result.json["status"][0]["code"] == "lane_not_offered"
    assert world.cli("new", "change", "x", "--schema", "plain", "--lane", "note").code == 0


def test_a_note_goes_from_its_proposal_straight_to_the_archive(world: World) -> None:
    start(world, "note")
    before = status(world)
    assert before["lane"] == "note"
    assert [one["id"] for one in before["artifacts"]] == ["proposal", "tasks"]
    assert before["artifacts"][1]["optional"] is True
    assert before["applyRequires"] == ["proposal"]
    world.write("rasen/changes/x/proposal.md", PROPOSAL)

    assert status(world)["isComplete"] is True
    apply = world.cli("instructions", "apply", "--change", "x", "--json").json
    assert (fits("instructions-apply", apply)["state"], apply["lane"]) == ("ready", "note")
    assert findings(world, "--strict") == [("INFO", "change_specs_skipped")]
    archived = world.cli("archive", "x", "--yes")
    assert archived.code == 0
    assert "has no delta" not in archived.out + archived.err


def test_a_note_with_tasks_waits_for_them(world: World) -> None:
    start(world, "note")
    world.write("rasen/changes/x/proposal.md", PROPOSAL)
    world.write("rasen/changes/x/tasks.md", "- [ ] 1.1 Change the page\n")

    apply = world.cli("instructions", "apply", "--change", "x", "--json").json
    assert apply["progress"] == {"total": 1, "complete": 0, "remaining": 1}
    assert world.cli("task", "done", "x", "1").code == 0
    done = world.cli("instructions", "apply", "--change", "x", "--json").json
    assert done["state"] == "all_done"


def test_light_asks_for_no_design(world: World) -> None:
    start(world, "light")
    world.write("rasen/changes/x/proposal.md", PROPOSAL)
    world.write("rasen/changes/x/specs/page/spec.md", DELTA)
    steps = status(world)["nextSteps"]
    assert "rasen instructions tasks" in steps[0]
    world.write("rasen/changes/x/tasks.md", "- [x] 1.1 Do it\n")

    document = status(world)
    assert [one["id"] for one in document["artifacts"]] == ["proposal", "specs", "tasks"]
    assert document["isComplete"] is True
    assert "Lane: light" in world.cli("status", "--change", "x").out
    text = world.cli("instructions", "tasks", "--change", "x", "--json").json
    assert fits("instructions", text)["lane"] == "light"
    assert [one["id"] for one in text["dependencies"]] == ["specs", "proposal"]
    assert world.cli("archive", "x", "--yes").code == 0
    assert "Hours" in world.read("rasen/specs/page/spec.md")


def test_an_artifact_outside_the_lane_is_not_known(world: World) -> None:
    start(world, "light")

    result = world.cli("instructions", "design", "--change", "x", "--json")

    assert result.code == 1
    assert "proposal, specs, tasks" in result.json["status"][0]["message"]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("note", "light", "lane: light\n"),
        ("note", "full", ""),
        ("light", "full", ""),
        ("light", "note", "lane: note\nskip_specs: true\n"),
        ("full", "light", "lane: light\n"),
        ("note", "note", "lane: note\nskip_specs: true\n"),
    ],
)
def test_moving_edits_the_key_alone(world: World, before: str, after: str, text: str) -> None:
    start(world, before)
    world.write("rasen/changes/x/proposal.md", PROPOSAL)
    path = "rasen/changes/x/.openspec.yaml"
    world.write(path, metadata(world).replace("created:", "# ours\ncreated:"))

    result = world.cli("change", "lane", "x", after, "--json")

    assert result.code == 0
    document = fits("change-lane", result.json)
    assert (document["lane"], document["before"]) == (after, before)
    assert metadata(world) == f"schema: spec-driven\n# ours\ncreated: 2026-01-31\n{text}"
    assert world.read("rasen/changes/x/proposal.md") == PROPOSAL


def test_moving_a_change_without_metadata_gives_it_some(world: World) -> None:
    world.workspace()
    world.write("rasen/changes/x/proposal.md", PROPOSAL)

    assert world.cli("change", "lane", "x", "light").code == 0

    assert metadata(world) == "schema: spec-driven\nlane: light\n"


def test_what_touches_specs_cannot_become_a_note(world: World) -> None:
    start(world)
    world.write("rasen/changes/x/specs/page/spec.md", DELTA)
    before = metadata(world)

    result = world.cli("change", "lane", "x", "note", "--json")

    assert result.code == 1
    assert result.json["status"][0]["code"] == "lane_has_specs"
    assert "specs/page/spec.md" in result.json["status"][0]["message"]
    assert metadata(world) == before


def test_a_delta_in_a_note_is_refused_by_validate_and_archive_alike(world: World) -> None:
    start(world, "note")
    world.write("rasen/changes/x/proposal.md", PROPOSAL)
    world.write("rasen/changes/x/specs/page/spec.md", DELTA)

    assert ("ERROR", "lane_has_specs") in findings(world)
    refused = world.cli("archive", "x", "--yes", "--json")
    assert refused.code == 1
    assert "lane_has_specs" in [one["code"] for one in refused.json["issues"]]
    assert world.cli("change", "lane", "x", "light").code == 0
    assert ("ERROR", "lane_has_specs") not in findings(world)


def test_a_key_set_by_hand_is_enough(world: World) -> None:
    start(world)
    world.write("rasen/changes/x/.openspec.yaml", "schema: spec-driven\nlane: note\n")
    world.write("rasen/changes/x/proposal.md", PROPOSAL)

    assert world.cli("validate", "x", "--strict").code == 0
    assert status(world)["isComplete"] is True


def test_a_lane_that_is_none_is_refused_with_its_line(world: World) -> None:
    start(world)
    world.write("rasen/changes/x/.openspec.yaml", "schema: spec-driven\nlane: quick\n")

    result = world.cli("status", "--change", "x", "--json")

    assert result.json["status"][0]["code"] == "change_metadata_invalid"
    assert "line 2: lane has to be note, light or full" in result.json["status"][0]["message"]


def test_a_schema_that_lost_the_lane_is_followed_whole(world: World) -> None:
    world.workspace()
    world.cli("schema", "init", "plain", "--artifacts", "proposal,tasks")
    start(world, None, "--schema", "plain")
    world.write("rasen/changes/x/.openspec.yaml", "schema: plain\nlane: light\nskip_specs: true\n")
    world.write("rasen/changes/x/proposal.md", PROPOSAL)

    assert ("WARNING", "lane_without_effect") in findings(world)
    assert "lane" not in status(world)


def test_what_grows_out_of_its_lane_is_told(world: World) -> None:
    start(world, "note")
    world.write("rasen/changes/x/proposal.md", f"{PROPOSAL}- **BREAKING** it\n{'more ' * 400}")

    found = findings(world)

    assert ("WARNING", "lane_text_long") in found
    assert ("INFO", "lane_small") in found
    english, japanese = (
        world.cli("validate", "x", env={"RASEN_LANG": language}) for language in ("en", "ja")
    )
    assert "it is marked BREAKING" in english.out + english.err
    assert "it is marked BREAKING" not in japanese.out + japanese.err


def test_a_smaller_lane_is_suggested_when_none_was_asked_for(world: World) -> None:
    result = world.cli("new", "change", "x", "--goal", "Fix a typo", "--json")

    suggested = fits("new-change", result.json)["suggestedLane"]
    assert suggested["lane"] == "note"
    assert "typo" in suggested["reasons"][0]
    told = world.cli("new", "change", "y", "--goal", "Fix a typo").out
    assert "rasen change lane y note" in told


@pytest.mark.parametrize(
    "words",
    [[], ["--goal", "Longer"], ["--goal", "A new api"], ["--goal", "typo", "--lane", "light"]],
)
def test_nothing_is_suggested_without_need(world: World, words: list[str]) -> None:
    result = world.cli("new", "change", "x", *words, "--json")

    assert "suggestedLane" not in result.json


def test_showing_a_lane_writes_nothing(world: World) -> None:
    start(world, "light")
    before = metadata(world)

    document = fits("change-lane", world.cli("change", "lane", "x", "--json").json)

    assert (document["lane"], "before" in document) == ("light", False)
    assert "Lane of x: light" in world.cli("change", "lane", "x").out
    assert metadata(world) == before


def test_the_lane_of_a_change_that_is_not_there(world: World) -> None:
    world.workspace()

    document = world.cli("change", "lane", "x", "light", "--json").json

    assert document["change"] is None
    assert document["status"][0]["code"] == "change_error"
