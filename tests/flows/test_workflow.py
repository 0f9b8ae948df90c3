"""`rasen workflow`: listed, shown, checked, begun, taken in, handed on and taken out."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.terminal import Terminal
from tests.support.workflow_makers import install, lay, manifest, select, skill, workflow
from tests.support.world import Result, World

from rasen.surfaces import table
from rasen.workflows import ops


def run(world: World, verb: str, *args: str, **options: Any) -> tuple[int, Any]:
    result = world.cli("workflow", verb, *args, "--json", **options)
    return result.code, fits(f"workflow-{verb}", result.json)


def listed(world: World, *args: str) -> dict[str, Any]:
    code, answer = run(world, "list", *args)
    assert code == 0
    return {one["id"]: one for one in answer["workflows"]}


def error(world: World, verb: str, *args: str, **options: Any) -> str:
    code, answer = run(world, verb, *args, **options)
    assert code == 1, answer
    return str(answer["status"][0]["code"])


def library(world: World) -> Path:
    return world.data_dir / "workflows"


@pytest.mark.requirement("WC-001", "WF-003")
def test_the_verbs_are_those_of_workflows_alone() -> None:
    verbs = {row.name.split()[1] for row in table.OPERATIONS if row.name.startswith("workflow ")}

    assert {
        "list", "show", "which", "init", "validate", "import", "export", "delete",
    } <= verbs  # fmt: skip


# list


@pytest.mark.requirement("WF-006", "WC-007", "WC-010", "WF-080", "WF-001")
def test_ours_come_first_and_the_users_follow_by_id(world: World) -> None:
    for id in ("zeta", "alpha", "beta-2"):
        install(world, id)

    rows = listed(world)

    ids = list(rows)
    assert ids[:3] == ["propose", "explore", "new"]
    assert ids[-3:] == ["alpha", "beta-2", "zeta"]
    assert rows["alpha"]["source"] == "user"
    assert rows["alpha"]["sourcePath"] == str(library(world) / "alpha")
    assert (rows["propose"]["source"], rows["propose"]["sourcePath"]) == ("built-in", None)


@pytest.mark.requirement("WF-080", "WC-003")
def test_without_a_folder_of_workflows_there_are_ours_and_nothing_is_written(world: World) -> None:
    before = snapshot(world.base)

    answer = run(world, "list")[1]

    assert answer["invalid"] == []
    assert {one["source"] for one in answer["workflows"]} == {"built-in"}
    assert snapshot(world.base) == before


@pytest.mark.requirement("WC-011")
def test_people_see_groups_by_kind_and_parts_only_with_all(world: World) -> None:
    install(world, "inner", workflow("inner", more="kind: internal\n"))
    install(world, "outer")

    shown = world.cli("workflow", "list").out
    everything = world.cli("workflow", "list", "--all").out

    heads = ["Workflows", "Drivers", "Experts", "Parts"]
    assert [shown.find(f"{head}") >= 0 for head in heads] == [True, True, True, False]
    positions = [everything.index(head) for head in heads]
    assert positions == sorted(positions)
    assert "  inner" not in shown
    assert "  inner" in everything
    assert "inner" in listed(world)


def test_what_comes_later_says_so_and_all_else_does_not(world: World) -> None:
    ids = [one.id for one in (*ops.built_in(), *ops.always()) if not one.is_available]

    out = world.cli("workflow", "list", "--all").out
    later = [line.split()[0] for line in out.splitlines() if "later" in line]

    assert sorted(later) == sorted(ids)
    assert "later version" in world.cli("workflow", "show", "audit").out
    assert "later version" not in world.cli("workflow", "show", "propose").out


@pytest.mark.requirement("WC-011")
def test_columns_align_across_groups_and_invalid_ones_follow(world: World) -> None:
    install(world, "outer")
    install(world, "broken", {"SKILL.md": b"x"})

    out = world.cli("workflow", "list").out

    rows = [line for line in out.splitlines() if line.startswith("  ")]
    texts = {
        line.split()[0]: line.index(line.split(None, 1)[1], len(line.split()[0]) + 2)
        for line in rows
    }
    assert len(set(texts.values())) == 1
    assert list(texts)[-1] == "broken"
    assert "there is no workflow.yaml" in out


@pytest.mark.requirement("WF-042", "WC-011")
def test_warnings_go_to_stderr(world: World) -> None:
    install(world, "outer", workflow("outer", more="recommends: {workflows: [nowhere]}\n"))

    result = world.cli("workflow", "list")

    assert "nowhere" in result.err
    assert "nowhere" not in result.out
    found = run(world, "list")[1]["diagnostics"]
    assert [one["code"] for one in found] == ["recommended_workflow_missing"]
    assert found[0]["details"] == {"workflowId": "outer", "dependency": "nowhere"}
    assert "outer" in listed(world)


@pytest.mark.requirement("WF-027", "WF-028", "WC-006")
def test_a_title_is_shown_as_its_author_wrote_it_and_null_when_absent(world: World) -> None:
    more = "skill: {name: リリース手順, category: 運用, tags: [a, b]}\n"
    install(world, "titled", workflow("titled", more=more))
    install(world, "plain")

    for language in ("en", "ja", "zh-cn"):
        told = world.cli("workflow", "show", "titled", env={"RASEN_LANG": language})
        assert "リリース手順" in told.out
    assert listed(world)["titled"]["title"] == "リリース手順"
    assert listed(world)["plain"]["title"] is None
    titled = run(world, "show", "titled")[1]["workflow"]
    plain = run(world, "show", "plain")[1]["workflow"]
    assert (titled["title"], titled["category"], titled["tags"]) == (
        "リリース手順",
        "運用",
        ["a", "b"],
    )
    assert (plain["title"], plain["category"], plain["tags"]) == (None, None, None)


@pytest.mark.requirement("WC-006", "WF-074")
def test_documents_are_the_same_in_every_language(world: World) -> None:
    install(world, "broken", {"SKILL.md": b"x"})

    answers = {
        world.cli("workflow", "list", "--json", env={"RASEN_LANG": language}).out
        for language in ("en", "ja", "zh-cn")
    }

    assert len(answers) == 1


@pytest.mark.requirement("WF-080")
def test_a_folder_that_cannot_be_read_leaves_ours(world: World) -> None:
    library(world).parent.mkdir(parents=True)
    library(world).write_text("a file")

    answer = run(world, "list")[1]

    assert [one["diagnostics"][0]["code"] for one in answer["invalid"]] == ["registry_unreadable"]
    assert len(answer["workflows"]) > 20


@pytest.mark.requirement("WF-081", "SP-008")
def test_an_entry_that_is_no_folder_is_invalid_and_junk_is_passed_over(world: World) -> None:
    install(world, "outer")
    for name in ("note.txt", ".hidden", "Thumbs.db", "DESKTOP.INI"):
        (library(world) / name).write_text("x")

    answer = run(world, "list")[1]

    found = {one["id"]: one["diagnostics"][0]["code"] for one in answer["invalid"]}
    assert found == {"note.txt": "registry_entry_not_directory"}


# show, which, usage


@pytest.mark.requirement("WC-014")
def test_which_says_the_folder_or_that_it_is_ours(world: World) -> None:
    place = install(world, "outer")

    assert world.cli("workflow", "which", "outer").out == f"{place}\n"
    assert world.cli("workflow", "which", "propose").out == "built-in:propose\n"
    assert run(world, "which", "outer")[1]["workflow"]["sourcePath"] == str(place)
    assert error(world, "which", "nowhere") == "workflow_not_found"
    assert error(world, "show", "nowhere") == "workflow_not_found"


def test_show_of_a_broken_one_says_what_is_wrong(world: World) -> None:
    install(world, "broken", {"SKILL.md": b"x"})

    code, answer = run(world, "show", "broken")

    assert (code, answer["status"][0]["code"]) == (1, "workflow_invalid")
    assert answer["status"][0]["details"]["codes"] == ["manifest_missing"]
    assert (answer["workflow"], answer["usage"]) == (None, [])


@pytest.mark.requirement("WC-013", "WF-005")
def test_show_names_everybody_who_uses_it(world: World) -> None:
    install(world, "outer")
    install(world, "other", workflow("other", requires={"workflows": ["outer"]}))
    select(world, "propose", "outer")
    assert world.cli("init", "--tools", "claude").code == 0
    assert world.cli(
        "profile", "new", "team", "--workflows", "outer", "--retention", "off"
    ).code == 0  # fmt: skip
    select(world, "propose", "outer")
    pipeline = "name: {}\nstages:\n- {{id: a, skill: outer}}\n"
    world.write("rasen/pipelines/here/pipeline.yaml", pipeline.format("here"))
    mine = world.data_dir / "pipelines/mine/pipeline.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text(pipeline.format("mine"))

    usage = run(world, "show", "outer")[1]["usage"]

    assert [(one["kind"], one["consumer"]) for one in usage] == [
        ("global-selection", "workflows"),
        ("profile", "team"),
        ("dependency", "other"),
        ("pipeline", "project:here"),
        ("pipeline", "user:mine"),
        ("ledger", "current project artifacts"),
    ]
    assert all(one["hard"] is True for one in usage)
    saved = (world.config_dir / "profiles/team.yaml").read_text()
    assert "Do it" not in saved
    told = world.cli("workflow", "show", "outer").out
    assert "the profile team" in told


@pytest.mark.requirement("WC-012", "PK-107")
def test_unused_are_only_the_users_that_nobody_names(world: World) -> None:
    for id in ("used", "idle"):
        install(world, id)
    select(world, "used")

    assert list(listed(world, "--unused")) == ["idle"]
    rows = listed(world)
    assert {id: rows[id]["unused"] for id in ("used", "idle", "handoff")} == {
        "used": False, "idle": True, "handoff": False,
    }  # fmt: skip
    assert "Other projects may use them" in world.cli("workflow", "list", "--unused").err


# init


@pytest.mark.requirement("WC-002", "WC-015")
def test_a_draft_is_sound_private_and_outside_the_library(world: World) -> None:
    code, answer = run(world, "init", "my-flow", "--output", "drafts/my-flow")

    assert code == 0
    folder = world.root / "drafts/my-flow"
    assert answer["workflow"] == {"id": "my-flow", "output": str(folder)}
    assert sorted(one.name for one in folder.iterdir()) == ["SKILL.md", "workflow.yaml"]
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()} == {0o600}
    assert "name: rasen-my-flow" in world.read("drafts/my-flow/SKILL.md")
    assert not library(world).exists()
    checked = run(world, "validate", "drafts/my-flow")[1]["validation"]
    digest = checked.pop("digest")
    assert checked == {"valid": True, "kind": "directory", "id": "my-flow", "diagnostics": []}
    assert run(world, "import", "drafts/my-flow")[0] == 0
    assert run(world, "show", "my-flow")[1]["workflow"]["digest"] == digest


def test_places_are_told_without_the_way_there(world: World) -> None:
    _, answer = run(world, "init", "my-flow", "--output", "drafts/../my-flow")

    assert answer["workflow"]["output"] == str(world.root / "my-flow")


@pytest.mark.requirement("WC-015")
def test_a_draft_takes_an_empty_folder_and_no_other(world: World) -> None:
    (world.root / "empty-one").mkdir()
    world.write("full/note.md", "x")
    world.write("a-file", "x")
    (world.root / "a-link").symlink_to(world.root / "empty-one")

    assert run(world, "init", "empty-one", "--output", "empty-one")[0] == 0
    assert error(world, "init", "full", "--output", "full") == "output_not_empty"
    assert error(world, "init", "a-file", "--output", "a-file") == "output_not_directory"
    assert error(world, "init", "a-link", "--output", "a-link") == "output_not_directory"
    assert error(world, "init", "one", "--output", "two") == "output_id_mismatch"
    assert error(world, "init", "My_Flow", "--output", "My_Flow") == "workflow_id_invalid"
    inside = str(library(world) / "inside")
    assert error(world, "init", "inside", "--output", inside) == "output_in_library"
    assert error(world, "init", "--output", "x") == "usage_error"
    assert error(world, "init", "x", "--output", "x", "--from", "full") == "usage_error"


@pytest.mark.requirement("WC-002")
def test_no_way_round_leads_a_draft_into_the_library(world: World) -> None:
    library(world).mkdir(parents=True)
    (world.root / "a-link").symlink_to(library(world))
    world.write("shared/kanji/SKILL.md", "---\nname: kanji\ndescription: X.\n---\nDo it.\n")

    for output in ("a-link/one", f"{world.data_dir}/../{world.data_dir.name}/workflows/one"):
        assert error(world, "init", "one", "--output", output) == "output_in_library"
        assert error(world, "init", "--from", "shared", "--output", output) == "output_in_library"
    assert list(library(world).iterdir()) == []


@pytest.mark.requirement("WC-015")
@pytest.mark.parametrize("id", ["123", "1e3", "0x1f", "true", "null", "a" * 64, "2024-01-01"])
def test_a_draft_of_any_id_is_sound(world: World, id: str) -> None:
    assert run(world, "init", id, "--output", id)[0] == 0

    assert run(world, "validate", id)[1]["validation"]["valid"] is True


@pytest.mark.requirement("WC-015", "WF-011")
@pytest.mark.parametrize("id", ["ship", "rasen-review", "retro", "taken"])
def test_a_draft_needs_a_skill_name_that_nobody_has(world: World, id: str) -> None:
    install(world, "mine", {**workflow("mine"), "SKILL.md": skill("rasen-taken").encode()})

    result = world.cli("workflow", "init", id, "--output", id, "--json")

    assert result.error == "workflow_id_collision"
    assert "would be called rasen-" in result.json["status"][0]["message"]
    assert not (world.root / id).exists()


@pytest.mark.requirement("WC-015")
@pytest.mark.parametrize("id", ["propose", "review", "mine", "broken"])
def test_a_draft_needs_an_id_that_nobody_has(world: World, id: str) -> None:
    install(world, "mine")
    install(world, "broken", {"SKILL.md": b"x"})

    assert error(world, "init", id, "--output", id) == "workflow_id_collision"


# validate


@pytest.mark.requirement("WC-016", "WF-084")
def test_what_is_installed_and_invalid_is_not_called_absent(world: World) -> None:
    install(world, "broken", {"SKILL.md": b"x"})
    lay(world.root / "flow", workflow("flow", requires={"workflows": ["broken"]}))

    found = run(world, "validate", "flow")[1]["validation"]["diagnostics"]

    assert [(one["code"], one["details"]["dependency"]) for one in found] == [
        ("workflow_dependency_invalid", "broken")
    ]


@pytest.mark.requirement("WC-016", "WC-017")
def test_an_empty_word_is_not_the_folder_at_hand(world: World) -> None:
    lay(world.root, workflow(world.root.name.lower()))

    assert error(world, "validate", "") == "workflow_not_found"
    assert error(world, "import", "") == "import_source_not_found"
    assert error(world, "upgrade", "", "--yes") == "import_source_not_found"
    assert error(world, "init", "--from", "", "--output", "made") == "skills_not_found"


def test_a_line_feed_in_a_name_begins_no_line_of_its_own(world: World) -> None:
    install(world, "flow")
    lay(world.root / "flow", {**workflow("flow"), "a\n✗ [ERROR] forged: b": b"x"})

    result = world.cli("workflow", "validate", "flow")

    assert [line for line in result.err.splitlines() if line.startswith("✗")] == [
        "✗ [ERROR] a�✗ [ERROR] forged: b: 'a"
    ]


def test_what_is_said_of_the_whole_names_no_place(world: World) -> None:
    os.mkfifo(world.root / "pipe")

    result = world.cli("workflow", "validate", "pipe")

    assert result.code == 1
    assert f"✗ [ERROR] {world.root / 'pipe'} is no folder of its own" in result.err.splitlines()


@pytest.mark.requirement("WC-016", "WF-070")
def test_one_verdict_for_people_and_programs(world: World) -> None:
    text = manifest("bad").replace("version: 1", "version: 2") + "colour: red\n"
    lay(world.root / "bad", {"workflow.yaml": text.encode(), "SKILL.md": skill("bad").encode()})

    code, answer = run(world, "validate", "bad")
    told = world.cli("workflow", "validate", "bad")

    assert (code, told.code) == (1, 1)
    found = answer["validation"]
    assert (found["valid"], found["kind"], found["id"]) == (False, "directory", "bad")
    assert "digest" not in found
    for one in found["diagnostics"]:
        assert one["message"] in told.err
    assert [one["line"] for one in found["diagnostics"]] == [3, 1]


@pytest.mark.requirement("WC-016", "WC-003")
def test_an_id_means_the_installed_one(world: World) -> None:
    install(world, "outer")
    install(world, "broken", {"SKILL.md": b"x"})
    before = snapshot(world.base)

    assert run(world, "validate", "outer")[1]["validation"]["kind"] == "installed"
    code, answer = run(world, "validate", "broken")
    assert (code, answer["validation"]["kind"]) == (1, "installed")
    assert error(world, "validate", "nowhere") == "workflow_not_found"
    assert snapshot(world.base) == before


@pytest.mark.requirement("WC-016", "WC-003")
def test_a_package_is_judged_with_the_catalogue_and_nothing_is_installed(world: World) -> None:
    install(world, "outer", workflow("outer", requires={"workflows": ["inner"]}))
    install(world, "inner")
    assert run(world, "export", "outer", "outer.rasenpkg")[0] == 0
    world.write("none.rasenpkg", "no package")
    before = snapshot(world.base)

    good = run(world, "validate", "outer.rasenpkg")
    bad = run(world, "validate", "none.rasenpkg")

    assert good[0] == 0
    assert good[1]["validation"]["packageKind"] == "workflow"
    assert bad[0] == 1
    assert [one["code"] for one in bad[1]["validation"]["diagnostics"]] == ["package_json_invalid"]
    assert snapshot(world.base) == before


@pytest.mark.requirement("WC-016")
def test_a_folder_is_judged_as_if_it_were_installed(world: World) -> None:
    install(world, "zz-taken", workflow("zz-taken"))
    files = workflow("new-one", requires={"workflows": ["missing"], "skills": ["rasen-nope"]})
    files["SKILL.md"] = skill("zz-taken").encode()
    lay(world.root / "new-one", files)

    code, answer = run(world, "validate", "new-one")

    assert code == 1
    codes = [one["code"] for one in answer["validation"]["diagnostics"]]
    assert codes == ["skill_name_collision"]
    files["SKILL.md"] = skill("free").encode()
    lay(world.root / "new-one", files)
    codes = [
        one["code"] for one in run(world, "validate", "new-one")[1]["validation"]["diagnostics"]
    ]
    assert codes == ["workflow_dependency_missing", "skill_dependency_missing"]


# import, export, delete


@pytest.mark.requirement("WC-004", "WF-012", "WF-035")
def test_a_folder_is_installed_once_and_reused_after(world: World) -> None:
    script = f"#!/bin/sh\ntouch {world.base}/ran\n"
    lay(world.root / "flow", workflow("flow", scripts={"scripts/go.sh": script}))

    assert run(world, "import", "flow")[1] == {
        "imported": ["flow"], "reused": [], "roots": ["flow"], "status": [],
    }  # fmt: skip
    assert run(world, "import", "flow")[1]["reused"] == ["flow"]
    assert (library(world) / "flow/scripts/go.sh").read_text() == script
    assert not (world.base / "ran").exists()


@pytest.mark.requirement("WF-013", "WC-005", "WF-010")
def test_nothing_installed_or_built_in_is_replaced(world: World) -> None:
    install(world, "flow")
    lay(world.root / "flow", workflow("flow", body="Other.\n"))
    lay(world.root / "propose", {**workflow("propose"), "SKILL.md": skill("free").encode()})
    before = snapshot(library(world))

    assert error(world, "import", "flow") == "workflow_digest_conflict"
    assert error(world, "import", "propose") == "builtin_collision"
    assert snapshot(library(world)) == before


@pytest.mark.requirement("WC-017")
def test_what_cannot_be_imported_is_named(world: World) -> None:
    lay(world.root / "bad", {"SKILL.md": b"x"})
    (world.root / "link").symlink_to(world.root / "bad")

    assert error(world, "import", "nowhere") == "import_source_not_found"
    assert error(world, "import", "link") == "import_source_invalid"
    code, answer = run(world, "import", "bad")
    assert answer["status"][0]["code"] == "workflow_invalid"
    assert answer["status"][0]["details"]["codes"] == ["manifest_missing"]
    assert (code, answer["imported"], answer["reused"], answer["roots"]) == (1, [], [], [])


@pytest.mark.requirement("WC-018", "WC-005")
def test_a_package_holds_all_of_the_users_and_is_the_same_every_time(world: World) -> None:
    install(world, "outer", workflow("outer", requires={"workflows": ["inner", "apply"]}))
    install(world, "inner")

    for name in ("a.rasenpkg", "b.rasenpkg"):
        assert run(world, "export", "outer", name)[0] == 0

    data = (world.root / "a.rasenpkg").read_bytes()
    assert data == (world.root / "b.rasenpkg").read_bytes()
    assert [one["id"] for one in json.loads(data)["workflows"]] == ["inner", "outer"]
    assert error(world, "export", "outer", "a.rasenpkg") == "destination_exists"
    assert run(world, "export", "inner", "a.rasenpkg", "--force")[0] == 0
    assert (world.root / "a.rasenpkg").read_bytes() != data
    (world.root / "folder").mkdir()
    assert error(world, "export", "outer", "folder") == "destination_not_file"
    for ours in ("propose", "review", "rasen-review"):
        assert error(world, "export", ours, "c.rasenpkg") == "builtin_export_forbidden"


@pytest.mark.requirement("WC-018", "WC-007")
def test_people_are_asked_before_a_file_is_replaced(world: World) -> None:
    install(world, "outer")
    world.write("a.rasenpkg", "mine")

    def export(answer: str) -> Result:
        return world.cli("workflow", "export", "outer", "a.rasenpkg", tty=True, input=answer)

    assert export("\n").code == 1
    assert world.read("a.rasenpkg") == "mine"
    assert export("y\n").code == 0
    assert world.read("a.rasenpkg").startswith("{")


@pytest.mark.requirement("WC-019", "WC-005")
def test_deleting_needs_a_yes_and_takes_all_of_it(world: World) -> None:
    install(world, "flow", workflow("flow", sidecars={"references/a.md": "x"}))
    install(world, "other")

    assert error(world, "delete", "flow") == "confirmation_required"
    for ours in ("propose", "retain-command", "review", "rasen-review"):
        assert error(world, "delete", ours, "--yes") == "builtin_delete_forbidden"
    assert error(world, "delete", "nowhere", "--yes") == "workflow_not_found"
    assert error(world, "delete", "..", "--yes") == "workflow_not_found"
    result = world.cli("workflow", "delete", "flow", "--yes", "--json")

    assert fits("workflow-delete", result.json) == {
        "deleted": "flow", "forcedReferrers": [], "status": [],
    }  # fmt: skip
    assert "may still use" in result.err
    assert [one.name for one in library(world).iterdir()] == ["other"]
    assert sorted(one.name for one in world.data_dir.iterdir()) == ["workflows"]


@pytest.mark.requirement("WC-019")
def test_a_used_one_stays_unless_forced(world: World) -> None:
    install(world, "flow")
    install(world, "other", workflow("other", requires={"workflows": ["flow"]}))

    code, answer = run(world, "delete", "flow", "--yes")
    assert (code, answer["status"][0]["code"]) == (1, "workflow_in_use")
    assert answer["status"][0]["details"] == {"consumers": ["dependency:other"]}
    assert (library(world) / "flow").is_dir()

    code, answer = run(world, "delete", "flow", "--yes", "--force")
    assert (code, answer["forcedReferrers"]) == (0, ["dependency:other"])
    assert not (library(world) / "flow").exists()


@pytest.mark.requirement("WC-019", "WC-007")
def test_a_no_keeps_it_and_says_cancelled(world: World) -> None:
    install(world, "flow")

    result = world.cli("workflow", "delete", "flow", tty=True, input="\n")

    assert result.code == 1
    assert "nothing was changed" in result.err
    assert (library(world) / "flow").is_dir()


NULLS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "list": ([], {"workflows": [], "diagnostics": []}),
    "show": (["a"], {"workflow": None, "usage": []}),
    "which": (["a"], {"workflow": None}),
    "init": (["a", "--output", "a"], {"workflow": None}),
    "validate": (["a"], {"validation": None}),
    "import": (["a"], {"imported": [], "reused": [], "roots": []}),
    "export": (["a", "b"], {"workflow": None}),
    "delete": (["a", "--yes"], {"deleted": None, "forcedReferrers": []}),
}


@pytest.mark.requirement("WC-007")
@pytest.mark.parametrize("verb", NULLS)
def test_what_goes_wrong_without_a_code_has_the_one_of_the_group(world: World, verb: str) -> None:
    args, null = NULLS[verb]
    breaking = (
        "import os, sys\n"
        "import rasen.workflows.ops as workflows, rasen.upkeep.workflow_library as library\n"
        "from rasen.packages import ops as packages\n"
        "def broken(*_, **__): raise ZeroDivisionError\n"
        "for module in (workflows, library, packages):\n"
        "    for name, one in list(vars(module).items()):\n"
        "        if callable(one) and name.islower() and not isinstance(one, type):\n"
        "            setattr(module, name, broken)\n"
        "from rasen.surfaces.cli import main\n"
        f"sys.exit(main.run(['workflow', '{verb}', *{args!r}, '--json'], os.environ))\n"
    )

    result = world.python("-c", breaking)

    assert result.code == 1
    status = result.json.pop("status")
    assert [(one["severity"], one["code"]) for one in status] == [
        ("error", "workflow_command_error")
    ]
    assert "ZeroDivisionError" in status[0]["message"]
    assert {key: result.json[key] for key in null} == null
    assert set(result.json) - {"status"} == set(null)


@pytest.mark.requirement("WC-007")
def test_ctrl_c_at_a_question_is_130_and_changes_nothing(world: World) -> None:
    install(world, "flow")

    with Terminal(world, "workflow", "delete", "flow") as person:
        person.wait_for("[y/N]")
        person.type("\x03")
        assert person.code() == 130

    assert (library(world) / "flow").is_dir()


@pytest.mark.requirement("WC-019")
def test_a_broken_one_can_be_deleted(world: World) -> None:
    install(world, "broken", {"SKILL.md": b"x"})

    assert run(world, "delete", "broken", "--yes")[0] == 0
    assert not (library(world) / "broken").exists()


@pytest.mark.requirement("WC-019", "WF-010")
@pytest.mark.parametrize("id", ["apply", "review"])
def test_a_folder_that_took_an_id_of_ours_can_be_deleted(world: World, id: str) -> None:
    install(world, id)

    assert run(world, "delete", id, "--yes")[1]["forcedReferrers"] == []
    assert run(world, "show", id)[1]["workflow"]["source"] == "built-in"
    assert not (library(world) / id).exists()


@pytest.mark.requirement("WC-019", "SP-008")
def test_what_no_listing_shows_is_not_deleted(world: World) -> None:
    install(world, ".hidden")

    assert error(world, "delete", ".hidden", "--yes") == "workflow_not_found"
    assert (library(world) / ".hidden/SKILL.md").is_file()


@pytest.mark.requirement("SP-040", "SP-041", "WC-019")
@pytest.mark.usefixtures("impatient")
def test_a_library_that_somebody_changes_is_waited_for_then_busy(world: World) -> None:
    install(world, "flow")
    from dataclasses import asdict

    from rasen.process.liveness import me

    note = json.dumps({**asdict(me()), "token": "another"})
    (world.data_dir / ".workflows.lock").write_text(note)

    assert error(world, "delete", "flow", "--yes") == "workflow_registry_busy"
    assert (library(world) / "flow").is_dir()
