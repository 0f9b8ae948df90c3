"""The health of a root and of everything it is related to; looks only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.config.model import StorePointer
from rasen.files.paths import canonical
from rasen.projects import survey as machine
from rasen.roots import disk, session
from rasen.roots.model import SOURCE_DECLARED, SOURCE_NEAREST, Root
from rasen.stores import health, standing
from rasen.stores import ops as stores
from rasen.stores.model import PROJECT, STORE, Checkout, Registration, Registry, Unavailable
from rasen.stores.refusals import InvalidStoreRegistry
from rasen.stores.standing import Subject
from rasen.upkeep import drift as skill_drift
from rasen.upkeep import older_places, work_migrate

if TYPE_CHECKING:
    from rasen.config.model import ProjectConfig
    from rasen.stores.inspect import Inspection
    from rasen.stores.references import ReferenceEntry

_W = Level.WARNING
_TARGET = "relationships"
REGISTRY_UNREADABLE = Rule(
    "relationship_registry_unreadable",
    _W,
    N_("which stores there are cannot be told: {problem}"),
    N_("{repair}"),
)
POINTER_INVALID = Rule(
    "root_pointer_invalid",
    _W,
    N_("{file}: the store pointer cannot be used: {problem}"),
    N_("correct the 'store:' entry in {file}, or take it out"),
)
DECLARATIONS_INERT = Rule(
    "pointer_declarations_inert",
    _W,
    N_("{file} only names the store to plan in, so its 'references:' are never read"),
    N_("declare the references in the settings of the store"),
)
_UNAVAILABLE = N_("{file} names a store for its settings that cannot be used: {problem}")
"""Told under the code of the refusal, as a warning: beside local planning nothing fails for it."""


@dataclass(frozen=True)
class StoreHealth:
    """The selected store. pointer: what led to it; None when it was selected by name."""

    inspection: Inspection
    problems: tuple[Finding | ToolError, ...]
    pointer: StorePointer | None = None


@dataclass(frozen=True)
class Report:
    """Everything that was found out.

    declared: how many references the root declares; some may be left out as its own.
    pointed: the store that the project's own pointer leads to, and the file with the pointer.
    """

    root: Root
    health: health.Health
    store: StoreHealth | None
    references: tuple[ReferenceEntry, ...]
    declared: int
    survey: standing.Survey
    machine: machine.Survey
    ephemera: int
    problems: tuple[Finding | ToolError, ...]
    pointed: Checkout | None = None


def examine(ctx: Context, root: Root) -> Report:
    """Look at `root`, its store, references, memberships and what this machine keeps for it.

    Nothing found raises; a session that cannot be used is one of the findings.
    Source: planning §7.7.
    """
    return _Examination(ctx, root).report()


class _Examination:
    def __init__(self, ctx: Context, root: Root) -> None:
        self.ctx, self.root = ctx, root
        self.problems: list[Finding | ToolError] = []
        found = stores.try_registry(ctx)
        self.registry_problem = found if isinstance(found, InvalidStoreRegistry) else None
        self.known = found if isinstance(found, Registry) else Registry()
        self.own = config.project_config(root.workspace_dir, tell=ctx.tell)
        self.place = self._project_place()
        self.project = self._settings()
        self.pointed: Checkout | None = None
        self.lost: Unavailable | None = None

    def report(self) -> Report:
        if self.registry_problem is not None:
            params = {
                "problem": self.registry_problem,
                "repair": standing.repair_of(self.registry_problem),
            }
            self.problems.append(Finding(REGISTRY_UNREADABLE, _TARGET, params))
        drift = [*self._drift(), *self._secrets()]
        store = self._store(drift)
        if store is None:
            self.problems += drift
        survey = standing.survey(self._subject(), self.known, problem=self.registry_problem)
        place = self.place or self.root.path
        declared = () if self.own is None else self.own.references
        self.problems += [*survey.problems, *older_places.findings(self.ctx)]
        self.problems += skill_drift.findings(self.ctx, place)
        return Report(
            self.root,
            health.inspect(self.root.path, self.root.workspace),
            store,
            stores.reference_index(
                self.ctx,
                declared,
                own=self.root.path,
                own_id=self.root.store_id,
                with_specs=False,
                known=self.registry_problem or self.known,
            ),
            len(declared),
            survey,
            machine.survey(self.ctx, place),
            work_migrate.count(place / self.ctx.workspace),
            tuple(self.problems),
            self.pointed,
        )

    def _project_place(self) -> Path | None:
        """The project that is looked at; None when only a store is."""
        root = self.root
        if root.source == SOURCE_NEAREST or root.is_project_namespace:
            return root.path
        if root.source == SOURCE_DECLARED:
            found = disk.nearest(self.ctx.cwd, self.ctx.workspace)
            return None if found is None else found.path
        return self._session_checkout()

    def _session_checkout(self) -> Path | None:
        try:
            announced = session.announced(self.ctx)
        except ToolError as error:
            self.problems.append(error)
            return None
        if announced is None or announced.execution is None:
            return None
        if session.root_of(self.ctx, announced).path != self.root.path:
            return None
        return announced.execution.root

    def _settings(self) -> ProjectConfig | None:
        if self.place is None or self.place == self.root.path:
            return self.own if self.place is not None else None
        return config.project_config(self.place / self.ctx.workspace, tell=self.ctx.tell)

    def _is_store(self, place: Path) -> bool:
        """Whether a store is at `place`: one does not follow a pointer of its own."""
        return any(canonical(Path(row.path)) == place for row in self.known.of(STORE))

    def _subject(self) -> Subject:
        place, settings = self.place, self.project
        if place is None or settings is None:
            return Subject(place or self.root.path)
        decides = self.root.source == SOURCE_DECLARED
        return Subject(
            place,
            settings.path,
            settings.project_id,
            settings.store_memberships,
            planning=settings.store if decides else None,
            pointer=settings.store,
            lost=self.lost,
        )

    def _drift(self) -> list[Finding | ToolError]:
        """What is to be said of the project's own pointer; resolves it on the way."""
        malformed = self._malformed()
        if malformed is not None:
            return [malformed]
        settings = self.project
        if settings is None or self.place is None:
            return []
        if self.root.source == SOURCE_DECLARED and settings.references:
            params = {"file": settings.path}
            self.problems.append(Finding(DECLARATIONS_INERT, _TARGET, params))
        if settings.store is None or self._is_store(self.place):
            return []
        if self.root.source not in (SOURCE_DECLARED, SOURCE_NEAREST):
            return []
        return self._followed(settings, settings.store)

    def _malformed(self) -> Finding | None:
        file = disk.config_file(self.root.workspace_dir)
        if self.root.source != SOURCE_NEAREST or file is None or not disk.may_point(file):
            return None
        said = config.store_declaration(self.root.workspace_dir)
        if said.malformed is None:
            return None
        params = {"file": said.file, "problem": said.malformed}
        return Finding(POINTER_INVALID, _TARGET, params)

    def _followed(
        self, settings: ProjectConfig, pointer: StorePointer
    ) -> list[Finding | ToolError]:
        from rasen.stores.pointers import drift

        if self.registry_problem is not None:
            return []
        found = stores.try_follow(self.ctx, pointer)
        if isinstance(found, Unavailable):
            params = {
                "file": settings.path,
                "problem": found.error,
                "repair": standing.repair_of(found.error),
            }
            self.lost = found
            rule = Rule(found.error.code, _W, _UNAVAILABLE, N_("{repair}"))
            return [Finding(rule, found.error.target, params)]
        self.pointed = found
        return list(drift(pointer, found, file=settings.path))

    def _secrets(self) -> list[Finding]:
        """The addresses in the project's settings that carry a password or a token."""
        settings = self.project or self.own
        if settings is None:
            return []
        from rasen.stores.remotes import carried

        named = (settings.store, *settings.store_memberships, *settings.references)
        return carried((one.remote, settings.path) for one in named if one is not None)

    def _store(self, drift: list[Finding | ToolError]) -> StoreHealth | None:
        if self.root.store_id is None:
            return None
        from rasen.stores.inspect import inspect
        from rasen.stores.legacy_traces import of_store
        from rasen.stores.registry_change import identified

        row = self._row(self.root.store_id)
        inspection = inspect(identified(self.known), row)
        of_root = {finding.code for finding in inspection.health.findings}
        problems: list[Finding | ToolError] = [
            finding for finding in inspection.findings if finding.code not in of_root
        ]
        if not self.root.is_project_namespace:
            problems += of_store(self.ctx, row.id, self.root.path)
        is_declared = self.root.source == SOURCE_DECLARED and self.project is not None
        pointer = self.project.store if is_declared and self.project is not None else None
        return StoreHealth(inspection, (*problems, *drift), pointer)

    def _row(self, store_id: str) -> Registration:
        """The row of the selected root; a session's store may be in no registry."""
        namespace = PROJECT if self.root.is_project_namespace else STORE
        named = [row for row in self.known.of(namespace) if row.id == store_id]
        here = [row for row in named if canonical(Path(row.path)) == self.root.path]
        return here[0] if here else Registration(store_id, str(self.root.path), namespace)
