"""Suggesting a pipeline by the words of a task."""

from __future__ import annotations

import pytest

from rasen.pipelines.classify import BUG, FEATURE, classify


@pytest.mark.requirement("PL-040")
@pytest.mark.parametrize(
    ("task", "suggested", "matched"),
    [
        *((f"We have to {word} it", "bug-fix", [word]) for word in BUG if word != "doesn't work"),
        *((f"A {word} for loans", "full-feature", [word]) for word in FEATURE),
        ("The search doesn't work", "bug-fix", ["doesn't work"]),
        ("The search doesn’t work", "bug-fix", ["doesn't work"]),
        ("FIX the Error.", "bug-fix", ["fix", "error"]),
        ("Implement a fix", "bug-fix", ["fix"]),
        ("A new prefix", "small-feature", []),
        ("terrors of modules", "small-feature", []),
        ("fix_it", "bug-fix", ["fix"]),
        ("hot-fix", "bug-fix", ["fix"]),
        ("", "small-feature", []),
    ],
)
def test_whole_words_decide(task: str, suggested: str, matched: list[str]) -> None:
    found = classify(task, ["x"])

    assert found.to_json() == {
        "suggested": suggested,
        "matched": matched,
        "available": ["x"],
        "basis": "keyword" if matched else "default",
    }
