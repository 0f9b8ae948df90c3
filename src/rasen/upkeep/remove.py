"""Taking everything of ours out of a project: exactly that, and nothing that was edited."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Busy, Refused, ToolError
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.files.atomic import digest, read_bytes
from rasen.files.batch import Batch, recover
from rasen.files.errors import RecoveryNeeded
from rasen.files.paths import canonical
from rasen.files.removal import remove_if_empty
from rasen.hosts.model import Host
from rasen.ownership import ops as ownership
from rasen.ownership.model import Action, Form, Owner, Plan, Site, Step
from rasen.projects.release import Neighbours
from rasen.roots import disk as roots
from rasen.upkeep import staying
from rasen.upkeep.init import FOLDERS, fresh_config
from rasen.upkeep.sites import own_sites, project_site, settle, workflow_site


class UninstallNeedsConsent(Refused):
    code = "uninstall_confirmation_required"
    text = N_("uninstalling removes {count} files of ours from {path}; that needs a yes")
    fix = N_("run `{again}`, or look first with --dry-run")


@dataclass(frozen=True)
class Removal:
    """What leaves a project, decided and not yet done.

    plans: one for each site. config: the settings file, when it is as `init` wrote it.
    is_whole: not only some agents; then empty folders of the workspace go too.
    """

    root: Path
    workspace: Path
    plans: tuple[Plan, ...]
    config: Path | None
    is_whole: bool
    notices: tuple[Finding, ...] = ()

    @property
    def paths(self) -> list[Path]:
        """What is removed, by path; of a file that belongs to somebody else only our part."""
        found = [path for plan in self.plans for path in _going(plan)]
        return sorted([*found, self.config] if self.config else found)

    @property
    def kept(self) -> list[Finding]:
        """What stays, and why."""
        return [*(one for plan in self.plans for one in plan.findings), *self.notices]


@dataclass(frozen=True)
class Removed:
    """What was removed, and what stays. problems: what could not be removed, as it was refused."""

    paths: list[Path]
    kept: list[Finding]
    problems: list[ToolError]

    @property
    def is_failed(self) -> bool:
        """True when something that should be gone is still there, and recorded."""
        return bool(self.problems) or any(one.rule in staying.STILL_OURS for one in self.kept)


def project_at(ctx: Context, start: Path, *, is_exact: bool) -> Path | None:
    """The project that has something of ours, at `start` or above it; None when there is none.

    is_exact: only at `start` itself. A removal that was cut short leaves a journal, or a workspace
    without anything in it: that counts too, the latter only at `start`.
    """
    start = canonical(start)
    for folder in (start,) if is_exact else roots.ancestors(start):
        workspace = folder / ctx.workspace
        marks = (project_site(ctx, folder).ledger, workflow_site(ctx, folder).ledger)
        has_mark = any(os.path.lexists(one) for one in (*marks, workspace / ".journal"))
        if has_mark or roots.shape(folder, ctx.workspace) is not None:
            return folder
        if folder == start and workspace.is_dir() and not _has_anything(workspace):
            return folder
    return None


def plan_removal(ctx: Context, root: Path, tools: Sequence[Host] | None = None) -> Removal:
    """What uninstalling would do; nothing is written.

    tools: only these agents; None means everything. A file that another agent or, in a home of the
    machine, another project wants stays for that one; a project that is gone wants nothing.
    Errors: files_ledger_invalid, ledger_invalid, ledger_unreadable, file_*, recovery_needed.
    """
    workspace = root / ctx.workspace
    settle(ctx, root)
    wanted = None if tools is None else {host.id for host in tools}
    others = Neighbours(ctx)
    plans = []
    for site in own_sites(ctx, root):
        choice = ownership.Choice(concerns=_concerns(site, wanted, others))
        plans.append(ownership.plan_site(site, (), choice))
    config = roots.config_file(workspace) if tools is None else None
    notices = [one for plan in plans for one in staying.shared(plan, others)]
    if config is not None and not _is_as_made(config):
        notices.append(staying.edited_config(root, config))
        config = None
    if tools is None:
        ledgers = [plan.site.ledger for plan in plans if not _is_kept_for_others(plan)]
        notices += staying.in_workspace(root, workspace, ledgers)
    return Removal(root, workspace, tuple(plans), config, tools is None, tuple(notices))


def remove(ctx: Context, removal: Removal) -> Removed:
    """Do it: first each home of the machine, then what is in the project, in one write.

    The homes come first, because the settings say who we are there: cut short, it can be done again.
    What is refused for all agents together is done for each by itself; then the settings stay.
    Errors: busy, recovery_needed.
    """
    done = _Done(ctx, removal)
    for plan in removal.plans:
        if plan.site.project is not None:
            done.together(plan)
            remove_if_empty(plan.site.ledger.parent)
            remove_if_empty(plan.site.ledger.parent.parent)
    for plan in removal.plans:
        # The folders of skills of one's own are to be empty when those of the agents go.
        if plan.site.form is Form.ARTIFACTS:
            done.together(plan)
    if removal.workspace.is_dir():
        done.together(removal.plans[0], is_last=removal.is_whole and not done.problems)
    kept = removal.kept
    if removal.is_whole and not _has_anything(removal.workspace):
        kept += staying.released(ctx, removal.root)
        remove_if_empty(removal.workspace)  # last: as long as it is there, this can be done again
    return Removed(sorted(done.paths), kept, done.problems)


class _Done:
    """A removal under way: what is gone already, and what was refused."""

    def __init__(self, ctx: Context, removal: Removal) -> None:
        self._ctx, self._removal = ctx, removal
        self.paths: list[Path] = []
        self.problems: list[ToolError] = []

    def together(self, plan: Plan, *, is_last: bool = False) -> None:
        """Do what a plan says or, when that is refused, what it says of each agent.

        is_last: the settings that nobody touched go in the same write, and folders without anything
        in them.
        """
        if self._try(plan, self._settings if is_last else None) is None:
            if is_last and self._removal.config is not None:
                self.paths.append(self._removal.config)
            return
        for part in _by_tool(plan):
            problem = self._try(part)
            if problem is not None:
                self.problems.append(problem)

    def _settings(self, batch: Batch) -> bool:
        removal = self._removal
        if removal.config is not None:
            batch.remove(removal.config, expect=digest(read_bytes(removal.config)))
        for name in reversed(FOLDERS):
            if (removal.workspace / name).is_dir():
                batch.remove_empty_dir(removal.workspace / name)
        return True

    def _try(self, plan: Plan, also: Callable[[Batch], bool] | None = None) -> ToolError | None:
        try:
            ownership.apply(self._ctx, plan, purpose="uninstall", also=also)
            if os.path.lexists(
                plan.site.journal
            ):  # done, and not cleared away: nobody will come back
                recover(plan.site.journal, tell=self._ctx.tell)
        except (Busy, RecoveryNeeded):
            raise
        except ToolError as problem:
            return problem
        self.paths += _going(plan)
        return None


def _is_kept_for_others(plan: Plan) -> bool:
    """True for a ledger that says of files outside the project, which are not ours to touch."""
    return plan.site.form is Form.ARTIFACTS and bool(plan.ledger.extra)


def _has_anything(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _going(plan: Plan) -> list[Path]:
    return [plan.site.base / step.path for step in plan.by(Action.REMOVE)]


def _by_tool(plan: Plan) -> Iterator[Plan]:
    """The plan, agent by agent; a file of several belongs to the first."""

    def tool(step: Step) -> str:
        return plan.ledger.rows[step.path, step.part].owners[0].tool

    for one in sorted({tool(step) for step in plan.steps}):
        yield plan.without(lambda step, one=one: tool(step) != one)  # type: ignore[misc]


def _concerns(site: Site, wanted: set[str] | None, others: Neighbours) -> Callable[[Owner], bool]:
    def concerns(owner: Owner) -> bool:
        is_gone = owner.project is not None and others.is_gone(owner.project)
        is_meant = owner.project == site.project or is_gone
        return is_meant and (wanted is None or owner.tool in wanted)

    return concerns


def _is_as_made(config: Path) -> bool:
    """True for settings that say just what `init` wrote, whoever they identify; line ends aside."""
    from rasen.files.atomic import read_text
    from rasen.syntax import yaml

    try:
        text = read_text(config).replace("\r\n", "\n")
        value = yaml.load(text, file=str(config))
    except ToolError:
        return False
    if not isinstance(value, dict):
        return False
    identity, profile = value.get("projectId"), value.get("profile")
    lock = profile if isinstance(profile, str) else None
    return isinstance(identity, str) and text == fresh_config(identity, profile=lock)
