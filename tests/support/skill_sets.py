"""A few small skills, written for agents as the program writes its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.support.world import World

from rasen.base.findings import Finding
from rasen.files.atomic import read_bytes
from rasen.hosts import ops as hosts
from rasen.hosts.model import Sidecar, Skill
from rasen.upkeep.generate import Skills
from rasen.upkeep.refresh import Request, Run, write
from rasen.upkeep.refreshed import Tool
from rasen.workflows.model import Definition, Kind

FIRST = "First.\n"


def definition(
    id: str, body: str = FIRST, *, folder: str = "", missing: bool = False, **more: Any
) -> Definition:
    """A built-in workflow in the folder `rasen-<id>`."""
    name = folder or f"rasen-{id}"
    scripts = (Sidecar("scripts/run.sh", b"#!/bin/sh\n"),) if id == "b" else ()

    def load() -> Skill:
        if missing:
            read_bytes(Path("/nowhere/SKILL.md"))
        return Skill(name.lower(), f"Does {id}", body, sidecars=scripts)

    return Definition(id, name, more.pop("kind", Kind.TASK), f"do {id}", load, **more)


class Set:
    """The skills a, b (with a script) and c (an expert), for the project of a world.

    problems: of the latest run.
    """

    def __init__(
        self,
        world: World,
        *,
        definitions: Sequence[Definition] | None = None,
        root: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.world, self.root, self.env = world, root or world.root, env or {}
        self.definitions = tuple(
            definitions or (definition("a"), definition("b"), definition("c", kind=Kind.EXPERT))
        )
        self.problems: list[Finding] = []
        (self.root / "rasen").mkdir(exist_ok=True)

    def only(self, *ids: str) -> Set:
        """The same without the others."""
        return self._with(one for one in self.definitions if one.id in ids)

    def changed(self, **bodies: str) -> Set:
        """The same with other texts."""
        return self._with(
            replace(one, load=definition(one.id, bodies[one.id]).load) if one.id in bodies else one
            for one in self.definitions
        )

    def run(self, *ids: str, **options: Any) -> Run:
        """A run for agents, not yet done."""
        request = Request(tuple(hosts.host(id) for id in ids), **options)
        ctx = self.world.context(env={**self.world.env, **self.env})
        known = frozenset(one.id for one in self.definitions)
        return Run(ctx, self.root, request, Skills(self.definitions), known)

    def write(self, *ids: str, each: Any = tuple, **options: Any) -> tuple[Tool, ...]:
        """Write them for agents."""
        run = self.run(*ids, **options)
        tools = write(run, each=each)
        self.problems = run.skills.problems
        return tools

    def _with(self, definitions: Any) -> Set:
        return Set(self.world, definitions=tuple(definitions), root=self.root, env=self.env)
