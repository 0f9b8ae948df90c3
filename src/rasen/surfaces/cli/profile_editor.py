"""A profile as a dialogue: the workflows to tick, then one retention mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.profiles import ops
from rasen.profiles.model import Profile, Retention
from rasen.surfaces.cli.columns import column, padded, shortened
from rasen.surfaces.cli.help import window_width
from rasen.surfaces.cli.prompts import Box

if TYPE_CHECKING:
    from rasen.surfaces.cli.run import App

_LINES = 2
_MARKS = 8
"""So many cells a picker takes before the label: the pointer, the mark or the number."""
_MODES = {
    Retention.OFF: N_("off: a finished change leaves nothing behind"),
    Retention.REPORT: N_("report: a finished change leaves a retrospective"),
    Retention.CODIFY: N_("codify: a finished change may become a learned skill"),
}


def edited(app: App, profile: Profile, *, rerun: str = "") -> Profile | None:
    """What the person makes of `profile`; None when declined. Source: library PR-015, PR-016.

    Errors: prompt_unanswered when nobody can answer.
    """
    offered = ops.offered(app.ctx)
    width = column(one.shown for one in offered)
    room = _LINES * window_width() - _MARKS
    boxes = [
        Box(
            one.id,
            shortened(f"{padded(one.shown, width)}  {_text(app, one)}", room),
            one.id in profile.workflows,
        )
        for one in offered
    ]
    question = N_("Workflows (Space ticks, A ticks all or none, Enter goes on)")
    ids = app.tick(question, boxes, rerun=rerun)
    if ids is None:
        return None
    modes = [*_MODES]
    modes.sort(key=lambda mode: mode is not profile.retention)
    mode = app.choose(
        N_("What does a finished change leave behind?"),
        [(one.value, app.t(_MODES[one])) for one in modes],
        rerun=rerun,
    )
    return None if mode is None else Profile((*ids, *_unseen(profile, boxes, ids)), Retention(mode))


def _unseen(profile: Profile, boxes: Sequence[Box], ids: Sequence[str]) -> list[str]:
    """What `profile` has and nobody could tick, as it comes later; nothing once something was unticked.

    So going through the whole of `full` leaves it `full`, and a narrow choice stays narrow.
    """
    if not {one.value for one in boxes if one.is_ticked} <= set(ids):
        return []
    return [one for one in profile.workflows if one not in {box.value for box in boxes}]


def _text(app: App, one: ops.Offer) -> str:
    """The name in the author's language, or ours translated, in one line."""
    return " ".join((app.t(one.text) if one.is_built_in else one.text).split())
