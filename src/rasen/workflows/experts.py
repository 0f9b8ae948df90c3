"""The experts that we ship: skills that are always installed and that no profile can select."""

from __future__ import annotations

from functools import partial

from rasen.base.messages import N_
from rasen.hosts.model import PREFIX
from rasen.workflows import assets
from rasen.workflows.model import Definition, Kind


def _row(id: str, purpose: str, *, available: bool = True, shares: str = "") -> Definition:
    place = assets.EXPERTS / f"{PREFIX}{id}"
    lender = assets.EXPERTS / f"{PREFIX}{shares}" if shares else None
    return Definition(
        id,
        f"{PREFIX}{id}",
        Kind.EXPERT,
        purpose,
        partial(assets.read, place, lender),
        is_available=available,
        is_selectable=False,
    )


EXPERTS: tuple[Definition, ...] = (
    _row("benchmark", N_("Check speed and size against what they were, repeatably")),
    _row("careful", N_("Ask before any command that destroys something")),
    _row("chrome-use", N_("Drive a real browser to test a page")),
    _row("codebase-design", N_("Make modules deeper; design everything twice")),
    _row("codex", N_("Get a second opinion from the Codex command line")),
    _row("cso", N_("Audit security the way an attacker would")),
    _row("design-consultation", N_("Settle a design system in a dialogue")),
    _row("design-review", N_("Look over what is on the screen, fix it and look again")),
    _row("freeze", N_("Allow edits in one folder only")),
    _row("guard", N_("Be careful and frozen at once")),
    _row("investigate", N_("Find the root cause of a defect before fixing it")),
    _row("navigator", N_("Show all skills on a map")),
    _row("office-hours", N_("Put demand and design under pressure")),
    _row("prototype", N_("Build something to throw away, to learn from it")),
    _row("qa", N_("Test in a browser and fix what is wrong")),
    _row("qa-only", N_("Test in a browser and report what is wrong"), shares="qa"),
    _row("review", N_("Review a diff before it lands")),
    _row("tdd", N_("Red, green, refactor, in that order")),
    _row("unfreeze", N_("Allow edits everywhere again")),
    _row("workflow-author", N_("Write workflows and pipelines safely")),
    _row("workflow-review", N_("Review a workflow independently")),
)
"""By id. Source: library §25.2, C-01.

Which of them an agent may call by itself, and how long their descriptions are, is bounded:
docs/decisions/0019-what-an-agent-always-loads.md.
"""
