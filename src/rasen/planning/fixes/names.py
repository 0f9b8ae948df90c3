"""Remedies for the name of a requirement that the spec has almost like that."""

from __future__ import annotations

import re

from rasen.base.text import distance, fold
from rasen.planning.fixes.editing import with_line
from rasen.planning.fixes.headings import TYPO_MOST
from rasen.planning.fixes.model import Case

_SHARE = 3
"""A typo changes at most every third letter; else `API` would be a near miss of `CLI`."""


def near_name(case: Case) -> str | None:
    """The name in the delta as the spec has it, when exactly one requirement can be meant."""
    name = str(case.finding.params.get("name", ""))
    names = [block.name for block in case.spec.blocks] if case.spec else []
    meant = None if name in case.seen else meant_name(name, names)
    if meant is None or case.line < 0:
        return None
    line = case.document.lines[case.line]
    at = line.rfind(name)
    if at < 0 or not name:
        return None
    return with_line(case.document, case.line, line[:at] + meant + line[at + len(name) :])


def meant_name(name: str, names: list[str]) -> str | None:
    """The one of `names` that `name` is a typo of; None when there is none or more than one.

    Names that differ in a number are different names.
    """
    alike = [one for one in names if fold(one) == fold(name)]
    if alike:
        return alike[0] if len(alike) == 1 else None
    close = [one for one in names if _is_typo(name, one)]
    return close[0] if len(close) == 1 else None


def _is_typo(name: str, other: str) -> bool:
    left, right = fold(name), fold(other)
    if abs(len(left) - len(right)) > TYPO_MOST or _numbers(left) != _numbers(right):
        return False
    return distance(left, right) <= min(TYPO_MOST, min(len(left), len(right)) // _SHARE)


def _numbers(name: str) -> list[str]:
    return re.findall(r"\d+", name)
