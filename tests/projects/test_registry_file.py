"""The machine's project registry: strict, round-tripping, and as its schema file says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rasen.projects import registry_file
from rasen.projects.model import Entry, InvalidProjectRegistry, Registry
from rasen.syntax.strict import problems

SCHEMA = Path(registry_file.__file__).with_name("registry_file.v1.schema.json")
ROW = {
    "projectId": "p",
    "name": "shop",
    "mode": "in-repo",
    "home": "shop-1",
    "lastSeen": "2026-01-31T12:00:00.000Z",
}


def document(**row: Any) -> dict[str, Any]:
    return {"version": 1, "projects": {"/work/shop": {**ROW, **row}}}


def without(key: str) -> dict[str, Any]:
    return {"version": 1, "projects": {"/p": {k: v for k, v in ROW.items() if k != key}}}


def test_what_is_rendered_is_read_back_and_rendered_alike() -> None:
    registry = Registry(
        {"/b": Entry("i", "b", "store", "b-1", "t"), "/a": Entry("j", "a", "in-repo", "a-1", "t")}
    )

    text = registry_file.render(registry)

    assert registry_file.parse(text, file="r") == registry
    assert registry_file.render(registry_file.parse(text, file="r")) == text
    assert list(json.loads(text)["projects"]) == ["/a", "/b"]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([], id="not a mapping"),
        pytest.param({"projects": {}}, id="no version"),
        pytest.param({"version": True, "projects": {}}, id="version is a boolean"),
        pytest.param({"version": 2, "projects": {}}, id="newer version"),
        pytest.param({"version": 1}, id="no projects"),
        pytest.param({"version": 1, "projects": {}, "more": 1}, id="unknown key above"),
        pytest.param(document(more="x"), id="unknown key in a row"),
        pytest.param(document(projectId=7), id="identity is a number"),
        pytest.param(document(mode="remote"), id="unknown mode"),
        pytest.param(document(home="../out"), id="home leads out"),
        pytest.param(document(home=".."), id="home is the parent"),
        pytest.param(document(home="a\\b"), id="home with a backslash"),
        pytest.param(document(name=""), id="empty name"),
        *[pytest.param(without(key), id=f"no {key}") for key in ROW],
    ],
)
def test_what_is_not_a_registry_is_refused_and_breaks_the_schema_file(value: object) -> None:
    with pytest.raises(InvalidProjectRegistry) as refused:
        registry_file.parse(json.dumps(value), file="registry.json")

    assert refused.value.code == "invalid_project_registry"
    assert "registry.json" in str(refused.value)
    assert problems(value, SCHEMA)


def test_a_good_registry_fits_the_schema_file() -> None:
    value = document()

    registry_file.parse(json.dumps(value), file="r")

    assert problems(value, SCHEMA) == []


def test_a_path_that_can_be_none_is_refused() -> None:
    text = json.dumps(document()).replace(next(iter(document()["projects"])), "/a\\u0000b")

    with pytest.raises(InvalidProjectRegistry):
        registry_file.parse(text, file="r")


@pytest.mark.parametrize("text", ["", "{", '{"version":1,"version":1,"projects":{}}', "[NaN]"])
def test_broken_json_is_refused_with_the_registrys_code(text: str) -> None:
    with pytest.raises(InvalidProjectRegistry):
        registry_file.parse(text, file="r")
