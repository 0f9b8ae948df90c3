"""Tasks that are done in another repository: listed, summed up, and checked."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.fixtures import CHANGE, FOLDER, base_spec, change
from tests.support.stores import Stores
from tests.support.world import World

from rasen.planning.changes import tasks_file

WEB = "6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d"
TASKS = (
    "## 1. Desk\n\n- [x] 1.1 Due date\n- [x] 1.2 Page [repo: web]\n"
    f"- [~] 1.3 Form [repo: {WEB}]\n- [ ] 1.4 Push [repo: app]\n"
)
FILE = f"{FOLDER}/tasks.md"


@pytest.fixture
def desk(world: World) -> World:
    """A project whose store part knows the member web, and whose machine knows the project app."""
    base_spec(world)
    change(world, tasks=TASKS)
    world.write(
        f".rasen-store/projects/{WEB}.yaml",
        f"version: 1\nprojectId: {WEB}\nid: web\nroles:\n  planning: true\n  knowledge: false\n",
    )
    stores = Stores(world)
    stores.register("project:app", stores.checkout("app"))
    return world


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("- [ ] 1.1 Page [repo: web]", "web"),
        ("- [ ] 1.1 Page [repo:web]", "web"),
        ("- [ ] 1.1 Page [Repo: Web-2 ]  ", "Web-2"),
        ("- [ ] 1.1 Page", ""),
        ("- [ ] 1.1 Page [repo: web] later", ""),
        ("- [ ] 1.1 Page [repo: two words]", ""),
        ("- [ ] 1.1 Page [repo: ]", ""),
        ("- [ ] 1.1 Page[repo: web]", ""),
        ("- [ ] 1.1 Page [repo: ../web]", ""),
    ],
)
def test_grammar(text: str, target: str) -> None:
    (task,) = tasks_file.parse(text + "\n").tasks

    assert task.target == target


def test_the_list_names_and_sums_up_repositories(desk: World) -> None:
    document = fits("task-list", desk.cli("task", "list", CHANGE, "--json").json)

    assert [task.get("target") for task in document["tasks"]] == [None, "web", WEB, "app"]
    assert document["tasks"][1]["text"] == "1.2 Page [repo: web]"
    assert document["targets"] == [
        {"target": "web", "known": True, "total": 2, "done": 1, "inProgress": 1, "remaining": 1},
        {"target": "app", "known": True, "total": 1, "done": 0, "inProgress": 0, "remaining": 1},
    ]
    assert document["progress"]["total"] == 4


def test_status_sums_up_too(desk: World) -> None:
    document = fits("status", desk.cli("status", "--change", CHANGE, "--json").json)

    assert [(one["target"], one["done"], one["total"]) for one in document["targets"]] == [
        ("web", 1, 2),
        ("app", 0, 1),
    ]


@pytest.mark.parametrize("words", [("task", "list", CHANGE), ("status", "--change", CHANGE)])
def test_people_see_a_line_for_each(desk: World, words: tuple[str, ...]) -> None:
    out = desk.cli(*words).out

    assert "  in web: 1 of 2 done\n  in app: 0 of 1 done\n" in out


def test_without_targets_nothing_changes(desk: World) -> None:
    desk.write(FILE, "- [ ] 1.1 Page\n")

    assert "targets" not in desk.cli("task", "list", CHANGE, "--json").json
    assert "targets" not in desk.cli("status", "--change", CHANGE, "--json").json


def test_marking_keeps_the_target(desk: World) -> None:
    result = desk.cli("task", "done", CHANGE, "1.4", "--json")

    assert fits("task", result.json)["task"]["target"] == "app"
    assert desk.read(FILE).endswith("- [x] 1.4 Push [repo: app]\n")


def test_an_unknown_repository_is_a_warning_with_its_line(desk: World) -> None:
    desk.write(FILE, TASKS + "- [ ] 1.5 Cron [repo: wep]\n")

    result = desk.cli("validate", CHANGE, "--json")

    issues = [one for one in result.json["items"][0]["issues"] if "target" in one.get("code", "")]
    assert [(one["level"], one["code"], one["path"], one["line"]) for one in issues] == [
        ("WARNING", "task_target_unknown", "tasks.md", 7)
    ]
    assert '"wep"' in issues[0]["message"]
    assert f"{WEB}, app, web" in issues[0]["message"]
    assert issues[0]["fix"]
    assert result.code == 0


def test_known_repositories_are_no_finding(desk: World) -> None:
    result = desk.cli("validate", CHANGE, "--json")

    assert "task_target_unknown" not in result.out


def test_a_reference_to_a_project_and_the_project_itself_are_known(desk: World) -> None:
    desk.write(
        "rasen/config.yaml",
        "schema: spec-driven\nprojectId: desk\nreferences: ['project:till']\n",
    )
    desk.write(FILE, "- [ ] 1.1 A [repo: till]\n- [ ] 1.2 B [repo: desk]\n")

    assert "task_target_unknown" not in desk.cli("validate", CHANGE, "--json").out


def test_broken_records_and_registries_are_left_out(desk: World) -> None:
    desk.write(".rasen-store/projects/broken.yaml", "[")
    Stores(desk).write("[")

    document = desk.cli("task", "list", CHANGE, "--json").json

    assert [(one["target"], one["known"]) for one in document["targets"]] == [
        ("web", True),
        ("app", False),
    ]
