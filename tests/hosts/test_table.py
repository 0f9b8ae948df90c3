"""The agents: which there are, where their skills lie, what their documentation allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.hosts.ops import HOSTS, is_selectable
from rasen.hosts.table import COMPATIBILITY, DESCRIPTION, NAME

FOLDERS = {
    "amazon-q": ".amazonq",
    "antigravity": ".agent",
    "auggie": ".augment",
    "bob": ".bob",
    "claude": ".claude",
    "cline": ".cline",
    "codebuddy": ".codebuddy",
    "codex": ".codex",
    "continue": ".continue",
    "costrict": ".cospec",
    "crush": ".crush",
    "cursor": ".cursor",
    "factory": ".factory",
    "forgecode": ".forge",
    "gemini": ".gemini",
    "github-copilot": ".github",
    "hermes": ".hermes",
    "iflow": ".iflow",
    "junie": ".junie",
    "kilocode": ".kilocode",
    "kimi": ".kimi",
    "kiro": ".kiro",
    "lingma": ".lingma",
    "opencode": ".opencode",
    "pi": ".pi",
    "qoder": ".qoder",
    "qwen": ".qwen",
    "roocode": ".roo",
    "trae": ".trae",
    "vibe": ".vibe",
    "windsurf": ".windsurf",
}


def test_every_agent_of_the_table_is_there_in_order_of_ids() -> None:
    assert [(one.id, one.folder) for one in HOSTS] == sorted(FOLDERS.items())


def test_no_two_agents_share_a_folder_or_a_name() -> None:
    assert len({one.folder for one in HOSTS}) == len(HOSTS)
    assert len({one.name for one in HOSTS}) == len(HOSTS)


def test_every_agent_can_be_chosen() -> None:
    assert all(is_selectable(one) for one in HOSTS)


def test_one_agent_has_its_skills_outside_of_the_project() -> None:
    assert [(one.id, one.home_variable) for one in HOSTS if one.is_machine_wide] == [
        ("hermes", "HERMES_HOME")
    ]


def test_three_agents_call_commands_with_a_hyphen() -> None:
    assert [one.id for one in HOSTS if one.hyphen_calls] == ["bob", "opencode", "pi"]


@pytest.mark.parametrize("host", HOSTS, ids=lambda one: one.id)
def test_the_limits_of_the_agent_skills_format_hold_everywhere(host) -> None:  # type: ignore[no-untyped-def]
    assert host.limits[NAME] == 64
    assert host.limits[DESCRIPTION] == 1024
    assert host.limits[COMPATIBILITY] == 500


def test_old_command_files_are_told_by_our_own_name_only() -> None:
    for host in HOSTS:
        for pattern in host.commands:
            folder, _, name = pattern.rpartition("/")
            assert name.startswith("rasen-*") or folder.endswith("/rasen"), pattern


def test_agents_without_old_commands_are_those_that_never_had_any() -> None:
    assert [one.id for one in HOSTS if not one.commands] == [
        "forgecode",
        "hermes",
        "kimi",
        "trae",
        "vibe",
    ]


def test_the_page_about_agents_lists_each_with_its_folder() -> None:
    page = (Path(__file__).parents[2] / "docs/howto/agents.md").read_text(encoding="utf-8")

    rows = [line for line in page.splitlines() if line.startswith("| `") and "--" not in line]
    assert [row.split("`")[1] for row in rows] == [one.id for one in HOSTS]
    for row, host in zip(rows, HOSTS, strict=True):
        assert f"| {host.name} |" in row
        assert f"{host.folder}/skills`" in row
