"""The catalogue of workflows as a project sees it: with the pipelines and schemas that are there."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rasen.base.context import Context
from rasen.roots.model import Root
from rasen.workflows import ops as workflows


def catalogue(ctx: Context, root: Root | None) -> workflows.Catalogue:
    """Every workflow; one that requires a pipeline or schema nobody has is invalid.

    root: whose own pipelines and schemas count too; None asks for the machine's. Source: library WF-043.
    """
    return workflows.catalogue(ctx, known(ctx, root))


def known(ctx: Context, root: Root | None) -> workflows.Known:
    """Which pipelines and schemas there are, looked up when first asked for."""

    def pipelines() -> list[str]:
        from rasen.pipelines import ops

        return ops.names(ctx, root) if root is not None else ops.machine_names(ctx)

    def schemas() -> list[str]:
        from rasen.planning.schemas import ops

        return ops.names(ctx, None if root is None else root.workspace_dir)

    return workflows.Known(_asked(pipelines), _asked(schemas))


def _asked(names: Callable[[], list[str]]) -> Callable[[str], bool]:
    once = lru_cache(maxsize=1)(lambda: frozenset(names()))
    return lambda name: name in once()
