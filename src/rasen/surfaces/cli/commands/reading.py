"""`rasen list`, `rasen show` and `rasen view`: what there is, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from rasen.base.errors import InvalidInput, UsageError
from rasen.base.messages import N_
from rasen.surfaces.cli.run import (
    App,
    guarded,
    json_option,
    no_interactive_option,
    root_options,
)

if TYPE_CHECKING:
    from rasen.planning.items import Item
    from rasen.planning.showing import SpecFilter
    from rasen.roots.model import Root, RootRequest


class NothingNamed(InvalidInput):
    """A call that needs the name of a change or a spec; the command's own code applies."""

    text = N_("say which change or spec to show")
    fix = N_("Run `{change}` or `{spec}`; `{list}` lists the names")


def _empty_list(_app: App, params: Mapping[str, object]) -> Mapping[str, object]:
    return {"specs" if params.get("specs") else "changes": [], "root": None}


@click.command(
    name="list",
    help=N_(
        "List the open changes, or with --specs the specs.\n\n"
        "Changes stand newest first, specs by id."
    ),
)
@click.option("--specs", is_flag=True, help=N_("List specs"))
@click.option("--changes", is_flag=True, expose_value=False, help=N_("List changes (the default)"))
@click.option("--sort", metavar="ORDER", default="recent", help=N_("recent (the default) or name"))
@click.option("--long", "is_long", is_flag=True, help=N_("Show titles and counts"))
@json_option
@root_options
@guarded(fallback="list_error", null=_empty_list)
def list_items(
    app: App, *, selector: RootRequest, as_json: bool, specs: bool, sort: str, is_long: bool
) -> None:
    from rasen.surfaces.cli import lists

    root = app.root(selector)
    lists.tell_implicit(app, root)
    if specs:
        lists.specs(app, root, as_json=as_json, is_long=is_long)
    else:
        lists.changes(app, root, by_name=sort == "name", as_json=as_json, is_long=is_long)


@click.command(
    name="show",
    context_settings={"ignore_unknown_options": True},
    help=N_(
        "Show a change or a spec.\n\n"
        "Text is the file itself, proposal.md or spec.md; --json is what was read from it."
    ),
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[ITEM]")
@click.option("--type", "kind", metavar="KIND", help=N_("change or spec, for a name that is both"))
@click.option("--deltas-only", is_flag=True, help=N_("Changes: accepted, changes nothing"))
@click.option("--requirements-only", is_flag=True, help=N_("Old name of --deltas-only"))
@click.option("--requirements", is_flag=True, help=N_("Specs: requirements without scenarios"))
@click.option("--no-scenarios", is_flag=True, help=N_("Specs: leave the scenarios out"))
@click.option("-r", "--requirement", metavar="N", help=N_("Specs: only the requirement number N"))
@click.option(
    "--at", metavar="MOMENT", help=N_("Specs: as it was after an archive, on a day, or in a commit")
)
@json_option
@no_interactive_option
@root_options
@guarded(fallback="show_error")
def show(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    words: tuple[str, ...],
    kind: str | None,
    no_interactive: bool,  # noqa: ARG001 - read by the frame
    **flags: object,
) -> int | None:
    from rasen.planning import ops
    from rasen.planning.showing import SpecFilter

    root = app.root(selector)
    number = flags["requirement"]
    wanted = SpecFilter(
        is_bare=bool(flags["requirements"]),
        without_scenarios=bool(flags["no_scenarios"]),
        number=None if number is None else str(number),
    )
    name = _named(app, words)
    if flags["at"] is not None and name is not None and kind != "change":
        _show_at(app, root, name, str(flags["at"]), wanted)
        return None
    item = _wanted(app, root, name, kind)
    _warn(app, item, flags)
    if not as_json:
        app.raw(_for_reader(ops.show_text(root, item)) + "\n")
        return None
    app.document({**ops.show_document(root, item, wanted), "root": root.to_json()})
    return None


@click.command(
    name="view",
    help=N_("Show an overview of the workspace: progress of the changes, size of the specs."),
)
@json_option
@root_options
@guarded()
def view(app: App, *, selector: RootRequest, as_json: bool) -> None:
    from rasen.planning import ops
    from rasen.surfaces.cli import dashboard
    from rasen.surfaces.cli.lists import tell_implicit

    root = app.root(selector)
    if not as_json:
        tell_implicit(app, root)
    overview = ops.overview(app.ctx, root)
    if as_json:
        app.document({**overview.to_json(), "root": root.to_json()})
    else:
        dashboard.draw(app, overview, root)


def _show_at(app: App, root: Root, name: str, moment: str, wanted: SpecFilter) -> None:
    """Show the spec `name` as it was; it may be gone by now."""
    from rasen.planning.past import at

    past = at.spec_at(app.ctx, root, name, moment)
    if app.as_json:
        app.document({**at.document_at(root, past, moment, wanted), "root": root.to_json()})
    else:
        app.raw(_for_reader(past.text) + "\n")


def _named(app: App, words: Sequence[str]) -> str | None:
    """The item among the words; options that `show` does not know are passed over, with their values.

    Source: planning §4.2.
    """
    plain = [word for word in words if not word.startswith("-")]
    if len(plain) > 1 and len(plain) == len(words):
        raise UsageError(
            problem=app.t("one word too many: {words}", words=" ".join(plain[1:])),
            fix=N_("See {path} --help"),
            path="rasen show",
        )
    return plain[0] if plain else None


def _wanted(app: App, root: Root, name: str | None, kind: str | None) -> Item:
    from rasen.planning import ops

    if name is None and app.interactive:
        from rasen.surfaces.cli import picking

        picked = picking.one(app, root, N_("What do you want to see?"), rerun="<name>")
        if picked is not None:
            return picked
    if name is None:
        from rasen.surfaces.cli.pasteable import call

        raise NothingNamed(
            change=call(root, "show", "<change>"),
            spec=call(root, "show", "<spec>", "--type", "spec"),
            list=call(root, "list"),
        )
    return ops.find_item(root, name, kind)


def _warn(app: App, item: Item, flags: Mapping[str, object]) -> None:
    """Say on stderr which of the flags given have no effect on `item`."""
    if flags["requirements_only"]:
        app.say("--requirements-only is an old name; use --deltas-only")
    foreign = (
        ("requirements", "no_scenarios", "requirement", "at")
        if item.kind == "change"
        else ("deltas_only", "requirements_only")
    )
    given = [f"--{name.replace('_', '-')}" for name in foreign if flags[name] not in (False, None)]
    if given:
        name = f"{item.kind}/{item.id}"
        app.say("{options}: without effect on {item}, ignored", options=", ".join(given), item=name)


def _for_reader(text: str) -> str:
    """A file as it is; on a terminal without the characters that could steer it."""
    import sys

    from rasen.base.text import without_controls
    from rasen.surfaces.cli import output

    if not output.is_terminal(sys.stdout):
        return text
    return without_controls(text.replace("\r\n", "\n"))
