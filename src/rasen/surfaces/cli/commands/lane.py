"""`rasen change lane`: how much of its schema a change goes through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_, Sentences
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.planning.lane_rules import Suggestion
    from rasen.roots.model import RootRequest


@click.command(
    name="lane",
    help=N_(
        "Show which lane a change is in and which would suit it, or put it into another.\n\n"
        "note: a proposal and, if they help, tasks; no spec is touched. light: proposal, specs and "
        "tasks. full: everything in the schema. Moving edits the change's metadata alone."
    ),
)
@click.argument("change")
@click.argument("lane", required=False)
@json_option
@root_options
@guarded(fallback="change_error", null={"change": None, "lane": None})
def lane(app: App, *, selector: RootRequest, as_json: bool, change: str, lane: str | None) -> None:
    from rasen.planning import change_lane

    root = app.root(selector)
    if lane is None:
        report = change_lane.show(app.ctx, root, change)
    else:
        report = change_lane.move(app.ctx, root, change, lane)
    if as_json:
        app.document({**report.to_json(), "root": root.to_json()})
        return
    if report.before in (None, report.lane):
        app.line("Lane of {change}: {lane}", change=report.change, lane=report.lane)
    else:
        app.line(
            N_("Lane of {change}: {lane} (was {before})"),
            change=report.change,
            lane=report.lane,
            before=report.before,
        )
    if report.suggestion.lane != report.lane:
        tell_suggestion(app, report.suggestion)


def tell_suggestion(app: App, suggestion: Suggestion) -> None:
    """Say which lane would suit, and why."""
    app.line(
        N_("Suggested lane: {lane} ({reasons})"),
        lane=suggestion.lane,
        reasons=Sentences(suggestion.reasons),
    )
