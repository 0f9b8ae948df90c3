"""`rasen task` as people and agents see it: marks change, nothing else does."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.fixtures import CHANGE, FOLDER, base_spec, change
from tests.support.stores import Stores
from tests.support.world import World

from rasen.files.tree import tree_digest

TASKS = (
    "## 1. Desk\n\n- [ ] 1.1 Due date\n  - [x] 1.1.1 Reference stock\n- [~] 1.2 Receipt\n"
    "\n## 2. Web\n* [ ] untitled\n1) [ ] 2.1 Page\n"
)
FILE = f"{FOLDER}/tasks.md"


@pytest.fixture
def desk(world: World) -> World:
    base_spec(world)
    change(world, tasks=TASKS)
    return world


def two_files(world: World) -> None:
    world.write(
        "rasen/schemas/mine/schema.yaml",
        "name: mine\nversion: 1\nartifacts:\n"
        "  - {id: work, generates: 'work/*.md', description: x, template: x.md, requires: []}\n"
        "apply: {requires: [work], tracks: 'work/*.md'}\n",
    )
    world.write(f"{FOLDER}/.openspec.yaml", "schema: mine\n")
    world.write(f"{FOLDER}/work/a.md", "- [ ] 1.1 first\n- [ ] 1.2 second\n")
    world.write(f"{FOLDER}/work/b.md", "- [ ] 1.1 third\n- [ ] fourth\n")


def test_document_of_the_list(desk: World) -> None:
    result = desk.cli("task", "list", CHANGE, "--json")

    document = fits("task-list", result.json)
    assert list(document) == ["change", "tasks", "progress", "root"]
    assert document["tasks"][:2] == [
        {
            "id": "1",
            "number": "1.1",
            "text": "1.1 Due date",
            "state": "open",
            "file": "tasks.md",
            "line": 3,
        },
        {
            "id": "2",
            "number": "1.1.1",
            "text": "1.1.1 Reference stock",
            "state": "done",
            "file": "tasks.md",
            "line": 4,
        },
    ]
    assert "number" not in document["tasks"][3]
    assert document["progress"] == {"total": 5, "done": 1, "inProgress": 1, "remaining": 4}


def test_text_of_the_list(desk: World) -> None:
    assert desk.cli("task", "list", CHANGE).out == (
        "tasks.md\n"
        "  1  [ ] 1.1 Due date\n"
        "  2  [x] 1.1.1 Reference stock\n"
        "  3  [~] 1.2 Receipt\n"
        "  4  [ ] untitled\n"
        "  5  [ ] 2.1 Page\n"
        "\n"
        "1 of 5 done, 1 in progress, 4 remaining\n"
    )


def test_lines_that_look_like_tasks_are_reported(world: World) -> None:
    base_spec(world)
    change(world, tasks="- [?] perhaps\n- [ ] real\n")

    told = world.cli("task", "list", CHANGE)
    document = fits("task-list", world.cli("task", "list", CHANGE, "--json").json)

    assert "line 1" in told.err
    assert document["suspicious"] == [{"text": "- [?] perhaps", "file": "tasks.md", "line": 1}]
    assert [one["text"] for one in document["tasks"]] == ["real"]


def test_ids_run_through_all_files(world: World) -> None:
    base_spec(world)
    change(world)
    two_files(world)

    tasks = world.cli("task", "list", CHANGE, "--json").json["tasks"]

    assert [(one["id"], one["file"], one["line"]) for one in tasks] == [
        ("1", "work/a.md", 1),
        ("2", "work/a.md", 2),
        ("3", "work/b.md", 1),
        ("4", "work/b.md", 2),
    ]


def test_a_task_of_the_second_file_is_marked_there(world: World) -> None:
    base_spec(world)
    change(world)
    two_files(world)

    result = world.cli("task", "done", CHANGE, "4", "--json")

    assert result.json["task"]["file"] == "work/b.md"
    assert world.read(f"{FOLDER}/work/a.md") == "- [ ] 1.1 first\n- [ ] 1.2 second\n"
    assert world.read(f"{FOLDER}/work/b.md") == "- [ ] 1.1 third\n- [x] fourth\n"


def test_a_number_that_two_tasks_have_is_refused(world: World) -> None:
    base_spec(world)
    change(world)
    two_files(world)
    before = tree_digest(world.root)

    result = world.cli("task", "done", CHANGE, "1.1", "--json")

    assert (result.code, result.error) == (1, "task_ambiguous")
    assert "work/a.md:1, work/b.md:1" in result.json["status"][0]["message"]
    assert tree_digest(world.root) == before


@pytest.mark.parametrize(
    ("verb", "wanted", "old", "new", "state"),
    [
        ("done", "1", "- [ ] 1.1 Due", "- [x] 1.1 Due", "done"),
        ("done", "1.2", "- [~] 1.2", "- [x] 1.2", "done"),
        ("start", "1.1", "- [ ] 1.1 Due", "- [~] 1.1 Due", "in-progress"),
        ("start", "1.1.1", "  - [x] 1.1.1", "  - [~] 1.1.1", "in-progress"),
        ("reopen", "1.1.1", "  - [x] 1.1.1", "  - [ ] 1.1.1", "open"),
        ("done", "4", "* [ ] untitled", "* [x] untitled", "done"),
        ("done", "2.1", "1) [ ] 2.1", "1) [x] 2.1", "done"),
    ],
)
def test_only_the_mark_changes(
    desk: World, verb: str, wanted: str, old: str, new: str, state: str
) -> None:
    result = desk.cli("task", verb, CHANGE, wanted, "--json")

    document = fits("task", result.json)
    assert (result.code, document["changed"]) == (0, True)
    assert document["task"]["state"] == state
    assert desk.read(FILE) == TASKS.replace(old, new)
    assert list(document) == ["task", "changed", "progress", "root"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf- [ ] a\r\n- [ ] b\r\n", b"\xef\xbb\xbf- [ ] a\r\n- [x] b\r\n"),
        (b"- [ ] a\n- [ ] b", b"- [ ] a\n- [x] b"),
        (b"- [ ] a\r\n\r- [ ] b\r\n", b"- [ ] a\r\n\r- [x] b\r\n"),
        (b"- [ ] a \t\n-  [ ]   b  \n\n\n", b"- [ ] a \t\n-  [x]   b  \n\n\n"),
        ("- [ ] 借\u2028書\n+ [ ] 返却\n".encode(), "- [ ] 借\u2028書\n+ [x] 返却\n".encode()),
    ],
    ids=["crlf-bom", "no-final-newline", "mixed-endings", "odd-blanks", "wide"],
)
def test_every_other_byte_stays(world: World, before: bytes, after: bytes) -> None:
    base_spec(world)
    change(world, tasks=before)

    result = world.cli("task", "done", CHANGE, "2")

    assert result.code == 0, result.err
    assert world.path(FILE).read_bytes() == after


def test_progress_after_a_mark(desk: World) -> None:
    result = desk.cli("task", "done", CHANGE, "1.2", "--json")

    assert result.json["progress"] == {"total": 5, "done": 2, "inProgress": 0, "remaining": 3}


def test_there_and_back_leaves_the_file_as_it_was(desk: World) -> None:
    for verb in ("done", "start", "reopen"):
        desk.cli("task", verb, CHANGE, "1.1")

    assert desk.read(FILE) == TASKS


@pytest.mark.parametrize(
    ("verb", "wanted"), [("done", "1.1.1"), ("start", "1.2"), ("reopen", "1.1")]
)
def test_a_mark_that_is_there_already_is_not_written(desk: World, verb: str, wanted: str) -> None:
    stat = desk.path(FILE).stat()

    told = desk.cli("task", verb, CHANGE, wanted)
    document = desk.cli("task", verb, CHANGE, wanted, "--json").json

    assert told.code == 0
    assert "already" in told.out
    assert document["changed"] is False
    after = desk.path(FILE).stat()
    assert (after.st_ino, after.st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)


@pytest.mark.parametrize("form", ["[X]", "[ x ]"])
def test_other_spellings_of_done_are_done(world: World, form: str) -> None:
    base_spec(world)
    change(world, tasks=f"- {form} a\n")

    assert world.cli("task", "done", CHANGE, "1", "--json").json["changed"] is False
    assert world.read(FILE) == f"- {form} a\n"


@pytest.mark.parametrize("wanted", ["0", "6", "1.9", "nope", "", "-1", "01"])
def test_a_task_that_is_not_there(desk: World, wanted: str) -> None:
    before = tree_digest(desk.root)

    result = desk.cli("task", "done", "--json", "--", CHANGE, wanted)

    assert (result.code, result.error) == (1, "task_not_found")
    assert "1.1, 1.1.1, 1.2, 4, 2.1" in result.json["status"][0]["message"]
    assert fits("task", result.json)
    assert tree_digest(desk.root) == before


@pytest.mark.parametrize("verb", ["list", "start", "done", "reopen"])
@pytest.mark.parametrize("name", ["nope", "../changes/longer-loans", "archive", ".", ""])
def test_a_change_that_is_not_there(desk: World, verb: str, name: str) -> None:
    words = () if verb == "list" else ("1",)

    result = desk.cli("task", verb, name, *words, "--json")

    assert (result.code, result.error) == (1, "change_error")
    assert CHANGE in result.json["status"][0]["message"]


def test_a_change_without_tasks(world: World) -> None:
    base_spec(world)
    change(world, tasks="none\n")

    assert world.cli("task", "list", CHANGE).out == "No tasks\n"
    assert world.cli("task", "done", CHANGE, "1", "--json").error == "task_not_found"


def test_hints_carry_the_store(world: World) -> None:
    stores = Stores(world)
    root = stores.checkout("team")
    (root / "rasen/changes/a").mkdir(parents=True)
    stores.register("team", root)

    result = world.cli("task", "done", "a", "1", "--store", "team", "--json")

    assert "rasen task list a --store team" in result.json["status"][0]["fix"]


def test_a_task_file_that_leads_out_of_the_change_is_not_edited(world: World) -> None:
    base_spec(world)
    change(world)
    outside = world.write("elsewhere.md", "- [ ] a\n")
    world.path(FILE).unlink()
    world.path(FILE).symlink_to(outside)

    result = world.cli("task", "done", CHANGE, "1", "--json")

    assert (result.code, result.error) == (1, "task_not_found")
    assert outside.read_text() == "- [ ] a\n"


def test_a_change_that_is_a_link_out_of_the_workspace_is_not_edited(world: World) -> None:
    base_spec(world)
    outside = world.write("elsewhere/tasks.md", "- [ ] a\n")
    world.path("rasen/changes/linked").symlink_to(outside.parent)

    result = world.cli("task", "done", "linked", "1", "--json")

    assert (result.code, result.error) == (1, "path_traversal")
    assert outside.read_text() == "- [ ] a\n"


def test_a_task_file_that_is_no_text_is_refused_with_its_line(world: World) -> None:
    base_spec(world)
    change(world, tasks=b"- [ ] a\n- [ ] caf\xe9\n")

    for words in (("list", CHANGE), ("done", CHANGE, "1")):
        result = world.cli("task", *words, "--json")

        assert (result.code, result.error) == (1, "file_not_utf8")
        assert "line 2" in result.json["status"][0]["message"]


def test_no_lock_is_left(desk: World) -> None:
    desk.cli("task", "done", CHANGE, "1")

    assert sorted(path.name for path in desk.path("rasen").iterdir()) == [
        "changes",
        "config.yaml",
        "specs",
    ]


def test_agents_that_mark_at_the_same_time_lose_nothing(world: World) -> None:
    from concurrent.futures import ThreadPoolExecutor

    base_spec(world)
    change(world, tasks="".join(f"- [ ] task {n}\n" for n in range(1, 7)))

    with ThreadPoolExecutor(6) as pool:
        results = list(
            pool.map(lambda n: world.process("task", "done", CHANGE, str(n)), range(1, 7))
        )

    assert [one.code for one in results] == [0] * 6
    assert world.read(FILE) == "".join(f"- [x] task {n}\n" for n in range(1, 7))


def test_the_whole_change_can_be_worked_off(desk: World) -> None:
    for number in ("1.1", "1.2", "4", "2.1"):
        assert desk.cli("task", "done", CHANGE, number).code == 0

    row = desk.cli("list", "--json").json["changes"][0]
    assert row["status"] == "complete"
