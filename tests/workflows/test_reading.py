"""From the files of a workflow to its definition: what is declared, what is there, what it counts as."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.workflow_makers import lay, manifest, skill, workflow

from rasen.base.errors import ToolError
from rasen.workflows.digest import file_digest
from rasen.workflows.model import Diagnostic, Kind, Source
from rasen.workflows.reading import Reading, contents, definition_from, read_folder


def codes(reading: Reading) -> list[str]:
    return [one.code for one in reading.found]


def line_of(files: dict[str, bytes], found: Diagnostic) -> bytes:
    """The line of the file that `found` points at, without its indent."""
    assert found.line is not None
    return files[found.source].splitlines()[found.line - 1].strip()


@pytest.mark.requirement("WF-002", "WF-014", "WF-028")
def test_a_sound_one_says_all_that_the_catalogue_shows() -> None:
    files = workflow(
        "flow",
        body="See `references/a.md`.\n",
        sidecars={"references/a.md": "A\n"},
        scripts={"scripts/run.sh": "exit 1\n"},
        requires={"workflows": ["apply"], "skills": ["rasen-review"]},
        more="kind: internal\nskill: {name: Flow, category: C, tags: [t]}\n",
    )

    one = definition_from(files, folder_name="flow").definition

    assert one is not None
    assert (one.id, one.folder, one.kind, one.source) == (
        "flow",
        "flow",
        Kind.INTERNAL,
        Source.USER,
    )
    assert (one.title, one.category, one.tags) == ("Flow", "C", ("t",))
    assert one.files == tuple((path, file_digest(files[path])) for path in files)
    loaded = one.load()
    assert loaded.is_authored
    assert [side.path for side in loaded.sidecars] == ["references/a.md", "scripts/run.sh"]


@pytest.mark.requirement("WF-020")
def test_both_files_are_needed_and_nothing_else_is_looked_at() -> None:
    assert codes(definition_from({})) == ["manifest_missing", "skill_missing"]
    assert codes(definition_from({"SKILL.md": b"x", "y": b"\xff"})) == [
        "manifest_missing",
        "utf8_invalid",
    ]


@pytest.mark.requirement("WF-023")
def test_the_id_is_the_name_of_the_folder() -> None:
    files = workflow("flow")

    found = definition_from(files, folder_name="other")

    assert codes(found) == ["workflow_id_mismatch"]
    assert found.found[0].params == {"directoryName": "other", "manifestId": "flow"}
    assert found.found[0].path == "id"
    assert line_of(files, found.found[0]).startswith(b"id: flow")
    assert definition_from(workflow("flow")).definition is not None


@pytest.mark.requirement("WF-033")
def test_every_file_is_declared_and_every_declared_file_is_there() -> None:
    files = workflow("flow", sidecars={"a.md": "x", "b.md": "y"})
    del files["a.md"]
    files["c.md"] = b"z"

    found = definition_from(files)

    assert [(one.code, one.params["file"]) for one in found.found] == [
        ("file_not_declared", "c.md"), ("declared_file_missing", "a.md"),
    ]  # fmt: skip
    assert found.found[1].path == "files.sidecars[0]"
    assert line_of(files, found.found[1]).startswith(b"sidecars: [a.md")


@pytest.mark.requirement("WF-054")
def test_a_reference_needs_a_file_that_is_declared_and_there() -> None:
    files = workflow("flow", body="See `references/a.md`.\n", sidecars={"references/a.md": "x"})
    assert definition_from(files).definition is not None

    undeclared = {**files, "workflow.yaml": manifest("flow").encode()}
    assert codes(definition_from(undeclared)) == [
        "file_not_declared",
        "sidecar_reference_unresolved",
    ]
    del files["references/a.md"]
    assert codes(definition_from(files)) == [
        "declared_file_missing",
        "sidecar_reference_unresolved",
    ]


@pytest.mark.requirement("WF-063")
@pytest.mark.parametrize("path", ["workflow.yaml", "SKILL.md", "a.md"])
def test_every_file_is_utf8_without_a_mark(path: str) -> None:
    files = workflow("flow", sidecars={"a.md": "x"})

    assert codes(definition_from({**files, path: b"\xef\xbb\xbfx"})) == ["utf8_bom_forbidden"]
    found = definition_from({**files, path: b"ab\xff"})
    assert codes(found) == ["utf8_invalid"]
    assert found.found[0].params == {"file": path, "offset": 2}


@pytest.mark.requirement("WF-016", "SP-006")
def test_paths_are_portable_and_no_two_are_one_somewhere() -> None:
    files = workflow("flow", sidecars={"a.md": "x"})

    assert codes(definition_from({**files, "con.md": b"x"})) == ["path_windows_device"]
    assert codes(definition_from({**files, "A.md": b"x"})) == ["path_collision"]
    assert codes(definition_from({**files, "e\u0301.md": b"x"})) == ["path_not_nfc"]


@pytest.mark.requirement("WF-024", "WF-030")
def test_kind_and_title_are_in_the_digest_only_as_lines_of_the_manifest() -> None:
    plain = definition_from(workflow("flow")).definition
    titled = definition_from(workflow("flow", more="skill: {name: x}\n")).definition

    assert plain is not None
    assert titled is not None
    assert plain.digest != titled.digest
    assert dict(plain.files)["SKILL.md"] == dict(titled.files)["SKILL.md"]


@pytest.mark.requirement("WF-071", "WF-072")
def test_a_problem_says_its_code_place_file_and_numbers(tmp_path: Path) -> None:
    folder = lay(
        tmp_path / "flow", {**workflow("flow"), "SKILL.md": skill("flow", "__X__\n").encode()}
    )

    (found,) = read_folder(folder).found

    assert found.to_json() == {
        "code": "placeholder_forbidden",
        "severity": "error",
        "message": "the placeholder __X__ was left unfilled",
        "path": "SKILL.md",
        "sourcePath": str(folder / "SKILL.md"),
        "line": 6,
        "column": 1,
        "details": {"placeholder": "__X__"},
    }


def test_what_changed_since_it_was_read_is_not_used(tmp_path: Path) -> None:
    folder = lay(tmp_path / "flow", workflow("flow"))
    one = read_folder(folder).definition
    assert one is not None
    assert contents(one) == workflow("flow")
    (folder / "SKILL.md").write_text(skill("flow", "Something else.\n"))

    for use in (one.load, lambda: contents(one)):
        with pytest.raises(ToolError) as problem:
            use()
        assert problem.value.code == "workflow_changed"
