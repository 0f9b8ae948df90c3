"""`rasen list` as people and agents see it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest
from tests.support.documents import fits
from tests.support.fixtures import CHANGE, FOLDER, base_spec, change, desk
from tests.support.stores import Stores
from tests.support.world import NOW, World


def aged(world: World, name: str, age: timedelta) -> None:
    """Make every file of a change `age` old, counted from the world's clock."""
    moment = (NOW - age).timestamp()
    for path in world.path(f"rasen/changes/{name}").rglob("*"):
        os.utime(path, (moment, moment))


@pytest.fixture
def three(world: World) -> World:
    """A complete change, an older one under way, and a middle one without tasks."""
    base_spec(world)
    change(world, name="beta")
    change(world, name="alpha", tasks="- [x] a\n- [ ] b\n- [~] c\n")
    change(world, name="draft", tasks="nothing yet\n")
    aged(world, "alpha", timedelta(days=3))
    aged(world, "draft", timedelta(hours=5))
    aged(world, "beta", timedelta(minutes=12))
    return world


def test_document_of_changes(three: World) -> None:
    result = three.cli("list", "--json")

    assert fits("list", result.json) == {
        "changes": [
            {
                "name": "beta",
                "completedTasks": 1,
                "totalTasks": 1,
                "lastModified": "2026-01-31T11:48:00.000Z",
                "status": "complete",
            },
            {
                "name": "draft",
                "completedTasks": 0,
                "totalTasks": 0,
                "lastModified": "2026-01-31T07:00:00.000Z",
                "status": "no-tasks",
            },
            {
                "name": "alpha",
                "completedTasks": 1,
                "totalTasks": 3,
                "lastModified": "2026-01-28T12:00:00.000Z",
                "status": "in-progress",
            },
        ],
        "root": {"path": str(three.root), "source": "nearest"},
    }
    assert (result.code, result.err) == (0, "")
    assert list(result.json) == ["changes", "root"]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("name", ["alpha", "beta", "draft"]),
        ("recent", ["beta", "draft", "alpha"]),
        ("sideways", ["beta", "draft", "alpha"]),
    ],
)
def test_sorting(three: World, sort: str, names: list[str]) -> None:
    document = three.cli("list", "--sort", sort, "--json").json

    assert [row["name"] for row in document["changes"]] == names


def test_text_of_changes(three: World) -> None:
    result = three.cli("list")

    assert result.out == (
        "Changes:\n"
        "  beta      ✓ Complete    12m ago\n"
        "  draft     No tasks      5h ago\n"
        "  alpha     1/3 tasks     3d ago\n"
    )


@pytest.mark.parametrize(
    ("age", "shown"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=-20), "just now"),
        (timedelta(seconds=60), "1m ago"),
        (timedelta(hours=23, minutes=59), "23h ago"),
        (timedelta(days=30), "30d ago"),
        (timedelta(days=31), "2025-12-31"),
    ],
    ids=str,
)
def test_ages(world: World, age: timedelta, shown: str) -> None:
    desk(world)
    aged(world, CHANGE, age)

    assert world.cli("list").out.splitlines()[1].endswith(f"  {shown}")


def test_a_change_without_files_is_as_old_as_its_folder(world: World) -> None:
    folder = world.workspace() / "changes" / "empty"
    folder.mkdir()
    moment = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC).timestamp()
    os.utime(folder, (moment, moment))

    row = world.cli("list", "--json").json["changes"][0]

    assert row["lastModified"] == "2026-01-02T03:04:05.678Z"


def test_long_text_has_titles_and_counts(world: World) -> None:
    desk(world)
    change(world, name="titled", proposal="# Change: Longer loans\n## Why\nw\n## What Changes\nw\n")
    world.path(f"{FOLDER}/proposal.md").unlink()

    result = world.cli("list", "--long", "--sort", "name")

    assert result.out == (
        "Changes:\n"
        "  longer-loans     (unable to read)\n"
        "  titled           Longer loans [deltas 1]\n"
    )


def test_document_of_specs(world: World) -> None:
    base_spec(world)
    world.write("rasen/specs/area/login/spec.md", "no spec at all\n")
    world.path("rasen/specs/empty").mkdir()

    result = world.cli("list", "--specs", "--json")

    assert fits("list-specs", result.json)["specs"] == [
        {"id": "area/login", "requirementCount": 0},
        {"id": "empty", "requirementCount": 0},
        {"id": "lending", "requirementCount": 2},
    ]
    assert list(result.json) == ["specs", "root"]


def test_text_of_specs(world: World) -> None:
    base_spec(world)
    world.path("rasen/specs/empty").mkdir()

    assert world.cli("list", "--specs").out == (
        "Specs:\n  empty       requirements 0\n  lending     requirements 2\n"
    )
    assert world.cli("list", "--specs", "--long").out == (
        "Specs:\n"
        "  empty       empty [requirements 0]\n"
        "  lending     lending Specification [requirements 2]\n"
    )


@pytest.mark.parametrize(
    ("flags", "said"), [((), "No active changes.\n"), (("--specs",), "No specs.\n")], ids=str
)
def test_nothing_to_list_is_said_and_no_failure(
    world: World, flags: tuple[str, ...], said: str
) -> None:
    world.workspace()

    result = world.cli("list", *flags)

    assert (result.code, result.out) == (0, said)


def test_archive_dot_folders_and_files_are_no_changes(world: World) -> None:
    desk(world)
    world.write("rasen/changes/.hidden/proposal.md", "x")
    world.write("rasen/changes/README.md", "x")
    world.write("rasen/changes/archive/2026-01-01-old/proposal.md", "x")

    document = world.cli("list", "--json").json

    assert [row["name"] for row in document["changes"]] == [CHANGE]


@pytest.mark.parametrize("words", [("list",), ("validate", "--all")], ids=" ".join)
@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["text", "json"])
def test_outside_a_workspace_an_empty_answer_comes_with_a_note(
    world: World, words: tuple[str, ...], flags: tuple[str, ...]
) -> None:
    result = world.cli(*words, *flags)

    assert result.code == 0
    assert str(world.root) in result.err
    if flags:
        assert result.json["root"]["source"] == "implicit"


def test_a_grouping_folder_is_noted_on_stderr(world: World) -> None:
    desk(world)
    change(world, name="mobile/refresh-token")

    result = world.cli("list")

    assert "mobile/refresh-token" in result.err
    assert "mobile" not in result.out


def test_a_grouping_folder_is_a_warning_in_the_document(world: World) -> None:
    desk(world)
    change(world, name="mobile/refresh-token")

    result = world.cli("list", "--json")

    assert result.code == 0
    status = fits("list", result.json)["status"]
    assert [(one["severity"], one["code"]) for one in status] == [("warning", "change_misplaced")]


def test_tasks_of_a_schema_with_many_task_files_add_up(world: World) -> None:
    desk(world)
    world.write(
        "rasen/schemas/mine/schema.yaml",
        "name: mine\nversion: 1\nartifacts:\n"
        "  - {id: work, generates: 'work/*.md', description: x, template: x.md, requires: []}\n"
        "apply: {requires: [work], tracks: 'work/*.md'}\n",
    )
    world.write(f"{FOLDER}/.openspec.yaml", "schema: mine\n")
    world.write(f"{FOLDER}/work/one.md", "- [x] a\n")
    world.write(f"{FOLDER}/work/two.md", "- [ ] b\n1. [x] c\n")

    row = world.cli("list", "--json").json["changes"][0]

    assert (row["completedTasks"], row["totalTasks"]) == (2, 3)


@pytest.mark.parametrize(
    ("flags", "null"), [((), {"changes": []}), (("--specs",), {"specs": []})], ids=str
)
def test_a_failure_keeps_the_null_shape(
    world: World, flags: tuple[str, ...], null: dict[str, object]
) -> None:
    result = world.cli("list", *flags, "--store", "nowhere", "--json")

    assert result.code == 1
    assert {key: value for key, value in result.json.items() if key != "status"} == {
        **null,
        "root": None,
    }
    assert fits("list-specs" if flags else "list", result.json)


def test_a_store_is_named_for_people_only(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team")
    stores.register("team", root)

    told = world.cli("list", "--store", "team")
    document = world.cli("list", "--store", "team", "--json")

    assert told.err == f"Using Rasen root: team ({root})\n"
    assert (document.err, document.json["root"]["store_id"]) == ("", "team")


def test_wide_names_are_padded_by_what_a_terminal_shows(world: World) -> None:
    world.workspace()
    change(world, name="借書")
    change(world, name="abcdef")

    rows = world.cli("list", "--sort", "name").out.splitlines()[1:]

    assert rows[0].startswith("  abcdef     ✓")
    assert rows[1].startswith("  借書       ✓")


def test_control_characters_in_names_do_not_reach_the_terminal(world: World) -> None:
    world.workspace()
    change(world, name="bad\x1b[2Jname")

    assert "\x1b" not in world.cli("list").out


def test_the_same_in_a_real_process(three: World) -> None:
    result = three.process("list", "--json")

    assert (result.code, result.err) == (0, "")
    assert result.out == three.cli("list", "--json").out


def test_ascii_lists_do_without_the_table_of_character_widths(three: World) -> None:
    probe = (
        "import sys, os; from rasen.surfaces.cli.main import run;"
        "run(['list', '--specs'], os.environ); print('wcwidth' in sys.modules)"
    )

    assert three.python("-c", probe).out.endswith("False\n")
