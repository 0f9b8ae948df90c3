"""The schema that we ship: its twin is true, its text says what an author has to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.planning.schemas import disk, schema_file
from rasen.planning.schemas.model import Place
from rasen.syntax import json, yaml

FOLDER = disk.SHIPPED / "spec-driven"
TWIN = disk.SHIPPED / "spec-driven.json"


def twin() -> str:
    """What the twin has to hold."""
    return json.dump(yaml.load((FOLDER / "schema.yaml").read_text("utf-8"), file="schema.yaml"))


def test_twin_equals_the_schema_file() -> None:
    """After an edit, write the twin anew: `python tests/planning/schemas/test_shipped.py`."""
    assert TWIN.read_text("utf-8") == twin()


def test_both_ways_of_loading_agree_and_nothing_is_wrong() -> None:
    place = Place("spec-driven", "package", FOLDER)
    document = yaml.load_positioned((FOLDER / "schema.yaml").read_text("utf-8"), file="x")

    schema, findings = schema_file.read(document.value, document.where, place)

    assert findings == []
    assert schema == disk.load(place)


def test_published_shape() -> None:
    schema = disk.load(Place("spec-driven", "package", FOLDER))

    assert schema.version == 2
    assert [(one.id, one.generates, one.requires, one.template) for one in schema.artifacts] == [
        ("proposal", "proposal.md", (), "proposal.md"),
        ("specs", "specs/**/*.md", ("proposal",), "spec.md"),
        ("design", "design.md", ("proposal",), "design.md"),
        ("tasks", "tasks.md", ("specs", "design"), "tasks.md"),
    ]
    assert schema.apply is not None
    assert (schema.apply.requires, schema.apply.tracks) == (("tasks",), "tasks.md")


@pytest.mark.parametrize(
    ("artifact", "facts"),
    [
        ("proposal", ["specs/<capability>/spec.md", "kebab-case", "BREAKING"]),
        (
            "specs",
            [
                "specs/<capability>/spec.md",
                "exactly four hashes",
                "At least one scenario",
                "SHALL or MUST",
                "MODIFIED replaces the whole block",
                "**Reason**",
                "**Migration**",
                "- FROM: `### Requirement:",
                "- TO: `### Requirement:",
            ],
        ),
        ("design", ["Decisions", "Risks"]),
        ("tasks", ["- [ ] 1.1", "check boxes"]),
    ],
)
def test_instructions_carry_the_grammar(artifact: str, facts: list[str]) -> None:
    found = disk.load(Place("spec-driven", "package", FOLDER)).find(artifact)

    assert found is not None
    assert [fact for fact in facts if fact not in (found.instruction or "")] == []


@pytest.mark.parametrize(
    ("template", "skeleton"),
    [
        ("proposal.md", ["## Why", "## What Changes", "### New Capabilities", "## Impact"]),
        ("spec.md", ["## ADDED Requirements", "### Requirement:", "#### Scenario:", "**WHEN**"]),
        ("design.md", ["## Context", "## Goals / Non-Goals", "## Decisions", "## Risks"]),
        ("tasks.md", ["## 1. ", "- [ ] 1.1", "- [ ] 2.1"]),
    ],
)
def test_templates_have_their_skeleton(template: str, skeleton: list[str]) -> None:
    text = Path(FOLDER / "templates" / template).read_text("utf-8")

    assert [line for line in skeleton if line not in text] == []


if __name__ == "__main__":
    TWIN.write_text(twin(), "utf-8")
