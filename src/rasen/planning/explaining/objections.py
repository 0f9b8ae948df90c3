"""What stands against the lines of a delta, and why each one fares as it does."""

from __future__ import annotations

from collections.abc import Sequence

from rasen.base.findings import Finding, Level
from rasen.planning.changes.delta_rules import SECTION_IGNORED, TEXT_IGNORED
from rasen.planning.explaining.marked import WAITING, Marked, of_level
from rasen.planning.explaining.model import Fate, Why
from rasen.planning.merging.model import Conflict
from rasen.planning.merging.threeway import BODY
from rasen.planning.specs.blocks import following, scenario_headings, scenario_name
from rasen.planning.specs.model import Block, Role

_PASSED = (Fate.UNREAD, Fate.REMARK, Fate.BLANK)


def object_to(marked: Marked, findings: Sequence[Finding], conflicts: Sequence[Conflict]) -> None:
    """Let errors overrule the fates found so far, and note the reason of each line that has one."""
    for finding in findings:
        if finding.line is None and finding.level is Level.ERROR:
            only = (*WAITING, Fate.UNCHANGED, Fate.IGNORED)
            marked.refuse(range(len(marked.lines)), finding, only=only)
    entries = list(marked.entries())
    for conflict in conflicts:
        span = _entry(entries, conflict.line)
        marked.set(_contested(marked, conflict, span), fate=Fate.CONFLICT, why=None)
    contested = {conflict.line for conflict in conflicts}
    for finding in of_level(findings, Level.ERROR):
        span = _entry(entries, marked.number(finding))
        if not contested.intersection(span):
            marked.refuse(span, finding)
    for level in (Level.INFO, Level.WARNING, Level.ERROR):
        for finding in reversed(of_level(findings, level)):
            marked.set([marked.number(finding)], why=Why(finding))
    for finding in of_level(findings, Level.ERROR):
        marked.lead(_entry(entries, marked.number(finding)), finding, Fate.CONFLICT)
        _lead_unread(marked, finding)
    for finding in of_level(findings, Level.INFO):
        _lead_ignored(marked, finding)


def _entry(entries: Sequence[Sequence[int]], line: int) -> Sequence[int]:
    """The lines of the entry that has `line`; that line alone when none has."""
    return next((one for one in entries if line in one), (line,))


def _contested(marked: Marked, conflict: Conflict, span: Sequence[int]) -> Sequence[int]:
    """The lines of an entry that a conflict is about; its first, when the change leaves them out."""
    if marked.lines[span[0]].role is not Role.REQUIREMENT:
        return span
    document = marked.delta.markdown
    block = Block(conflict.requirement, span[0], span[-1] + 1)
    headings = list(scenario_headings(document, block))
    starts = [block.start, *(heading.line for heading in headings)]
    names = [BODY, *(scenario_name(heading) for heading in headings)]
    parts = zip(names, starts, following(starts, block.end), strict=True)
    found = [range(start, end) for name, start, end in parts if name == conflict.place]
    if found:
        return [number for part in found for number in part]
    return span if conflict.place in ("requirement", "name") else span[:1]


def _lead_unread(marked: Marked, finding: Finding) -> None:
    start = marked.number(finding)
    if marked.lines[start].role is not Role.UNREAD:
        return
    end = start + 1
    while end < len(marked.lines) and marked.lines[end].fate in _PASSED:
        end += 1
    marked.lead(range(start, end), finding, Fate.UNREAD)


def _lead_ignored(marked: Marked, finding: Finding) -> None:
    start = marked.number(finding)
    if finding.rule is TEXT_IGNORED:
        marked.lead(range(start, int(str(finding.params["last"]))), finding, Fate.IGNORED)
    elif finding.rule is SECTION_IGNORED:
        headings = (one.line for one in marked.delta.markdown.headings if one.level == 2)
        end = next((line for line in headings if line > start), len(marked.lines))
        marked.lead(range(start, end), finding, Fate.IGNORED)
