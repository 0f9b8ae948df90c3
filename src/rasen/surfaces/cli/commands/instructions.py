"""`instructions`: how to write an artifact, and how to work through the tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.base.text import without_controls
from rasen.surfaces.cli.run import App, guarded, json_option, root_options

if TYPE_CHECKING:
    from rasen.roots.model import Root, RootRequest

APPLY = "apply"


@click.command(name="instructions")
@click.argument("artifact", required=False)
@click.option("--change", metavar="NAME", help=N_("The change to work on"))
@click.option("--schema", metavar="NAME", help=N_("Use this schema instead of the change's own"))
@json_option
@root_options
@guarded(fallback="change_error")
def instructions(
    app: App,
    *,
    artifact: str | None,
    selector: RootRequest,
    change: str | None,
    schema: str | None,
    **_: object,
) -> None:
    """Say how to write an artifact, or (with `apply`) how to work through the tasks of a change."""
    root = app.root(selector)
    if artifact == APPLY:
        _apply(app, root, change, schema)
    else:
        _artifact(app, root, artifact, change, schema)


def _artifact(
    app: App, root: Root, artifact: str | None, change: str | None, schema: str | None
) -> None:
    from rasen.planning import guidance
    from rasen.planning.instruction_text import artifact_text
    from rasen.roots import ops as roots

    answer = guidance.instructions(app.ctx, root, artifact, change, schema)
    references = roots.references(app.ctx, root)
    if app.as_json:
        home = guidance.planning_home(root)
        index: list[object] = [one.to_json() for one in references]
        app.document(answer.to_json(home=home, root=root.to_json(), references=index))
    else:
        app.raw(_safe(artifact_text(answer, references=references)))


def _apply(app: App, root: Root, change: str | None, schema: str | None) -> None:
    from rasen.planning import guidance
    from rasen.planning.instruction_text import apply_text
    from rasen.roots import ops as roots

    answer = guidance.apply_instructions(app.ctx, root, change, schema)
    references = roots.references(app.ctx, root)
    if app.as_json:
        index: list[object] = [one.to_json() for one in references]
        app.document(answer.to_json(root=root.to_json(), references=index))
    else:
        app.raw(_safe(apply_text(answer, references=references)))


def _safe(text: str) -> str:
    """`text` without what could steer a terminal; an agent reads the rest as it stands."""
    return without_controls(text.replace("\r\n", "\n"))
