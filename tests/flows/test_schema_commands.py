"""`schemas`, `templates` and `schema …` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.documents import fits
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.planning.schemas import disk

OURS = "name: ours\nversion: 1\ndescription: Ours\nartifacts:\n"
ONE = "  - {id: notes, generates: notes.md, description: D, template: t.md}\n"


def put(folder: Path, text: str = OURS + ONE, template: str | None = "t") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.yaml").write_text(text)
    if template is not None:
        (folder / "templates").mkdir(exist_ok=True)
        (folder / "templates" / "t.md").write_text(template)
    return folder


@pytest.fixture
def project(world: World) -> Path:
    """The project's folder for schemas."""
    return world.workspace() / "schemas"


def test_schemas_of_all_layers_are_listed(world: World, project: Path) -> None:
    put(project / "b-team")
    put(world.data_dir / "schemas" / "a-team")

    document = fits("schemas", world.cli("schemas", "--json").json)

    assert [(one["name"], one["source"]) for one in document] == [
        ("a-team", "user"),
        ("b-team", "project"),
        ("spec-driven", "package"),
    ]
    assert document[1]["artifacts"] == ["notes"]
    assert document[2]["artifacts"] == ["proposal", "specs", "design", "tasks"]
    text = world.cli("schemas").out
    assert "a-team (user override)" in text
    assert "b-team (project)" in text
    assert "proposal → specs → design → tasks" in text


def test_a_broken_schema_lets_the_next_layer_through(world: World, project: Path) -> None:
    put(project / "spec-driven", "version: 1\n")
    put(project / "lonely", "[")

    document = world.cli("schemas", "--json").json

    assert [(one["name"], one["source"]) for one in document] == [("spec-driven", "package")]
    assert world.cli("templates", "--json").error == "schema_invalid"


def test_schemas_look_at_the_working_directory_only(world: World, project: Path) -> None:
    put(project / "ours")
    world.path("src").mkdir()

    assert len(world.cli("schemas", "--json", cwd=world.path("src")).json) == 1


def test_templates_are_located(world: World, project: Path) -> None:
    put(project / "ours", template=None)

    package = fits("templates", world.cli("templates", "--json").json)
    ours = fits("templates", world.cli("templates", "--schema", "ours.yml", "--json").json)

    folder = disk.SHIPPED / "spec-driven" / "templates"
    assert list(package) == ["proposal", "specs", "design", "tasks"]
    assert package["specs"] == {"path": str(folder / "spec.md"), "source": "package"}
    assert ours == {"notes": {"path": str(project / "ours/templates/t.md"), "source": "project"}}
    text = world.cli("templates", "--schema", "ours").out
    assert text == (
        f"Schema: ours\nSource: project\n\nnotes:\n  {project / 'ours/templates/t.md'}\n"
    )


def test_templates_of_an_unknown_schema(world: World) -> None:
    result = world.cli("templates", "--schema", "nope", "--json")

    assert result.code == 1
    assert "available: spec-driven" in fits("templates", result.json)["status"][0]["message"]


def test_which_shows_what_is_hidden(world: World, project: Path) -> None:
    user = put(world.data_dir / "schemas" / "spec-driven")
    own = put(project / "spec-driven")

    result = world.cli("schema", "which", "spec-driven", "--json")

    assert fits("schema-which", result.json) == {
        "name": "spec-driven",
        "source": "project",
        "path": str(own),
        "shadows": [
            {"source": "user", "path": str(user)},
            {"source": "package", "path": str(disk.SHIPPED / "spec-driven")},
        ],
    }
    assert "experimental" in result.err
    text = world.cli("schema", "which", "spec-driven").out
    assert f"Path: {own}" in text
    assert f"shadows user: {user}" in text


def test_which_of_all(world: World, project: Path) -> None:
    put(project / "ours")

    document = fits("schema-which", world.cli("schema", "which", "--all", "--json").json)

    assert [one["name"] for one in document] == ["ours", "spec-driven"]


def test_which_refusals(world: World) -> None:
    unknown = world.cli("schema", "which", "nope", "--json")
    unnamed = world.cli("schema", "which", "--json")

    assert (unknown.code, unnamed.code) == (1, 1)
    document = fits("schema-which", unknown.json)
    assert document["available"] == ["spec-driven"]
    assert "nope" in document["error"]
    assert unnamed.error == "usage_error"


def test_validate_reports_every_problem_with_its_place(world: World, project: Path) -> None:
    text = OURS + ONE + "  - {id: b, generates: ../b.md, description: D, template: t.md}\n"
    put(project / "ours", text)

    result = world.cli("schema", "validate", "ours", "--json")

    assert result.code == 1
    document = fits("schema-validate", result.json)
    assert (document["name"], document["path"]) == ("ours", str(project / "ours"))
    [issue] = document["issues"]
    assert (issue["level"], issue["path"], issue["line"]) == ("error", "schema.yaml", 6)
    assert issue["code"] == "schema_path_unsafe"
    told = world.cli("schema", "validate", "ours")
    assert told.code == 1
    assert "schema.yaml:6" in told.err
    assert told.out == ""


def test_validate_looks_for_templates(world: World, project: Path) -> None:
    put(project / "ours", template=None)

    [issue] = world.cli("schema", "validate", "ours", "--json").json["issues"]

    assert issue["path"] == "artifacts.notes.template"
    assert issue["code"] == "schema_template_missing"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"name: [", "yaml_invalid", 2),
        (b"a: 1\na: 2\n", "yaml_invalid", 2),
        (b"a: 1\n\xff", "file_not_utf8", 2),
    ],
    ids=["broken", "duplicate-key", "not-utf8"],
)
def test_validate_of_an_unreadable_file(
    world: World, project: Path, content: bytes, code: str, line: int
) -> None:
    (project / "ours").mkdir(parents=True)
    (project / "ours" / "schema.yaml").write_bytes(content)

    result = world.cli("schema", "validate", "ours", "--json")

    assert result.code == 1
    [issue] = fits("schema-validate", result.json)["issues"]
    assert (issue["path"], issue["code"], issue["line"]) == ("schema.yaml", code, line)
    assert world.cli("templates", "--schema", "ours", "--json").error == code


def test_validate_of_all_project_schemas(world: World, project: Path) -> None:
    put(project / "good")
    put(project / "bad", "name: bad\n")

    result = world.cli("schema", "validate", "--json")

    assert result.code == 1
    document = fits("schema-validate", result.json)
    assert document["valid"] is False
    assert [(one["name"], one["valid"]) for one in document["schemas"]] == [
        ("bad", False),
        ("good", True),
    ]


def test_validate_without_schemas(world: World) -> None:
    result = world.cli("schema", "validate", "--json")

    assert result.code == 0
    document = fits("schema-validate", result.json)
    assert (document["valid"], document["schemas"]) == (True, [])
    assert document["message"]
    assert world.cli("schema", "validate", "spec-driven").code == 0


def test_validate_of_an_unknown_name(world: World) -> None:
    result = world.cli("schema", "validate", "nope", "--json")

    assert result.code == 1
    assert fits("schema-validate", result.json)["available"] == ["spec-driven"]


def test_a_template_that_is_a_link_out_of_the_schema_does_not_count(
    world: World, project: Path
) -> None:
    folder = put(project / "ours")
    world.write("secret.md", "s")
    (folder / "templates" / "t.md").unlink()
    (folder / "templates" / "t.md").symlink_to(world.path("secret.md"))

    [issue] = world.cli("schema", "validate", "ours", "--json").json["issues"]

    assert issue["code"] == "schema_template_missing"


def test_fork_copies_everything_and_changes_only_the_name(world: World, project: Path) -> None:
    text = "# head\nname: 'ours' # here\nversion: 1\n\nartifacts:\n" + ONE + "future: 1\n"
    folder = put(project / "ours", text)
    (folder / "README.md").write_bytes(b"\x00\xff")

    result = world.cli("schema", "fork", "ours", "--json")

    copy = project / "ours-custom"
    assert result.code == 0
    assert fits("schema-fork", result.json) == {
        "forked": True,
        "source": "ours",
        "sourcePath": str(folder),
        "sourceLocation": "project",
        "destination": "ours-custom",
        "destinationPath": str(copy),
    }
    changed = (copy / "schema.yaml").read_text()
    assert changed.startswith("# head\nname: ")
    assert changed.splitlines()[1].endswith("# here")
    assert changed.partition("\nversion")[2] == text.partition("\nversion")[2]
    assert (copy / "README.md").read_bytes() == b"\x00\xff"
    assert world.cli("schema", "which", "ours-custom", "--json").json["name"] == "ours-custom"
    assert world.cli("schema", "validate", "ours-custom").code == 0


def test_fork_of_ours_is_complete(world: World, project: Path) -> None:
    world.cli("schema", "fork", "spec-driven", "team")

    assert sorted(path.name for path in (project / "team/templates").iterdir()) == [
        "design.md", "proposal.md", "spec.md", "tasks.md",
    ]  # fmt: skip
    assert world.cli("schema", "validate", "team").code == 0


def test_fork_does_not_replace_without_force(world: World, project: Path) -> None:
    put(project / "ours")
    put(project / "team", template="theirs")
    before = snapshot(world.root)

    result = world.cli("schema", "fork", "ours", "team", "--json")

    assert result.code == 1
    document = fits("schema-fork", result.json)
    assert document["forked"] is False
    assert "--force" in document["suggestion"]
    assert snapshot(world.root) == before
    assert world.cli("schema", "fork", "ours", "team", "--force").code == 0
    assert (project / "team/templates/t.md").read_text() == "t"


def test_fork_onto_itself_keeps_the_source(world: World, project: Path) -> None:
    folder = put(project / "ours")

    result = world.cli("schema", "fork", "ours", "ours", "--force", "--json")

    assert result.code == 0
    assert (folder / "schema.yaml").read_text() == OURS + ONE
    assert (folder / "templates/t.md").read_text() == "t"


@pytest.mark.parametrize(
    ("source", "name", "key"),
    [
        ("nope", "x", "available"),
        ("../../etc", "x", "available"),
        ("spec-driven", "Not Kebab", "suggestion"),
        ("spec-driven", "../up", "suggestion"),
        ("spec-driven", "2nd", "suggestion"),
    ],
)
def test_fork_refusals_leave_nothing(world: World, source: str, name: str, key: str) -> None:
    before = snapshot(world.base)

    result = world.cli("schema", "fork", source, name, "--json")

    assert result.code == 1
    assert key in fits("schema-fork", result.json)
    assert snapshot(world.base) == before


def test_fork_leaves_out_links_that_lead_away(world: World, project: Path) -> None:
    folder = put(project / "ours")
    world.write("secret.md", "s")
    (folder / "leak.md").symlink_to(world.path("secret.md"))
    (folder / "alias.md").symlink_to("templates/t.md")

    world.cli("schema", "fork", "ours", "team")

    assert not (project / "team/leak.md").exists()
    assert (project / "team/alias.md").read_text() == "t"


def test_init_makes_a_usable_schema(world: World, project: Path) -> None:
    result = world.cli("schema", "init", "team", "--description", "For us: all", "--json")

    assert result.code == 0
    assert fits("schema-init", result.json) == {
        "created": True,
        "path": str(project / "team"),
        "schema": "team",
        "artifacts": ["proposal", "specs", "design", "tasks"],
        "setAsDefault": False,
    }
    assert world.cli("schema", "validate", "team", "--json").json["issues"] == []
    assert (project / "team/templates/specs/spec.md").is_file()
    [listed] = [one for one in world.cli("schemas", "--json").json if one["name"] == "team"]
    assert listed["description"] == "For us: all"


@pytest.mark.parametrize(
    ("chosen", "requires"),
    [
        ("proposal,specs,design,tasks", [[], ["proposal"], ["specs"], ["design"]]),
        ("tasks,specs", [[], ["specs"]]),
        ("tasks", [[]]),
        ("proposal,tasks", [[], []]),
        ("proposal,design", [[], []]),
    ],
)
def test_init_chains_what_was_chosen(
    world: World, project: Path, chosen: str, requires: list[list[str]]
) -> None:
    from rasen.planning.schemas.model import Place

    world.cli("schema", "init", "team", "--artifacts", chosen)

    schema = disk.load(Place("team", "project", project / "team"))
    assert [list(one.requires) for one in schema.artifacts] == requires
    assert (schema.apply is not None) == ("tasks" in chosen)


def test_init_can_make_it_the_default(world: World) -> None:
    world.write("rasen/config.yaml", "# ours\nschema: spec-driven # now\ncontext: x\n")

    result = world.cli("schema", "init", "team", "--artifacts", "tasks", "--default", "--json")

    assert result.json["setAsDefault"] is True
    assert world.read("rasen/config.yaml") == "# ours\nschema: team # now\ncontext: x\n"
    assert world.cli("new", "change", "x", "--json").json["change"]["schema"] == "team"


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["team", "--artifacts", "tasks,plan"], "valid"),
        (["team", "--artifacts", ""], "valid"),
        (["Team"], "suggestion"),
        (["../team"], "suggestion"),
    ],
)
def test_init_refusals_leave_an_existing_schema_alone(
    world: World, project: Path, words: list[str], key: str
) -> None:
    put(project / "team")
    before = snapshot(world.root)

    result = world.cli("schema", "init", *words, "--force", "--json")

    assert result.code == 1
    document = fits("schema-init", result.json)
    assert document["created"] is False
    assert key in document
    assert snapshot(world.root) == before


def test_init_does_not_replace_without_force(world: World, project: Path) -> None:
    put(project / "team")

    assert "--force" in world.cli("schema", "init", "team", "--json").json["suggestion"]
    assert world.cli("schema", "init", "team", "--force").code == 0
    assert not (project / "team/templates/t.md").exists()


def test_init_asks_a_person(world: World, project: Path) -> None:
    result = world.cli("schema", "init", "team", input="Ours\ny\nn\nn\n\ny\n", tty=True)

    assert result.code == 0, result.err
    text = (project / "team/schema.yaml").read_text()
    assert "description: Ours\n" in text
    assert "artifacts:\n  - id: proposal" in text
    assert "- id: tasks" in text
    assert "- id: specs" not in text
    assert world.read("rasen/config.yaml") == "schema: team\n"


def test_broken_settings_stop_the_default_and_the_schema(world: World, project: Path) -> None:
    world.write("rasen/config.yaml", "schema: [\n")

    result = world.cli("schema", "init", "team", "--default", "--artifacts", "tasks", "--json")

    assert result.code == 1
    assert fits("schema-init", result.json)["created"] is False
    assert not (project / "team").exists()


def test_where_without_a_name_says_which_there_are(world: World) -> None:
    world.workspace()

    result = world.cli("schema", "which", "--json")

    assert result.code == 1
    assert result.json["available"] == ["spec-driven"]
    assert result.json["status"][0]["code"] == "usage_error"
