"""The dashboard of a workspace as text. Source: planning §4.4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rasen.surfaces.cli.columns import column, padded
from rasen.surfaces.cli.pasteable import call

if TYPE_CHECKING:
    from rasen.planning.listing import ChangeRow, SpecRow
    from rasen.planning.overview import Overview
    from rasen.roots.model import Root
    from rasen.surfaces.cli.run import App

_WIDTH = 60
_BAR_CELLS = 20


def draw(app: App, overview: Overview, root: Root) -> None:
    """Write the dashboard to stdout."""
    title = app.t("Rasen dashboard")
    app.raw(f"{app.color(title, 'bold')}\n{'═' * _WIDTH}\n")
    _summary(app, overview)
    _names(app, app.t("Draft changes"), overview.draft, app.color("○", "dim"))
    _active(app, overview.active)
    _names(app, app.t("Completed changes"), overview.completed, app.color("✓", "green"))
    _specs(app, overview.specs)
    app.raw(f"\n{'═' * _WIDTH}\n")
    app.line(
        "Run `{changes}` or `{specs}` for the lists.",
        changes=call(root, "list", "--changes"),
        specs=call(root, "list", "--specs"),
    )


def _summary(app: App, overview: Overview) -> None:
    app.line("Summary:")
    rows = [
        app.t(
            "Specifications: {specs} with {count} requirements",
            specs=len(overview.specs),
            count=overview.requirements,
        )
    ]
    if overview.draft:
        rows.append(app.t("Draft changes: {count}", count=len(overview.draft)))
    rows.append(app.t("Active changes: {count}", count=len(overview.active)))
    rows.append(app.t("Completed changes: {count}", count=len(overview.completed)))
    tasks = overview.tasks
    if tasks.total:
        rows.append(
            app.t(
                "Task progress: {done}/{total} ({percent}% complete)",
                done=tasks.done,
                total=tasks.total,
                percent=tasks.share_of(100),
            )
        )
    for row in rows:
        app.raw(f"  ● {row}\n")


def _names(app: App, title: str, rows: Sequence[ChangeRow], mark: str) -> None:
    if rows:
        _heading(app, title)
    for row in rows:
        app.raw(f"  {mark} {padded(row.name, 0)}\n")


def _active(app: App, rows: Sequence[ChangeRow]) -> None:
    if rows:
        _heading(app, app.t("Active changes"))
    cells = column(row.name for row in rows)
    for row in rows:
        mark, name = app.color("◉", "yellow"), padded(row.name, cells)
        filled = row.progress.share_of(_BAR_CELLS)
        bar = app.color("█" * filled, "green") + "░" * (_BAR_CELLS - filled)
        app.raw(f"  {mark} {name}  [{bar}] {row.progress.share_of(100)}%\n")


def _specs(app: App, rows: Sequence[SpecRow]) -> None:
    if rows:
        _heading(app, app.t("Specifications"))
    cells = column(row.id for row in rows)
    for row in rows:
        one = row.requirements == 1
        count = app.t("1 requirement") if one else app.t("{n} requirements", n=row.requirements)
        app.raw(f"  {app.color('▪', 'blue')} {padded(row.id, cells)}  {count}\n")


def _heading(app: App, title: str) -> None:
    app.raw(f"\n{app.color(title, 'bold')}\n{'─' * _WIDTH}\n")
