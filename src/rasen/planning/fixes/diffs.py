"""One remedy as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rasen.planning.fixes.mend import Step
from rasen.syntax.markdown import Markdown

NOWHERE = "/dev/null"


def step_diff(step: Step, root: Path) -> str:
    """What `step` changes, with paths relative to `root`; lines end with a line feed here."""
    before, after = step.before.texts, step.after.texts
    lines: list[str] = []
    for path in sorted({**before, **after}):
        old, new = before.get(path), after.get(path)
        if old != new:
            lines += _file_diff(_shown(path, root), old, new)
    return "".join(f"{line}\n" for line in lines)


def _file_diff(name: str, old: str | None, new: str | None) -> Iterator[str]:
    from difflib import unified_diff

    return unified_diff(
        _lines(old),
        _lines(new),
        NOWHERE if old is None else f"a/{name}",
        NOWHERE if new is None else f"b/{name}",
        lineterm="",
    )


def _lines(text: str | None) -> list[str]:
    return [] if text is None else Markdown(text).lines


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
