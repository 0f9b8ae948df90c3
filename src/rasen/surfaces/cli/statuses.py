"""Findings of a health report as members of a `status` list, with what each is about."""

from __future__ import annotations

from collections.abc import Iterable

from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.surfaces import present


def statuses(problems: Iterable[Finding | ToolError]) -> list[dict[str, str]]:
    """`{severity, code, message, target?, fix?}` for each. Source: planning §0.2.5."""
    return [_status(problem) for problem in problems]


def _status(problem: Finding | ToolError) -> dict[str, str]:
    answer = present.diagnostic(problem)
    if isinstance(problem, Finding) and problem.path:
        step = answer.pop("fix", "")
        answer["target"] = problem.path
        if step:
            answer["fix"] = step
    return answer
