"""What a pipeline is: stages in an order, who does each, and where it waits or repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

RUNTIMES = ("claude", "codex")
STANDARD, DECOMPOSE = "standard", "decompose"
REVIEW_CYCLE, GOAL = "review-cycle", "goal"
COMPOSED, UI = "composed", "ui"
PROJECT, USER, PACKAGE = "project", "user", "package"
CHILD = "small-feature"
"""The child of a decompose stage that names none."""

Threshold = float | Mapping[str, int]
"""A share of the context window, or `{remainingTokens: n}`."""


@dataclass(frozen=True)
class Agent:
    """Who plays a role; None leaves it to the settings. given: as the file writes it."""

    runtime: str
    session_reuse: str | None = None
    sandbox: str | None = None
    model: str | None = None
    effort: str | None = None
    given: object = None


@dataclass(frozen=True)
class Handoff:
    """When a session hands its work on. roles: thresholds by role; only a pipeline has some."""

    threshold: Threshold | None = None
    max_relays: int | None = None
    stall_limit: int | None = None
    roles: Mapping[str, Threshold] = field(default_factory=dict)


@dataclass(frozen=True)
class Reuse:
    """Whether the sessions of planner and implementer go on (`auto` or `never`)."""

    planner: str = "auto"
    implementer: str = "auto"
    threshold: Threshold | None = None
    roles: Mapping[str, Threshold] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        return {
            "planner": self.planner,
            "implementer": self.implementer,
            "threshold": self.threshold,
            "roles": dict(self.roles),
        }


@dataclass(frozen=True)
class Stage:
    """One step. skill: None only for decompose. child: None except for decompose.

    gate: it waits for a person; is_vet: no policy may take that away. loop: as published, with
    defaults filled in.
    """

    id: str
    kind: str = STANDARD
    skill: str | None = None
    child: str | None = None
    role: str | None = None
    requires: tuple[str, ...] = ()
    gate: bool = False
    is_vet: bool = False
    loop: Mapping[str, object] | None = None
    parallel_group: str | None = None
    condition: str | None = None
    lead_review: bool = False
    verify_policy: str | None = None
    runtime: str | None = None
    session_reuse: str | None = None
    sandbox: str | None = None
    model: str | None = None
    effort: str | None = None
    handoff: Handoff | None = None


@dataclass(frozen=True)
class Pipeline:
    """A pipeline as found. Source: library §21.1.

    source: `project`, `user` or `package`. place: its folder. origin: `composed`, `ui` or None.
    """

    name: str
    description: str
    stages: tuple[Stage, ...]
    agents: Mapping[str, Agent] = field(default_factory=dict)
    handoff: Handoff = Handoff()
    reuse: Reuse = Reuse()
    origin: str | None = None
    source: str = PACKAGE
    place: Path | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """The stage ids in the order of the file."""
        return tuple(stage.id for stage in self.stages)

    @property
    def decompose(self) -> Stage | None:
        """The stage that splits the work into child pipelines, or None."""
        return next((stage for stage in self.stages if stage.kind == DECOMPOSE), None)

    def stage(self, stage_id: str) -> Stage:
        """The stage of that id, which exists."""
        return next(stage for stage in self.stages if stage.id == stage_id)
