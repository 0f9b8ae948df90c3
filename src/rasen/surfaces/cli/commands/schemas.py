"""`schemas` and `templates`: what workflows there are and where their templates lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.messages import N_
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.planning.schemas.model import Schema

_LABELS = {"project": N_("(project)"), "user": N_("(user override)")}


@click.command(name="schemas")
@json_option
@guarded()
def schemas(app: App, *, as_json: bool) -> None:
    """List the schemas that can be used here."""
    from rasen.planning.schemas import ops

    found = ops.available(app.ctx)
    if as_json:
        app.document([_listed(one) for one in found])
        return
    app.line("Schemas:")
    for one in found:
        label = f" {app.t(_LABELS[one.source])}" if one.source in _LABELS else ""
        app.line()
        app.line("  {name}{label}", name=one.name, label=label)
        if one.description:
            app.line("    {text}", text=one.description)
        app.line("    {ids}", ids=" → ".join(one.ids))


def _listed(schema: Schema) -> dict[str, object]:
    return {
        "name": schema.name,
        "description": schema.description,
        "artifacts": list(schema.ids),
        "source": schema.source,
    }


@click.command(name="templates")
@click.option("--schema", metavar="NAME", help=N_("The schema whose templates are meant"))
@json_option
@guarded()
def templates(app: App, *, as_json: bool, schema: str | None) -> None:
    """Say where the templates of a schema are."""
    from rasen.planning.schemas import ops

    found, places = ops.templates(app.ctx, schema)
    if as_json:
        app.document({p.artifact: {"path": str(p.path), "source": p.source} for p in places})
        return
    app.line("Schema: {name}", name=found.name)
    app.line("Source: {source}", source=found.source)
    for place in places:
        app.line()
        app.line("{id}:", id=place.artifact)
        app.line("  {path}", path=place.path)
