"""The ship log of a change: how it was shipped, and that it was pruned."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from rasen.base.clock import iso_millis
from rasen.base.errors import ToolError
from rasen.files.atomic import read_text

NAME = "ship-log.md"
_MODE = re.compile(
    r"^[ \t]*(?:[-*][ \t]+)?\*\*Mode:\*\*[ \t]*(pr|push|local)[ \t]*\r?$", re.MULTILINE
)


def mode(folders: Iterable[Path | None]) -> tuple[str, Path] | None:
    """`pr`, `push` or `local`, and the file that says so; the first log that exists decides.

    None where there is no log, or none that can be understood. Source: planning §6.2, details.
    """
    for folder in folders:
        if folder is None or not (folder / NAME).is_file():
            continue
        try:
            match = _MODE.search(read_text(folder / NAME))
        except ToolError:
            return None
        return (match.group(1), folder / NAME) if match else None
    return None


def with_tombstone(text: str, moment: datetime) -> str:
    """`text` with the lines that say the change's folder was deleted on purpose."""
    gap = "" if not text else ("\n" if text.endswith("\n") else "\n\n")
    return f"{text}{gap}**Pruned:** true\n**Pruned at:** {iso_millis(moment)}\n"
