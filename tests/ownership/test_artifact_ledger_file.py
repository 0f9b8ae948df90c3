"""The ledger of user workflows: its exact form, what is refused, and what is kept."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from rasen.base.errors import ToolError
from rasen.ownership.artifact_ledger_file import parse, render
from rasen.ownership.model import Ledger, Owner

FROZEN = Path(__file__).parents[1] / "frozen/workflow-artifacts"
SHA = "sha256:" + "0" * 64
FILE = {"scope": "project", "path": ".claude/skills/flow/SKILL.md", "sha256": SHA}
ENTRY = {"source": "user", "digest": SHA, "files": [FILE]}
SOUND = {"version": 1, "workflows": ["flow"], "tools": {"claude": {"workflows": {"flow": ENTRY}}}}


def read(value: object) -> Ledger:
    return parse(json.dumps(value), file="ledger")


def broken(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(SOUND), **changes}


def with_entry(**changes: Any) -> dict[str, Any]:
    return broken(tools={"claude": {"workflows": {"flow": {**ENTRY, **changes}}}})


def with_file(**changes: Any) -> dict[str, Any]:
    return with_entry(files=[{**FILE, **changes}])


@pytest.mark.requirement("GN-005", "GN-004")
def test_what_is_written_is_what_was_read() -> None:
    text = (FROZEN / "v1/two-agents.json").read_text("utf-8")

    assert render(parse(text, file="ledger")) == text


@pytest.mark.requirement("GN-005")
@pytest.mark.parametrize("name", ["v1/two-agents.json", "v1/machine-home.json", "v2/learned.json"])
def test_every_form_that_was_ever_written_can_be_read(name: str) -> None:
    ledger = parse((FROZEN / name).read_text("utf-8"), file="ledger")

    assert Owner("claude", "user:team-release") in {
        owner for row in ledger.rows.values() for owner in row.owners
    }
    assert ledger.folders[0].endswith("skills/team-release")


@pytest.mark.requirement("GN-005")
def test_the_later_form_is_written_as_the_first() -> None:
    ledger = parse((FROZEN / "v2/learned.json").read_text("utf-8"), file="ledger")

    written = json.loads(render(ledger))

    assert list(written) == ["version", "workflows", "tools"]
    assert written["version"] == 1


def test_files_outside_the_project_are_kept_and_not_ours_to_touch() -> None:
    text = (FROZEN / "v1/machine-home.json").read_text("utf-8")

    ledger = parse(text, file="ledger")

    assert not [path for path, _ in ledger.rows if path.startswith("/")]
    assert render(ledger) == text


@pytest.mark.requirement("GN-005", "SP-050")
@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], ""),
        (broken(version=True), ""),
        (broken(version="1"), ""),
        (broken(version=1.0), ""),
        (broken(version=3), ""),
        (broken(more=1), "more"),
        (broken(stores={}), "stores"),
        ({"version": 1, "tools": {}}, "workflows"),
        (broken(workflows="flow"), "workflows"),
        (broken(workflows=["Flow"]), "workflows"),
        (broken(workflows=["flow", "flow"]), "workflows"),
        (broken(tools=[]), "tools"),
        (broken(tools={"claude": {}}), "tools.claude.workflows"),
        (broken(tools={"claude": {"workflows": {}, "learned": {}}}), "tools.claude.learned"),
        (broken(tools={"claude": {"workflows": {"Flow": ENTRY}}}), "tools.claude.workflows.Flow"),
        (with_entry(more=1), "more"),
        (with_entry(digest="sha256:0"), "digest"),
        (with_entry(digest=SHA.upper()), "digest"),
        (with_entry(source=""), "source"),
        (with_entry(files={}), "files"),
        (with_entry(files=[FILE, FILE]), "files"),
        (with_file(scope="home"), "scope"),
        (with_file(path=""), "path"),
        (with_file(path="/etc/x"), "path"),
        (with_file(path="a/../b"), "path"),
        (with_file(path="a\\b"), "path"),
        (with_file(path="a//b"), "path"),
        (with_file(scope="absolute", path="a/b"), "path"),
        (with_file(scope="absolute", path="/a/../b"), "path"),
        (with_file(sha256="0"), "sha256"),
        (with_file(more=1), "more"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_its_place(value: object, place: str) -> None:
    with pytest.raises(ToolError) as problem:
        read(value)

    assert problem.value.code == "ledger_invalid"
    assert place in str(problem.value)


@pytest.mark.parametrize("text", ["", "{", '{"version": 1, "version": 1}', "null"])
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(ToolError) as problem:
        parse(text, file="ledger")

    assert problem.value.code == "ledger_invalid"
