"""What archive, sync and undo answer alike: refusals with their findings and conflicts, decisions, rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from rasen.base.errors import EXIT_FAILED
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.planning.archive.model import Request, SpecUpdate
from rasen.planning.archive.refusals import NeedsConsent, Point, WithIssues
from rasen.planning.merging.model import Decision
from rasen.surfaces import present
from rasen.surfaces.cli.issues import say_findings
from rasen.surfaces.cli.run import App

T = TypeVar("T")
_QUESTIONS = {
    Point.UNCHECKED: N_("Go on without checking the wording?"),
    Point.TASKS: N_("Archive all the same?"),
    Point.SPECS: N_("Change the specs?"),
    Point.PRUNE: N_("Delete the change's folder?"),
}


def ask_until_done(app: App, request: Request, act: Callable[[Request], T]) -> T | None:
    """What `act` gives, after as many questions as it takes; None when one was answered no.

    No to changing the specs goes on without them where a request can say so (not in a sync).
    """
    while True:
        try:
            return act(request)
        except NeedsConsent as need:
            if not app.interactive:
                raise
            app.say("{message}", message=app.told(need))
            is_specs = need.point is Point.SPECS
            if app.confirm(_QUESTIONS[need.point], default=is_specs, rerun=need.point.flag):
                request = replace(request, consents=request.consents | {need.point})
            elif is_specs and not request.is_sync:
                request = replace(request, skip_specs=True)
            else:
                return None


def without_answer(name: str) -> Callable[[App, Mapping[str, object]], Mapping[str, object]]:
    """What a failure shows of a command whose answer is `name`: null, and the root once it is known."""

    def null(app: App, _params: Mapping[str, object]) -> Mapping[str, object]:
        root = {} if app.selected is None else {"root": app.selected.to_json()}
        return {name: None, **root}

    return null


def refuse(app: App, refusal: WithIssues, null: Mapping[str, object]) -> int:
    """Answer with a refusal that lists findings, and say the exit code."""
    if not app.as_json:
        say_findings(app, refusal.findings)
        app.refuse(refusal)
        return EXIT_FAILED
    answer = dict(null)
    answer["status"] = [present.diagnostic(refusal)]
    answer["issues"] = [present.issue(finding) for finding in refusal.findings]
    if refusal.conflicts:
        answer["conflicts"] = [
            {"capability": capability, **conflict.to_json()}
            for capability, conflict in refusal.conflicts
        ]
    app.document(answer)
    return EXIT_FAILED


def decisions(made: Iterable[tuple[str, Decision]]) -> list[dict[str, str]]:
    """The `decisions` member: what the merge took from where."""
    return [{"capability": capability, **decision.to_json()} for capability, decision in made]


def sentences(findings: Iterable[Finding]) -> list[str]:
    """The `warnings` member."""
    return [f"{finding.path}: {finding.message}" for finding in findings]


def tell_updates(app: App, updates: Sequence[SpecUpdate]) -> None:
    """Write one line per spec: what was added, changed, removed and renamed in it."""
    for update in updates:
        app.line(
            "  {capability}: +{added} ~{modified} -{removed} →{renamed}{what}",
            capability=update.capability,
            **update.counts.to_json(),
            what=_what(app, update),
        )


def _what(app: App, update: SpecUpdate) -> str:
    if update.is_new:
        return " " + app.t(N_("(new spec)"))
    return " " + app.t(N_("(spec retired)")) if update.is_retired else ""
