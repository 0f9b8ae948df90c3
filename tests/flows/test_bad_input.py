"""Broken files and hostile trees: a code, the file, the line where there is one; nothing changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Any

import pytest
from tests.support.fixtures import (
    ADDED,
    CHANGE,
    DELTA_FILE,
    FOLDER,
    PROPOSAL,
    S1,
    SPEC_FILE,
    TASKS,
    desk,
)
from tests.support.snapshot import snapshot
from tests.support.unprivileged import as_nobody
from tests.support.verdict import assert_same_verdict, codes, messages
from tests.support.world import Result, World

Breakage = Callable[[World], object]

METADATA = f"{FOLDER}/.openspec.yaml"
PROPOSAL_FILE = f"{FOLDER}/proposal.md"
TASK_FILE = f"{FOLDER}/tasks.md"
CONFIG = "rasen/config.yaml"
HUGE = "x" * 20_000_000 + "\n"
CALLS = {
    "list": ("list",),
    "list-specs": ("list", "--specs"),
    "show-change": ("show", CHANGE, "--type", "change"),
    "show-spec": ("show", "lending", "--type", "spec"),
    "validate": ("validate", "--all"),
    "status": ("status", "--change", CHANGE),
    "instructions": ("instructions", "design", "--change", CHANGE),
    "apply": ("instructions", "apply", "--change", CHANGE),
    "view": ("view",),
    "tasks": ("task", "list", CHANGE),
}


def text(rel: str, content: str | bytes) -> Breakage:
    return lambda world: world.write(rel, content)


def link(rel: str, target: str) -> Breakage:
    """Put a link where the file was; `target` may use {base}."""

    def make(world: World) -> None:
        (world.base / "secret.md").write_text(
            "# secret\n\n## Purpose\nnot yours\n\n## Why\nsecret\n"
        )
        path = world.path(rel)
        path.unlink(missing_ok=True)
        path.symlink_to(target.format(base=world.base))

    return make


def folder(rel: str) -> Breakage:
    def make(world: World) -> None:
        world.path(rel).unlink(missing_ok=True)
        world.path(rel).mkdir()

    return make


def file(rel: str) -> Breakage:
    def make(world: World) -> None:
        shutil.rmtree(world.path(rel))
        world.write(rel, "not a folder\n")

    return make


def pipe(rel: str) -> Breakage:
    def make(world: World) -> None:
        world.path(rel).unlink()
        os.mkfifo(world.path(rel))

    return make


def after(before: str) -> int:
    """The line that follows `before`."""
    return before.count("\n") + 1


# What a broken file says: the call that meets it, the code, words of the message

REFUSED: dict[str, tuple[Breakage, str, str, tuple[str, ...]]] = {
    "metadata-broken": (
        text(METADATA, "schema: spec-driven\ncreated: [\n"), "status", "yaml_invalid", (METADATA, ":3:"),
    ),
    "metadata-duplicate-key": (
        text(METADATA, "schema: spec-driven\nschema: mine\n"), "status", "yaml_invalid", (METADATA, ":2:1", "schema"),
    ),
    "metadata-wrong-type": (
        text(METADATA, "created: 2026-01-31\nschema: [1]\n"), "instructions", "change_metadata_invalid", (METADATA, "line 2", "schema"),
    ),
    "metadata-no-map": (
        text(METADATA, "- a\n"), "status", "change_metadata_invalid", (METADATA, "line 1"),
    ),
    "metadata-folder": (folder(METADATA), "status", "not_a_file", (METADATA,)),
    "metadata-latin": (
        text(METADATA, b"schema: spec-driven\n# caf\xe9\n"), "status", "file_not_utf8", (METADATA, "line 2"),
    ),
    "metadata-huge": (text(METADATA, "# " + HUGE), "status", "file_too_large", (METADATA,)),
    "metadata-unknown-schema": (
        text(METADATA, "schema: spec-drivn\n"), "status", "change_error", (METADATA, "spec-drivn"),
    ),
    "proposal-latin": (
        text(PROPOSAL_FILE, PROPOSAL.encode() + b"caf\xe9\n"), "show-change", "file_not_utf8", (PROPOSAL_FILE, f"line {after(PROPOSAL)}"),
    ),
    "proposal-folder": (folder(PROPOSAL_FILE), "show-change", "not_a_file", (PROPOSAL_FILE,)),
    "proposal-dangling": (link(PROPOSAL_FILE, "nowhere.md"), "show-change", "show_error", (PROPOSAL_FILE,)),
    "proposal-escaping": (
        link(PROPOSAL_FILE, "{base}/secret.md"), "show-change", "path_traversal", ("proposal.md", "link"),
    ),
    "proposal-huge": (text(PROPOSAL_FILE, PROPOSAL + HUGE), "show-change", "file_too_large", (PROPOSAL_FILE,)),
    "delta-latin": (
        text(DELTA_FILE, ADDED.encode() + b"caf\xe9\n"), "show-change", "file_not_utf8", (DELTA_FILE, f"line {after(ADDED)}"),
    ),
    "spec-latin": (
        text(SPEC_FILE, S1.encode() + b"caf\xe9\n"), "show-spec", "file_not_utf8", (SPEC_FILE, f"line {after(S1)}"),
    ),
    "spec-folder": (folder(SPEC_FILE), "show-spec", "not_a_file", (SPEC_FILE,)),
    "spec-pipe": (pipe(SPEC_FILE), "show-spec", "not_a_file", (SPEC_FILE,)),
    "spec-dangling": (link(SPEC_FILE, "nowhere.md"), "show-spec", "file_missing", (SPEC_FILE,)),
    "spec-loop": (link(SPEC_FILE, "spec.md"), "show-spec", "file_unreadable", (SPEC_FILE,)),
    "spec-escaping": (
        link(SPEC_FILE, "{base}/secret.md"), "show-spec", "path_traversal", ("lending/spec.md", "link"),
    ),
    "spec-huge": (text(SPEC_FILE, S1 + HUGE), "show-spec", "file_too_large", (SPEC_FILE,)),
    "specs-no-folder": (file("rasen/specs"), "list-specs", "not_a_folder", ("rasen/specs",)),
    "changes-no-folder": (file("rasen/changes"), "list", "not_a_folder", ("rasen/changes",)),
    "tasks-latin": (
        text(TASK_FILE, TASKS.encode() + b"- [ ] caf\xe9\n"), "tasks", "file_not_utf8", (TASK_FILE, f"line {after(TASKS)}"),
    ),
    "tasks-huge": (text(TASK_FILE, TASKS + HUGE), "tasks", "file_too_large", (TASK_FILE,)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_the_call_that_meets_it_names_the_file(world: World, name: str) -> None:
    broken, call, code, words = REFUSED[name]
    desk(world)
    broken(world)

    result = world.cli(*CALLS[call], "--json")

    assert (result.code, result.error) == (1, code)
    for word in words:
        assert word in result.json["status"][0]["message"]
    assert "secret" not in result.out.replace("secret.md", "")


@pytest.mark.parametrize("name", REFUSED)
def test_every_other_call_answers_in_form_and_changes_nothing(world: World, name: str) -> None:
    desk(world)
    REFUSED[name][0](world)
    before = snapshot(world.base)

    for words in CALLS.values():
        _answers(world.cli(*words, "--json"))
        told = world.cli(*words)
        assert "Traceback" not in told.err

    assert snapshot(world.base) == before


def _answers(result: Result) -> Any:
    document = result.json
    assert "a bug in rasen" not in result.out
    failed = "status" in document or not all(item["valid"] for item in document.get("items", []))
    assert result.code == int(failed)
    return document


# What `validate` says of the change, and archive with it

REPORTED: dict[str, tuple[Breakage, str, str, int | None]] = {
    "metadata-broken": (text(METADATA, "schema: [\n"), "change_metadata_unusable", ".openspec.yaml", 2),
    "metadata-duplicate-key": (
        text(METADATA, "schema: spec-driven\nschema: x\n"), "change_metadata_unusable", ".openspec.yaml", 2,
    ),
    "metadata-wrong-type": (text(METADATA, "schema: 3\n"), "change_metadata_unusable", ".openspec.yaml", 1),
    "metadata-folder": (folder(METADATA), "change_metadata_unusable", ".openspec.yaml", None),
    "delta-latin": (text(DELTA_FILE, ADDED.encode() + b"\xe9\n"), "delta_unreadable", "lending/spec.md", None),
    "delta-huge": (text(DELTA_FILE, ADDED + HUGE), "delta_unreadable", "lending/spec.md", None),
    "delta-folder": (folder(DELTA_FILE), "delta_not_a_file", "lending/spec.md", None),
    "delta-dangling": (link(DELTA_FILE, "nowhere.md"), "delta_unreadable", "lending/spec.md", None),
    "delta-escaping": (link(DELTA_FILE, "{base}/secret.md"), "delta_link_outside", "lending/spec.md", None),
    "deltas-no-folder": (file(f"{FOLDER}/specs"), "delta_specs_not_a_folder", "file", None),
    "spec-latin": (text(SPEC_FILE, S1.encode() + b"\xe9\n"), "delta_unreadable", "lending/spec.md", None),
    "spec-folder": (folder(SPEC_FILE), "delta_unreadable", "lending/spec.md", None),
    "spec-dangling": (link(SPEC_FILE, "nowhere.md"), "delta_unreadable", "lending/spec.md", None),
    "spec-escaping": (link(SPEC_FILE, "{base}/secret.md"), "delta_unreadable", "lending/spec.md", None),
    "spec-huge": (text(SPEC_FILE, S1 + HUGE), "delta_unreadable", "lending/spec.md", None),
    "specs-no-folder": (file("rasen/specs"), "delta_unreadable", "lending/spec.md", None),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTED)
def test_validate_reports_it_and_archive_refuses_it(world: World, name: str) -> None:
    broken, code, path, line = REPORTED[name]
    desk(world)
    broken(world)

    item = assert_same_verdict(world)

    assert (code, line) in codes(item)
    assert path in [one["path"] for one in item["issues"] if one["code"] == code]


@pytest.mark.parametrize("name", ["delta-latin", "spec-latin"])
def test_the_line_of_a_bad_byte_is_in_the_message(world: World, name: str) -> None:
    desk(world)
    REPORTED[name][0](world)

    said = messages(assert_same_verdict(world))

    assert f"line {after(ADDED if name == 'delta-latin' else S1)}" in said


# Settings: the file is left out, the work goes on, stderr says why

SETTINGS: dict[str, tuple[Breakage, str]] = {
    "broken": (text(CONFIG, "schema: spec-driven\ncontext: [\n"), ":3:"),
    "duplicate-key": (text(CONFIG, "schema: a\nschema: b\n"), ":2:1"),
    "wrong-type": (text(CONFIG, "schema: spec-driven\nrules: 3\n"), ":2"),
    "latin": (text(CONFIG, b"schema: spec-driven\n# caf\xe9\n"), "line 2"),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("call", ["list", "status", "instructions"])
def test_broken_settings_are_told_and_left_out(world: World, name: str, call: str) -> None:
    broken, place = SETTINGS[name]
    desk(world)
    broken(world)
    before = snapshot(world.base)

    result = world.cli(*CALLS[call], "--json")

    assert result.code == 0
    assert CONFIG in result.err
    assert place in result.err
    assert _answers(result)
    assert snapshot(world.base) == before


# Rights


@pytest.mark.parametrize(
    ("rel", "call", "code"),
    [
        (SPEC_FILE, "show-spec", "file_unreadable"),
        (PROPOSAL_FILE, "show-change", "file_unreadable"),
        (METADATA, "status", "file_unreadable"),
        (TASK_FILE, "tasks", "file_unreadable"),
        ("rasen/specs/lending", "show-spec", "file_unreadable"),
        (f"{FOLDER}/specs/lending", "show-change", "file_unreadable"),
    ],
)
def test_what_may_not_be_read_is_said(world: World, rel: str, call: str, code: str) -> None:
    desk(world)
    world.write(METADATA, "schema: spec-driven\n")
    world.cli(*CALLS[call], "--json")  # so that everything is imported before rights are given away
    world.path(rel).chmod(0)

    def read() -> None:
        result = world.cli(*CALLS[call], "--json")
        assert (result.code, result.error) == (1, code)

    try:
        ending = as_nobody(read, world.base)
    finally:
        world.path(rel).chmod(0o755)

    assert (ending.was_killed, ending.calls) == (False, 0)


@pytest.mark.parametrize("rel", [SPEC_FILE, DELTA_FILE, FOLDER, f"{FOLDER}/specs"])
def test_a_bulk_run_goes_on_past_what_may_not_be_read(world: World, rel: str) -> None:
    desk(world)
    world.write("rasen/specs/other/spec.md", S1)
    world.cli("validate", "--all", "--json")
    world.cli("list", "--json")
    world.path(rel).chmod(0)

    def read() -> None:
        result = world.cli("validate", "--all", "--json")
        valid = {item["id"]: item["valid"] for item in result.json["items"]}
        assert valid["other"] is True
        assert result.code == 1
        assert world.cli("list", "--json").code == 0

    try:
        ending = as_nobody(read, world.base)
    finally:
        world.path(rel).chmod(0o755)

    assert not ending.was_killed


# Names, and bytes that are unusual but no error


@pytest.mark.parametrize("name", ["../x", "a/b", "/etc", "..", ".", "", "a\\b", "a\0b", "archive"])
@pytest.mark.parametrize("call", ["status", "instructions", "apply", "tasks"])
def test_a_name_is_no_path(world: World, name: str, call: str) -> None:
    desk(world)
    before = snapshot(world.base)
    words = [name if word == CHANGE else word for word in CALLS[call]]

    result = world.cli(*words, "--json")

    assert result.code == 1
    assert result.error == "change_error"
    assert snapshot(world.base) == before


@pytest.mark.parametrize("rel", [SPEC_FILE, DELTA_FILE, PROPOSAL_FILE, TASK_FILE])
def test_nul_bytes_are_text_like_any_other(world: World, rel: str) -> None:
    desk(world)
    world.path(rel).write_bytes(world.path(rel).read_bytes() + b"a\0b\n")
    before = snapshot(world.base)

    for words in CALLS.values():
        assert _answers(world.cli(*words, "--json"))

    assert snapshot(world.base) == before
    assert assert_same_verdict(world)["valid"]


def test_a_file_just_below_the_limit_is_read(world: World) -> None:
    desk(world)
    world.write(SPEC_FILE, S1 + "y" * 10_000_000 + "\n")

    assert world.cli("show", "lending", "--json").code == 0
    assert world.cli("validate", "lending", "--json").code == 0


def test_a_workspace_inside_another_is_the_nearer_one(world: World) -> None:
    desk(world)
    inner = world.path("packages/web")
    (inner / "rasen/changes").mkdir(parents=True)

    assert world.cli("list", "--json", cwd=inner).json["root"]["path"] == str(inner)
    assert world.cli("list", "--json", cwd=inner.parent).json["root"]["path"] == str(world.root)
