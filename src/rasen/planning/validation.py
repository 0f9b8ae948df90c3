"""Reports on specs and changes: what was checked, what was found, what that means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_
from rasen.planning.items import Item

UNREADABLE = Rule("item_unreadable", Level.ERROR, N_("{problem}"))


class Report(NamedTuple):
    """One checked item. duration_ms: how long it took.

    fixable: the positions of those findings that `--fix` can mend.
    """

    item: Item
    findings: tuple[Finding, ...]
    duration_ms: int
    is_strict: bool
    fixable: frozenset[int] = frozenset()

    @property
    def is_valid(self) -> bool:
        return not has_errors(self.findings, strict=self.is_strict)


class Totals(NamedTuple):
    """How many items were checked and how they fared."""

    items: int
    passed: int

    @property
    def failed(self) -> int:
        return self.items - self.passed

    def to_json(self) -> dict[str, int]:
        return {"items": self.items, "passed": self.passed, "failed": self.failed}


class Validation(NamedTuple):
    """All reports of one run, sorted by id. scope: the kinds that were asked for."""

    reports: tuple[Report, ...]
    scope: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        return all(report.is_valid for report in self.reports)

    @property
    def totals(self) -> Totals:
        return _totals(self.reports)

    def by_kind(self) -> dict[str, Totals]:
        """Totals of every kind in scope, also of those without items."""
        return {
            kind: _totals([report for report in self.reports if report.item.kind == kind])
            for kind in self.scope
        }


def summary(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings of each level."""
    counts = Counter(finding.level for finding in findings)
    return {
        "errors": counts[Level.ERROR],
        "warnings": counts[Level.WARNING],
        "info": counts[Level.INFO],
    }


def _totals(reports: Sequence[Report]) -> Totals:
    return Totals(len(reports), sum(report.is_valid for report in reports))
