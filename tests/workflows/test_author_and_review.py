"""The two experts for people who write workflows: the eight steps, the nine questions, the honesty."""

from __future__ import annotations

import re

import pytest
from tests.support.skills import ASSETS

AUTHOR = (ASSETS / "experts/rasen-workflow-author/SKILL.md").read_text("utf-8")
REVIEW = (ASSETS / "experts/rasen-workflow-review/SKILL.md").read_text("utf-8")
CHECKLIST = (ASSETS / "experts/rasen-workflow-review/references/checklist.md").read_text("utf-8")


@pytest.mark.requirement("BI-001")
def test_the_author_goes_through_eight_steps_in_order() -> None:
    steps = re.findall(r"(?m)^## (\d)\. (.+)$", AUTHOR)
    wanted = ["Settle", "Look, then scaffold", "smallest", "Check until clean", "review", "Repair",
              "Present", "Install only on request"]  # fmt: skip

    assert [int(number) for number, _ in steps] == list(range(1, 9))
    assert [word in title for word, (_, title) in zip(wanted, steps, strict=True)] == [True] * 8
    order = ["workflow list", "workflow init", "workflow validate", "rasen-workflow-review",
             "workflow import"]  # fmt: skip
    places = [AUTHOR.index(word, AUTHOR.index("## 1.")) for word in order]
    assert places == sorted(places)
    first = AUTHOR[AUTHOR.index("## 1.") : AUTHOR.index("## 2.")]
    for word in ("purpose", "triggers", "inputs", "output", "complete", "forbidden"):
        assert f"**{word}**" in first


@pytest.mark.requirement("BI-002")
def test_the_reviewer_asks_nine_questions_and_has_a_page_for_each() -> None:
    asked = re.findall(r"(?m)^(\d)\. \*\*", REVIEW)
    explained = re.findall(r"(?m)^## (\d)\. ", CHECKLIST)

    assert asked == explained == [str(number) for number in range(1, 10)]
    for word in ("Bounded", "dependencies agree", "Overlap", "Across agents", "Profiles and pipelines",
                 "secrets", "Shell and paths", "Complete", "Escalation"):  # fmt: skip
        assert word in REVIEW


@pytest.mark.requirement("BI-003")
def test_a_finding_has_four_parts() -> None:
    for part in ("Severity:", "Location:", "Evidence:", "Fix:"):
        assert part in REVIEW


@pytest.mark.requirement("BI-004", "PK-104")
def test_neither_claims_that_anything_is_safe() -> None:
    assert "no security boundary and no certificate" in REVIEW
    assert "that is legitimate" in REVIEW
    assert "neither proves that it is safe" in " ".join(AUTHOR.split())


@pytest.mark.requirement("BI-005")
@pytest.mark.parametrize("text", [AUTHOR, REVIEW], ids=["author", "review"])
def test_both_are_about_workflows_and_pipelines(text: str) -> None:
    assert "rasen workflow validate" in text
    assert "rasen pipeline validate" in text
    assert "workflow" in text.splitlines()[2]
    assert "pipeline" in text.splitlines()[2]
