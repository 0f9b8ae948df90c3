"""Who uses a workflow, as far as this machine and the project at hand can tell. Source: WC-013, PK-107."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.config import ops as config
from rasen.ownership import ops as ownership
from rasen.roots.model import Root
from rasen.upkeep.sites import workflow_site
from rasen.workflows import ops as workflows
from rasen.workflows.model import Definition

PROJECT_ARTIFACTS = "current project artifacts"


class Use(NamedTuple):
    """One consumer of a workflow. path: where it says so, or None."""

    kind: str
    consumer: str
    path: Path | None = None

    def to_json(self) -> dict[str, object]:
        """`{kind, consumer, path?, hard}`. Source: library §4."""
        answer: dict[str, object] = {"kind": self.kind, "consumer": self.consumer}
        if self.path is not None:
            answer["path"] = str(self.path)
        return {**answer, "hard": True}


class Usage:
    """All uses that can be seen, looked for once. root: the project at hand; None when there is none."""

    def __init__(self, ctx: Context, root: Root | None, catalogue: workflows.Catalogue) -> None:
        self._ctx, self._root = ctx, root
        self._definitions = (*catalogue.definitions, *workflows.experts())
        self._ids: dict[str, list[Use]] = {}
        self._skills: dict[str, list[Use]] = {}
        for id, use in self._by_id():
            self._ids.setdefault(id, []).append(use)
        for skill, use in self._by_skill():
            self._skills.setdefault(skill, []).append(use)

    def of(self, definition: Definition) -> list[Use]:
        """Who uses it, in a fixed order of kinds, each once."""
        found = [*self.of_id(definition.id), *self._skills.get(definition.folder, ())]
        order = ("global-selection", "profile", "dependency", "pipeline", "ledger")
        return sorted(dict.fromkeys(found), key=lambda one: (order.index(one.kind), one.consumer))

    def of_id(self, id: str) -> list[Use]:
        """Who names the id; of a workflow that cannot be read this is all that is known."""
        return self._ids.get(id, [])

    def _by_id(self) -> Iterator[tuple[str, Use]]:
        selected = config.global_config(self._ctx).values.get("workflows")
        file = self._ctx.config_dir / "config.json"
        for id in selected if isinstance(selected, list) else ():
            yield str(id), Use("global-selection", "workflows", file)
        yield from self._profiles()
        for one in self._definitions:
            for id in one.requires.workflows:
                yield id, Use("dependency", one.id, one.place)
        yield from self._ledger()

    def _profiles(self) -> Iterator[tuple[str, Use]]:
        from rasen.profiles import ops as profiles

        for row in profiles.listing(self._ctx):
            if row.is_built_in or row.profile is None:
                continue
            for id in row.profile.workflows:
                yield id, Use("profile", row.name)

    def _ledger(self) -> Iterator[tuple[str, Use]]:
        if self._root is None:
            return
        site = workflow_site(self._ctx, self._root.path)
        try:
            rows = ownership.ledger(site).rows.values()
        except ToolError:
            return
        for id in {owner.source.partition(":")[2] for row in rows for owner in row.owners}:
            yield id, Use("ledger", PROJECT_ARTIFACTS, site.ledger)

    def _by_skill(self) -> Iterator[tuple[str, Use]]:
        known = {one.folder for one in self._definitions}
        for one in self._definitions:
            for skill in one.requires.skills:
                yield workflows.current_skill(skill, known), Use("dependency", one.id, one.place)
        from rasen.pipelines import ops as pipelines

        for pipeline in pipelines.own(self._ctx, self._root):
            use = Use("pipeline", f"{pipeline.source}:{pipeline.name}")
            for stage in pipeline.stages:
                if stage.skill is not None:
                    yield workflows.current_skill(stage.skill, known), use
