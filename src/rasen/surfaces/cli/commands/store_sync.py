"""`rasen store sync`: bring a store and its remote together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.upkeep.store_rebase import FileConflict
    from rasen.upkeep.store_sync import Synced

_NULL: dict[str, object] = {
    "store": None,
    "before": None,
    "after": None,
    "pulled": 0,
    "pushed": 0,
    "merged": [],
}
_OUTCOMES = {
    "up-to-date": N_("Store '{store}' and {upstream} are alike; nothing to do."),
    "fast-forwarded": N_("Store '{store}' took {pulled} commit(s) of {upstream}."),
    "pushed": N_("Store '{store}' gave {pushed} commit(s) to {upstream}."),
    "rebased": N_(
        "Store '{store}' took {pulled} commit(s) of {upstream} and gave {pushed} of its own."
    ),
}
_HOW = {
    "requirements": N_("{file}: merged by requirements"),
    "tasks": N_("{file}: merged by tasks"),
    "keys": N_("{file}: merged by keys"),
    "same": N_("{file}: changed alike on both sides"),
}


@click.command(
    name="sync",
    help=N_(
        "Bring a store and the branch it follows at its remote together.\n\n"
        "Fetches; takes what is new there; makes your commits again on top of it where both sides "
        "have some, merging specs, tasks and records by what they say; pushes. It never commits for "
        "you, and where both sides contradict each other nothing changes. No other command but "
        "this one talks to a remote."
    ),
)
@click.argument("store")
@click.option("--dry-run", is_flag=True, help=N_("Fetch and try, but change and push nothing"))
@json_option
@guarded(fallback="store_error", null=_NULL)
def sync(app: App, *, store: str, dry_run: bool, as_json: bool) -> int:
    from rasen.upkeep import store_sync

    synced = store_sync.sync(app.ctx, store, is_rehearsal=dry_run)
    if as_json:
        app.document(_document(app, synced))
    else:
        _tell(app, synced)
    return EXIT_OK if synced.problem is None else EXIT_FAILED


def _document(app: App, synced: Synced) -> dict[str, object]:
    answer: dict[str, object] = {
        "store": {"id": synced.checkout.id, "root": str(synced.checkout.path)},
        "upstream": synced.upstream,
        "before": synced.before,
        "after": synced.after,
        "outcome": synced.outcome,
        "pulled": synced.pulled,
        "pushed": synced.pushed,
        "merged": [{"file": one.file, "how": one.how} for one in synced.merged],
        "dry_run": synced.is_rehearsal,
    }
    if synced.conflicts:
        answer["conflicts"] = [one.to_json() for one in synced.conflicts]
    problems = [] if synced.problem is None else [app.diagnostic(synced.problem)]
    return {**answer, "status": problems}


def _tell(app: App, synced: Synced) -> None:
    for conflict in synced.conflicts:
        _tell_conflict(app, conflict)
    for one in synced.merged:
        app.raw("  " + app.t(_HOW[one.how], file=one.file) + "\n")
    if synced.problem is not None:
        app.refuse(synced.problem)
        return
    app.line(
        _OUTCOMES[synced.outcome],
        store=synced.checkout.id,
        upstream=synced.upstream,
        pulled=synced.pulled,
        pushed=synced.pushed,
    )
    if synced.is_rehearsal:
        app.line(N_("This was a rehearsal; nothing was changed."))


def _tell_conflict(app: App, conflict: FileConflict) -> None:
    """The three texts of a place, as the merge saw them."""
    app.say("{file}, {place}:", file=conflict.file, place=conflict.place)
    sides = (
        (N_("  base, before either side:"), conflict.base),
        (N_("  theirs, at the remote:"), conflict.theirs),
        (N_("  mine, here:"), conflict.mine),
    )
    for label, text in sides:
        app.say(label)
        for line in (app.t(N_("(not there)")) if text is None else text).splitlines():
            app.say("    {line}", line=line)
