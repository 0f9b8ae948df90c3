"""`rasen overlap`: which open changes touch the same requirements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.planning.overlaps.model import Candidate, Contest, Overlap
    from rasen.roots.model import RootRequest

_RESULTS = {
    "clean": ("✓", "green", N_("{pair}: merge cleanly, in either order")),
    "conflict": ("✗", "red", N_("{pair}: would conflict")),
    "untried": ("?", "yellow", N_("{pair}: cannot be told while one of them has errors")),
}
_PLACES = {"branch": N_("{name} (branch {place})"), "worktree": N_("{name} (in {place})")}
_SIDES = {"theirs": N_("after {earlier}"), "mine": N_("in {later}")}


@click.command(
    name="overlap",
    help=N_(
        "Find open changes that touch the same requirements, and try whether they would merge.\n\n"
        "Each pair is merged in both orders, in memory. With a name, only what that change shares "
        "with others. Nothing is written."
    ),
)
@click.argument("change", required=False)
@click.option("--branches", is_flag=True, help=N_("Also the changes of other local branches"))
@click.option("--worktrees", is_flag=True, help=N_("Also the changes of other git work trees"))
@json_option
@root_options
@guarded(fallback="change_error")
def overlap(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    change: str | None,
    branches: bool,
    worktrees: bool,
) -> int:
    from rasen.planning.overlaps import ops

    root = app.root(selector)
    answer = ops.overlaps(app.ctx, root, change, branches=branches, worktrees=worktrees)
    if as_json:
        found = [one.to_json() for one in answer.found]
        document = {"overlaps": found, "considered": answer.considered, "root": root.to_json()}
        app.document(document if change is None else {"change": change, **document})
        return EXIT_OK
    for one in answer.found:
        _tell(app, one)
    if not answer.found:
        app.line(N_("No overlap among the open changes ({count})."), count=answer.considered)
    return EXIT_OK


def _tell(app: App, one: Overlap) -> None:
    mark, color, template = _RESULTS[one.result.value]
    names = _name(app, one.first), _name(app, one.second)
    app.line(
        "{mark} {text}", mark=app.color(mark, color), text=app.t(template, pair=" ↔ ".join(names))
    )
    for place in one.places:
        what = "/".join("+".join(side) or "–" for side in (place.first, place.second))
        name = place.capability
        if place.requirement is not None:
            name += f": {place.requirement}"
        app.line("    {place} ({what})", place=name, what=what)
    for contest in one.contests:
        _tell_contest(app, contest, names)


def _name(app: App, one: Candidate) -> str:
    name = one.name
    for where in one.where:
        name = app.t(_PLACES[where.kind], name=name, place=where.name)
    return name


def _tell_contest(app: App, contest: Contest, names: Sequence[str]) -> None:
    earlier, later = names[contest.earlier], names[contest.later]
    app.line(
        N_("    {later} after {earlier}: {code}: {name}, {place}"),
        later=later,
        earlier=earlier,
        code=contest.code,
        name=contest.requirement or contest.capability,
        place=contest.place,
    )
    for side, label in _SIDES.items():
        text: str | None = getattr(contest, side)
        if text is None and contest.base is None and contest.theirs is None:
            continue
        app.line("      --- {label}", label=app.t(label, earlier=earlier, later=later))
        rows = [app.t(N_("(not there)"))] if text is None else text.splitlines()
        for row in rows:
            app.line("      | {row}", row=row)
