"""Naming agents."""

from __future__ import annotations

import pytest

from rasen.base.errors import ToolError
from rasen.hosts import ops


def test_all_means_every_agent_that_keeps_its_skills_in_the_project() -> None:
    named = ops.chosen("all")

    assert len(named) == len(ops.HOSTS) - 1
    assert "hermes" not in [one.id for one in named]


def test_none_means_none() -> None:
    assert ops.chosen(" None ") == ()


def test_ids_keep_their_order_and_count_once_whatever_their_case() -> None:
    assert [one.id for one in ops.chosen("Hermes, claude,CODEX,claude")] == [
        "hermes",
        "claude",
        "codex",
    ]


@pytest.mark.parametrize(
    "given", ["", " ", ",", "claude,,codex", "all,claude", "none,codex", "all,none"]
)
def test_a_list_that_makes_no_sense_is_refused(given: str) -> None:
    with pytest.raises(ToolError) as caught:
        ops.chosen(given)

    assert caught.value.code == "usage_error"


def test_an_unknown_agent_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ToolError) as caught:
        ops.chosen("claud")

    assert caught.value.code == "tool_unknown"
    assert "claude" in caught.value.fix_text.format(**caught.value.params)
    assert "windsurf" in str(caught.value)


def test_an_agent_like_none_other_is_refused_with_the_way_to_name_one() -> None:
    with pytest.raises(ToolError) as caught:
        ops.host("zzzzzzzzzz")

    assert "all, or none" in caught.value.fix_text
