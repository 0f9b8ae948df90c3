"""What skills cost: what an agent loads always, what on demand, and what to drop first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.tree import Kind, walk
from rasen.hosts import ops as hosts
from rasen.hosts.model import Host
from rasen.hosts.skill_file import FORMAT, front_matter
from rasen.roots.model import SOURCE_NEAREST, Root
from rasen.upkeep.generate import Skills, definitions
from rasen.upkeep.skill_plan import source_of
from rasen.upkeep.update import equipped

BYTES_PER_TOKEN = 4
"""A rough measure for English prose; every model counts differently."""
THEIRS = "yours"
_DROPS = 5
_LIMIT_BYTES = 1024 * 1024

IN_PROFILE = N_("take it out of the profile, with `rasen profile`")
SHORTEN = N_("shorten its description")


class Cost(NamedTuple):
    """What one skill costs, in bytes. listed: its name and description, unless they are hidden.

    source: such as `built-in:propose`, or `yours`. can_go: a profile can leave it out.
    """

    skill: str
    source: str
    listed: str
    on_demand: int
    sidecars: int
    can_go: bool

    @property
    def always(self) -> int:
        """Bytes of what is loaded in every session."""
        return len(self.listed.encode())


class Drop(NamedTuple):
    """A way to save. how: a template."""

    skill: str
    saves: int
    how: str


@dataclass(frozen=True)
class HostBudget:
    """What the skills of one agent cost. exceeds: what goes beyond what it documents."""

    host: Host
    costs: tuple[Cost, ...]
    exceeds: tuple[Finding, ...]

    @property
    def always(self) -> int:
        """Bytes that are loaded in every session."""
        return sum(cost.always for cost in self.costs)

    @property
    def on_demand(self) -> int:
        """Bytes of all skill texts together; an agent loads those that it uses."""
        return sum(cost.on_demand for cost in self.costs)

    @property
    def sidecars(self) -> int:
        """Bytes of the files beside them."""
        return sum(cost.sidecars for cost in self.costs)

    @property
    def drops(self) -> list[Drop]:
        """What saves most of what is always loaded, the largest first."""
        found = [
            Drop(cost.skill, cost.always, IN_PROFILE if cost.can_go else SHORTEN)
            for cost in self.costs
            if cost.always and (cost.can_go or cost.source == THEIRS)
        ]
        return sorted(found, key=lambda drop: (-drop.saves, drop.skill))[:_DROPS]

    def to_json(self) -> dict[str, object]:
        """The member of the published document."""
        return {
            "id": self.host.id,
            "name": self.host.name,
            "always": {"bytes": self.always, "tokens": tokens(self.always)},
            "onDemand": {"bytes": self.on_demand, "tokens": tokens(self.on_demand)},
            "sidecars": {"bytes": self.sidecars},
            "limits": dict(self.host.limits),
            "skills": [
                {"name": one.skill, "source": one.source, "always": one.always,
                 "onDemand": one.on_demand, "sidecars": one.sidecars}
                for one in self.costs
            ],
            "exceeds": [
                {"code": one.code, "skill": one.path, "message": one.message}
                for one in self.exceeds
            ],
            "dropFirst": [
                {"skill": one.skill, "bytes": one.saves, "how": one.how} for one in self.drops
            ],
        }  # fmt: skip


def tokens(size: int) -> int:
    """About how many tokens so many bytes are."""
    return -(-size // BYTES_PER_TOKEN)


def budget(
    ctx: Context, root: Path, chosen: Sequence[Host] | None = None
) -> tuple[HostBudget, ...]:
    """What the skills of each agent cost: those that lie there, and those that are selected.

    chosen: None means the agents that have skills of ours; without any, those that are used here.
    Errors: files_ledger_invalid, those of settings.
    """
    found = tuple(chosen) if chosen is not None else equipped(ctx, root)
    found = found or hosts.detected(ctx, root)
    skills = _selected(ctx, root)
    return tuple(_of_host(ctx, root, host, skills) for host in found)


def built_in(ctx: Context, host: Host, ids: Sequence[str]) -> HostBudget:
    """What a selection of our own workflows costs an agent that has nothing else."""
    skills = Skills(definitions(ctx, ids))
    costs = tuple(_of_wanted(host, skills))
    told = [finding for one in skills.wanted for finding in hosts.check(host, one.skill)]
    return HostBudget(host, costs, _exceeding(host, costs, told))


def _selected(ctx: Context, root: Path) -> Skills:
    from rasen.profiles import ops as profiles

    chosen = profiles.effective(ctx, Root(root, SOURCE_NEAREST, ctx.workspace))
    return Skills(definitions(ctx, chosen.workflows))


def _of_host(ctx: Context, root: Path, host: Host, skills: Skills) -> HostBudget:
    wanted = {cost.skill: cost for cost in _of_wanted(host, skills)}
    findings: list[Finding] = []
    costs = []
    home = hosts.skills_home(ctx, root, host)
    for folder in _folders(home):
        cost, told = _of_folder(host, folder, wanted.pop(folder.name, None))
        costs.append(cost)
        findings += told
    costs += wanted.values()
    costs.sort(key=lambda cost: (-cost.always, cost.skill))
    return HostBudget(host, tuple(costs), _exceeding(host, costs, findings))


def _of_wanted(host: Host, skills: Skills) -> Iterator[Cost]:
    for one in skills.wanted:
        first, *beside = skills.rendered(host, one)
        definition = one.definition
        yield Cost(
            one.folder,
            source_of(one),
            hosts.listed(host, one.skill),
            len(first.data),
            sum(len(file.data) for file in beside),
            can_go=definition.is_selectable and not definition.is_core,
        )


def _of_folder(host: Host, folder: Path, ours: Cost | None) -> tuple[Cost, list[Finding]]:
    """What a skill that lies there costs. ours: what we would put into that folder."""
    sizes = {node.relative: node.stat.st_size for node in walk(folder) if node.kind is Kind.FILE}
    main = sizes.pop(FORMAT, 0)
    beside = sum(sizes.values())
    source, can_go = (ours.source, ours.can_go) if ours else (THEIRS, False)
    try:
        text = atomic.read_text(folder / FORMAT, limit_bytes=_LIMIT_BYTES)
        head, _ = front_matter(text)
    except ToolError:  # the finding says why no agent can see it
        told = hosts.check_written(host, folder.name, _lossy(folder / FORMAT))
        return Cost(folder.name, source, "", main, beside, can_go), told
    is_hidden = host.hides_user_invoked and head.get("disable-model-invocation") is True
    parts = (str(head.get(key) or "") for key in ("name", "description"))
    listed = "" if is_hidden else "".join(parts)
    told = hosts.check_written(host, folder.name, text)
    return Cost(folder.name, source, listed, main, beside, can_go), told


def _lossy(path: Path) -> str:
    try:
        return atomic.read_bytes(path, limit_bytes=_LIMIT_BYTES).decode("utf-8", "replace")
    except ToolError:
        return ""


def _folders(home: Path) -> list[Path]:
    try:
        return sorted(one for one in home.iterdir() if (one / FORMAT).is_file())
    except OSError:
        return []  # no skills, or nobody can see them


def _exceeding(host: Host, costs: Sequence[Cost], told: Sequence[Finding]) -> tuple[Finding, ...]:
    """`told`, and whether all descriptions together fit what the agent lists."""
    return (*told, *hosts.check_listed(host, sum(len(cost.listed) for cost in costs)))
