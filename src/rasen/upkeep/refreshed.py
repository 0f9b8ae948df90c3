"""What became of the skills of each agent: the values that `init` and `update` report."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, has_errors
from rasen.hosts.model import Host
from rasen.ownership.model import Action, Step
from rasen.profiles.model import Selection


class Outcome(StrEnum):
    """How it went for one agent. FAILED: something that was wanted is not there."""

    CREATED = "created"
    REFRESHED = "refreshed"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass
class Tool:
    """What happened, or in a dry run would happen, for one agent.

    home: its skills folder, as people write it. was_there: skills of ours were there before.
    paths: what was written, removed, and written beside an edited file, as people write it.
    problems: what a person should know, at most once for each cause; told: the causes.
    """

    host: Host
    home: str
    was_there: bool = False
    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    problems: list[Finding | ToolError] = field(default_factory=list)
    told: set[tuple[str, str]] = field(default_factory=set, repr=False)

    @property
    def outcome(self) -> Outcome:
        """The one word for it."""
        if self.is_failed:
            return Outcome.FAILED
        if not self.written and not self.removed and not self.beside:
            return Outcome.UNCHANGED
        return Outcome.REFRESHED if self.was_there else Outcome.CREATED

    @property
    def is_failed(self) -> bool:
        """True when a refusal, or an error about a file, came up."""
        raised = any(isinstance(one, ToolError) for one in self.problems)
        return raised or has_errors(one for one in self.problems if isinstance(one, Finding))

    def to_json(self) -> dict[str, object]:
        """The member of `tools`."""
        answer: dict[str, object] = {
            "tool": self.host.id,
            "home": self.home,
            "outcome": self.outcome.value,
            "written": len(self.written),
            "removed": len(self.removed),
        }
        return {**answer, "beside": self.beside} if self.beside else answer


@dataclass(frozen=True)
class Report:
    """What became of all agents. findings: what is about none of them in particular.

    skills: how many each agent has now. unselected: the workflows that could be selected too.
    is_dry: nothing was done.
    """

    root: Path
    selection: Selection
    tools: tuple[Tool, ...]
    findings: tuple[Finding, ...] = ()
    skills: int = 0
    unselected: tuple[str, ...] = ()
    is_dry: bool = False

    @property
    def is_failed(self) -> bool:
        """True when the exit code has to be 1."""
        return any(one.is_failed for one in self.tools) or has_errors(self.findings)

    @property
    def is_unchanged(self) -> bool:
        """True when there was nothing to do."""
        return all(one.outcome is Outcome.UNCHANGED for one in self.tools)


def note_step(tool: Tool, step: Step, *, prefix: str = "") -> None:
    """Enter a step of a plan that concerns `tool`.

    prefix: what stands before its path when people read it.
    """
    path = f"{prefix}{step.path}"
    if step.action in (Action.CREATE, Action.UPDATE, Action.TAKE_OVER):
        is_same = step.row is not None and step.actual.digest == step.row.digest
        tool.written += [] if is_same else [path]
    elif step.action is Action.REMOVE:
        tool.removed.append(path)
    elif step.action is Action.BESIDE:
        tool.beside.append(f"{path}.new")
    if step.finding is None:
        return
    cause = (step.finding.code, step.actual.detail or step.path)
    if cause not in tool.told:  # one link or one file in the way stops many files
        tool.told.add(cause)
        tool.problems.append(step.finding)
