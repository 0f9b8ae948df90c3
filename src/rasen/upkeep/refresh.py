"""Brings the skills of a project's agents to what is selected: what `init` and `update` share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Busy, ToolError
from rasen.base.findings import Finding
from rasen.files.batch import Batch, recover
from rasen.files.errors import FileChanged, RecoveryNeeded
from rasen.hosts.model import Host
from rasen.ownership import ops as ownership
from rasen.ownership.ops import FilesLedgerInvalid
from rasen.profiles import ops as profiles
from rasen.profiles.model import CUSTOM, Selection, Source
from rasen.roots.model import SOURCE_NEAREST, Root
from rasen.upkeep import library, older_skills, profile_migration, user_skills
from rasen.upkeep.generate import Skills, definitions
from rasen.upkeep.refreshed import Report, Tool
from rasen.upkeep.sites import project_site, site_of, skills_path
from rasen.upkeep.skill_plan import Each, Group, Request, Run
from rasen.workflows import ops as workflows

__all__ = ["Each", "Request", "Run", "refresh", "selection", "write"]

_TRIES = 3


def selection(
    ctx: Context, root: Path, *, is_dry: bool, lock: str | None = None
) -> tuple[Selection, list[Finding]]:
    """Which workflows count here, and what to say of it; an older selection is kept first.

    In a dry run that is only taken into account, and so is `lock`, a profile to be locked.
    Errors: files_ledger_invalid, those of settings, those of a saved profile.
    """
    site = project_site(ctx, root)
    paths = {path for path, _ in ownership.ledger(site).rows} | user_skills.owned(ctx, root)
    owned = {site.base / path for path in paths}
    ids = profile_migration.proposed(ctx, root, owned)
    told: list[Finding] = []
    if ids is not None:
        kept = profile_migration.finding(ids) if is_dry else profile_migration.keep(ctx, ids)
        told.append(kept)
    chosen = profiles.effective(ctx, Root(root, SOURCE_NEAREST, ctx.workspace))
    if lock is not None and lock != CUSTOM:
        ids = profiles.definition(ctx, lock).workflows
        chosen = replace(chosen, workflows=workflows.catalogue(ctx).closed(ids), name=lock)
    elif ids is not None and is_dry and chosen.source is Source.MACHINE:
        chosen = replace(chosen, workflows=workflows.catalogue(ctx).closed(ids))
    return chosen, [*told, *chosen.notices]


def refresh(ctx: Context, root: Path, request: Request, *, each: Each = tuple) -> Report:
    """Make the skills of the agents what is selected; what is edited or not ours stays.

    The agents of a site together or, when that is refused, each by itself, so that one cannot stop
    the others. each: is given the agents and passes them on while they are worked at.
    Errors: files_ledger_invalid, busy, recovery_needed. Source: planning §8.4 to §8.6.
    """
    chosen, told = selection(ctx, root, is_dry=request.is_dry, lock=request.lock)
    catalogue = library.catalogue(ctx, Root(root, SOURCE_NEAREST, ctx.workspace))
    skills = Skills(definitions(ctx, chosen.workflows, catalogue))
    known = frozenset(one.id for one in catalogue.definitions)
    run = Run(ctx, root, request, skills, known, user_skills.owned(ctx, root))
    lost = user_skills.without_source(ctx, root, known)
    tools = write(run, each=each)
    found = (*told, *user_skills.left_out(catalogue, chosen.workflows), *lost, *skills.problems)
    return Report(
        root,
        chosen,
        tools,
        found,
        skills=len(skills.wanted),
        unselected=tuple(
            one.id
            for one in catalogue.definitions
            if one.is_selectable and one.is_available and one.id not in chosen.workflows
        ),
        is_dry=request.is_dry,
    )


def write(run: Run, *, each: Each = tuple) -> tuple[Tool, ...]:
    """Make the skills of the agents those of the run; as `refresh`, whatever is selected.

    Errors: files_ledger_invalid of the project's ledger, busy, recovery_needed.
    """
    local = [one for one in run.request.hosts if not one.is_machine_wide]
    tools: dict[str, Tool] = {}
    for host in run.request.hosts:
        if host.is_machine_wide:
            tools |= _alone(run, host, each)
    if local:
        tools |= _together(run, local, each)
    user_skills.write(run, local, tools)
    return tuple(tools[host.id] for host in run.request.hosts)


def _alone(run: Run, host: Host, each: Each) -> dict[str, Tool]:
    """Do it for an agent that has a ledger of its own; when that is damaged, others do not suffer."""
    try:
        return _together(run, [host], each)
    except FilesLedgerInvalid as problem:
        return {host.id: Tool(host, skills_path(host), problems=[problem])}


def _together(run: Run, members: Sequence[Host], each: Each) -> dict[str, Tool]:
    """Do it for agents of one site; when another run writes there meanwhile, look again."""
    problem: ToolError | None = None
    for attempt in range(_TRIES):
        done = _once(run, members, tuple if attempt else each)
        if isinstance(done, dict):
            return done
        problem = done
        if not isinstance(problem, FileChanged):
            break
    assert problem is not None, "it was tried"
    return _apart(run, members, problem)


def _once(run: Run, members: Sequence[Host], each: Each) -> dict[str, Tool] | ToolError:
    """Look and do it; an error when it was refused, and then nothing was done."""
    site = site_of(run.ctx, run.root, members[0])
    if not run.request.is_dry:
        recover(site.journal, tell=run.ctx.tell)
    group = Group(run, site, members)
    made = group.plan(each)
    tools = group.tools(made)
    if run.request.is_dry:
        return tools
    leftovers = [(host.id, group.leftovers(host)) for host in members if run.request.adopts]
    try:
        ownership.apply(run.ctx, made, purpose="skills")
    except (Busy, RecoveryNeeded):
        raise
    except ToolError as problem:
        return problem
    for id, paths in leftovers:
        _remove(group, tools[id], paths)
    return tools


def _apart(run: Run, members: Sequence[Host], problem: ToolError) -> dict[str, Tool]:
    """What is left to do when it was refused for all together."""
    if len(members) == 1:
        host = members[0]
        return {host.id: Tool(host, skills_path(host), problems=[problem])}
    tools: dict[str, Tool] = {}
    for host in members:
        tools |= _together(run, [host], tuple)
    return tools


def _remove(group: Group, tool: Tool, paths: list[Path]) -> None:
    batch = Batch(group.site.journal, purpose="files of earlier versions", tell=group.run.ctx.tell)
    try:
        older_skills.remove(batch, paths)
        batch.commit()
    except (Busy, RecoveryNeeded):
        raise
    except ToolError as problem:
        tool.problems.append(problem)
