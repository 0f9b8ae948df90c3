"""`rasen history`: which change introduced, changed, renamed or removed a requirement."""

from __future__ import annotations

import click

from rasen.base.messages import N_
from rasen.planning.past import history as use_case
from rasen.planning.past.model import Event
from rasen.roots.model import RootRequest
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

_WORDS = {
    "ADDED": N_('added "{requirement}"'),
    "MODIFIED": N_('changed "{requirement}"'),
    "REMOVED": N_('removed "{requirement}"'),
    "RENAMED": N_('renamed "{former}" to "{requirement}"'),
}

_MOVED = {
    "ADDED": N_('moved "{requirement}" here from {capability}'),
    "REMOVED": N_('moved "{requirement}" away to {capability}'),
}


@click.command(
    name="history",
    help=N_(
        "Tell which change made each requirement what it is.\n\n"
        "Oldest first, from the journals of archives and syncs; of one requirement through all the "
        "names it has had."
    ),
)
@click.argument("capability")
@click.argument("requirement", required=False)
@json_option
@root_options
@guarded(fallback="history_error", null={"history": None})
def history(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    capability: str,
    requirement: str | None,
) -> None:
    root = app.root(selector)
    events = use_case.history(app.ctx, root, capability, requirement)
    if as_json:
        about = {} if requirement is None else {"requirement": requirement}
        rows = [event.to_json() for event in events]
        told = {"capability": capability, **about, "events": rows}
        app.document({"history": told, "root": root.to_json()})
        return
    if not events:
        app.line(N_("No archive and no sync here tells of it."))
    for event in events:
        app.line(
            "{day}  {name}  {what}", day=event.at[:10], name=event.name, what=_what(app, event)
        )


def _what(app: App, event: Event) -> str:
    if event.other is not None:
        words, place = _MOVED[event.operation], event.other[0]
        return app.t(words, requirement=event.requirement, capability=place)
    return app.t(_WORDS[event.operation], requirement=event.requirement, former=event.former)
