"""What is to be done with the skills of agents whose files lie at one site: the plan, as a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.files.atomic import digest
from rasen.hosts import ops as hosts
from rasen.hosts.model import SKILL, Host
from rasen.ownership import ops as ownership
from rasen.ownership.model import FOREIGN, Action, Desired, Form, Kind, Owner, Plan, Site, Step
from rasen.upkeep.generate import Skills, Wanted
from rasen.upkeep.older_skills import Older, Place
from rasen.upkeep.refreshed import Tool, note_step
from rasen.upkeep.sites import SETTINGS, skills_path
from rasen.workflows.model import Kind as WorkflowKind
from rasen.workflows.model import Source

SETTING = "setting"
TEAMS = f"{SETTING}:agent-teams"
TEAMS_MEMBER = "env.CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS"

Each = Callable[[Sequence[Host]], Iterable[Host]]


class Request(NamedTuple):
    """What is wanted of a run.

    is_forced: edited files are replaced. adopts: what earlier programs left is taken over.
    is_dry: only say. teams: switch Claude's experimental agent teams on or off; None leaves it.
    lock: a profile that a dry run takes as locked; None takes what is there.
    """

    hosts: tuple[Host, ...]
    is_forced: bool = False
    adopts: bool = False
    is_dry: bool = False
    teams: bool | None = None
    lock: str | None = None


@dataclass(frozen=True)
class Run:
    """One run: what it is about, and what was read once for all agents.

    known: the ids of all workflows that could be selected. elsewhere: the files in the project that
    the ledger of user workflows names.
    """

    ctx: Context
    root: Path
    request: Request
    skills: Skills
    known: frozenset[str]
    elsewhere: frozenset[str] = frozenset()

    @cached_property
    def folders(self) -> frozenset[str]:
        """The names of the folders of all skills."""
        return frozenset(one.folder for one in self.skills.wanted)


class Group:
    """Agents whose files lie at one site."""

    def __init__(self, run: Run, site: Site, members: Sequence[Host]) -> None:
        self.run, self.site, self.members = run, site, members
        self.ledger = ownership.ledger(site)
        owned = {path for path, _ in self.ledger.rows} | run.elsewhere
        self.older = {
            host.id: Older(run.ctx, Place(run.root, site.base, host), owned) for host in members
        }

    def plan(self, each: Each) -> Plan:
        """What to do with their files. Errors: files_ledger_invalid, file_*."""
        desired = [one for host in each(self.members) for one in self._desired(host)]
        ids = {host.id for host in self.members}
        choice = ownership.Choice(
            concerns=lambda owner: owner.tool in ids and self._concerns(owner),
            is_forced=self.run.request.is_forced,
            adopts=self.run.request.adopts,
            is_inherited=lambda path: self._of(path).is_inherited(path),
            is_committed=lambda path: self._of(path).is_committed(path),
        )
        return _without_halves(ownership.plan_site(self.site, desired, choice))

    def tools(self, made: Plan) -> dict[str, Tool]:
        """What the plan means for each of them."""
        found = {host.id: self._tool(host) for host in self.members}
        self.note(made, found)
        return found

    def note(self, made: Plan, tools: Mapping[str, Tool]) -> None:
        """Enter what the plan means for each of them in `tools`."""
        for step in made.steps:
            for id in self._tools_of(step) & tools.keys():
                note_step(tools[id], step, prefix=self._prefix)

    def leftovers(self, host: Host) -> list[Path]:
        """Files of earlier versions that have no use any more."""
        older = self.older[host.id]
        return [*older.unselected(self.run.folders), *older.commands]

    @property
    def _prefix(self) -> str:
        """What stands before paths below the base when people read them."""
        return "" if self.site.project is None else f"{self.site.base}/"

    def _of(self, path: str) -> Older:
        home = {skills_path(host): host.id for host in self.members}
        return next(self.older[id] for place, id in home.items() if path.startswith(f"{place}/"))

    def _desired(self, host: Host) -> Iterator[Desired]:
        for wanted in self.run.skills.wanted:
            if not self._lies_here(wanted):
                continue
            is_ours = wanted.definition.source is not Source.USER
            extra = self._extra(wanted)
            owner = Owner(host.id, source_of(wanted), self.site.project)
            for one in self.run.skills.rendered(host, wanted):
                yield Desired(
                    f"{skills_path(host)}/{one.path}",
                    owner,
                    one.data,
                    mode=_mode(one, is_ours=is_ours),
                    is_known=is_ours,
                    extra=extra,
                )
        if host.id == "claude" and self.run.request.teams and self.site.form is Form.FILES:
            owner = Owner(host.id, TEAMS, self.site.project)
            yield Desired(SETTINGS, owner, b'"1"', kind=Kind.MEMBER, part=TEAMS_MEMBER)

    def _lies_here(self, wanted: Wanted) -> bool:
        """In a project the user's workflows have a ledger of their own."""
        if self.site.project is not None:
            return True
        is_users = wanted.definition.source is Source.USER
        return is_users == (self.site.form is Form.ARTIFACTS)

    def _extra(self, wanted: Wanted) -> dict[str, object]:
        """What the ledger's rows say besides: of a user workflow, which version of it."""
        if self.site.form is not Form.ARTIFACTS:
            return {}
        return {ownership.WORKFLOW_DIGEST: wanted.definition.digest}

    def _concerns(self, owner: Owner) -> bool:
        """Whether this run decides about what `owner` has. Source: library GN-010."""
        if owner.project != self.site.project:
            return False
        kind, _, id = owner.source.partition(":")
        if kind == SETTING:
            return self.run.request.teams is not None
        if kind == Source.USER.value:
            return id in self.run.known
        return kind in (Source.BUILT_IN.value, WorkflowKind.EXPERT.value)

    def _tool(self, host: Host) -> Tool:
        older = self.older[host.id]
        owners = (one for row in self.ledger.rows.values() for one in row.owners)
        is_owner = any(one.tool == host.id and one.project == self.site.project for one in owners)
        home = hosts.skills_home(self.run.ctx, self.run.root, host)
        tool = Tool(host, older.shown(home), was_there=is_owner or bool(older.folders))
        tool.problems += self.run.skills.findings(host)
        if self.run.request.adopts:
            tool.removed += [older.shown(one) for one in self.leftovers(host)]
        else:
            tool.problems += older.findings(self.run.folders)
        return tool

    def _tools_of(self, step: Step) -> set[str]:
        if step.desired is not None:
            return {step.desired.owner.tool}
        row = self.ledger.rows.get((step.path, step.part))
        return set() if row is None else {one.tool for one in row.owners}


def source_of(wanted: Wanted) -> str:
    """What a ledger says of where a skill comes from."""
    one = wanted.definition
    kind = WorkflowKind.EXPERT.value if one.kind is WorkflowKind.EXPERT else one.source.value
    return f"{kind}:{one.id}"


def _mode(one: hosts.Rendered, *, is_ours: bool) -> int | None:
    """The permission bits of a new file; None takes the usual ones. Source: library GN-012."""
    if one.is_executable:
        return 0o700
    is_beside = not one.path.endswith(f"/{SKILL}") or one.path.count("/") > 1
    return 0o600 if is_beside and not is_ours else None


def _without_halves(made: Plan) -> Plan:
    """`made` without new files of a skill that cannot be written whole, and without false alarms."""
    refused = {_skill(step) for step in made.by(Action.REFUSE) if not step.part}
    fresh = (Action.CREATE, Action.TAKE_OVER, Action.BESIDE)

    def is_left_out(step: Step) -> bool:
        if step.part:
            return _is_as_wanted(step)
        return step.action in fresh and _skill(step) in refused

    return made.without(is_left_out)


def _skill(step: Step) -> tuple[str, ...]:
    """The folder of the skill that a step is about."""
    steps = step.path.split("/")
    at = steps.index(hosts.SKILLS) if hosts.SKILLS in steps else 0
    return tuple(steps[: at + 2])


def _is_as_wanted(step: Step) -> bool:
    """True for a setting of the user's own that says what we would say."""
    if step.action is not Action.REFUSE or step.desired is None or step.finding is None:
        return False
    return step.finding.rule is FOREIGN and step.actual.digest == digest(step.desired.data)
