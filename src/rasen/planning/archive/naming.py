"""How an archived change is called."""

from __future__ import annotations

import re

_DATED = re.compile(r"\d{4}-\d{2}-\d{2}-.+", re.DOTALL)


def archived_name(change: str, today: str) -> str:
    """`<today>-<change>`; a change that already begins with a date keeps its name.

    today: local date, YYYY-MM-DD. Source: planning §6.6.
    """
    return change if _DATED.fullmatch(change) else f"{today}-{change}"
