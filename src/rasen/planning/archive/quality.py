"""What the reports in a change say in numbers, kept with the archived change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.files.atomic import read_text

_SUFFIXES = ("-review.md", "-report.md", "-audit.md")
_WORDS = ("findings:", "issues:", "scenarios:")


def measure(folder: Path) -> dict[str, int]:
    """Per report file at the top of `folder`, sorted by name, how many lines count something.

    A line counts once for each of `findings:`, `issues:` and `scenarios:` in it. A file that cannot
    be read is left out; this never stops an archive. Source: planning §6.8.
    """
    metrics: dict[str, int] = {}
    for path in sorted(folder.iterdir()):
        if not path.name.lower().endswith(_SUFFIXES) or not path.is_file():
            continue
        try:
            text = read_text(path)
        except ToolError:
            continue
        metrics[path.name] = _count(text)
    return metrics


def block(metrics: Mapping[str, int]) -> dict[str, object]:
    """The `quality` value of the change's metadata."""
    return {"files": list(metrics), "metrics": dict(metrics)}


def _count(text: str) -> int:
    lines = [line.strip().lower() for line in text.split("\n")]
    return sum(word in line for line in lines for word in _WORDS)
