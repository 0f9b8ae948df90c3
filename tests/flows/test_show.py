"""`rasen show` as people and agents see it."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    FOLDER,
    LOAN_PERIOD,
    PROPOSAL,
    S1,
    base_spec,
    change,
    desk,
)
from tests.support.stores import Stores
from tests.support.world import World

STUDENTS = {
    "text": "The system SHALL grant students 42 days.",
    "scenarios": [
        {
            "rawText": "- **WHEN** a member shows a student card\n"
            "- **THEN** the due date is 42 days later"
        }
    ],
}


def test_text_of_a_change_is_its_proposal(world: World) -> None:
    desk(world)

    result = world.cli("show", CHANGE)

    assert (result.code, result.out, result.err) == (0, PROPOSAL + "\n", "")


def test_text_of_a_spec_is_the_file(world: World) -> None:
    base_spec(world, S1.replace("\n", "\r\n"))

    assert world.process("show", "lending").out == S1.replace("\n", "\r\n") + "\n"


def test_a_terminal_gets_no_control_characters(world: World) -> None:
    base_spec(world, f"{S1}\x1b[2J evil\n")

    assert "\x1b[2J" not in world.cli("show", "lending", tty=True).out
    assert "\x1b[2J" in world.cli("show", "lending").out


def test_document_of_a_change(world: World) -> None:
    desk(world)
    world.write(
        f"{FOLDER}/specs/fines/spec.md",
        "## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\n\n"
        "## REMOVED Requirements\n- `### Requirement: C`\n",
    )

    result = world.cli("show", CHANGE, "--json")

    removed = {"text": "C", "scenarios": []}
    assert fits("show-change", result.json) == {
        "id": CHANGE,
        "title": CHANGE,
        "deltaCount": 3,
        "deltas": [
            {
                "spec": "fines",
                "operation": "REMOVED",
                "description": "Remove requirement: C",
                "requirement": removed,
                "requirements": [removed],
            },
            {
                "spec": "fines",
                "operation": "RENAMED",
                "description": 'Rename requirement from "A" to "B"',
                "rename": {"from": "A", "to": "B"},
            },
            {
                "spec": "lending",
                "operation": "ADDED",
                "description": f"Add requirement: {STUDENTS['text']}",
                "requirement": STUDENTS,
                "requirements": [STUDENTS],
            },
        ],
        "root": {"path": str(world.root), "source": "nearest"},
    }
    assert list(result.json) == ["id", "title", "deltaCount", "deltas", "root"]


def test_without_delta_files_the_bullets_of_the_proposal_count(world: World) -> None:
    base_spec(world)
    bullets = (
        "- **lending:** add a longer loan\n- **desk**: remove the queue\n- **fines:** as before\n"
    )
    change(world, "", proposal=PROPOSAL + bullets)

    deltas = fits("show-change", world.cli("show", CHANGE, "--json").json)["deltas"]

    assert [(one["spec"], one["operation"]) for one in deltas] == [
        ("lending", "ADDED"),
        ("desk", "REMOVED"),
        ("fines", "MODIFIED"),
    ]


@pytest.mark.parametrize("flag", ["--deltas-only", "--requirements-only"])
def test_flags_of_old_change_nothing(world: World, flag: str) -> None:
    desk(world)

    result = world.cli("show", CHANGE, "--json", flag)

    assert result.json == world.cli("show", CHANGE, "--json").json
    assert bool(result.err) is (flag == "--requirements-only")


def test_document_of_a_spec(world: World) -> None:
    base_spec(world)

    document = fits("show-spec", world.cli("show", "lending", "--json").json)

    assert list(document) == [
        "id", "title", "overview", "requirementCount", "requirements", "metadata", "root",
    ]  # fmt: skip
    assert document["title"] == "lending"
    assert document["overview"].startswith("Rules for lending")
    assert document["metadata"] == {"version": "1.0.0", "format": "openspec"}
    first, second = document["requirements"]
    assert first["text"] == "The system SHALL set the due date 21 days after checkout."
    assert [len(first["scenarios"]), len(second["scenarios"])] == [2, 1]


@pytest.mark.parametrize("flag", ["--requirements", "--no-scenarios"])
def test_scenarios_can_be_left_out(world: World, flag: str) -> None:
    base_spec(world)

    document = fits("show-spec", world.cli("show", "lending", "--json", flag).json)

    assert [one["scenarios"] for one in document["requirements"]] == [[], []]


@pytest.mark.parametrize(
    "words", [("-r", "2"), ("--requirement", "2"), ("--requirement=2",)], ids=str
)
def test_one_requirement_by_number(world: World, words: tuple[str, ...]) -> None:
    base_spec(world)

    document = world.cli("show", "lending", "--json", *words).json

    assert document["requirementCount"] == 1
    assert "two renewals" in document["requirements"][0]["text"]


@pytest.mark.parametrize("number", ["0", "3", "-1", "one", "1.0", "²", "99999999999"])
def test_a_requirement_that_is_not_there(world: World, number: str) -> None:
    base_spec(world)

    result = world.cli("show", "lending", "--json", f"--requirement={number}")

    assert (result.code, result.error) == (1, "show_error")
    assert number in result.json["status"][0]["message"]
    assert fits("show-spec", result.json)


def test_filters_that_exclude_each_other(world: World) -> None:
    base_spec(world)

    result = world.cli("show", "lending", "--json", "--requirements", "-r", "1")

    assert (result.code, result.error) == (1, "show_error")


@pytest.mark.parametrize(
    ("item", "flags", "named"),
    [
        (CHANGE, ("--requirements",), "--requirements"),
        (CHANGE, ("--no-scenarios", "-r", "1"), "--no-scenarios, --requirement"),
        ("lending", ("--deltas-only",), "--deltas-only"),
    ],
    ids=str,
)
def test_flags_of_the_other_kind_are_named_once_and_ignored(
    world: World, item: str, flags: tuple[str, ...], named: str
) -> None:
    desk(world)

    result = world.cli("show", item, *flags)

    assert result.code == 0
    assert result.err.count("\n") == 1
    assert result.err.startswith(f"{named}: ")


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["text", "json"])
@pytest.mark.parametrize("item", [CHANGE, "lending"])
def test_no_flag_no_warning(world: World, item: str, flags: tuple[str, ...]) -> None:
    desk(world)

    assert world.cli("show", item, *flags).err == ""


@pytest.mark.parametrize(
    "words",
    [
        ("--unknown", "lending"),
        ("lending", "--unknown"),
        ("lending", "--unknown", "value"),
        ("lending", "--unknown=value", "-x"),
    ],
    ids=" ".join,
)
def test_unknown_options_are_ignored(world: World, words: tuple[str, ...]) -> None:
    base_spec(world)

    assert world.cli("show", *words, "--json").json["id"] == "lending"


def test_two_names_are_one_too_many(world: World) -> None:
    desk(world)

    assert world.cli("show", "lending", CHANGE, "--json").error == "usage_error"


@pytest.mark.parametrize("flags", [(), ("--no-interactive",)], ids=str)
def test_without_a_name_and_without_a_person_there_is_a_hint(
    world: World, flags: tuple[str, ...]
) -> None:
    desk(world)

    result = world.cli("show", *flags)

    assert (result.code, result.out) == (1, "")
    assert "rasen show <change>" in result.err
    assert world.cli("show", "--json").error == "show_error"


def test_hints_carry_the_store(world: World) -> None:
    stores = Stores(world)
    stores.register("team", stores.checkout("team"))

    named = world.cli("show", "nope", "--store", "team", "--json").json["status"][0]["fix"]
    unnamed = world.cli("show", "--store", "team", "--json").json["status"][0]["fix"]

    assert "rasen list --store team" in named
    assert "rasen show <change> --store team" in unnamed


def test_a_person_picks_kind_and_name(world: World) -> None:
    desk(world)

    result = world.cli("show", tty=True, input="2\n1\n")

    assert result.code == 0
    assert result.out.endswith(S1 + "\n")


def test_a_person_who_declines_gets_the_hint(world: World) -> None:
    desk(world)

    result = world.cli("show", tty=True, input="\n")

    assert result.code == 1
    assert "rasen show <change>" in result.err


@pytest.mark.parametrize("command", ["show", "validate"])
class TestNames:
    """Which item a name means, the same for both commands."""

    def test_unknown(self, world: World, command: str) -> None:
        desk(world)

        result = world.cli(command, "longer-loan", "--json")

        assert (result.code, result.error) == (1, "unknown_item")
        assert "nearest: longer-loans, lending" in result.json["status"][0]["message"]

    def test_unknown_where_there_is_nothing(self, world: World, command: str) -> None:
        world.workspace()

        assert "nearest: none" in world.cli(command, "loans").err

    def test_ambiguous(self, world: World, command: str) -> None:
        desk(world)
        change(world, name="lending")

        result = world.cli(command, "lending", "--json")

        assert (result.code, result.error) == (1, "ambiguous_item")
        assert "--type" in result.json["status"][0]["fix"]

    @pytest.mark.parametrize("kind", ["change", "SPEC"])
    def test_the_type_decides(self, world: World, command: str, kind: str) -> None:
        desk(world)
        change(world, name="lending")

        assert world.cli(command, "lending", "--type", kind, "--json").code == 0

    @pytest.mark.parametrize("kind", ["change", "pipeline"])
    def test_the_wrong_type_finds_nothing(self, world: World, command: str, kind: str) -> None:
        desk(world)

        result = world.cli(command, "lending", "--type", kind, "--json")

        assert (result.code, result.error) == (1, "unknown_item")

    def test_an_unknown_type_counts_as_none(self, world: World, command: str) -> None:
        desk(world)

        assert world.cli(command, "lending", "--type", "story", "--json").code == 0

    @pytest.mark.parametrize(
        "name",
        [
            "../specs/lending",
            "lending/..",
            "./lending",
            "archive",
            "",
            "a\\b",
            "/etc",
            "C:x",
            "a\0b",
        ],
    )
    def test_names_that_lead_elsewhere_are_unknown(
        self, world: World, command: str, name: str
    ) -> None:
        desk(world)

        result = world.cli(command, name, "--json")

        assert (result.code, result.error) == (1, "unknown_item")

    def test_a_nested_capability_has_a_path(self, world: World, command: str) -> None:
        base_spec(world)
        world.write("rasen/specs/area/desk/spec.md", S1)

        assert world.cli(command, "area/desk", "--json").code == 0

    def test_a_name_that_other_systems_refuse_is_found(self, world: World, command: str) -> None:
        base_spec(world)
        change(world, name="feat:loans")

        assert world.cli(command, "feat:loans", "--json").code == 0


def test_a_change_without_a_proposal_names_the_file(world: World) -> None:
    desk(world)
    world.path(f"{FOLDER}/proposal.md").unlink()

    result = world.cli("show", CHANGE, "--json")

    assert (result.code, result.error) == (1, "show_error")
    assert str(world.path(f"{FOLDER}/proposal.md")) in result.json["status"][0]["message"]


@pytest.mark.parametrize("part", ["## Why", "## What Changes"])
def test_a_proposal_without_a_part_says_which(world: World, part: str) -> None:
    base_spec(world)
    change(world, proposal=PROPOSAL.replace(part, "## Other"))

    result = world.cli("show", CHANGE, "--json")

    assert (result.code, result.error) == (1, "show_error")
    assert part in result.json["status"][0]["message"]


@pytest.mark.parametrize("part", ["## Purpose", "## Requirements"])
def test_a_spec_without_a_part_says_which(world: World, part: str) -> None:
    base_spec(world, S1.replace(part, "## Other"))

    result = world.cli("show", "lending", "--json")

    assert (result.code, result.error) == (1, "show_error")
    assert part in result.json["status"][0]["message"]


def test_show_sees_what_archive_would_merge(world: World) -> None:
    desk(world, f"{ADDED}\n## MODIFIED Requirements\n\n{LOAN_PERIOD}")

    deltas = world.cli("show", CHANGE, "--json").json["deltas"]
    totals = world.cli("archive", CHANGE, "--yes", "--json").json["archive"]["totals"]

    assert len([one for one in deltas if one["operation"] == "ADDED"]) == totals["added"] == 1
