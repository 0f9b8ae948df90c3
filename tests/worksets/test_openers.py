"""Openers: ours, the rows of the settings over them, and the words of a call."""

from __future__ import annotations

import pytest

from rasen.base.errors import ToolError
from rasen.worksets.model import Opener, Style
from rasen.worksets.openers import BUILT_IN, argv, find, names

OWN = {"style": "attach-dirs", "command": "own"}


@pytest.mark.parametrize("opener", BUILT_IN, ids=lambda opener: opener.id)
@pytest.mark.parametrize("configured", [None, {}, {"other": OWN}], ids=["unset", "empty", "other"])
def test_ours_are_there_without_settings(opener: Opener, configured: object) -> None:
    assert find(configured, opener.id) == opener


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({}, Opener("codex", Style.ATTACH_DIRS, "Codex", "codex", ("--sandbox", "workspace-write"))),
        ({"args": []}, Opener("codex", Style.ATTACH_DIRS, "Codex", "codex")),
        (
            {"label": "Mine", "command": "/opt/codex", "attach_flag": "-d"},
            Opener(
                "codex", Style.ATTACH_DIRS, "Mine", "/opt/codex",
                ("--sandbox", "workspace-write"), "-d",
            ),
        ),
        (
            {"style": "workspace-file", "args": ["-n"]},
            Opener("codex", Style.WORKSPACE_FILE, "Codex", "codex", ("-n",)),
        ),
    ],
    ids=["nothing", "args", "three fields", "style"],
)  # fmt: skip
def test_a_row_changes_only_the_fields_it_has(row: object, expected: Opener) -> None:
    assert find({"codex": row}, "codex") == expected


def test_a_new_row_is_named_after_itself() -> None:
    assert find({"zed": {"style": "workspace-file"}}, "zed") == Opener(
        "zed", Style.WORKSPACE_FILE, "zed", "zed"
    )


def test_settings_that_are_no_map_are_refused() -> None:
    with pytest.raises(ToolError) as refused:
        find(["code"], "code")

    assert refused.value.code == "invalid_opener_config"


def test_what_is_unknown_is_answered_with_what_there_is() -> None:
    with pytest.raises(ToolError) as refused:
        find({"own": OWN}, "ed")

    assert refused.value.code == "workset_tool_unknown"
    assert "claude, code, codex, cursor, own" in str(refused.value)
    assert names({"own": OWN}) == ["claude", "code", "codex", "cursor", "own"]


@pytest.mark.parametrize(
    ("opener", "words"),
    [
        (Opener("a", Style.WORKSPACE_FILE, "A", "a", ("-n",)), ["a", "-n", "/w"]),
        (
            Opener("a", Style.ATTACH_DIRS, "A", "a", ("-n",), "-d"),
            ["a", "-n", "-d", "/2", "-d", "/3"],
        ),
    ],
    ids=["a file", "folders"],
)
def test_no_word_of_a_call_is_a_prompt(opener: Opener, words: list[str]) -> None:
    assert argv(opener, ["/1", "/2", "/3"], "/w") == words
