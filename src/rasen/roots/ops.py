"""Selecting a root and reading what it says about itself."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.roots import disk, session
from rasen.roots.model import (
    SOURCE_DECLARED,
    SOURCE_NEAREST,
    SOURCE_STORE,
    Root,
    RootRequest,
)
from rasen.roots.select import Found, Shape, choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rasen.config.model import ProjectConfig, StoreDeclaration
    from rasen.stores.model import Checkout
    from rasen.stores.references import ReferenceEntry

_NOTICE = N_(
    "{file} names the store {store}: planning stays in this project; settings that the project"
    " leaves open come from that store"
)
_NOT_FOLLOWED = N_("{file} names the store {store}: a registered store does not follow a pointer")
_UNAVAILABLE = N_(
    "{file} names the store {store}, which cannot be used: {problem}."
    " Its settings are left out; no network was used and nothing was changed"
)
_UNSETTLED = N_("an interrupted change of a store is still to be settled: {problem}")
_PREFIXED = N_("{declaring_file} names its store: {problem}")
_UNKNOWN_FIX = N_(
    "register a checkout with 'rasen store register <path>', or edit 'store:' in {declaring_file}"
)


def select(ctx: Context, request: RootRequest) -> Root:
    """The root the request means, healed of what a dead writer left half done.

    The healing is the only write: see `files.batch.recover`.
    Errors: those of `roots.select.choose`; busy, recovery_needed, store_setup_note_invalid.
    Source: planning §2.2.
    """
    unsettled = _settle_stores(ctx)
    try:
        root = choose(request, _Probes(ctx))
    except ToolError as error:
        if unsettled is not None and request.store is not None:
            raise unsettled from error
        raise
    if unsettled is not None:
        _refuse_unsettled(ctx, root, unsettled)
    heal(ctx, root.workspace_dir)
    if root.source == SOURCE_NEAREST:
        _tell_of_pointer(ctx, root)
    return root


def heal(ctx: Context, workspace_dir: Path) -> None:
    """Complete or undo what a dead writer left in a workspace. Errors: busy, recovery_needed."""
    journal = workspace_dir / ".journal"
    if os.path.lexists(journal):
        from rasen.files.batch import recover

        recover(journal, tell=ctx.tell)


def _settle_stores(ctx: Context) -> ToolError | None:
    """Complete or undo changes of stores whose process died; why that cannot be done, usually None.

    Where nothing was left this is one look at a folder.
    """
    try:
        names = os.listdir(ctx.data_dir / "stores")  # noqa: PTH208 - the names suffice
    except OSError:
        return None
    if not any(name == ".journal" or name.startswith("setup-") for name in names):
        return None
    from rasen.stores.setup_recovery import settle

    try:
        settle(ctx)
    except ToolError as problem:
        return problem
    return None


def _refuse_unsettled(ctx: Context, root: Root, problem: ToolError) -> None:
    """Refuse to work in a store while `problem` keeps it half made; elsewhere only say so."""
    from rasen.stores.setup_recovery import note_path

    if root.store_id is not None or note_path(ctx, root.path).exists():
        raise problem
    ctx.note(_UNSETTLED, problem=problem)


def settings(ctx: Context, root: Root) -> ProjectConfig | None:
    """The project configuration, with what it leaves open taken from the store it names.

    One hop only, and only for a project that plans by itself; a store that cannot be used is told
    and left out. None: there is no configuration.
    Source: planning §1.7, corrections 2 and 8.
    """
    from rasen.config import ops as config

    own = config.project_config(root.workspace_dir, tell=ctx.tell)
    if own is None or root.source != SOURCE_NEAREST:
        return own
    from rasen.roots.settings import layered

    return layered(own, store_settings(ctx, root, own))


def store_settings(ctx: Context, root: Root, own: ProjectConfig) -> ProjectConfig | None:
    """The configuration of the store that `own`, the one of `root`, names; None without one.

    A store that cannot be used is told.
    """
    if own.store is None:
        return None
    from rasen.config import ops as config
    from rasen.stores import ops as stores
    from rasen.stores.model import Unavailable

    if stores.is_registered(ctx, root.path):
        return None
    found = stores.try_follow(ctx, own.store)
    if isinstance(found, Unavailable):
        file = disk.config_file(root.workspace_dir)
        store = own.store.id or own.store.uid
        ctx.note(_UNAVAILABLE, file=file, store=store, problem=found.error)
        return None
    return config.project_config(found.path / found.workspace, tell=ctx.tell)


def here(ctx: Context) -> Root | None:
    """The nearest root above where we are, wherever it plans; None when there is none."""
    found = disk.nearest(ctx.cwd, ctx.workspace)
    return Root(found.path, SOURCE_NEAREST, ctx.workspace) if found else None


def references(ctx: Context, root: Root, *, with_specs: bool = True) -> list[ReferenceEntry]:
    """The index of what the root's declared references offer; it never fails a command.

    with_specs: False for a health report. Source: planning §7.8.
    """
    from rasen.config import ops as config

    own = config.project_config(root.workspace_dir, tell=ctx.tell)
    if own is None or not own.references:
        return []
    from rasen.stores import ops as stores

    return list(
        stores.reference_index(
            ctx, own.references, own=root.path, own_id=root.store_id, with_specs=with_specs
        )
    )


def action_context(ctx: Context, root: Root, artifact_ids: Sequence[str]) -> dict[str, object]:
    """The `actionContext` member for work on a change of `root`.

    A session limits what may be written even when another root was selected by name.
    Errors: session_context_broken. Source: planning §9.3.
    """
    from rasen.files.paths import canonical
    from rasen.roots.action_context import Situation, build

    current = session.announced(ctx)
    execution = None if current is None else current.execution
    situation = Situation(
        root.path,
        root.workspace,
        has_session=current is not None,
        execution_root=None if execution is None else canonical(execution.root),
    )
    return build(situation, artifact_ids, home=canonical(ctx.home))


class _Probes:
    """The probes of a selection, answered by this machine."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self.start = ctx.cwd
        self.workspace = ctx.workspace

    def session(self) -> Root | None:
        found = session.announced(self._ctx)
        return None if found is None else session.root_of(self._ctx, found)

    @cached_property
    def _nearest(self) -> Found | None:
        return disk.nearest(self.start, self.workspace)

    def nearest(self) -> Found | None:
        return self._nearest

    def declaration(self, found: Path) -> StoreDeclaration:
        from rasen.config import ops as config

        return config.store_declaration(found / self.workspace)

    def by_id(self, namespace: str, wanted: str) -> Root:
        from rasen.stores import ops as stores

        return _selected(stores.resolve(self._ctx, wanted, namespace=namespace), SOURCE_STORE)

    def by_pointer(self, declaration: StoreDeclaration) -> Root:
        from rasen.stores import ops as stores

        assert declaration.pointer is not None
        try:
            return _selected(stores.follow(self._ctx, declaration.pointer), SOURCE_DECLARED)
        except ToolError as error:
            raise _declared_in(declaration.file, error) from error

    def registered(self) -> list[tuple[str, str]]:
        from rasen.stores import ops as stores

        return sorted((f"--{row.namespace}", row.id) for row in stores.registry(self._ctx).rows)

    def legacy(self) -> Path | None:
        if self.workspace == disk.LEGACY_WORKSPACE:
            return None
        return disk.legacy_above(self.start)


def _selected(checkout: Checkout, source: str) -> Root:
    return Root(
        checkout.path,
        source,
        checkout.workspace,
        checkout.id,
        is_project_namespace=checkout.namespace == "project",
        store_word=checkout.uid if checkout.is_shared_name else None,
    )


def _declared_in(file: Path | None, error: ToolError) -> ToolError:
    """`error` with the same code and the declaring file before its text. Source: planning §2.4."""
    words = {"text": _PREFIXED, "__module__": __name__}
    same_code: type[ToolError] = type(type(error).__name__, (type(error),), words)
    fix = _UNKNOWN_FIX if error.code == "unknown_store" else error.fix_text
    params = {**error.params, "declaring_file": file, "problem": error}
    return same_code(target=error.target, fix=fix, **params)


def _tell_of_pointer(ctx: Context, root: Root) -> None:
    """Say that a pointer beside local planning moves no work. Source: planning §2.4, correction 6."""
    file = disk.config_file(root.workspace_dir)
    if file is None or not disk.may_point(file):
        return
    if disk.shape(root.path, root.workspace) is not Shape.PLANNING:
        return
    from rasen.config import ops as config

    said = config.store_declaration(root.workspace_dir)
    if said.pointer is None:
        return
    from rasen.stores import ops as stores

    is_store = stores.is_registered(ctx, root.path)
    store = said.pointer.id or said.pointer.uid
    ctx.note(_NOT_FOLLOWED if is_store else _NOTICE, file=said.file, store=store)
