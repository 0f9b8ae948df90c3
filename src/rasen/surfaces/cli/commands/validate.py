"""`rasen validate`: one item, or all of a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rasen.base.errors import InvalidInput, UsageError
from rasen.base.messages import N_, Phrase
from rasen.surfaces.cli.run import (
    App,
    guarded,
    json_option,
    no_interactive_option,
    root_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rasen.planning.items import Item
    from rasen.roots.model import Root, RootRequest
    from rasen.surfaces.cli.validate_text import Target

_CONCURRENCY_HELP = N_("How many processes may share many specs (6, at most one per processor)")


class NothingNamed(InvalidInput):
    """A call that says neither what to check nor that all is to be checked."""

    code = "validate_error"
    text = N_("say what to check")
    fix = N_("Run `{all}`, `{changes}`, `{specs}` or `{one}`")


@click.command(
    name="validate",
    help=N_(
        "Check changes and specs.\n\n"
        "With a name, that change, spec or pipeline; with --all, --changes, --specs or --pipelines, "
        "all of them. Exit code 1 when anything is invalid. With --fix, findings with one obvious "
        "remedy are mended first."
    ),
)
@click.argument("item", required=False, metavar="[ITEM]")
@click.option("--all", "is_all", is_flag=True, help=N_("Check all changes, specs and pipelines"))
@click.option("--changes", is_flag=True, help=N_("Check all changes"))
@click.option("--specs", is_flag=True, help=N_("Check all specs"))
@click.option(
    "--pipelines", is_flag=True, help=N_("Check the pipelines of the project and your own")
)
@click.option(
    "--type",
    "kind",
    metavar="KIND",
    help=N_("change, spec or pipeline, for a name that is several"),
)
@click.option("--strict", is_flag=True, help=N_("Warnings fail too"))
@click.option("--fix", is_flag=True, help=N_("Mend what has one obvious remedy; shows each edit"))
@click.option("--dry-run", is_flag=True, help=N_("With --fix: show the edits, write nothing"))
@click.option("-y", "--yes", is_flag=True, help=N_("With --fix: do not ask"))
@click.option("--concurrency", metavar="N", help=_CONCURRENCY_HELP)
@json_option
@no_interactive_option
@root_options
@guarded(fallback="validate_error")
def validate(
    app: App,
    *,
    selector: RootRequest,
    as_json: bool,
    item: str | None,
    is_all: bool,
    kind: str | None,
    strict: bool,
    fix: bool,
    dry_run: bool,
    yes: bool,
    concurrency: str | None,
    no_interactive: bool,  # noqa: ARG001 - read by the frame
    **bulk: bool,
) -> int:
    from rasen.planning.items import Item
    from rasen.surfaces.cli import validate_text
    from rasen.surfaces.cli.lists import tell_implicit
    from rasen.upkeep import validate as checks

    if (dry_run or yes) and not fix:
        raise UsageError(problem=Phrase(N_("--dry-run and --yes go with --fix only")))
    root = app.root(selector)
    scope = _scope(app, root, item, kind, is_all=is_all, **bulk)
    target = _target(app, root, item, kind) if scope is None else scope
    if isinstance(target, Item):
        items, scope = [target], (target.kind,)
    else:
        tell_implicit(app, root)
        items, scope = checks.all_items(app.ctx, root, target), target
    fixes = _fixes(app, root, items, dry_run=dry_run, yes=yes) if fix else None
    validation = checks.validate(
        app.ctx,
        root,
        items,
        scope=scope,
        strict=strict,
        workers=validate_text.workers(concurrency, app.environ),
        track=validate_text.tracker(app, target),
    )
    if as_json:
        app.document(validate_text.document(validation, root, fixes))
    elif isinstance(target, Item):
        validate_text.tell_one(app, validation.reports[0], root)
    else:
        validate_text.tell_all(app, validation, root)
    return 0 if validation.is_valid else 1


def _fixes(
    app: App, root: Root, items: Sequence[Item], *, dry_run: bool, yes: bool
) -> list[dict[str, object]]:
    from rasen.surfaces.cli import fix_text

    return fix_text.mended(app, root, items, fix_text.Wanted(dry_run, yes))


def _scope(
    app: App, root: Root, item: str | None, kind: str | None, *, is_all: bool, **bulk: bool
) -> tuple[str, ...] | None:
    """The kinds that a bulk run covers; None when one item is meant. Source: planning §4.1."""
    from rasen.planning.items import CHANGE, PIPELINE, SPEC
    from rasen.upkeep.validate import all_kinds

    kinds = {CHANGE: bulk["changes"], SPEC: bulk["specs"], PIPELINE: bulk["pipelines"]}
    if item is None and kind is not None and kind.lower() == PIPELINE:
        kinds[PIPELINE] = True
    elif not is_all and not any(kinds.values()):
        return None
    wanted = all_kinds(app.ctx, root) if is_all else ()
    return tuple(name for name, is_wanted in kinds.items() if is_wanted or name in wanted)


def _target(app: App, root: Root, name: str | None, kind: str | None) -> Target:
    """The item of that name, or what the person picks."""
    if name is not None:
        from rasen.upkeep.validate import find_item

        return find_item(app.ctx, root, name, kind)
    picked = _picked(app, root) if app.interactive else None
    if picked is None:
        from rasen.surfaces.cli.pasteable import call

        raise NothingNamed(
            all=call(root, "validate", "--all"),
            changes=call(root, "validate", "--changes"),
            specs=call(root, "validate", "--specs"),
            one=call(root, "validate", "<name>"),
        )
    return picked


def _picked(app: App, root: Root) -> Item | tuple[str, ...] | None:
    from rasen.surfaces.cli import picking

    choices = {
        "all": (N_("all changes and specs"), ("change", "spec")),
        "changes": (N_("all changes"), ("change",)),
        "specs": (N_("all specs"), ("spec",)),
    }
    labels = [(value, app.t(label)) for value, (label, _) in choices.items()]
    labels.append(("one", app.t("one change or spec")))
    answer = app.choose("What do you want to check?", labels, rerun="--all")
    if answer == "one":
        return picking.one(app, root, N_("Which kind?"), rerun="<name>")
    return None if answer is None else choices[answer][1]
