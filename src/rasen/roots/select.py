"""The order in which a planning root is looked for; every look at the world is a probe."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from rasen.base.errors import NotFound, UsageError
from rasen.base.messages import N_
from rasen.roots.model import SOURCE_IMPLICIT, SOURCE_NEAREST, Root, RootRequest
from rasen.stores.refusals import InvalidStorePointer

if TYPE_CHECKING:
    from rasen.config.model import StoreDeclaration


class Shape(Enum):
    """Why a folder counts as a root."""

    PLANNING = "planning"
    CONFIG_ONLY = "config-only"


class Found(NamedTuple):
    """The nearest folder that counts as a root."""

    path: Path
    shape: Shape


class StorePathNotSupported(UsageError):
    code = "store_path_not_supported"
    text = N_("--store-path does not select a root")
    fix = N_("register the checkout with 'rasen store register <path>', then pass --store <id>")


class SelectorsExclusive(UsageError):
    code = "store_project_mutually_exclusive"
    text = N_("--store and --project cannot be used together")
    fix = N_("pass one of --store <id> and --project <id>")


class RootIsElsewhere(NotFound):
    code = "no_root_with_registered_stores"
    text = N_("no workspace in {start} or above it; registered here: {ids}")
    fix = N_("select one with {selectors}, or run 'rasen init' to plan in this folder")


class NoRoot(NotFound):
    code = "no_openspec_root"
    text = N_("no workspace in {start} or above it")
    fix = N_("run 'rasen init' in the project's folder")


_LEGACY_FIX = N_(
    "{legacy} holds a workspace of an older layout: run 'rasen migrate' in {parent} to copy it,"
    " or 'rasen init' to begin a new one"
)


class Probes(Protocol):
    """The looks at the world that a selection may need, each taken at most once."""

    start: Path
    workspace: str

    def session(self) -> Root | None:
        """The root of the announced session; None when none is announced."""

    def nearest(self) -> Found | None:
        """The nearest folder, from the start upwards, that counts as a root."""

    def declaration(self, found: Path) -> StoreDeclaration:
        """What that folder's configuration says about its store."""

    def by_id(self, namespace: str, wanted: str) -> Root:
        """The registered root of that name."""

    def by_pointer(self, declaration: StoreDeclaration) -> Root:
        """The registered root a pointer means."""

    def registered(self) -> list[tuple[str, str]]:
        """Selector and id of everything registered, in order."""

    def legacy(self) -> Path | None:
        """The nearest older workspace folder; None when there is none or hints are off."""


def choose(request: RootRequest, probes: Probes) -> Root:
    """The root the request means; the first rule that answers is the last one asked.

    Errors: store_path_not_supported, store_project_mutually_exclusive, session_context_broken,
    invalid_store_pointer, no_root_with_registered_stores, no_openspec_root, and those of store
    lookup. Source: planning §2.2.
    """
    if request.store_path is not None:
        raise StorePathNotSupported(target="store.root")
    if request.store is not None and request.project is not None:
        raise SelectorsExclusive(target="store.id")
    if request.store is not None:
        return probes.by_id("store", request.store)
    if request.project is not None:
        return probes.by_id("project", request.project)
    announced = probes.session()
    if announced is not None:
        return announced
    found = probes.nearest()
    if found is not None:
        return _of_found(found, probes)
    return _without_root(request, probes)


def _of_found(found: Found, probes: Probes) -> Root:
    here = Root(found.path, SOURCE_NEAREST, probes.workspace)
    if found.shape is Shape.PLANNING:
        return here
    said = probes.declaration(found.path)
    if said.malformed is not None:
        raise InvalidStorePointer(target="store.pointer", file=said.file, problem=said.malformed)
    return here if said.pointer is None else probes.by_pointer(said)


def _without_root(request: RootRequest, probes: Probes) -> Root:
    registered = probes.registered()
    if registered:
        raise RootIsElsewhere(
            target="openspec.root",
            start=probes.start,
            ids=", ".join(name for _, name in registered),
            selectors=", ".join(f"{flag} {name}" for flag, name in registered),
        )
    if request.allow_implicit:
        return Root(probes.start, SOURCE_IMPLICIT, probes.workspace)
    legacy = probes.legacy()
    if legacy is None:
        raise NoRoot(target="openspec.root", start=probes.start)
    raise NoRoot(
        target="openspec.root",
        fix=_LEGACY_FIX,
        start=probes.start,
        legacy=legacy,
        parent=legacy.parent,
    )
