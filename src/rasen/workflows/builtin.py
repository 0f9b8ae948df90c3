"""The workflows that we ship: what the catalogue says about each; their texts are in `assets/`.

A data table: it may grow beyond the usual module size.
"""

from __future__ import annotations

from functools import partial

from rasen.base.messages import N_
from rasen.workflows import assets
from rasen.workflows.model import Definition, Kind, Requires

RETAIN = "retain-command"
RETIRED = ("ff", "retro-command")
"""Ids that older selections may name. They stand for nothing any more."""

_GOAL_LOOPS = ("goal-loop-measure", "goal-loop-evaluate", "goal-loop-research")
_AUTO = Requires(
    workflows=(RETAIN,),
    skills=("rasen-review",),
    pipelines=("small-feature", "full-feature", "bug-fix", "auto-decompose"),
)
_ENHANCED = Requires(
    skills=("rasen-review", "rasen-cso", "rasen-qa", "rasen-design-review", "rasen-qa-only")
)


def _row(
    id: str,
    folder: str,
    purpose: str,
    kind: Kind = Kind.TASK,
    *,
    requires: Requires = Requires(),  # noqa: B008 - a frozen value
    core: bool = False,
    available: bool = True,
    selectable: bool = True,
) -> Definition:
    return Definition(
        id,
        folder,
        kind,
        purpose,
        partial(assets.read, assets.WORKFLOWS / folder),
        requires,
        is_core=core,
        is_available=available,
        is_selectable=selectable,
    )


# fmt: off
BUILT_IN: tuple[Definition, ...] = (
    _row("propose", "rasen-propose",
         N_("Create a change with all planning artifacts in one go"), core=True),
    _row("explore", "rasen-explore",
         N_("Think a problem through; reads everything, builds nothing"), core=True),
    _row("new", "rasen-new-change", N_("Start a change and write it step by step")),
    _row("continue", "rasen-continue-change", N_("Write the next artifact of a change")),
    _row("apply", "rasen-apply-change", N_("Work through the tasks of a change"), core=True),
    _row("sync", "rasen-sync-specs",
         N_("Merge the deltas of a change into the specs and keep it open"), core=True),
    _row("archive", "rasen-archive-change",
         N_("Merge a finished change into the specs and file it away"), core=True),
    _row("bulk-archive", "rasen-bulk-archive-change", N_("Archive several finished changes")),
    _row("verify", "rasen-verify-change", N_("Check what was built against the artifacts")),
    _row("onboard", "rasen-onboard", N_("Go through a first change together, on real work")),
    _row("help", "rasen-help", N_("Find the right skill or command"), core=True),
    _row("office-hours-command", "rasen-office-hours-command",
         N_("Find out whether something is worth building, before it is planned")),
    _row("verify-enhanced-command", "rasen-verify-enhanced",
         N_("Verify a change, and have it reviewed, audited and tested"), requires=_ENHANCED),
    _row("ship-command", "rasen-ship", N_("Commit, deliver as agreed, and log what was delivered")),
    _row("auto-command", "rasen-auto", N_("Take a task through a whole pipeline"), Kind.DRIVER,
         requires=_AUTO, core=True, available=False),
    _row("review-cycle", "rasen-review-cycle", N_("Review and fix in turn, up to a limit"),
         requires=Requires(skills=("rasen-review",)), available=False),
    _row("handoff", "rasen-handoff", N_("Write down where the work stands, for the next session"),
         available=False),
    _row("goal-plan", "rasen-goal-plan", N_("Define a goal and the gate that proves it"),
         Kind.INTERNAL, available=False),
    _row("goal-iterate", "rasen-goal-iterate", N_("Work one round towards a goal"),
         Kind.INTERNAL, available=False),
    _row("goal-report", "rasen-goal-report", N_("Report what a research loop has found"),
         Kind.INTERNAL, available=False),
    _row("goal-command", "rasen-goal", N_("Work towards a goal until its gate passes"), Kind.DRIVER,
         requires=Requires(pipelines=_GOAL_LOOPS), available=False),
    _row("audit", "rasen-audit", N_("Explain what a session spent its tokens on"), available=False),
    _row(RETAIN, "rasen-retain", N_("Keep what a finished change has taught"), Kind.INTERNAL,
         selectable=False),
)
# fmt: on
"""In the order of the catalogue. Source: library §25.1, RT-013."""

ALIASES: tuple[Definition, ...] = (
    _row(
        "retro",
        "rasen-retro",
        N_("Old name of retention in report mode"),
        Kind.INTERNAL,
        requires=Requires(workflows=(RETAIN,)),
        selectable=False,
    ),
)
"""Generated beside the catalogue and no members of it. Source: library §25.1, RT-011."""
