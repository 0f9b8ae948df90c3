"""`rasen undo` as a user meets it: everything as before, or a refusal that names what stands on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.archiving import TARGET, Days, archive, change, requirement, spec
from tests.support.documents import fits
from tests.support.world import Result, World

from rasen.files.tree import tree_digest

CHANGE = "rasen/changes/better"
ARCHIVED = "rasen/changes/archive/2026-01-31-better"
SPEC = spec(requirement("One"), requirement("Two"))
ADDED = "## ADDED Requirements\n\n" + requirement("New")
MODIFIED = "## MODIFIED Requirements\n\n" + requirement("One", "The system SHALL do it well.")
REMOVED = "## REMOVED Requirements\n- ### Requirement: Two\n"
RENAMED = "## RENAMED Requirements\n- FROM: ### Requirement: One\n- TO: ### Requirement: First\n"


@pytest.fixture
def desk(world: World) -> World:
    world.workspace()
    world.write(TARGET, SPEC)
    change(world, "better", ADDED)
    return world


def undone(result: Result) -> dict[str, Any]:
    assert result.code == 0, result.out + result.err
    answer: dict[str, Any] = fits("undo", result.json)["undo"]
    return answer


def refused(world: World, *args: str) -> dict[str, Any]:
    before = tree_digest(world.root)
    result = world.cli("undo", *args, "--json")
    assert result.code == 1, result.out
    assert tree_digest(world.root) == before
    document: dict[str, Any] = fits("undo", result.json)
    assert document["undo"] is None
    return document


def code(document: dict[str, Any]) -> str:
    return str(document["status"][0]["code"])


CASES = {
    "added": (SPEC, ADDED),
    "modified": (SPEC, MODIFIED),
    "removed": (SPEC, REMOVED),
    "renamed": (SPEC, RENAMED),
    "all at once": (
        spec(requirement("One"), requirement("Two"), requirement("Three")),
        ADDED + "\n" + MODIFIED + "\n" + REMOVED + "\n" + RENAMED.replace("One", "Three"),
    ),
    "retired": (spec(requirement("Two")), REMOVED),
    "new": (None, ADDED),
    "windows line endings": (SPEC.replace("\n", "\r\n"), MODIFIED),
    "mixed line endings": (SPEC.replace("\n", "\r\n", 5), ADDED),
    "byte-order mark": ("\ufeff" + SPEC, MODIFIED),
    "no final newline": (SPEC.rstrip("\n"), ADDED),
    "odd spacing": (SPEC.replace("\n\n", "\n\n\n") + "\n\n## Notes\n\n\n\tby hand  \n\n", ADDED),
    "other scripts": (SPEC.replace("books", "本と📚"), MODIFIED),
}


@pytest.mark.parametrize(("text", "delta"), CASES.values(), ids=CASES)
def test_undo_gives_back_the_exact_tree(desk: World, text: str | None, delta: str) -> None:
    if text is None:
        desk.path(TARGET).unlink()
        desk.path(TARGET).parent.rmdir()
    else:
        desk.write(TARGET, text)
    desk.write(f"{CHANGE}/specs/lending/spec.md", delta)
    before = tree_digest(desk.root)
    archive(desk, "better")
    assert tree_digest(desk.root) != before

    undone(desk.cli("undo", "--yes", "--json"))

    assert tree_digest(desk.root) == before


@pytest.mark.parametrize(("text", "delta"), CASES.values(), ids=CASES)
def test_undoing_a_sync_gives_back_the_exact_tree(
    desk: World, text: str | None, delta: str
) -> None:
    if text is None:
        desk.path(TARGET).unlink()
        desk.path(TARGET).parent.rmdir()
    else:
        desk.write(TARGET, text)
    desk.write(f"{CHANGE}/specs/lending/spec.md", delta)
    before = tree_digest(desk.root)
    assert desk.cli("sync", "better", "--yes").code == 0

    answer = undone(desk.cli("undo", "--yes", "--json"))

    assert answer["kind"] == "sync"
    assert tree_digest(desk.root) == before


def test_the_answer_says_what_became_of_each_spec(desk: World) -> None:
    desk.write(f"{CHANGE}/specs/fines/spec.md", ADDED)
    desk.write("rasen/specs/old/spec.md", spec(requirement("Two")).replace("lending", "old"))
    desk.write(f"{CHANGE}/specs/old/spec.md", REMOVED)
    archive(desk, "better")

    answer = undone(desk.cli("undo", "--yes", "--json"))

    assert answer == {
        "kind": "archive",
        "name": "2026-01-31-better",
        "change": "better",
        "path": str(desk.path(CHANGE)),
        "specs": [
            {"capability": "fines", "outcome": "removed"},
            {"capability": "lending", "outcome": "restored"},
            {"capability": "old", "outcome": "recreated"},
        ],
    }


def test_what_the_archive_measured_goes_out_of_the_metadata(desk: World) -> None:
    desk.write(f"{CHANGE}/code-review.md", "Findings: 2\n")
    before = tree_digest(desk.root)
    archive(desk, "better")
    assert "quality" in desk.read(f"{ARCHIVED}/.openspec.yaml")

    undone(desk.cli("undo", "--yes", "--json"))

    assert tree_digest(desk.root) == before


def test_metadata_edited_since_loses_only_what_the_archive_measured(desk: World) -> None:
    desk.write(f"{CHANGE}/code-review.md", "Findings: 2\n")
    archive(desk, "better")
    edited = desk.read(f"{ARCHIVED}/.openspec.yaml") + "goal: to lend # more\n"
    desk.write(f"{ARCHIVED}/.openspec.yaml", edited)

    undone(desk.cli("undo", "--yes", "--json"))

    text = desk.read(f"{CHANGE}/.openspec.yaml")
    assert text == "schema: spec-driven # ours\ngoal: to lend # more\n"


def test_an_archive_that_is_undone_can_be_archived_again(desk: World) -> None:
    archive(desk, "better")
    first = tree_digest(desk.path("rasen/specs"))
    undone(desk.cli("undo", "--yes", "--json"))

    archive(desk, "better")

    assert tree_digest(desk.path("rasen/specs")) == first


def test_the_last_archive_goes_first_and_then_the_one_before(desk: World) -> None:
    desk.clock = Days()  # type: ignore[assignment]
    change(desk, "later", MODIFIED)
    before = tree_digest(desk.root)
    archive(desk, "better")
    between = tree_digest(desk.root)
    archive(desk, "later")

    assert undone(desk.cli("undo", "--yes", "--json"))["change"] == "later"
    assert tree_digest(desk.root) == between
    assert undone(desk.cli("undo", "--yes", "--json"))["change"] == "better"
    assert tree_digest(desk.root) == before


def test_order_does_not_need_the_clock(desk: World) -> None:
    change(desk, "zz-first", MODIFIED)
    archive(desk, "zz-first")
    archive(desk, "better")  # at the same moment, with a name that sorts before

    assert undone(desk.cli("undo", "--yes", "--json"))["change"] == "better"


@pytest.mark.parametrize("name", ["2026-01-31-better", "better"])
def test_an_older_archive_is_undone_by_name_when_nothing_stands_on_it(
    desk: World, name: str
) -> None:
    desk.clock = Days()  # type: ignore[assignment]
    archive(desk, "better")
    change(desk, "elsewhere", ADDED, "fines")
    archive(desk, "elsewhere")

    undone(desk.cli("undo", name, "--yes", "--json"))

    assert desk.read(TARGET) == SPEC
    assert desk.path("rasen/specs/fines/spec.md").exists()


def test_a_later_archive_of_the_same_spec_blocks_and_is_named(desk: World) -> None:
    desk.clock = Days()  # type: ignore[assignment]
    archive(desk, "better")
    change(desk, "later", "## MODIFIED Requirements\n\n" + requirement("New", "It SHALL be more."))
    archive(desk, "later")

    document = refused(desk, "better", "--yes")

    assert code(document) == "undo_blocked"
    assert document["blockers"] == [
        {
            "capability": "lending",
            "kind": "archive",
            "name": "2026-01-31-later",
            "requirements": ["New"],
        }
    ]
    message = document["status"][0]["message"]
    assert 'lending: "New" (archive 2026-01-31-later)' in message


def test_a_later_sync_blocks_and_is_named(desk: World) -> None:
    desk.clock = Days()  # type: ignore[assignment]
    archive(desk, "better")
    change(desk, "later", MODIFIED)
    assert desk.cli("sync", "later", "--yes").code == 0

    document = refused(desk, "better", "--yes")

    assert document["blockers"] == [
        {"capability": "lending", "kind": "sync", "name": "later", "requirements": ["One"]}
    ]


def test_a_later_edit_by_hand_blocks_and_is_named(desk: World) -> None:
    archive(desk, "better")
    desk.write(TARGET, desk.read(TARGET).replace("do it", "do it twice", 1))

    document = refused(desk, "--yes")

    assert document["blockers"] == [
        {"capability": "lending", "kind": "edit", "requirements": ["One"]}
    ]


def test_a_spec_that_is_already_as_before_does_not_block(desk: World) -> None:
    archive(desk, "better")
    desk.write(TARGET, SPEC)

    answer = undone(desk.cli("undo", "--yes", "--json"))

    assert answer["specs"] == [{"capability": "lending", "outcome": "unchanged"}]
    assert desk.read(TARGET) == SPEC


def test_undo_works_after_a_checkout_with_other_line_endings(desk: World) -> None:
    archive(desk, "better")
    desk.write(TARGET, desk.read(TARGET).replace("\n", "\r\n"))

    undone(desk.cli("undo", "--yes", "--json"))

    assert desk.read(TARGET) == SPEC.replace("\n", "\r\n")


def test_an_archive_after_a_sync_is_undone_and_then_the_sync(desk: World) -> None:
    before = tree_digest(desk.root)
    assert desk.cli("sync", "better", "--yes").code == 0
    between = tree_digest(desk.root)
    archive(desk, "better")

    assert undone(desk.cli("undo", "--yes", "--json"))["kind"] == "archive"
    assert tree_digest(desk.root) == between
    assert undone(desk.cli("undo", "--yes", "--json"))["kind"] == "sync"
    assert tree_digest(desk.root) == before


def test_of_two_syncs_the_last_goes_first(desk: World) -> None:
    assert desk.cli("sync", "better", "--yes").code == 0
    one = desk.read(f"{CHANGE}/.sync.json"), desk.read(TARGET)
    desk.write(f"{CHANGE}/specs/lending/spec.md", ADDED + "\n" + MODIFIED)
    assert desk.cli("sync", "better", "--yes").code == 0

    undone(desk.cli("undo", "better", "--yes", "--json"))

    assert (desk.read(f"{CHANGE}/.sync.json"), desk.read(TARGET)) == one


def test_a_dry_run_says_the_same_and_writes_nothing(desk: World) -> None:
    archive(desk, "better")
    before = tree_digest(desk.root)

    answer = undone(desk.cli("undo", "--dry-run", "--json"))

    assert tree_digest(desk.root) == before
    assert answer.pop("dryRun") is True
    assert undone(desk.cli("undo", "--yes", "--json")) == answer


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "undo_confirmation_required"),
        (["no-such", "--yes"], "undo_not_found"),
        (["../better", "--yes"], "undo_not_found"),
    ],
    ids=["unasked", "unknown", "with separators"],
)
def test_what_is_missing_has_a_code(desk: World, arguments: list[str], expected: str) -> None:
    archive(desk, "better")

    assert code(refused(desk, *arguments)) == expected


def test_an_unknown_name_brings_the_nearest(desk: World) -> None:
    archive(desk, "better")

    status = refused(desk, "2026-01-31-bettr", "--yes")["status"][0]

    assert "2026-01-31-better" in status["message"]


def test_without_any_archive_there_is_nothing_to_undo(desk: World) -> None:
    assert code(refused(desk, "--yes")) == "undo_nothing"


@pytest.mark.parametrize("arguments", [[], ["better"], ["2025-01-01-better"]])
def test_an_archive_of_another_program_is_told_plainly(desk: World, arguments: list[str]) -> None:
    desk.write("rasen/changes/archive/2025-01-01-better/proposal.md", "# old\n")

    document = refused(desk, *arguments, "--yes")

    assert code(document) == "journal_missing"
    assert "2025-01-01-better" in document["status"][0]["message"]


def test_an_open_change_of_that_name_is_not_overwritten(desk: World) -> None:
    archive(desk, "better")
    change(desk, "better", MODIFIED)

    assert code(refused(desk, "2026-01-31-better", "--yes")) == "undo_target_exists"


def test_a_damaged_or_newer_journal_is_refused(desk: World) -> None:
    archive(desk, "better")
    good = json.loads(desk.read(f"{ARCHIVED}/.archive.json"))
    for bad in ({**good, "version": 2}, {**good, "specs": 3}, []):
        desk.write(f"{ARCHIVED}/.archive.json", json.dumps(bad))

        assert code(refused(desk, "better", "--yes")) == "journal_invalid"


def test_a_damaged_journal_of_another_archive_is_told_and_does_not_stop(desk: World) -> None:
    archive(desk, "better")
    desk.write("rasen/changes/archive/2026-01-01-x/.archive.json", "{")

    result = desk.cli("undo", "--yes", "--json")

    assert undone(result)["change"] == "better"
    assert "the journal of 2026-01-01-x tells nothing" in result.err


@pytest.mark.parametrize("name", ["../../evil", "archive", ".hidden", "a/b", ""])
def test_a_journal_cannot_name_a_place_outside(desk: World, name: str) -> None:
    archive(desk, "better")
    journal = json.loads(desk.read(f"{ARCHIVED}/.archive.json"))
    desk.write(f"{ARCHIVED}/.archive.json", json.dumps({**journal, "change": name}))

    assert code(refused(desk, "2026-01-31-better", "--yes")) == "journal_invalid"


def test_a_journal_cannot_write_a_spec_outside(desk: World) -> None:
    archive(desk, "better")
    journal = json.loads(desk.read(f"{ARCHIVED}/.archive.json"))
    journal["specs"][0]["capability"] = "../../../evil"
    desk.write(f"{ARCHIVED}/.archive.json", json.dumps(journal))

    assert code(refused(desk, "better", "--yes")) == "path_traversal"


def test_a_person_is_asked_and_may_decline(desk: World) -> None:
    archive(desk, "better")
    before = tree_digest(desk.root)

    result = desk.cli("undo", tty=True, input="n\n")

    assert result.code == 0
    assert "Nothing was undone" in result.out
    assert tree_digest(desk.root) == before


def test_a_person_who_agrees_is_told_what_was_done(desk: World) -> None:
    archive(desk, "better")

    result = desk.cli("undo", tty=True, input="y\n")

    assert result.code == 0
    assert "lending: as it was before" in result.out
    assert "open again as 'better'" in result.out


def test_the_journal_holds_no_place_of_this_machine(desk: World) -> None:
    archive(desk, "better")

    text = desk.read(f"{ARCHIVED}/.archive.json")

    assert str(desk.base) not in text
    assert str(Path.home()) not in text


# Other destinations ----------------------------------------------------------------------------


def committed(world: World, destination: str) -> None:
    identity = "projectId: 6f1c1d5e-8f5b-4c53-9d6b-0f6f3a1c2b4d\n"
    world.write(
        "rasen/config.yaml",
        f"schema: spec-driven\n{identity}archive:\n  destination: {destination}\n",
    )
    world.git("init", "-q")
    world.git("add", ".")
    world.git("commit", "-qm", "one")


def planning(world: World) -> tuple[str, str]:
    return tree_digest(world.path("rasen/specs")), tree_digest(world.path("rasen/changes"))


def test_an_external_archive_comes_back(desk: World) -> None:
    committed(desk, "external")
    before = planning(desk)
    assert archive(desk, "better")["destination"] == "external"
    assert not desk.path(CHANGE).exists()

    undone(desk.cli("undo", "--yes", "--json"))

    assert planning(desk) == before
    assert not list(desk.data_dir.rglob("journals/*.json"))


def test_an_external_archive_whose_folder_is_gone_is_refused(desk: World) -> None:
    committed(desk, "external")
    place = Path(archive(desk, "better")["path"])
    place.rename(place.with_name("elsewhere"))

    assert code(refused(desk, "--yes")) == "undo_blocked"


def test_an_external_archive_without_a_journal_is_told_plainly(desk: World) -> None:
    committed(desk, "external")
    archive(desk, "better")
    next(desk.data_dir.rglob("journals/*.json")).unlink()

    assert code(refused(desk, "better", "--yes")) == "journal_missing"


def test_a_journal_of_the_home_cannot_name_a_folder_outside(desk: World) -> None:
    committed(desk, "external")
    archive(desk, "better")
    path = next(desk.data_dir.rglob("journals/*.json"))
    journal = json.loads(path.read_text())
    path.write_text(json.dumps({**journal, "archivedAs": "../archive/2026-01-31-better"}))

    assert code(refused(desk, "better", "--yes")) == "journal_invalid"


def test_a_pruned_change_comes_back_from_git(desk: World) -> None:
    committed(desk, "prune")
    before = planning(desk)
    archive(desk, "better", "--confirm-prune")
    assert not desk.path(CHANGE).exists()

    undone(desk.cli("undo", "--yes", "--json"))

    assert planning(desk) == before


def test_a_change_pruned_twice_is_undone_twice(desk: World) -> None:
    committed(desk, "prune")
    archive(desk, "better", "--confirm-prune")
    desk.git("checkout", "-q", "HEAD", "--", CHANGE)
    desk.write(f"{CHANGE}/specs/lending/spec.md", MODIFIED)
    desk.git("add", ".")
    desk.git("commit", "-qm", "two")
    archive(desk, "better", "--confirm-prune")

    assert undone(desk.cli("undo", "--yes", "--json"))["change"] == "better"
    assert desk.read(f"{CHANGE}/specs/lending/spec.md") == MODIFIED
    desk.git("rm", "-rqf", CHANGE)
    undone(desk.cli("undo", "--yes", "--json"))
    assert desk.read(f"{CHANGE}/specs/lending/spec.md") == ADDED
    assert desk.read(TARGET) == SPEC


def test_a_pruned_change_with_links_says_how_git_brings_it_back(desk: World) -> None:
    desk.path(f"{CHANGE}/link.md").symlink_to("tasks.md")
    committed(desk, "prune")
    before = planning(desk)
    archive(desk, "better", "--confirm-prune")

    status = refused(desk, "--yes")["status"][0]

    assert status["code"] == "undo_blocked"
    call = status["fix"].split("`")[1]
    assert call.startswith("git checkout ")
    desk.git(*call.split()[1:])
    undone(desk.cli("undo", "--yes", "--json"))
    assert planning(desk) == before


def test_a_pruned_change_that_git_forgot_is_refused(desk: World) -> None:
    committed(desk, "prune")
    archive(desk, "better", "--confirm-prune")
    desk.path(".git").rename(desk.base / "gone.git")

    assert code(refused(desk, "--yes")) == "undo_blocked"


def differences(world: World, clone: Path) -> str:
    """How the clone differs from the commit before its last, by git."""
    world.git("add", "-A", cwd=clone)
    return world.git("diff", "--cached", "--name-status", "HEAD~1", "--", "rasen", cwd=clone)


def test_a_second_clone_undoes_the_archive_of_the_first(desk: World) -> None:
    committed(desk, "in-repo")
    before, better = planning(desk), tree_digest(desk.path(CHANGE))
    archive(desk, "better")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "archived")
    clone = desk.base / "clone"
    desk.git("clone", "-q", str(desk.root), str(clone))

    result = desk.cli("undo", "--yes", "--json", cwd=clone)

    assert undone(result)["change"] == "better"
    assert tree_digest(clone / "rasen/specs") == before[0]
    assert tree_digest(clone / "rasen/changes/better") == better
    assert differences(desk, clone) == ""


def test_a_clone_with_windows_line_endings_undoes_too(desk: World) -> None:
    committed(desk, "in-repo")
    archive(desk, "better")
    desk.git("add", "-A")
    desk.git("commit", "-qm", "archived")
    clone = desk.base / "clone"
    desk.git("clone", "-q", "-c", "core.autocrlf=true", str(desk.root), str(clone))
    assert b"\r\n" in (clone / TARGET).read_bytes()

    undone(desk.cli("undo", "--yes", "--json", cwd=clone))

    assert (clone / TARGET).read_bytes().decode() == SPEC.replace("\n", "\r\n")
    assert differences(desk, clone) == ""
