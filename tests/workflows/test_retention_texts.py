"""What the texts about retention have to settle."""

from __future__ import annotations

import re

import pytest
from tests.support import skills

PAGE = skills.ASSETS.parents[2] / "docs" / "howto" / "skills.md"
RETAIN = (skills.ASSETS / "workflows/rasen-retain/SKILL.md").read_text(encoding="utf-8")
REPORT = (skills.ASSETS / "workflows/rasen-retain/report.md").read_text(encoding="utf-8")
RETRO = (skills.ASSETS / "workflows/rasen-retro/SKILL.md").read_text(encoding="utf-8")


@pytest.mark.requirement("RT-001", "RT-003")
def test_each_mode_has_one_branch_and_off_writes_nothing() -> None:
    branches = dict(re.findall(r"(?m)^\| `(off|report)` \| (write .*|read .*) \|$", RETAIN))

    assert "nothing" in branches["off"]
    assert "(report.md)" in branches["report"]
    assert "never\ntwo" in RETAIN


def test_a_mode_that_the_run_has_fixed_wins_over_the_setting() -> None:
    asked = RETAIN.index("rasen config get retention")

    assert RETAIN.index("A mode that the caller passes wins") < asked


def test_a_report_lies_where_the_specification_says() -> None:
    assert re.findall(r"`(retro[\w-]*\.md)`", REPORT)[:3] == [
        "retro.md",
        "retro-latest.md",
        "retro-global-latest.md",
    ]


@pytest.mark.requirement("RT-012")
def test_the_old_name_passes_its_argument_on_and_leaves_the_mode_alone() -> None:
    assert "`global`, or nothing" in RETRO
    assert "`report` as the mode" in RETRO
    assert "changes no setting" in RETRO
    assert skills.all_commands(RETRO) == []


@pytest.mark.requirement("RT-017")
def test_the_documentation_leads_from_the_old_name_to_retention() -> None:
    said = PAGE.read_text(encoding="utf-8").partition("## What is kept")[2]

    assert re.search(r"`rasen-retro` still works.*will go.*`report` instead", said, re.DOTALL)
