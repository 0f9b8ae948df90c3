"""`rasen explain` and `rasen diff`: what a change would do, before it does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, EXIT_OK
from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.planning.preview import NothingToCompare
    from rasen.roots.model import Root, RootRequest


@click.command(
    name="explain",
    help=N_(
        "Say what an archive would do with each line of a change's deltas.\n\n"
        "Every line has a fate: merged, already so, ignored, in conflict, refused. Files that lie "
        "in the wrong place are listed too. Nothing is written."
    ),
)
@click.argument("change")
@json_option
@root_options
@guarded(fallback="change_error")
def explain(app: App, *, selector: RootRequest, as_json: bool, change: str) -> int:
    from rasen.planning import preview
    from rasen.surfaces import present
    from rasen.surfaces.cli import explain_text

    root = app.root(selector)
    found = preview.explain(app.ctx, root, change)
    if as_json:
        app.document(
            {
                "change": found.change,
                "files": [file.to_json() for file in found.files],
                "findings": [present.issue(finding) for finding in found.findings],
                "root": root.to_json(),
            }
        )
    else:
        explain_text.tell(app, found)
    return EXIT_OK


@click.command(
    name="diff",
    help=N_(
        "Show what a change makes different in the specs.\n\n"
        "Per requirement, and inside of lines by words: {+new+}, [-gone-]. With --unified, a patch "
        "that `git apply` and `patch -p1` take in the folder of the root. Nothing is written."
    ),
)
@click.argument("change")
@click.option("--unified", "is_unified", is_flag=True, help=N_("Print a unified diff"))
@click.option(
    "--context",
    type=click.IntRange(0, 1_000_000),
    metavar="N",
    default=3,
    help=N_("How many unchanged lines to show around a change (3)"),
)
@json_option
@root_options
@guarded(fallback="change_error")
def diff(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    change: str,
    is_unified: bool,
    context: int,
) -> int:
    from rasen.planning import preview
    from rasen.planning.comparing.diff import unified
    from rasen.surfaces.cli import diff_text

    root = app.root(selector)
    try:
        found = preview.diff(app.ctx, root, change)
    except preview.NothingToCompare as refusal:
        return _refused(app, root, refusal)
    if as_json:
        specs = [
            {
                "capability": one.capability,
                "path": one.path,
                "isNew": one.is_new,
                "isRetired": one.is_retired,
                "requirements": [requirement.to_json() for requirement in one.requirements],
                "unified": unified(one, context=context),
            }
            for one in found
        ]
        app.document({"change": change, "specs": specs, "root": root.to_json()})
    elif is_unified:
        diff_text.print_patch(app, [unified(one, context=context) for one in found])
    else:
        diff_text.tell(app, found, context=context)
    return EXIT_OK


def _refused(app: App, root: Root, refusal: NothingToCompare) -> int:
    """Answer with all that stands against the change."""
    from rasen.surfaces import present
    from rasen.surfaces.cli.issues import say_findings

    if app.as_json:
        issues = [present.issue(finding) for finding in refusal.findings]
        status = [present.diagnostic(refusal)]
        app.document({"status": status, "issues": issues, "root": root.to_json()})
    else:
        say_findings(app, refusal.findings)
        app.refuse(refusal)
    return EXIT_FAILED
