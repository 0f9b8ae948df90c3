"""`validate --fix`: what would be mended as diffs, the question, and the member of the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rasen.base.messages import N_
from rasen.surfaces.cli import output
from rasen.surfaces.cli.run import App

if TYPE_CHECKING:
    from rasen.planning.fixes.model import Mending
    from rasen.planning.items import Item
    from rasen.roots.model import Root

_COLORS = {"+": "green", "-": "red", "@": "cyan"}


class Wanted(NamedTuple):
    """What was asked of `--fix`. is_rehearsal: show, and write nothing. is_agreed: do not ask."""

    is_rehearsal: bool
    is_agreed: bool


def mended(app: App, root: Root, items: Sequence[Item], wanted: Wanted) -> list[dict[str, object]]:
    """Mend `items` as far as asked and agreed; the `fixes` of the document."""
    from rasen.planning.fixes import ops

    mending = ops.prepare(app.ctx, root, items)
    if not app.as_json:
        _show(app, mending)
    is_applied = bool(mending.fixes) and not wanted.is_rehearsal and _agreed(app, mending, wanted)
    if is_applied:
        ops.apply(app.ctx, root, mending)
    if not app.as_json and mending.fixes:
        _conclude(app, mending, wanted, is_applied=is_applied)
    return [fix.to_json(is_applied=is_applied) for fix in mending.fixes]


def _agreed(app: App, mending: Mending, wanted: Wanted) -> bool:
    if wanted.is_agreed or not app.interactive:
        return True  # `--fix` was said; only a person who looks at the diff is asked
    count = len(mending.changes)
    question = N_("Write this to {count} files?") if count > 1 else N_("Write this to the file?")
    return app.confirm(question, default=True, rerun="--yes", count=count)


def _show(app: App, mending: Mending) -> None:
    if not mending.fixes:
        app.line("Nothing here can be mended without asking what was meant.")
    for fix in mending.fixes:
        name = f"{fix.item.kind}/{fix.item.id}"
        app.line("{name}: {message}", name=name, message=app.told(fix.finding))
        for line in fix.diff.splitlines():
            color = _COLORS.get(line[:1])
            app.raw(f"{app.color(line, color) if color else output.shown(line)}\n")
        app.line()


def _conclude(app: App, mending: Mending, wanted: Wanted, *, is_applied: bool) -> None:
    count = len(mending.fixes)
    if is_applied:
        app.line("Mended {count} of the findings; this is what is left:", count=count)
    elif wanted.is_rehearsal:
        app.line("A rehearsal: nothing was written. This is what is there now:")
    else:
        app.line("Nothing was changed. This is what is there:")
