"""The manifest of a workflow: every field, everything that is refused, and where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.syntax import yaml
from rasen.syntax.strict import problems
from rasen.workflows import workflow_file
from rasen.workflows.model import Diagnostic, Kind, Requires
from rasen.workflows.workflow_file import Manifest, parse

SCHEMA = Path(workflow_file.__file__).with_name("workflow_file.v1.schema.json")
HEAD = "version: 1\nid: flow\n"
FULL = """\
version: 1
id: team-release
kind: internal
skill:
  name: Ship it
  category: Release
  tags: [ship, team]
files:
  sidecars:
    - references/policy.md
  scripts:
    - scripts/check.sh
requires:
  workflows: [apply]
  skills: [rasen-review, "rasen:cso"]
  pipelines: [nightly]
  schemas: [spec-driven]
recommends:
  workflows: [verify]
"""


def told(text: str) -> list[tuple[str, str, int | None]]:
    return [(one.code, one.path, one.line) for one in parse(text).found]


def only(text: str) -> Diagnostic:
    (found,) = parse(text).found
    return found


@pytest.mark.requirement("WF-021", "WF-026")
def test_every_field_is_read() -> None:
    assert parse(FULL) == (
        Manifest(
            "team-release",
            Kind.INTERNAL,
            "Ship it",
            "Release",
            ("ship", "team"),
            ("references/policy.md",),
            ("scripts/check.sh",),
            Requires(("apply",), ("rasen-review", "rasen:cso"), ("nightly",), ("spec-driven",)),
            ("verify",),
        ),
        (),
    )


@pytest.mark.requirement("WF-024", "WF-032", "WF-043")
def test_what_is_left_out_has_its_default() -> None:
    manifest = parse(HEAD).manifest

    assert manifest == Manifest("flow")
    assert manifest.kind is Kind.TASK
    assert manifest.requires == Requires()


@pytest.mark.requirement("WF-021", "WF-029", "SP-050")
@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("colour: red\n", "colour"),
        ("skill: {name: x, enabled: true}\n", "skill.enabled"),
        ("skill: {name: x, title: y}\n", "skill.title"),
        ("files: {assets: []}\n", "files.assets"),
        ("requires: {tools: []}\n", "requires.tools"),
        ("recommends: {skills: []}\n", "recommends.skills"),
        ("command: {enabled: false, shell: x}\n", "command.shell"),
    ],
)
def test_an_unknown_field_is_refused_at_every_level(text: str, path: str) -> None:
    parsed = parse(HEAD + text)

    assert parsed.manifest is None
    assert ("manifest_schema_invalid", path, 3) in told(HEAD + text)


def test_a_misspelt_field_names_the_one_that_is_near() -> None:
    assert only(HEAD + "require: {}\n").fix == "did you mean requires?"


@pytest.mark.requirement("WF-022", "SP-052", "WF-001")
@pytest.mark.parametrize("value", ["true", '"1"', "1.0", "1.5", "2", "0", "[1]", "null"])
def test_the_version_is_the_number_one(value: str) -> None:
    text = f"version: {value}\nid: flow\n"

    assert told(text) == [("manifest_schema_invalid", "version", 1)]


@pytest.mark.requirement("WF-021")
def test_version_and_id_are_needed() -> None:
    assert {path for _, path, _ in told("kind: task\n")} == {"version", "id"}


@pytest.mark.requirement("WF-023", "WF-014", "SP-020")
@pytest.mark.parametrize("id", ["Team", "-x", "a_b", "ä", '"a\\n"', "x" * 65])
def test_an_id_is_portable(id: str) -> None:
    assert only(f"version: 1\nid: {id}\n").code == "workflow_id_invalid"


@pytest.mark.requirement("WF-024")
@pytest.mark.parametrize("kind", ["driver", "expert", "Task", "null", "[task]"])
def test_a_kind_is_task_or_internal(kind: str) -> None:
    assert told(HEAD + f"kind: {kind}\n") == [("manifest_schema_invalid", "kind", 3)]


@pytest.mark.requirement("WF-026")
@pytest.mark.parametrize(
    ("block", "path"),
    [
        ("{}", "skill.name"),
        ("{category: x}", "skill.name"),
        ('{name: ""}', "skill.name"),
        ('{name: "  "}', "skill.name"),
        ('{name: "a\\nb"}', "skill.name"),
        ('{name: "a\\u0007b"}', "skill.name"),
        ("{name: 3}", "skill.name"),
        ('{name: x, category: "a\\tb"}', "skill.category"),
        ("{name: x, tags: []}", "skill.tags"),
        ("{name: x, tags: a}", "skill.tags"),
        ("{name: x, tags: [a, 3]}", "skill.tags[1]"),
        ("text", "skill"),
    ],
)
def test_the_words_for_people_are_lines_of_text(block: str, path: str) -> None:
    found = only(HEAD + f"skill: {block}\n")

    assert (found.code, found.path) == ("manifest_schema_invalid", path)


@pytest.mark.requirement("WF-031")
@pytest.mark.parametrize(
    "block", ["{enabled: false}", "{enabled: true, name: x, category: y, tags: [z]}"]
)
def test_a_command_is_ignored_with_one_warning(block: str) -> None:
    parsed = parse(HEAD + f"command: {block}\n")

    assert [(one.code, one.level.value) for one in parsed.found] == [
        ("command_field_ignored", "WARNING")
    ]
    assert parsed.manifest == Manifest("flow")
    assert "skill:" in parsed.found[0].fix


@pytest.mark.requirement("WF-031")
@pytest.mark.parametrize(
    "block",
    ["{}", "{enabled: 1}", "{enabled: true, name: x}", "{enabled: false, name: x}", "yes",
     "{enabled: true, name: x, category: y, tags: []}"],
)  # fmt: skip
def test_a_command_has_one_of_two_shapes(block: str) -> None:
    parsed = parse(HEAD + f"command: {block}\n")

    assert parsed.manifest is None
    assert "manifest_schema_invalid" in {one.code for one in parsed.found}


@pytest.mark.requirement("WF-032", "WF-034", "WF-016")
def test_declared_files_are_portable_and_named_once() -> None:
    text = HEAD + (
        "files:\n  sidecars: [a.md, a.md, ../b, SKILL.md, c.md]\n  scripts: [c.md, workflow.yaml]\n"
    )

    assert told(text) == [
        ("duplicate_value", "files.sidecars[1]", 4),
        ("path_traversal", "files.sidecars[2]", 4),
        ("reserved_file_declaration", "files.sidecars[3]", 4),
        ("reserved_file_declaration", "files.scripts[1]", 5),
        ("file_declared_twice", "files.scripts[0]", 5),
    ]


@pytest.mark.requirement("WF-044", "WF-043")
def test_required_names_are_portable_and_named_once() -> None:
    text = HEAD + (
        "requires:\n  workflows: [A b, apply, apply]\n  skills: [UP]\n  pipelines: [a:b]\n"
        "  schemas: ['']\nrecommends:\n  workflows: [X, y, y]\n"
    )

    assert [(code, path) for code, path, _ in told(text)] == [
        ("duplicate_value", "requires.workflows[2]"),
        ("workflow_dependency_invalid", "requires.workflows[0]"),
        ("skill_dependency_invalid", "requires.skills[0]"),
        ("pipeline_dependency_invalid", "requires.pipelines[0]"),
        ("schema_dependency_invalid", "requires.schemas[0]"),
        ("duplicate_value", "recommends.workflows[2]"),
        ("workflow_dependency_invalid", "recommends.workflows[0]"),
    ]


@pytest.mark.requirement("SP-051")
@pytest.mark.parametrize(
    "text", [HEAD + "id: other\n", HEAD + "kind: [\n", "a: b: c\n", HEAD + "\tx: 1\n"]
)
def test_twice_the_same_key_and_broken_yaml(text: str) -> None:
    found = only(text)

    assert found.code == "yaml_invalid"
    assert found.line is not None


@pytest.mark.requirement("SP-051")
def test_an_alias_is_refused_where_it_stands() -> None:
    text = HEAD + "requires:\n  workflows: &w [apply]\nrecommends:\n  workflows: *w\n"

    found = only(text)

    assert (found.code, found.line, found.params["name"]) == ("yaml_alias_forbidden", 6, "w")


def test_an_asterisk_in_text_is_no_alias() -> None:
    assert parse(HEAD + 'skill: {name: "a *b"}\n').found == ()


@pytest.mark.parametrize("text", ["", "- a\n", "text\n", "3\n"])
def test_a_manifest_is_a_map(text: str) -> None:
    assert only(text).code == "manifest_schema_invalid"


@pytest.mark.requirement("WF-021")
@pytest.mark.parametrize(
    "text",
    [
        FULL,
        HEAD,
        HEAD + "kind: driver\n",
        HEAD + "colour: red\n",
        "version: true\nid: flow\n",
        HEAD + "skill: {name: x, enabled: true}\n",
        HEAD + "skill: {category: x}\n",
        HEAD + "skill: {name: x, tags: []}\n",
        HEAD + "command: {enabled: false}\n",
        HEAD + "command: {enabled: true}\n",
        HEAD + "files: {sidecars: [a, a]}\n",
        HEAD + "files: {sidecars: [3]}\n",
        HEAD + "requires: {workflows: [UP]}\n",
        HEAD + "recommends: {workflows: x}\n",
        "id: flow\n",
    ],
)
def test_the_published_schema_agrees(text: str) -> None:
    is_sound = parse(text).manifest is not None

    assert (problems(yaml.load(text, file="workflow.yaml"), SCHEMA) == []) == is_sound


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("version: 1\nid: a\nkind: @task\n", 'write line 3 so: kind: "@task"'),
        ("version: 1\nid: a\nid: b\n", "correct line 3"),
        (f"version: 1\nid: a\nkind: {'[' * 5000}\n", "correct line 3"),
    ],
    ids=["lacks quotes", "twice", "deep"],
)
def test_quotes_are_advised_where_they_are_all_that_it_lacks(text: str, fix: str) -> None:
    (found,) = parse(text).found

    assert (found.code, found.fix) == ("yaml_invalid", fix)


@pytest.mark.requirement("WF-023")
def test_an_id_that_yaml_takes_for_a_number_is_shown_with_its_quotes() -> None:
    (found,) = parse("version: 1\nid: 123\n").found

    assert (found.code, found.fix) == ("manifest_schema_invalid", 'write line 2 so: id: "123"')


@pytest.mark.requirement("SP-051")
@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029"])
def test_aliases_are_looked_for_in_all_that_can_be_read(mark: str) -> None:
    title = f"skill: {{name: a*b{mark}c}}\n"

    assert told(HEAD + title)[0][:2] == ("manifest_schema_invalid", "skill.name")
    assert told(f"{HEAD}x{mark}y: &a 1\nz: *a\n") == [("yaml_alias_forbidden", "workflow.yaml", 4)]
