"""Checking changes, specs and pipelines in one run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from rasen.base.context import Context
from rasen.planning import ops as planning
from rasen.planning.items import CHANGE, PIPELINE, SPEC, Item
from rasen.planning.ops import Track
from rasen.planning.validation import Report, Validation
from rasen.roots.model import Root


def find_item(ctx: Context, root: Root, name: str, kind: str | None) -> Item:
    """The change or spec called `name`, else the pipeline. Errors: unknown_item, ambiguous_item.

    Source: planning §4.1, detection.
    """
    return planning.find_item(root, name, kind, lambda: _names(ctx, root))


def all_items(ctx: Context, root: Root, kinds: Iterable[str]) -> list[Item]:
    """Every item of the kinds asked for; of the pipelines those of the project and the user."""
    wanted = tuple(kinds)
    found = planning.all_items(root, wanted)
    if PIPELINE in wanted:
        found += [Item(PIPELINE, name) for name in _own_names(ctx, root)]
    return found


def all_kinds(ctx: Context, root: Root) -> tuple[str, ...]:
    """What a run over everything covers: pipelines count once somebody has written one."""
    return (CHANGE, SPEC, PIPELINE) if _own_names(ctx, root) else (CHANGE, SPEC)


def validate(
    ctx: Context,
    root: Root,
    items: Sequence[Item],
    *,
    scope: tuple[str, ...],
    strict: bool = False,
    workers: int = 1,
    track: Track | None = None,
) -> Validation:
    """A report on each of `items`, sorted by id. Source: planning §4.1.

    scope, workers, track: as for changes and specs alone.
    """
    own = [item for item in items if item.kind != PIPELINE]
    validation = planning.validate(
        ctx, root, own, scope=scope, strict=strict, workers=workers, track=track
    )
    if len(own) == len(items):
        return validation
    reports = [
        *validation.reports,
        *(_report(ctx, root, item, strict=strict) for item in items if item.kind == PIPELINE),
    ]
    ordered = sorted(reports, key=lambda report: (report.item.id, report.item.kind))
    return Validation(tuple(ordered), scope)


def _report(ctx: Context, root: Root, item: Item, *, strict: bool) -> Report:
    from rasen.pipelines import ops

    started = time.perf_counter()
    check = ops.check_own(ctx, root, item.id)
    took = round((time.perf_counter() - started) * 1000)
    return Report(item, check.findings, took, strict)


def _names(ctx: Context, root: Root) -> list[str]:
    from rasen.pipelines import ops

    return ops.names(ctx, root)


def _own_names(ctx: Context, root: Root) -> list[str]:
    """The names of the pipelines that the project or the user has written; usually there are none."""
    folders = (root.workspace_dir, ctx.data_dir)
    if not any((folder / "pipelines").is_dir() for folder in folders):
        return []
    from rasen.pipelines import ops

    return ops.own_names(ctx, root)
