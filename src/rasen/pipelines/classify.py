"""Which pipeline suits a task, by the words of the task. Source: library PL-040, PL-041."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

BUG = ("fix", "bug", "broken", "regression", "error", "doesn't work", "crash", "hotfix")
FEATURE = (
    "add system", "implement", "module", "new feature", "multi-component", "architecture",
    "redesign", "subsystem",
)  # fmt: skip


class Classified(NamedTuple):
    """A suggestion, and why. matched: the words of the task that decided.

    available: the names of all pipelines, sorted.
    """

    suggested: str
    matched: tuple[str, ...]
    available: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """`{suggested, matched, available, basis}`."""
        return {
            "suggested": self.suggested,
            "matched": list(self.matched),
            "available": list(self.available),
            "basis": "keyword" if self.matched else "default",
        }


def classify(task: str, available: Sequence[str]) -> Classified:
    """The pipeline for `task`: a word of a defect, else one of a feature, else the small way."""
    text = task.lower().replace("’", "'")
    for name, words in (("bug-fix", BUG), ("full-feature", FEATURE)):
        matched = tuple(word for word in words if _stands_in(word, text))
        if matched:
            return Classified(name, matched, tuple(available))
    return Classified("small-feature", (), tuple(available))


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None
