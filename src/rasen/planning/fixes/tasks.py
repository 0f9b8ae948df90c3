"""The remedy for lines that look like tasks but are none."""

from __future__ import annotations

import re

from rasen.planning.fixes.editing import with_line
from rasen.planning.fixes.model import Case

_EMPTY_BOX = re.compile(r"(?P<lead>\s*(?:[-*+]|\d+[.)])\s*)\[\](?P<rest>\s+\S.*)")
_BARE_BOX = re.compile(r"(?P<indent>\s*)(?P<box>\[[ xX~/-]\]\s+\S.*)")


def readable_task(case: Case) -> str | None:
    """`- [] text` as `- [ ] text`, and a box without a list marker with one."""
    line = case.document.lines[case.line]
    if match := _EMPTY_BOX.fullmatch(line):
        return with_line(case.document, case.line, f"{match['lead']}[ ]{match['rest']}")
    if match := _BARE_BOX.fullmatch(line):
        return with_line(case.document, case.line, f"{match['indent']}- {match['box']}")
    return None
