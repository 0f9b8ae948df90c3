"""The specs a registered root offers, each with the first line of its purpose."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.files.atomic import read_text
from rasen.files.paths import inside
from rasen.stores.references import SPEC_ID_CHARS, SUMMARY_CHARS, SpecLine, one_line
from rasen.syntax.markdown import Markdown


def offered(specs_dir: Path) -> tuple[SpecLine, ...]:
    """The specs below `specs_dir` by id; a spec that cannot be read has no summary."""
    return tuple(
        SpecLine(one_line(name, SPEC_ID_CHARS), _summary_of(specs_dir, name))
        for name in sorted(_names(specs_dir))
    )


def summary(text: str) -> str:
    """The first line under the first heading called Purpose; empty when there is none."""
    markdown = Markdown(text)
    headings = markdown.headings
    for number, heading in enumerate(headings):
        if heading.title.rstrip("#").strip().lower() != "purpose":
            continue
        end = headings[number + 1].line if number + 1 < len(headings) else len(markdown.lines)
        for line in markdown.prose(heading.line + 1, end):
            if line.strip():
                return one_line(line, SUMMARY_CHARS)
        return ""
    return ""


def _names(specs_dir: Path) -> Iterator[str]:
    for folder, names, files in os.walk(specs_dir):
        names[:] = [name for name in names if not name.startswith(".")]
        if "spec.md" in files and Path(folder) != specs_dir:
            yield Path(folder).relative_to(specs_dir).as_posix()


def _summary_of(specs_dir: Path, name: str) -> str:
    try:
        return summary(read_text(inside(specs_dir, f"{name}/spec.md")))
    except ToolError:
        return ""
