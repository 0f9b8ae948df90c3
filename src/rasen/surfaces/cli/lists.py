"""The lists of changes and of specs, as text and as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasen.planning import ops
from rasen.planning.listing import COMPLETE, NO_TASKS
from rasen.surfaces.cli.columns import age, column, padded

if TYPE_CHECKING:
    from rasen.planning.listing import ChangeRow, Progress, SpecRow
    from rasen.roots.model import Root
    from rasen.surfaces.cli.run import App

_STATUS_CELLS = 12


def tell_implicit(app: App, root: Root) -> None:
    """Say on stderr that there is no workspace, so that an empty answer is not taken for good news.

    Source: planning §2.2 (implicit roots).
    """
    if root.source == "implicit":
        app.say("No workspace in {path} or above it: there is nothing to read.", path=root.path)


def changes(app: App, root: Root, *, by_name: bool, as_json: bool, is_long: bool) -> None:
    """Answer with the open changes. Source: planning §4.3."""
    rows = ops.list_changes(app.ctx, root, by_name=by_name)
    misplaced = ops.misplaced_changes(root)
    if as_json:
        answer: dict[str, object] = {"changes": [row.to_json() for row in rows]}
        answer["root"] = root.to_json()
        if misplaced:
            answer["status"] = [app.diagnostic(one) for one in misplaced]
        app.document(answer)
        return
    for one in misplaced:
        app.say("Warning: {message}", message=app.told(one))
    if not rows:
        app.line("No active changes.")
        return
    app.line("Changes:")
    cells = column(row.name for row in rows)
    for row in rows:
        text = _headline(app, root, row) if is_long else _state(app, row)
        app.raw(f"  {padded(row.name, cells)}     {text}\n")


def specs(app: App, root: Root, *, as_json: bool, is_long: bool) -> None:
    """Answer with the specs. Source: planning §4.3."""
    rows = ops.list_specs(root)
    if as_json:
        app.document({"specs": [row.to_json() for row in rows], "root": root.to_json()})
        return
    if not rows:
        app.line("No specs.")
        return
    app.line("Specs:")
    cells = column(row.id for row in rows)
    for row in rows:
        app.raw(f"  {padded(row.id, cells)}     {_size(app, row, is_long=is_long)}\n")


def progress_text(app: App, progress: Progress) -> str:
    """How far the tasks are, in a word or two."""
    if progress.status == NO_TASKS:
        return app.t("No tasks")
    if progress.status == COMPLETE:
        return app.t("✓ Complete")
    return app.t("{done}/{total} tasks", done=progress.done, total=progress.total)


def _state(app: App, row: ChangeRow) -> str:
    return f"{padded(progress_text(app, row.progress), _STATUS_CELLS)}  {age(app, row.modified)}"


def _headline(app: App, root: Root, row: ChangeRow) -> str:
    found = ops.change_headline(root, row.name)
    if found is None:
        return app.t("(unable to read)")
    title, count = found
    return app.t("{title} [deltas {count}]", title=title, count=count)


def _size(app: App, row: SpecRow, *, is_long: bool) -> str:
    if not is_long:
        return app.t("requirements {count}", count=row.requirements)
    return app.t("{title} [requirements {count}]", title=row.title, count=row.requirements)
