"""Where an agent may read and write: the five situations of planning §9.3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rasen.roots.action_context import Situation, build

P, S, C, HOME = Path("/p"), Path("/s"), Path("/c"), Path("/home/me")

TABLE = [
    pytest.param(Situation(P, "rasen"), 1, "/p", ["/p"], ["/p"], ["/p"], id="no session"),
    pytest.param(
        Situation(P, "rasen", has_session=True, execution_root=P),
        1, "/p", ["/p"], ["/p"], ["/p"], id="plans and works in one project",
    ),
    pytest.param(
        Situation(S, "rasen", has_session=True, execution_root=C),
        2, "/s", ["/c"], ["/s", "/c"], None, id="plans in a store, works in a checkout",
    ),
    pytest.param(
        Situation(S, "rasen", has_session=True),
        1, "/s", [], ["/s"], ["/s/rasen/specs", "/s/rasen/changes"], id="planning only",
    ),
    pytest.param(
        Situation(P, "rasen", has_session=True, execution_root=C),
        2, "/p", ["/c"], ["/p", "/c"], None, id="plans in a project, works in another checkout",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "version", "planning", "code", "read", "allowed"), TABLE)
def test_each_situation_gives_its_lists(
    situation: Situation,
    version: int,
    planning: str,
    code: list[str],
    read: list[str],
    allowed: list[str] | None,
) -> None:
    found: dict[str, Any] = build(situation, ["proposal", "tasks"], home=HOME)

    assert found["version"] == version
    assert found["planningWriteRoots"] == [f"{planning}/rasen/specs", f"{planning}/rasen/changes"]
    assert found["codeWriteRoots"] == code
    assert found["readRoots"] == read
    assert found.get("allowedEditRoots") == allowed
    assert ("allowedEditRoots" in found) == (version == 1)
    assert found["planningArtifacts"] == ["proposal", "tasks"]
    text = " ".join(found["constraints"])
    assert ("no code write root" in text) == (code == [])
    assert ("no project-scoped materialization" in text) == (code == [])
    assert "not thereby one that it may write" in text


def test_the_members_are_in_published_order() -> None:
    assert list(build(Situation(P, "rasen"), [], home=HOME)) == [
        "mode",
        "sourceOfTruth",
        "planningArtifacts",
        "linkedContext",
        "version",
        "planningWriteRoots",
        "codeWriteRoots",
        "readRoots",
        "allowedEditRoots",
        "requiresAffectedAreaSelection",
        "constraints",
    ]


@pytest.mark.parametrize(
    "situation",
    [
        Situation(HOME, "rasen"),
        Situation(HOME, "rasen", has_session=True, execution_root=C),
        Situation(S, "rasen", has_session=True, execution_root=HOME),
    ],
    ids=["root", "planning", "checkout"],
)
def test_no_list_holds_the_users_home(situation: Situation) -> None:
    found: dict[str, Any] = build(situation, [], home=HOME)

    for name in ("planningWriteRoots", "codeWriteRoots", "readRoots", "allowedEditRoots"):
        assert str(HOME) not in found.get(name, [])


def test_the_planning_folders_carry_the_workspaces_name() -> None:
    found = build(Situation(P, "openspec"), [], home=HOME)

    assert found["planningWriteRoots"] == ["/p/openspec/specs", "/p/openspec/changes"]
