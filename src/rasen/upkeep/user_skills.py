"""What agents get from the user's own workflows: planned and written like ours, in a ledger of its own.

Source: library §26.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Busy, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.errors import RecoveryNeeded
from rasen.hosts.model import Host
from rasen.ownership import ops as ownership
from rasen.upkeep.refreshed import Tool
from rasen.upkeep.sites import workflow_site
from rasen.upkeep.skill_plan import Group, Run
from rasen.workflows import ops as workflows
from rasen.workflows.model import Invalid, Source

SOURCE_MISSING = Rule(
    "workflow_source_missing",
    Level.WARNING,
    N_("the workflow {id} cannot be used any more; what was generated from it stays as it is"),
    N_("install it again, or see what is wrong with `rasen workflow list`"),
)
UNUSABLE = Rule(
    "workflow_not_generated",
    Level.ERROR,
    N_("the workflow {id} is selected and was left out: {problem}"),
    N_("see `rasen workflow validate {id}`"),
)


def write(run: Run, members: Sequence[Host], tools: Mapping[str, Tool]) -> None:
    """Make the files of user workflows those of the run, and enter what was done in `tools`.

    members: agents whose files lie in the project. What is wrong with the ledger stops this part only.
    Errors: busy, recovery_needed.
    """
    site = workflow_site(run.ctx, run.root)
    is_wanted = any(one.definition.source is Source.USER for one in run.skills.wanted)
    if not members or not (is_wanted or site.ledger.exists()):
        return
    try:
        group = Group(run, site, members)
        made = group.plan(tuple)
        if not run.request.is_dry:
            ownership.apply(run.ctx, made, purpose="workflows")
    except (Busy, RecoveryNeeded):
        raise
    except ToolError as problem:
        for host in members:
            tools[host.id].problems.append(problem)
        return
    group.note(made, tools)


def owners(ctx: Context, root: Path) -> set[str]:
    """The agents that have files of user workflows; none when their ledger cannot be read."""
    try:
        rows = ownership.ledger(workflow_site(ctx, root)).rows.values()
    except ToolError:
        return set()
    return {owner.tool for row in rows for owner in row.owners}


def owned(ctx: Context, root: Path) -> frozenset[str]:
    """The files of user workflows in a project, below it; none when their ledger cannot be read."""
    try:
        return frozenset(path for path, _ in ownership.ledger(workflow_site(ctx, root)).rows)
    except ToolError:
        return frozenset()


def without_source(ctx: Context, root: Path, known: frozenset[str]) -> list[Finding]:
    """The workflows that something was generated from and that the catalogue lost. Source: GN-010."""
    try:
        rows = ownership.ledger(workflow_site(ctx, root)).rows.values()
    except ToolError:
        return []
    ids = {owner.source.partition(":")[2] for row in rows for owner in row.owners}
    return [Finding(SOURCE_MISSING, id, {"id": id}) for id in sorted(ids - known)]


def left_out(catalogue: workflows.Catalogue, selected: Sequence[str]) -> list[Finding]:
    """The selected workflows that this project cannot use, with what is wrong."""
    wrong = {one.id: one for one in catalogue.invalid}
    return [
        Finding(UNUSABLE, id, {"id": id, "problem": _first(wrong[id])})
        for id in selected
        if id in wrong and catalogue.find(id) is None
    ]


def _first(one: Invalid) -> str:
    errors = (found for found in one.diagnostics if found.level is Level.ERROR)
    return next(errors).message
