"""Use cases of schemas: load, list, locate and check them; copying and creating is in `authoring`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule, has_errors
from rasen.base.messages import N_
from rasen.files import atomic
from rasen.files.paths import canonical
from rasen.planning.schemas import disk, rules
from rasen.planning.schemas.authoring import ARTIFACTS, Draft, Fork, NewSchema, create, fork
from rasen.planning.schemas.disk import SchemaUnknown, Shelf
from rasen.planning.schemas.model import DEFAULT_SCHEMA, PROJECT, Place, Schema

__all__ = [
    "ARTIFACTS",
    "Check",
    "Draft",
    "Fork",
    "NewSchema",
    "SchemaUnknown",
    "Template",
    "available",
    "create",
    "fork",
    "load",
    "names",
    "templates",
    "validate",
    "validate_project",
    "where",
]


@dataclass(frozen=True)
class Template:
    """Where the template of an artifact is read from; the file may be missing."""

    artifact: str
    path: Path
    source: str


@dataclass(frozen=True)
class Check:
    """What is right and wrong with one schema. path: its folder."""

    name: str
    path: Path
    findings: tuple[Finding, ...]

    @property
    def is_valid(self) -> bool:
        """True when no finding is an error."""
        return not has_errors(self.findings)


def load(ctx: Context, workspace_dir: Path, name: str) -> Schema:
    """The schema of that name. Errors: schema_invalid, yaml_invalid; unknown names have no code."""
    return _shelf(ctx, workspace_dir).load(disk.without_suffix(name))


def names(ctx: Context, workspace_dir: Path | None = None) -> list[str]:
    """The names of all schemas, usable or not, sorted; for completion and error messages."""
    return _shelf(ctx, workspace_dir).names()


def available(ctx: Context, workspace_dir: Path | None = None) -> list[Schema]:
    """Every usable schema by name; where a higher layer's is broken the next one is shown.

    workspace_dir: None means the one in the working directory. Source: planning §4.9.
    """
    visible = _shelf(ctx, workspace_dir) if workspace_dir else _settled(ctx)
    found = (_first_usable(visible.places(name)) for name in visible.names())
    return [schema for schema in found if schema is not None]


def templates(ctx: Context, name: str | None = None) -> tuple[Schema, list[Template]]:
    """The schema and where its templates are, in the order of the file.

    name: None means the default schema. Errors: as for `load`. Source: planning §4.8.
    """
    schema = _settled(ctx).load(disk.without_suffix(name or DEFAULT_SCHEMA))
    return schema, [
        Template(
            artifact.id,
            canonical(disk.template_path(schema.directory, artifact.template)),
            schema.source,
        )
        for artifact in schema.artifacts
    ]


def where(ctx: Context, name: str) -> list[Place]:
    """Every layer's schema of that name, the one that counts first. Errors: unknown names.

    Source: planning §4.10.
    """
    visible, name = _settled(ctx), disk.without_suffix(name)
    visible.find(name)
    return visible.places(name)


def validate(ctx: Context, name: str) -> Check:
    """What is wrong with the schema that counts under that name. Errors: unknown names."""
    return _checked(_settled(ctx).find(disk.without_suffix(name)))


def validate_project(ctx: Context) -> list[Check] | None:
    """The same for every schema of the project; None when it has no folder for schemas."""
    visible = _settled(ctx)
    folder = next(folder for source, folder in visible.layers if source == PROJECT)
    if not folder.is_dir():
        return None
    return [_checked(Place(name, PROJECT, folder / name)) for name in visible.names(PROJECT)]


def _first_usable(places: Sequence[Place]) -> Schema | None:
    for place in places:
        try:
            return disk.load(place)
        except ToolError:
            continue  # a broken schema is not offered; `schema validate` says why
    return None


def _checked(place: Place) -> Check:
    from rasen.planning.schemas import schema_file
    from rasen.syntax import yaml

    path = place.directory / disk.FILE
    try:
        document = yaml.load_positioned(atomic.read_text(path), file=str(path))
    except ToolError as problem:
        return Check(place.name, place.directory, (_unreadable(problem),))
    schema, findings = schema_file.read(document.value, document.where, place)
    missing = _missing_templates(schema) if schema else []
    return Check(place.name, place.directory, (*findings, *missing))


def _unreadable(problem: ToolError) -> Finding:
    """The refusal to read a schema as a finding, with the code that using it would give."""
    line = problem.params.get("line")
    rule = Rule(problem.code, Level.ERROR, N_("{problem}"))
    return Finding(rule, disk.FILE, {"problem": problem}, line if isinstance(line, int) else None)


def _missing_templates(schema: Schema) -> list[Finding]:
    found = []
    for artifact in schema.artifacts:
        try:
            is_there = disk.template_path(schema.directory, artifact.template).is_file()
        except ToolError:  # a link that leads out of the schema
            is_there = False
        if not is_there:
            params = {"artifact": artifact.id, "template": artifact.template}
            place = f"artifacts.{artifact.id}.template"
            found.append(Finding(rules.TEMPLATE_MISSING, place, params))
    return found


def _shelf(ctx: Context, workspace_dir: Path | None = None) -> Shelf:
    return Shelf(workspace_dir or ctx.cwd / ctx.workspace, ctx.data_dir)


def _settled(ctx: Context) -> Shelf:
    """The schemas of the working directory, once what a dead writer left there is settled."""
    from rasen.roots import ops as roots

    roots.heal(ctx, ctx.cwd / ctx.workspace)
    return _shelf(ctx)
