"""`rasen context`: what work in a root may look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App, guarded, json_option, root_options
from rasen.surfaces.cli.statuses import statuses

if TYPE_CHECKING:
    from rasen.roots.model import RootRequest
    from rasen.upkeep.context import Member, WorkingSet


@click.command(
    name="context",
    help=N_(
        "Show the root and the stores and projects it refers to.\n\n"
        "--code-workspace also writes them as a workspace file for an editor."
    ),
)
@click.option(
    "--code-workspace", "output", metavar="PATH", help=N_("Write a workspace file to PATH")
)
@click.option("--force", is_flag=True, help=N_("Replace the workspace file that is there"))
@json_option
@root_options
@guarded(fallback="context_failed", null={"root": None, "members": []})
def context(
    app: App, *, selector: RootRequest, output: str | None, force: bool, as_json: bool
) -> None:
    from rasen.upkeep import context as use_case

    root = app.root(selector, allow_implicit=False)
    found = use_case.gather(app.ctx, root)
    if output is not None:
        path = use_case.write_workspace(app.ctx, found, output, is_forced=force)
        count = len(found.folders())
        app.say("Wrote {file}; folders in it: {count}", file=path, count=count)
    if as_json:
        app.document(_document(found))
    else:
        _tell(app, found)


def _document(found: WorkingSet) -> dict[str, object]:
    return {
        "root": {**found.root.to_json(), "role": "openspec_root"},
        "members": [_member(one) for one in found.members],
        "status": statuses(found.findings),
    }


def _member(one: Member) -> dict[str, object]:
    entry = one.entry
    answer: dict[str, object] = {"role": "referenced_store", "id": entry.store_id}
    if entry.root is not None:
        answer["path"] = str(entry.root)
    if one.remote is not None:
        answer["remote"] = one.remote
    if one.is_available:
        answer["fetch"] = entry.fetch
    answer["status"] = statuses(entry.status)
    return answer


def _tell(app: App, found: WorkingSet) -> None:
    app.line("Context")
    app.line()
    app.line("Root: {path}", path=found.root.path)
    there = [one for one in found.members if one.is_available]
    lacking = [one for one in found.members if not one.is_available]
    if there:
        app.line()
        app.line("Referenced stores")
        for one in there:
            app.line("  {id}: {path}", id=one.entry.store_id, path=one.entry.root)
            app.line("    Fetch: {fetch}", fetch=one.entry.fetch)
    if not found.members:
        app.line("It refers to nothing else.")
    if lacking:
        app.line()
        app.line("Not available here")
        for one in lacking:
            for finding in one.entry.status:
                message = app.told(finding)
                app.line("  {id}: {message}", id=one.entry.store_id, message=message)
                app.line("  Fix: {step}", step=present.fix(finding, app.translate))
    for finding in found.findings:
        app.line()
        app.line("{message}", message=app.told(finding))
        app.line("  Fix: {step}", step=present.fix(finding, app.translate))
