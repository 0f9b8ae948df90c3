"""`rasen status` as people and agents see it."""

from __future__ import annotations

import pytest
from tests.support.documents import fits
from tests.support.world import World

CHANGE = "rasen/changes/longer-loans"
DELTA = (
    "## ADDED Requirements\n\n### Requirement: A\nThe system SHALL a.\n\n"
    "#### Scenario: S\n- **WHEN** a\n- **THEN** b\n"
)


@pytest.fixture
def loans(world: World) -> World:
    world.workspace()
    world.write(f"{CHANGE}/.openspec.yaml", "schema: spec-driven\ncreated: 2026-01-31\n")
    world.write(f"{CHANGE}/proposal.md", "# x\n")
    return world


def test_document_has_the_published_members_in_their_order(loans: World) -> None:
    result = loans.cli("status", "--change", "longer-loans", "--json")

    document = fits("status", result.json)
    assert list(document) == [
        "changeName", "schemaName", "planningHome", "changeRoot", "artifactPaths", "nextSteps",
        "actionContext", "isComplete", "applyRequires", "artifacts", "root", "archive",
    ]  # fmt: skip
    root = loans.root
    assert document["planningHome"] == {
        "kind": "repo",
        "root": str(root),
        "changesDir": str(root / "rasen/changes"),
        "defaultSchema": "spec-driven",
    }
    assert document["changeRoot"] == str(root / CHANGE)
    assert document["artifactPaths"]["proposal"] == {
        "outputPath": "proposal.md",
        "resolvedOutputPath": str(root / CHANGE / "proposal.md"),
        "existingOutputPaths": [str(root / CHANGE / "proposal.md")],
    }
    assert document["artifactPaths"]["specs"]["resolvedOutputPath"].endswith("/specs/**/*.md")
    assert document["artifacts"] == [
        {"id": "proposal", "outputPath": "proposal.md", "status": "done"},
        {"id": "design", "outputPath": "design.md", "status": "ready"},
        {"id": "specs", "outputPath": "specs/**/*.md", "status": "ready"},
        {
            "id": "tasks",
            "outputPath": "tasks.md",
            "status": "blocked",
            "missingDeps": ["design", "specs"],
        },
    ]
    assert document["applyRequires"] == ["tasks"]
    assert document["archive"] == {
        "timing": "on-merge",
        "destination": "in-repo",
        "archiveDir": str(root / "rasen/changes/archive"),
    }
    assert result.err == ""


@pytest.mark.parametrize(
    ("destination", "has_dir"), [("in-repo", True), ("external", False), ("prune", False)]
)
def test_archive_settings(loans: World, destination: str, has_dir: bool) -> None:
    loans.write("rasen/config.yaml", f"archive: {{timing: in-ship, destination: {destination}}}\n")

    archive = loans.cli("status", "--change", "longer-loans", "--json").json["archive"]

    assert (archive["timing"], archive["destination"]) == ("in-ship", destination)
    assert ("archiveDir" in archive) is has_dir


def test_d06_a_delta_in_the_wrong_place_is_not_done(loans: World) -> None:
    loans.write(f"{CHANGE}/specs/lending.md", DELTA)
    loans.write(f"{CHANGE}/design.md", "")

    document = fits("status", loans.cli("status", "--change", "longer-loans", "--json").json)

    [specs] = [one for one in document["artifacts"] if one["id"] == "specs"]
    assert specs["status"] == "ready"
    assert specs["misplaced"] == ["specs/lending.md"]
    assert "specs/lending/spec.md" in document["nextSteps"][0]
    text = loans.cli("status", "--change", "longer-loans").out
    assert "[ ] specs" in text
    assert "specs/lending/spec.md" in text


@pytest.mark.parametrize(("language", "word"), [("en", "Move"), ("ja", "移"), ("zh-cn", "移")])
def test_what_to_do_about_it_is_told_in_the_language_asked_for(
    loans: World, language: str, word: str
) -> None:
    loans.write(f"{CHANGE}/specs/lending.md", DELTA)

    text = loans.cli("status", "--change", "longer-loans", env={"RASEN_LANG": language}).out

    [step] = [line for line in text.splitlines() if "lending/spec.md" in line][-1:]
    assert word in step


def test_d06_a_second_file_in_a_capability_is_not_done(loans: World) -> None:
    loans.write(f"{CHANGE}/specs/lending/spec.md", DELTA)
    loans.write(f"{CHANGE}/specs/lending/extra.md", DELTA)

    document = loans.cli("status", "--change", "longer-loans", "--json").json

    [specs] = [one for one in document["artifacts"] if one["id"] == "specs"]
    assert specs["status"] == "ready"
    assert specs["misplaced"] == ["specs/lending/extra.md"]


def test_complete_change(loans: World) -> None:
    loans.write(f"{CHANGE}/specs/lending/spec.md", DELTA)
    loans.write(f"{CHANGE}/design.md", "")
    loans.write(f"{CHANGE}/tasks.md", "")

    document = loans.cli("status", "--change", "longer-loans", "--json").json

    assert document["isComplete"] is True
    assert len(document["nextSteps"]) == 1
    assert "All artifacts complete!" in loans.cli("status", "--change", "longer-loans").out


def test_text_form(loans: World) -> None:
    lines = loans.cli("status", "--change", "longer-loans").out.splitlines()

    assert lines == [
        "Change: longer-loans",
        "Schema: spec-driven",
        f"Change root: {loans.path(CHANGE)}",
        "Archive timing: on-merge",
        "Archive destination: in-repo",
        "Progress: 1/4 artifacts complete",
        "",
        "[x] proposal",
        "[ ] design",
        "[ ] specs",
        "[-] tasks (blocked by: design, specs)",
    ]


def test_colours_only_where_wanted(loans: World) -> None:
    call = ("status", "--change", "longer-loans")

    assert "\x1b[32m[x]" in loans.cli(*call, tty=True).out
    assert "\x1b" not in loans.cli(*call, tty=True, env={"NO_COLOR": "1"}).out
    assert "\x1b" not in loans.cli("--no-color", *call, tty=True).out


def test_no_changes_at_all_is_no_error(world: World) -> None:
    world.workspace()

    result = world.cli("status", "--json")

    assert result.code == 0
    document = fits("status", result.json)
    assert list(document) == ["changes", "message", "root"]
    assert document["changes"] == []
    assert "rasen new change" in document["message"]
    assert "rasen new change" in world.cli("status").out


def test_without_a_name_the_changes_are_listed(loans: World) -> None:
    loans.path("rasen/changes/other").mkdir()

    result = loans.cli("status", "--json")

    assert (result.code, result.error) == (1, "change_error")
    message = fits("status", result.json)["status"][0]["message"]
    assert "\n  longer-loans\n  other" in message


@pytest.mark.parametrize("name", ["nope", ".", "..", "archive", "a/b", "../x", "/etc", "a\\b"])
def test_unknown_and_unsafe_names(loans: World, name: str) -> None:
    result = loans.cli("status", "--change", name, "--json")

    assert (result.code, result.error) == (1, "change_error")
    assert "longer-loans" in result.json["status"][0]["message"]


@pytest.mark.parametrize("name", ["Add Login", "2fa", "add_x", "增加-登录", "a:b"])
def test_any_folder_that_is_there_can_be_looked_up(world: World, name: str) -> None:
    world.workspace()
    world.path(f"rasen/changes/{name}").mkdir()

    result = world.cli("status", "--change", name, "--json")

    assert result.code == 0
    assert result.json["changeName"] == name


def test_a_change_that_is_a_link_out_of_the_workspace_is_not_found(world: World) -> None:
    world.workspace()
    world.path("elsewhere").mkdir()
    world.path("rasen/changes/x").symlink_to(world.path("elsewhere"))

    assert world.cli("status", "--change", "x", "--json").error == "change_error"


@pytest.mark.parametrize(
    ("metadata", "code", "words"),
    [
        ("schema: spec-drven\n", "change_error", "did you mean spec-driven"),
        ("schema: spec-driven.yaml\n", "change_error", "available: spec-driven"),
        ("schema: 7\n", "change_metadata_invalid", "line 1"),
        ("schema: spec-driven\ncreated: soon\n", "change_metadata_invalid", "line 2"),
        ("schema: [\n", "yaml_invalid", ".openspec.yaml"),
    ],
    ids=["unknown", "suffix", "type", "date", "broken"],
)
@pytest.mark.parametrize("more", [(), ("--schema", "spec-driven")], ids=["plain", "override"])
def test_broken_metadata_is_named(
    loans: World, metadata: str, code: str, words: str, more: tuple[str, ...]
) -> None:
    loans.write(f"{CHANGE}/.openspec.yaml", metadata)

    result = loans.cli("status", "--change", "longer-loans", *more, "--json")

    assert (result.code, result.error) == (1, code)
    diagnostic = result.json["status"][0]
    assert ".openspec.yaml" in diagnostic["message"]
    assert words in diagnostic["message"] + diagnostic.get("fix", "")


def test_broken_metadata_does_not_break_lists(loans: World) -> None:
    loans.write(f"{CHANGE}/.openspec.yaml", "schema: [\n")
    loans.write(f"{CHANGE}/tasks.md", "- [x] 1.1 a\n- [ ] 1.2 b\n")

    [row] = loans.cli("list", "--json").json["changes"]

    assert (row["completedTasks"], row["totalTasks"]) == (1, 2)


def test_unknown_schema_lists_the_schemas(loans: World) -> None:
    result = loans.cli("status", "--change", "longer-loans", "--schema", "nope", "--json")

    assert (result.code, result.error) == (1, "change_error")
    assert "available: spec-driven" in result.json["status"][0]["message"]


def test_d16_a_broken_schema_refuses_with_the_error_of_schema_validate(loans: World) -> None:
    loans.cli("schema", "fork", "spec-driven", "ours")
    path = loans.path("rasen/schemas/ours/schema.yaml")
    path.write_text(
        path.read_text().replace("- tasks\n  tracks", "- tasks\n    - desgin\n  tracks")
    )

    result = loans.cli("status", "--change", "longer-loans", "--schema", "ours", "--json")
    checked = loans.cli("schema", "validate", "ours", "--json")

    assert (result.code, checked.code) == (1, 1)
    assert result.error == "schema_invalid"
    [issue] = checked.json["issues"]
    assert issue["message"] in result.json["status"][0]["message"]
    assert "'desgin'" in issue["message"]
    assert "'design'" in issue["fix"]
    assert issue["line"] == path.read_text().splitlines().index("    - desgin") + 1


def test_reading_changes_nothing(loans: World) -> None:
    from tests.support.snapshot import snapshot

    before = snapshot(loans.base)

    loans.cli("status", "--change", "longer-loans", "--json")
    loans.cli("instructions", "specs", "--change", "longer-loans", "--json")
    loans.cli("instructions", "apply", "--change", "longer-loans", "--json")

    assert snapshot(loans.base) == before


@pytest.mark.parametrize(
    "words",
    [
        ("status", "--change", "longer-loans", "--json"),
        ("instructions", "specs", "--change", "longer-loans", "--json"),
        ("list", "--json"),
    ],
    ids=" ".join,
)
def test_usual_files_are_read_without_a_yaml_parser(loans: World, words: tuple[str, ...]) -> None:
    probe = (
        "import os, sys\nfrom rasen.surfaces.cli.main import run\n"
        "code = run(sys.argv[1:], os.environ)\nsys.exit(code or ('yaml' in sys.modules) * 7)\n"
    )

    assert loans.python("-c", probe, *words).code == 0
