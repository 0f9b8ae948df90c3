"""Which skills a project's agents get: the selected definitions, rendered for each agent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.hosts import ops as hosts
from rasen.workflows import ops as workflows

if TYPE_CHECKING:
    from rasen.base.context import Context
    from rasen.hosts.model import Host, Skill
    from rasen.workflows.model import Definition

UNREADABLE = Rule(
    "skill_source_unreadable",
    Level.ERROR,
    N_("the skill {skill} is left out, because its source cannot be read: {problem}"),
    N_("correct it, then run 'rasen update'"),
)
TAKEN = Rule(
    "skill_folder_taken",
    Level.ERROR,
    N_("the skill {skill} is left out: {other} uses a folder of that name already"),
    N_("give one of them another name, then run 'rasen update'"),
)


@dataclass(frozen=True)
class Wanted:
    """A skill to generate, and where it comes from."""

    definition: Definition
    skill: Skill

    @property
    def folder(self) -> str:
        """The folder of the skill below an agent's skills."""
        return self.definition.folder


class Skills:
    """All skills that a selection of workflows brings, read once and rendered once for each form.

    problems: what had to be left out.
    """

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._definitions = tuple(definitions)
        self._rendered: dict[tuple[str, bool], tuple[hosts.Rendered, ...]] = {}
        self.problems: list[Finding] = []

    @cached_property
    def wanted(self) -> tuple[Wanted, ...]:
        """The skills in the order of their definitions."""
        found: dict[str, Wanted] = {}
        for one in self._definitions:
            key = one.folder.lower()  # some file systems take both for one name
            if key in found:
                params = {"skill": one.id, "other": found[key].definition.id}
                self.problems.append(Finding(TAKEN, one.id, params))
                continue
            try:
                found[key] = Wanted(one, one.load())
            except ToolError as problem:
                why = {"skill": one.id, "problem": problem}
                self.problems.append(Finding(UNREADABLE, one.id, why))
        return tuple(found.values())

    def rendered(self, host: Host, wanted: Wanted) -> tuple[hosts.Rendered, ...]:
        """The files of a skill as `host` takes them, below its skills folder, SKILL.md first."""
        key = (wanted.folder, host.hyphen_calls)
        if key not in self._rendered:
            self._rendered[key] = hosts.render(host, wanted.skill)
        return self._rendered[key]

    def findings(self, host: Host) -> list[Finding]:
        """What `host` would refuse of these skills, one by one and together."""
        found = [finding for one in self.wanted for finding in hosts.check(host, one.skill)]
        return found + hosts.check_listing(host, [one.skill for one in self.wanted])


def definitions(
    ctx: Context, selected: Sequence[str], catalogue: workflows.Catalogue | None = None
) -> tuple[Definition, ...]:
    """The selected workflows that can be generated, then the skills that are always there.

    catalogue: the project's; None takes the machine's. Source: library GN-001 to GN-003, PR-052.
    """
    catalogue = catalogue or workflows.catalogue(ctx)
    chosen = [one for one in catalogue.definitions if one.id in selected and one.is_available]
    named = {one.id for one in chosen}
    return (*chosen, *(one for one in workflows.always() if one.id not in named))
