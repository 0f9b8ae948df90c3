"""Reports of a validation, as text and as the document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.planning.items import Item
from rasen.surfaces import present
from rasen.surfaces.cli import output
from rasen.surfaces.cli.issues import MARKS, say_findings
from rasen.surfaces.cli.pasteable import call

if TYPE_CHECKING:
    from rasen.planning.ops import Track
    from rasen.planning.validation import Report, Validation
    from rasen.roots.model import Root
    from rasen.surfaces.cli.run import App

Target = Item | tuple[str, ...]
"""One item, or the kinds that a bulk run covers."""

_VALID = {
    "change": N_("Change '{id}' is valid"),
    "spec": N_("Specification '{id}' is valid"),
    "pipeline": N_("Pipeline '{id}' is valid"),
}
_INVALID = {
    "change": N_("Change '{id}' has issues"),
    "spec": N_("Specification '{id}' has issues"),
    "pipeline": N_("Pipeline '{id}' has issues"),
}
_ADVICE = {
    "change": (
        N_("Deltas are files specs/<capability>/spec.md with a section such as `## ADDED Requirements`"),
        N_("Each requirement has a body with SHALL or MUST, and a `#### Scenario:`"),
    ),
    "spec": (
        N_("A spec has `## Purpose` and `## Requirements`"),
        N_("Each `### Requirement:` has a body with SHALL or MUST, and a `#### Scenario:`"),
    ),
    "pipeline": (
        N_("Stages have an `id` and a `skill`, and require only each other"),
        N_("`rasen workflow list --all` names the skills there are"),
    ),
}  # fmt: skip
_SEE: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "change": lambda name: ("show", name, "--json", "--deltas-only"),
    "spec": lambda name: ("show", name, "--type", "spec", "--json"),
    "pipeline": lambda name: ("pipeline", "validate", name, "--json"),
}
_WORKERS = 6


def tracker(app: App, target: Target) -> Track | None:
    """What shows on a terminal how far a bulk run is; None where nobody looks."""
    if isinstance(target, Item) or not app.shows_progress:
        return None

    def show(items: Sequence[Item]) -> Iterable[Item]:
        return app.progress(items, N_("Checking"), length=len(items))

    return show


def workers(given: str | None, environ: Mapping[str, str]) -> int:
    """How many may work at once: the flag, then RASEN_CONCURRENCY, then 6; what is no number is ignored.

    Source: planning §4.1.
    """
    for text in (given, environ.get("RASEN_CONCURRENCY")):
        if text is not None and text.isascii() and text.isdigit() and int(text) > 0:
            return int(text)
    return _WORKERS


def document(
    validation: Validation, root: Root, fixes: Sequence[Mapping[str, object]] | None = None
) -> dict[str, object]:
    """The JSON document of a run. Source: planning §4.1.

    fixes: what `--fix` mended or would mend; None when it was not asked to.
    """
    items = [
        {
            "id": report.item.id,
            "type": report.item.kind,
            "valid": report.is_valid,
            "issues": [
                present.issue(finding, is_fixable=number in report.fixable)
                for number, finding in enumerate(report.findings)
            ],
            "durationMs": report.duration_ms,
        }
        for report in validation.reports
    ]
    by_type = {kind: totals.to_json() for kind, totals in validation.by_kind().items()}
    return {
        "items": items,
        "summary": {"totals": validation.totals.to_json(), "byType": by_type},
        "version": "1.0",
        "root": root.to_json(),
        **({} if fixes is None else {"fixes": list(fixes)}),
    }


def tell_one(app: App, report: Report, root: Root) -> None:
    """Tell the outcome for one item; findings go to stderr, also those of a valid item."""
    item = report.item
    if report.is_valid:
        app.line(_VALID[item.kind], id=item.id)
    else:
        app.say(_INVALID[item.kind], id=item.id)
    say_findings(app, report.findings, fixable=report.fixable)
    if report.is_valid:
        return
    app.say("Next steps:")
    last = app.t("See what was read: {call}", call=call(root, *_SEE[item.kind](item.id)))
    for step in (*map(app.t, _ADVICE[item.kind]), last):
        output.complain(f"  - {step}")


def tell_all(app: App, validation: Validation, root: Root) -> None:
    """Tell the outcome of a bulk run: valid items on stdout, invalid ones on stderr."""
    if not validation.reports:
        app.line("Nothing found to check.")
        return
    passed, failed = app.color("✓", "green"), app.color("✗", "red", on_stderr=True)
    for report in validation.reports:
        name = output.shown(f"{report.item.kind}/{report.item.id}")
        if report.is_valid:
            app.raw(f"{passed} {name}\n")
        else:
            output.complain(f"{failed} {name}")
        _tell_overlaps(app, report)
    totals = validation.totals
    app.line(
        "Totals: {passed} passed, {failed} failed ({items} items)",
        passed=totals.passed,
        failed=totals.failed,
        items=totals.items,
    )
    first = next((report.item for report in validation.reports if not report.is_valid), None)
    if first is not None:
        app.line("Details: {call}", call=call(root, "validate", first.id, "--type", first.kind))


def _tell_overlaps(app: App, report: Report) -> None:
    """Tell of conflicts with other open changes, which no run over one change shows."""
    for finding in report.findings:
        if finding.code == "change_overlap_conflict":
            mark = app.color(MARKS[finding.level], "yellow", on_stderr=True)
            app.say("  {mark} {message}", mark=mark, message=app.told(finding))
            app.say("    → {step}", step=present.fix(finding, app.translate))
