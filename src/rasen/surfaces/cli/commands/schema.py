"""`schema …`: where schemas come from, what is wrong with them, and making your own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rasen.base.errors import EXIT_FAILED, NotFound, ToolError, UsageError
from rasen.base.messages import N_
from rasen.surfaces import present
from rasen.surfaces.cli.run import App, guarded, json_option

if TYPE_CHECKING:
    from rasen.planning.schemas.model import Place
    from rasen.planning.schemas.ops import Check

_EXPERIMENTAL = N_("Note: the schema commands are experimental and may change.")


@click.command(name="which")
@click.argument("name", required=False)
@click.option("--all", "show_all", is_flag=True, help=N_("Show every schema"))
@json_option
@guarded()
def which(app: App, *, name: str | None, show_all: bool, as_json: bool) -> int:
    """Say where a schema comes from."""
    from rasen.planning.schemas import ops

    _warn(app)
    if not name and not show_all:
        problem = UsageError(problem=app.t(N_("name a schema, or add --all")))
        return _failed(app, problem, {}, available=ops.names(app.ctx))
    try:
        wanted = ops.names(app.ctx) if show_all else [str(name)]
        found = [ops.where(app.ctx, one) for one in wanted]
    except ops.SchemaUnknown as problem:
        return _failed(app, problem, {}, available=ops.names(app.ctx))
    if as_json:
        documents = [_located(places) for places in found]
        app.document(documents if show_all else documents[0])
    else:
        for places in found:
            _show_located(app, places)
    return 0


def _located(places: Sequence[Place]) -> dict[str, object]:
    first, *others = places
    return {
        "name": first.name,
        "source": first.source,
        "path": str(first.directory),
        "shadows": [{"source": one.source, "path": str(one.directory)} for one in others],
    }


def _show_located(app: App, places: Sequence[Place]) -> None:
    first, *others = places
    app.line("Schema: {name}", name=first.name)
    app.line("Source: {source}", source=first.source)
    app.line("Path: {path}", path=first.directory)
    for one in others:
        app.line("  shadows {source}: {path}", source=one.source, path=one.directory)


@click.command(name="validate")
@click.argument("name", required=False)
@click.option("--verbose", is_flag=True, help=N_("Name what was checked"))
@json_option
@guarded()
def validate(app: App, *, name: str | None, verbose: bool, as_json: bool) -> int:
    """Check a schema and its templates; without a name, all schemas of the project."""
    from rasen.planning.schemas import ops

    _warn(app)
    if not name:
        return _validate_project(app, verbose=verbose)
    try:
        check = ops.validate(app.ctx, name)
    except ops.SchemaUnknown as problem:
        null = {"name": name, "valid": False, "issues": []}
        return _failed(app, problem, null, available=ops.names(app.ctx))
    if as_json:
        app.document(_checked(check))
    else:
        _show_check(app, check, verbose=verbose)
    return 0 if check.is_valid else EXIT_FAILED


def _validate_project(app: App, *, verbose: bool) -> int:
    from rasen.planning.schemas import ops

    checks = ops.validate_project(app.ctx)
    if checks is None:
        text = N_("The project has no schemas of its own.")
        if app.as_json:
            app.document({"valid": True, "schemas": [], "message": text})
        else:
            app.line(text)
        return 0
    is_valid = all(one.is_valid for one in checks)
    if app.as_json:
        app.document({"valid": is_valid, "schemas": [_checked(one) for one in checks]})
    else:
        for one in checks:
            _show_check(app, one, verbose=verbose)
    return 0 if is_valid else EXIT_FAILED


def _checked(check: Check) -> dict[str, object]:
    issues = [present.issue(one) for one in check.findings]
    for issue in issues:
        issue["level"] = str(issue["level"]).lower()
    return {
        "name": check.name,
        "path": str(check.path),
        "valid": check.is_valid,
        "issues": issues,
    }


def _show_check(app: App, check: Check, *, verbose: bool) -> None:
    if verbose:
        app.line("Checking {path}", path=check.path)
    if check.is_valid:
        app.line("Schema '{name}' is valid", name=check.name)
    else:
        app.say("Schema '{name}' has issues", name=check.name)
    for finding in check.findings:
        at = f"{finding.path}:{finding.line}" if finding.line else finding.path
        level = finding.level.value
        app.say("  [{level}] {at}: {text}", level=level, at=at, text=app.told(finding))
        if finding.fix:
            app.say("    Fix: {step}", step=present.fix(finding, app.translate))


@click.command(name="fork")
@click.argument("source")
@click.argument("name", required=False)
@click.option("--force", is_flag=True, help=N_("Replace a schema of that name"))
@json_option
@guarded()
def fork(app: App, *, source: str, name: str | None, force: bool, as_json: bool) -> int:
    """Copy a schema into this workspace to change it."""
    from rasen.planning.schemas import ops

    _warn(app)
    try:
        made = ops.fork(app.ctx, source, name, replace=force)
    except ToolError as problem:
        names = ops.names(app.ctx) if isinstance(problem, ops.SchemaUnknown) else None
        return _failed(app, problem, {"forked": False}, available=names)
    if as_json:
        app.document(
            {
                "forked": True,
                "source": made.origin.name,
                "sourcePath": str(made.origin.directory),
                "sourceLocation": made.origin.source,
                "destination": made.name,
                "destinationPath": str(made.path),
            }
        )
    else:
        app.line("Copied '{source}' to '{name}'", source=made.origin.name, name=made.name)
        app.line("Edit: {path}", path=made.path / "schema.yaml")
    return 0


@click.command(name="init")
@click.argument("name")
@click.option("--description", metavar="TEXT", help=N_("What the schema is for"))
@click.option("--artifacts", metavar="LIST", help=N_("Some of proposal,specs,design,tasks"))
@click.option(
    "--default/--no-default", "default", default=None, help=N_("Use it for new changes here")
)
@click.option("--force", is_flag=True, help=N_("Replace a schema of that name"))
@json_option
@guarded()
def init(
    app: App,
    *,
    name: str,
    description: str | None,
    artifacts: str | None,
    default: bool | None,
    force: bool,
    as_json: bool,
) -> int:
    """Create a schema in this workspace."""
    from rasen.planning.schemas import ops

    _warn(app)
    chosen = tuple(_words(artifacts)) if artifacts is not None else None
    if description is None and artifacts is None and app.interactive:
        description, chosen, default = _asked(app, name, default)
    draft = ops.Draft(name, description, set_default=bool(default), replace=force)
    if chosen is not None:
        draft = ops.Draft(name, description, chosen, set_default=bool(default), replace=force)
    try:
        made = ops.create(app.ctx, draft)
    except ToolError as problem:
        valid = list(ops.ARTIFACTS) if problem.code == "schema_artifacts_invalid" else None
        return _failed(app, problem, {"created": False}, valid=valid)
    if as_json:
        app.document(
            {
                "created": True,
                "path": str(made.path),
                "schema": made.name,
                "artifacts": list(made.artifacts),
                "setAsDefault": made.is_default,
            }
        )
    else:
        app.line("Created the schema '{name}' at {path}", name=made.name, path=made.path)
        app.line("Artifacts: {ids}", ids=" → ".join(made.artifacts))
        if made.is_default:
            app.line("New changes here follow it.")
    return 0


def _asked(
    app: App, name: str, default: bool | None
) -> tuple[str | None, tuple[str, ...], bool | None]:
    from rasen.planning.schemas import ops

    description = app.ask(N_("What is {name} for?"), name=name, rerun="--description TEXT")
    chosen = tuple(
        one
        for one in ops.ARTIFACTS
        if app.confirm(N_("Include {id}?"), default=True, id=one, rerun="--artifacts LIST")
    )
    if default is None:
        default = app.confirm(
            N_("Use it for new changes here?"), default=False, rerun="--no-default"
        )
    return description or None, chosen, default


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _warn(app: App) -> None:
    app.say(_EXPERIMENTAL)


def _failed(app: App, problem: ToolError, null: dict[str, object], **more: list[str] | None) -> int:
    """Answer a refusal in the shape of these commands: `error` and what would have worked."""
    if not app.as_json:
        app.refuse(problem)
        return EXIT_FAILED
    step = present.fix(problem)
    document: dict[str, object] = {**null, "error": present.message(problem)}
    document.update({key: value for key, value in more.items() if value is not None})
    if step and not isinstance(problem, NotFound):
        document["suggestion"] = step
    app.document({**document, "status": [present.diagnostic(problem)]})
    return EXIT_FAILED
