"""`rasen archive relocate`: moving archived changes between the repository and the machine's home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces.cli.membership_text import tell_commits
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.roots.model import RootRequest


@click.command(
    name="relocate",
    help=N_(
        "Move every archived change to where archived changes are to lie.\n\n"
        "Without --to, archive.destination of the settings decides. All or nothing; nothing is"
        " committed. A change named relocate is archived with 'rasen archive -- relocate'."
    ),
)
@click.option(
    "--to",
    type=click.Choice(("in-repo", "external")),
    help=N_("Into the repository, or into the machine's home of the project"),
)
@click.option("--verify-hash", is_flag=True, help=N_("Compare contents too, not only sizes"))
@click.option("--dry-run", is_flag=True, help=N_("Only say what would move"))
@root_options
@json_option
@guarded(fallback="archive_error", null={"relocation": None})
def relocate(app: App, *, selector: RootRequest, as_json: bool, **said: object) -> None:
    from rasen.upkeep import relocate as use_case

    root = app.root(selector)
    outcome = use_case.relocate(app.ctx, root, use_case.Request(**said))  # type: ignore[arg-type]
    if as_json:
        app.document({**outcome.to_json(), "status": []})
        return
    if not outcome.names:
        app.line("No archived change has to move.")
        return
    template = N_("Archived changes moved to {path}: {count}")
    if outcome.is_dry_run:
        template = N_("Archived changes that would move to {path}: {count}. Nothing was moved.")
    path = outcome.target or app.t("the machine's home of this project")
    app.line(template, count=len(outcome.names), path=path)
    for name in outcome.names:
        app.line("  {name}", name=name)
    tell_commits(app, outcome.commits)
