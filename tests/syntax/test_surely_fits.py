"""The quick check of strict documents never accepts what their schemas refuse."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rasen
from rasen.syntax.surely_fits import compiled

SOURCE = Path(rasen.__file__).parent
SCHEMAS = sorted(SOURCE.glob("*/**/*_file.v*.schema.json"))
UID = "0b0e1d52-1111-4222-8333-444455556666"
BACKEND = {"type": "git", "local_path": "/srv/team"}
QUICK: dict[str, dict[str, Any]] = {
    "stores/store_file.v1": {"version": 1, "id": "team", "remote": "https://host/team.git"},
    "stores/store_file.v2": {"version": 2, "uid": UID, "id": "team"},
    "stores/registry_file.v1": {
        "version": 1,
        "stores": {"team": {"backend": BACKEND}, "app": {"backend": {**BACKEND, "branch": "x"}}},
    },
    "stores/registry_file.v2": {
        "version": 2,
        "stores": {
            UID: {"type": "store", "id": "team", "backend": BACKEND},
            "project:app": {"type": "project", "backend": BACKEND},
        },
    },
    "stores/membership_file.v1": {
        "version": 1,
        "projectId": UID,
        "roles": {"planning": True, "knowledge": False},
        "adoption": {"specs": ["a"], "changes": [], "adoptedAt": "2026-01-31"},
    },
}
"""What is read of every store of a machine; these have to take the quick way."""
VALUES = st.sampled_from(
    [None, True, False, 0, 1, 2, 1.0, "", " ", "team", "Team", "a\n", "ｔeam", UID, UID + "\n", "/", [], {}, ["a"], ["a/b"], {"a": 1}]
)  # fmt: skip


def schema(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", QUICK)
def test_what_is_read_of_every_store_takes_the_quick_way(name: str) -> None:
    assert compiled(schema(SOURCE / f"{name}.schema.json"))(QUICK[name])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, object]:
    """A good document with a few members replaced, dropped, added or renamed, anywhere."""
    name = draw(st.sampled_from(sorted(QUICK)))
    document = copy.deepcopy(QUICK[name])
    for _ in range(draw(st.integers(0, 3))):
        place: Any = document
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(place[key], (dict, list)) and draw(st.booleans()):
                place = place[key]
                continue
            act = draw(st.sampled_from(["replace", "drop", "add"]))
            if act == "replace":
                place[key] = copy.deepcopy(draw(VALUES))
            elif act == "drop":
                del place[key]
            elif isinstance(place, dict):
                place[draw(st.sampled_from(["x", "remote", "id", "project:", UID, "é"]))] = (
                    copy.deepcopy(draw(VALUES))
                )
            break
    return name, document


@settings(max_examples=1500, deadline=None)
@given(documents())
def test_it_is_sure_only_of_what_fits(case: tuple[str, object]) -> None:
    name, document = case
    rules = schema(SOURCE / f"{name}.schema.json")

    if compiled(rules)(document):
        assert jsonschema_rs.validator_for(rules).is_valid(document)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
@pytest.mark.parametrize("document", [None, [], {}, {"version": True}, {"version": 1}, "text"])
def test_it_is_not_sure_of_what_no_format_of_ours_accepts(path: Path, document: object) -> None:
    rules = schema(path)

    assert not jsonschema_rs.validator_for(rules).is_valid(document)
    assert not compiled(rules)(document)


@pytest.mark.parametrize(
    "rules",
    [
        {"not": {"type": "string"}},
        {"type": ["string", "null"]},
        {"properties": {"a": {"format": "uri"}}},
        {"$ref": "#/$defs/none"},
        {"patternProperties": {"a": {"type": "string"}}},
        {"minimum": 3},
        False,
    ],
)
def test_words_that_it_does_not_know_leave_it_unsure(rules: Any) -> None:
    assert not compiled(rules if isinstance(rules, dict) else {"items": rules})({"a": "x"})
