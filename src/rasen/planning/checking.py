"""Checks changes and specs, one after the other or many at once."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.planning.change_plan import ChangePlan, LoadedChange
from rasen.planning.fixes.codes import FIXABLE
from rasen.planning.items import CHANGE, SPEC, Item
from rasen.planning.load import Reader
from rasen.planning.planner import plan_change
from rasen.planning.specs.rules import check_spec
from rasen.planning.validation import UNREADABLE, Report

MANY = 1000
"""From this number of specs on it pays to start further processes."""


class Checker:
    """Reports on items of one root. plans: of the changes it has reported on."""

    def __init__(self, reader: Reader, *, strict: bool) -> None:
        self._reader = reader
        self._strict = strict
        self.plans: list[tuple[LoadedChange, ChangePlan]] = []

    def report(self, item: Item) -> Report:
        """What is to be said of `item`; a problem with reading it is a finding."""
        started = time.perf_counter()
        try:
            findings = self._findings(item)
        except ToolError as problem:
            findings = [Finding(UNREADABLE, "file", {"problem": problem})]
        fixable = self._fixable(item, findings)
        took = round((time.perf_counter() - started) * 1000)
        return Report(item, tuple(findings), took, self._strict, fixable)

    def reports(self, items: Sequence[Item], workers: int) -> list[Report]:
        """Reports on all `items`, in their order; many specs are shared out among processes.

        Changes come first, so that the specs they have read need not be read again.
        """
        changes = [item for item in items if item.kind == CHANGE]
        specs = [item for item in items if item.kind == SPEC]
        found = {item: self.report(item) for item in changes}
        if len(specs) < MANY or workers <= 1:
            found |= {item: self.report(item) for item in specs}
        else:
            from rasen.process.spread import spread

            shared = spread(self.report, specs, workers=workers)
            found |= dict(zip(specs, shared, strict=True))
        return [found[item] for item in items]

    def _findings(self, item: Item) -> list[Finding]:
        if item.kind == CHANGE:
            loaded = self._reader.change(item.id)
            self.plans.append((loaded, plan_change(loaded)))
            return self.plans[-1][1].findings
        return check_spec(self._reader.spec(item.id))

    def _fixable(self, item: Item, findings: Sequence[Finding]) -> frozenset[int]:
        if not any(finding.code in FIXABLE for finding in findings):
            return frozenset()
        from rasen.planning.fixes import ops as fixes

        return fixes.fixable(self._reader, item, findings)


def with_overlaps(
    reports: Sequence[Report], plans: Sequence[tuple[LoadedChange, ChangePlan]]
) -> Iterator[Report]:
    """The reports, with what the changes among them share."""
    found: dict[str, list[Finding]] = {}
    if len(plans) > 1:
        from rasen.planning.overlaps.rules import overlap_findings

        found = overlap_findings(plans)
    for report in reports:
        more = found.get(report.item.id, []) if report.item.kind == CHANGE else []
        yield report._replace(findings=(*report.findings, *more)) if more else report


def useful_workers(wanted: int) -> int:
    """How many processes are of use: no more than `wanted`, and no more than there are processors."""
    return max(1, min(wanted, os.cpu_count() or 1))
