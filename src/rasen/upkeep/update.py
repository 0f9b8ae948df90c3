"""Bringing the skills of a project that has some to this version and the present selection."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.paths import canonical
from rasen.hosts import ops as hosts
from rasen.hosts.model import Host
from rasen.ownership import ops as ownership
from rasen.roots import disk, ops
from rasen.upkeep import legacy, older_places, user_skills
from rasen.upkeep.refresh import Each, Request, refresh
from rasen.upkeep.refreshed import Report
from rasen.upkeep.sites import machine_site, project_of, project_site

NEW_AGENT = Rule(
    "agent_without_skills",
    Level.INFO,
    N_("{host} seems to be used here and has no skills of ours"),
    N_("run 'rasen init --tools {id}'"),
)


class UpdatePathNotDirectory(InvalidInput):
    code = "update_path_not_directory"
    text = N_("{path} is not a folder")
    fix = N_("name the project's folder")


class UpdateNothing(NotFound):
    code = "update_no_workspace"
    text = N_("there is no workspace in {path}")
    fix = N_("run 'rasen init' there")


class UpdateOlder(NotFound):
    code = "update_legacy_workspace"
    text = N_("{legacy} holds a workspace of an older layout, and {path} has no other")
    fix = N_("run 'rasen migrate', then 'rasen init'")


@dataclass(frozen=True)
class Plan:
    """What a person asked for.

    is_forced: replace edited files. adopts: take over what earlier programs left. is_dry: only say.
    """

    path: Path
    is_forced: bool = False
    adopts: bool = False
    is_dry: bool = False


@dataclass(frozen=True)
class Outcome:
    """What `update` did. skills: None when no agent has skills here. notices: of the project."""

    root: Path
    skills: Report | None
    notices: tuple[Finding, ...] = ()

    @property
    def is_failed(self) -> bool:
        """True when something that was wanted for an agent is not there."""
        return self.skills is not None and self.skills.is_failed


def update(ctx: Context, plan: Plan, *, each: Each = tuple) -> Outcome:
    """Bring the skills of every agent that has some up to date; what was edited stays.

    each: as for `refresh`.
    Errors: update_path_not_directory, update_no_workspace, update_legacy_workspace, and those of
    `refresh`. Source: planning §8.5.
    """
    root = _root(ctx, plan.path)
    ops.heal(ctx, root / ctx.workspace)
    copied = () if plan.is_dry else older_places.bring(ctx)
    members = equipped(ctx, root)
    notices = (*copied, *legacy.notices(ctx, root), *_newcomers(ctx, root, members))
    if not members:
        return Outcome(root, None, notices)
    request = Request(members, is_forced=plan.is_forced, adopts=plan.adopts, is_dry=plan.is_dry)
    return Outcome(root, refresh(ctx, root, request, each=each), notices)


def equipped(ctx: Context, root: Path) -> tuple[Host, ...]:
    """The agents that have skills of ours in this project, by the ledger or by what lies there.

    An agent that serves the whole machine counts only when this project wanted it, or when its
    ledger is damaged.
    Errors: files_ledger_invalid.
    """
    owned = {
        owner.tool
        for row in ownership.ledger(project_site(ctx, root)).rows.values()
        for owner in row.owners
    } | user_skills.owners(ctx, root)
    found = {host.id for host in hosts.configured(ctx, root) if not host.is_machine_wide}
    for host in hosts.HOSTS:
        if host.is_machine_wide and _is_wanted(ctx, root, host):
            found.add(host.id)
    return tuple(host for host in hosts.HOSTS if host.id in owned | found)


def _is_wanted(ctx: Context, root: Path, host: Host) -> bool:
    try:
        rows = ownership.ledger(machine_site(ctx, root, host)).rows.values()
    except ownership.FilesLedgerInvalid:
        return True  # nobody can say; the run that follows tells what is wrong
    project = project_of(ctx, root)
    return any(owner.project == project for row in rows for owner in row.owners)


def _newcomers(ctx: Context, root: Path, members: tuple[Host, ...]) -> list[Finding]:
    return [
        Finding(NEW_AGENT, host.id, {"host": host.name, "id": host.id})
        for host in hosts.detected(ctx, root)
        if host not in members and not host.is_machine_wide
    ]


def _root(ctx: Context, path: Path) -> Path:
    if not path.is_dir():
        raise UpdatePathNotDirectory(path=path)
    start = canonical(path)
    found = disk.nearest(start, ctx.workspace)
    if found is not None:
        return found.path
    older = legacy.folder(ctx, start)
    if older is not None:
        raise UpdateOlder(path=start, legacy=older)
    raise UpdateNothing(path=start)
