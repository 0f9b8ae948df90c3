"""Structure and sense of `schema.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.planning.schemas import schema_file
from rasen.planning.schemas.model import Place, Schema
from rasen.planning.schemas.schema_file import SchemaInvalid
from rasen.syntax import yaml

PLACE = Place("mine", "project", Path("/schemas/mine"))
GOOD = """\
name: mine
version: 1
description: Ours
future: {ignored: true}
artifacts:
  - id: proposal
    generates: proposal.md
    description: Why
    template: proposal.md
  - id: specs
    generates: specs/**/*.md
    description: What
    template: spec.md
    requires: [proposal]
    context-from: proposal
    enhance: polish
    provider: writer
  - id: tasks
    generates: tasks.md
    description: ""
    template: tasks.md
    instruction: Do it
    requires: [specs]
apply:
  requires: [tasks]
  tracks: tasks.md
"""


def parse(text: str) -> Schema:
    return schema_file.parse(text, file="schema.yaml", place=PLACE)


def refused(text: str) -> list[tuple[str, int | None, str]]:
    with pytest.raises(SchemaInvalid) as caught:
        parse(text)
    return [(one.code, one.line, one.message) for one in caught.value.findings]


def test_good_schema_is_read_with_unknown_keys_ignored() -> None:
    schema = parse(GOOD)

    assert schema.ids == ("proposal", "specs", "tasks")
    assert schema.artifacts[1].context_from == "proposal"
    assert (schema.artifacts[1].enhance, schema.artifacts[1].provider) == ("polish", "writer")
    assert schema.artifacts[2].instruction == "Do it"
    assert schema.apply_requires == ("tasks",)
    assert schema.tracked is schema.artifacts[2]
    assert (schema.name, schema.source) == ("mine", "project")


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "words"),
    [
        ("version: 1", "version: true", "schema_value_type", 2, "version: has to be a positive"),
        ("version: 1", "version: 0", "schema_value_type", 2, "not 0"),
        ("version: 1", "version: 1.5", "schema_value_type", 2, "not 1.5"),
        ("version: 1\n", "", "schema_value_missing", 1, "version: missing"),
        ("name: mine", "name: ''", "schema_value_type", 1, "name"),
        ("description: Ours", "description: [a]", "schema_value_type", 3, "a list"),
        ("    description: Why\n", "", "schema_value_missing", 6, "artifacts.0.description"),
        ("id: proposal\n", "id: 7\n", "schema_value_type", 6, "artifacts.0.id"),
        ("requires: [proposal]", "requires: proposal", "schema_value_type", 14, "requires"),
        ("requires: [specs]", "requires: [1]", "schema_value_type", 23, "artifacts.2.requires.0"),
        ("enhance: polish", "enhance: [1]", "schema_value_type", 16, "enhance"),
        ("requires: [tasks]", "requires: []", "schema_value_type", 25, "at least one"),
        ("  requires: [tasks]\n", "", "schema_value_missing", 24, "apply.requires"),
        ("  tracks: tasks.md", "  tracks: 1", "schema_value_type", 26, "apply.tracks"),
    ],
)
def test_wrong_structure_is_named_with_its_place(
    old: str, new: str, code: str, line: int | None, words: str
) -> None:
    [(found, at, message)] = refused(GOOD.replace(old, new, 1))

    assert (found, at) == (code, line)
    assert words in message


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("id: tasks", "id: specs", "schema_id_duplicate", "'specs' is used twice"),
        ("requires: [specs]", "requires: [spces]", "schema_requires_unknown", "'spces'"),
        ("requires: [tasks]", "requires: [tasks, taks]", "schema_apply_requires_unknown", "'taks'"),
        ("context-from: proposal", "context-from: prposal", "schema_context_from_unknown", "prpos"),
        (
            "context-from: proposal",
            "context-from: tasks",
            "schema_context_from_not_required",
            "tas",
        ),
        ("requires: [proposal]", "requires: [proposal, specs]", "schema_cycle", "specs → specs"),
        ("generates: tasks.md", "generates: ./proposal.md", "schema_generates_duplicate", "both"),
        ("generates: tasks.md", "generates: ../tasks.md", "schema_path_unsafe", "generates"),
        ("generates: tasks.md", "generates: /tasks.md", "schema_path_unsafe", "generates"),
        ("generates: tasks.md", r"generates: C:\tasks.md", "schema_path_unsafe", "generates"),
        ("template: spec.md", "template: a/../../b.md", "schema_path_unsafe", "template"),
        ("tracks: tasks.md", "tracks: ../tasks.md", "schema_path_unsafe", "tracks"),
    ],
)
def test_nonsense_is_refused(old: str, new: str, code: str, words: str) -> None:
    found = refused(GOOD.replace(old, new, 1))

    assert code in [one[0] for one in found]
    assert any(words in message and line for _, line, message in found)


def test_misspelt_requirements_suggest_the_nearest_id() -> None:
    text = GOOD.replace("requires: [tasks]", "requires: [tasks, propsal]")

    with pytest.raises(SchemaInvalid) as caught:
        parse(text)

    assert caught.value.findings[0].fix == "did you mean 'proposal'?"
    assert "did you mean 'proposal'?" in str(caught.value)
    assert "schema.yaml" in str(caught.value)


def test_circles_are_printed_closed() -> None:
    text = GOOD.replace(
        "    template: proposal.md", "    template: proposal.md\n    requires: [tasks]"
    )

    [(code, _, message)] = refused(text)

    assert code == "schema_cycle"
    assert "proposal → tasks → specs → proposal" in message


@pytest.mark.parametrize("text", ["", "just words", "- a\n- b"])
def test_a_document_that_is_no_map_is_refused(text: str) -> None:
    assert [one[0] for one in refused(text)] == ["schema_not_a_map"]


def test_broken_yaml_keeps_its_own_code() -> None:
    with pytest.raises(yaml.YamlInvalid):
        parse("name: [")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("generates: tasks.md", "generates: specs/tasks.md", "schema_generates_overlap"),
        ("  tracks: tasks.md", "  tracks: todo.md", "schema_tracks_unknown"),
    ],
)
def test_doubtful_schemas_are_usable_but_warned_about(old: str, new: str, code: str) -> None:
    document = yaml.load_positioned(GOOD.replace(old, new, 1), file="schema.yaml")

    schema, findings = schema_file.read(document.value, document.where, PLACE)

    assert schema is not None
    assert code in [one.code for one in findings]


def test_two_circles_are_both_reported() -> None:
    text = """\
name: x
version: 1
artifacts:
  - {id: a, generates: a.md, description: a, template: a.md, requires: [b]}
  - {id: b, generates: b.md, description: b, template: b.md, requires: [a]}
  - {id: c, generates: c.md, description: c, template: c.md, requires: [c]}
"""

    assert [message.split(": ")[1] for _, _, message in refused(text)] == ["a → b → a", "c → c"]
