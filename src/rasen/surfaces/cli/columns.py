"""Text in columns, measured as a terminal shows it, and ages in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from rasen.base.text import without_controls
from rasen.surfaces.cli.help import display_width

if TYPE_CHECKING:
    from rasen.surfaces.cli.run import App

_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86400
_DATE_AFTER_DAYS = 30


def column(texts: Iterable[str]) -> int:
    """How many cells the widest of `texts` takes."""
    return max((display_width(without_controls(text)) for text in texts), default=0)


def padded(text: str, cells: int) -> str:
    """`text`, safe to show, filled up with spaces to `cells`; longer text stays whole."""
    clean = without_controls(text)
    return clean + " " * (cells - display_width(clean))


def shortened(text: str, cells: int) -> str:
    """`text` in at most `cells` cells, cut with `…` where it is longer."""
    if display_width(text) <= cells:
        return text
    room, kept = cells - 1, ""
    for one in text:
        if display_width(kept + one) > room:
            break
        kept += one
    return f"{kept}…"


def row(*cells: str) -> str:
    """One line of `cells` with two blanks between, safe to show; empty ones at its end are left out."""
    return without_controls("  ".join(cells)).rstrip() + "\n"


def age(app: App, moment: datetime) -> str:
    """How long ago `moment` was, in the reader's language; a local date beyond thirty days.

    Source: planning §4.3; product rulings, ISO dates.
    """
    seconds = int((app.ctx.clock.now() - moment).total_seconds())
    if seconds < _MINUTE_S:
        return app.t("just now")
    if seconds < _HOUR_S:
        return app.t("{count}m ago", count=seconds // _MINUTE_S)
    if seconds < _DAY_S:
        return app.t("{count}h ago", count=seconds // _HOUR_S)
    if seconds <= _DATE_AFTER_DAYS * _DAY_S:
        return app.t("{count}d ago", count=seconds // _DAY_S)
    return moment.astimezone().date().isoformat()
