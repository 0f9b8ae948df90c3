"""`rasen workflow diff` and `rasen workflow upgrade`: another version of an installed workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_OK, Refused
from rasen.base.messages import N_
from rasen.surfaces.cli.commands.workflow import FALLBACK, root_here
from rasen.surfaces.cli.prompts import Cancelled
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.packages.ops import Change, Upgraded
    from rasen.workflows.ops import Known


class UpgradeUnconfirmed(Refused):
    code = "confirmation_required"
    text = N_("replacing {ids} needs a yes")
    fix = N_("look with `rasen workflow diff`, then run it again with --yes")


@click.command(
    name="diff",
    help=N_("Show what would change if the version in a package or folder were installed instead."),
)
@click.argument("id")
@click.argument("path")
@json_option
@guarded(fallback=FALLBACK, null={"diff": None}, has_details=True)
def diff(app: App, *, id: str, path: str, as_json: bool) -> None:
    from rasen.base.text import without_controls
    from rasen.packages import ops

    found = ops.difference(app.ctx, id, path)
    if as_json:
        app.document({"diff": found.to_json(), "status": []})
        return
    if not found.files:
        app.line(N_("{id} is the same."), id=id)
        return
    for one in found.files:
        for line in one.patch.splitlines():
            app.raw(without_controls(line) + "\n")


@click.command(
    name="upgrade",
    help=N_(
        "Put the workflows of a package or folder in the place of those that are installed.\n\n"
        "The versions that were there are kept; --back brings the last one back, and is then given the "
        "id of the workflow. Run `rasen update` afterwards to bring them to your agents."
    ),
)
@click.argument("path", metavar="PATH-OR-ID")
@click.option("--back", is_flag=True, help=N_("Bring back the version that was replaced last"))
@click.option("-y", "--yes", is_flag=True, help=N_("Do not ask"))
@json_option
@guarded(fallback=FALLBACK, null={"upgraded": [], "imported": [], "reused": []}, has_details=True)
def upgrade(app: App, *, path: str, back: bool, yes: bool, as_json: bool) -> int:
    from rasen.packages import ops
    from rasen.upkeep import library

    known = library.known(app.ctx, root_here(app))
    if back:
        done = ops.Upgraded((ops.upgrade_back(app.ctx, path, known),), (), ())
    else:
        done = _upgraded(app, path, known, yes=yes)
    if as_json:
        app.document({**done.to_json(), "status": []})
        return EXIT_OK
    for one in done.upgraded:
        app.line(N_("{id} is now {digest}"), id=one.id, digest=one.present[:19])
        app.line(
            N_("The former version can come back: rasen workflow upgrade --back {id}"), id=one.id
        )
    for id in done.imported:
        app.line(N_("Installed {id}"), id=id)
    for id in done.reused:
        app.line(N_("{id} is the same already"), id=id)
    if done.upgraded:
        app.line(N_("Run `rasen update` in a project to bring its skills up to date."))
    return EXIT_OK


def _upgraded(app: App, path: str, known: Known, *, yes: bool) -> Upgraded:
    from rasen.packages import ops

    plan = ops.upgrade(app.ctx, path, known, is_dry=True)
    if plan.upgraded and not yes:
        ids = ", ".join(_shown(one) for one in plan.upgraded)
        if not app.interactive:
            raise UpgradeUnconfirmed(ids=ids)
        if not app.confirm(N_("Replace {ids}?"), default=False, rerun="--yes", ids=ids):
            raise Cancelled
    return ops.upgrade(app.ctx, path, known)


def _shown(one: Change) -> str:
    return f"{one.id} ({one.former[7:19]} → {one.present[7:19]})"
