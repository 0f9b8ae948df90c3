"""Making schemas of one's own: a copy of another one, or a new one from our artifacts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput
from rasen.base.messages import N_
from rasen.files import atomic, tree
from rasen.files.atomic import ABSENT
from rasen.files.batch import Batch
from rasen.files.paths import canonical
from rasen.planning.schemas import disk
from rasen.planning.schemas.disk import Shelf
from rasen.planning.schemas.model import DEFAULT_SCHEMA, PACKAGE, Artifact, Place
from rasen.roots import ops as roots
from rasen.syntax import yaml

ARTIFACTS = ("proposal", "specs", "design", "tasks")
_REQUIRES: Mapping[str, tuple[str, ...]] = {
    # the first of these that is part of the schema
    "specs": ("proposal",),
    "design": ("specs",),
    "tasks": ("design", "specs"),
}
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CONFIG_NAMES = ("config.yaml", "config.yml")


class SchemaNameInvalid(InvalidInput):
    """A name that no new schema may have."""

    code = "schema_name_invalid"
    text = N_("'{name}' cannot be the name of a schema")
    fix = N_("use lower-case words with hyphens that begin with a letter, such as team-flow")


class SchemaExists(Conflict):
    """The project already has a schema of that name."""

    code = "schema_exists"
    text = N_("the schema '{name}' already exists at {path}")
    fix = N_("choose another name, or replace it with --force")


class ArtifactChoiceInvalid(InvalidInput):
    """An artifact that a new schema cannot be made from."""

    code = "schema_artifacts_invalid"
    text = N_("unknown artifacts: {unknown}; choose among {valid}")
    fix = N_("give --artifacts a list such as proposal,specs,tasks")


@dataclass(frozen=True)
class Fork:
    """A schema that was copied into the project."""

    name: str
    path: Path
    origin: Place


@dataclass(frozen=True)
class Draft:
    """What a new schema shall be. description None: a plain one. set_default: for new changes."""

    name: str
    description: str | None = None
    artifacts: tuple[str, ...] = ARTIFACTS
    set_default: bool = False
    replace: bool = False


@dataclass(frozen=True)
class NewSchema:
    """A schema that was just made."""

    name: str
    path: Path
    artifacts: tuple[str, ...]
    is_default: bool


def fork(ctx: Context, source: str, name: str | None = None, *, replace: bool = False) -> Fork:
    """Copy a schema into the project under a name of its own, comments and layout kept.

    name: None means `<source>-custom`. replace: an existing one of that name gives way, all or
    nothing; copying a schema onto itself only rewrites its name.
    Errors: schema_name_invalid, schema_exists, yaml_invalid, yaml_edit_refused; unknown sources
    have no code. Source: planning §4.10.
    """
    roots.heal(ctx, ctx.cwd / ctx.workspace)
    source = disk.without_suffix(source)
    origin = Shelf(ctx.cwd / ctx.workspace, ctx.data_dir).find(source)
    name = name or f"{source}-custom"
    target = _target(ctx, name, replace=replace)
    files = dict(_files(origin.directory))
    path = str(origin.directory / disk.FILE)
    text = atomic.read_text(origin.directory / disk.FILE)
    files[disk.FILE] = yaml.set_value(text, ("name",), name, file=path).encode()
    batch = _batch(ctx, f"copy the schema {source} to {name}")
    _fill(batch, target, files)
    batch.commit()
    return Fork(name, target, origin)


def create(ctx: Context, draft: Draft) -> NewSchema:
    """Make a schema of our artifacts in the project, and the default if that is wanted.

    Errors: schema_name_invalid, schema_artifacts_invalid, schema_exists, yaml_invalid.
    Source: planning §4.10.
    """
    chosen = tuple(one for one in ARTIFACTS if one in draft.artifacts)
    unknown = [one for one in draft.artifacts if one not in ARTIFACTS]
    if unknown or not chosen:
        listed = ", ".join(unknown) or "-"
        raise ArtifactChoiceInvalid(unknown=listed, valid=", ".join(ARTIFACTS))
    roots.heal(ctx, ctx.cwd / ctx.workspace)
    target = _target(ctx, draft.name, replace=draft.replace)
    batch = _batch(ctx, f"create the schema {draft.name}")
    _fill(batch, target, _drafted(draft, chosen))
    if draft.set_default:
        _set_default(batch, ctx.cwd / ctx.workspace, draft.name)
    batch.commit()
    return NewSchema(draft.name, target, chosen, draft.set_default)


def _target(ctx: Context, name: str, *, replace: bool) -> Path:
    if not _NAME.fullmatch(name):
        raise SchemaNameInvalid(name=name)
    target = ctx.cwd / ctx.workspace / "schemas" / name
    if not replace and (target.exists() or target.is_symlink()):
        raise SchemaExists(name=name, path=str(target))
    return target


def _batch(ctx: Context, purpose: str) -> Batch:
    return Batch(ctx.cwd / ctx.workspace / ".journal", purpose=purpose, tell=ctx.tell)


def _fill(batch: Batch, target: Path, files: Mapping[str, bytes]) -> None:
    """Steps that make `target` hold exactly `files`, whose contents were read before."""
    batch.remove_tree(target)
    for relative, data in files.items():
        batch.write(target / relative, data, expect=ABSENT)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every regular file below `folder` by its relative path; links that lead out are left."""
    base = canonical(folder)
    for node in tree.walk(base):
        if node.kind is tree.Kind.FILE:
            yield node.relative, atomic.read_bytes(node.path)
        elif node.kind is tree.Kind.LINK:
            real = canonical(node.path)
            if real.is_relative_to(base) and real.is_file():
                yield node.relative, atomic.read_bytes(real)


def _drafted(draft: Draft, chosen: Sequence[str]) -> dict[str, bytes]:
    ours = disk.load(Place(DEFAULT_SCHEMA, PACKAGE, disk.SHIPPED / DEFAULT_SCHEMA))
    parts = [one for one in (ours.find(name) for name in chosen) if one is not None]
    value: dict[str, object] = {
        "name": draft.name,
        "version": 1,
        "description": draft.description or f"The workflow {draft.name}",
        "artifacts": [_entry(one, chosen) for one in parts],
    }
    if "tasks" in chosen:
        value["apply"] = {"requires": ["tasks"], "tracks": "tasks.md"}
    files = {disk.FILE: yaml.dump(value).encode()}
    for one in parts:
        files[f"templates/{_template(one)}"] = disk.template_text(ours, one).encode()
    return files


def _entry(artifact: Artifact, chosen: Sequence[str]) -> dict[str, object]:
    needs = [need for need in _REQUIRES.get(artifact.id, ()) if need in chosen][:1]
    return {
        "id": artifact.id,
        "generates": artifact.generates,
        "description": artifact.description,
        "template": _template(artifact),
        "instruction": artifact.instruction or "",
        "requires": needs,
    }


def _template(artifact: Artifact) -> str:
    return "specs/spec.md" if artifact.id == "specs" else artifact.template


def _set_default(batch: Batch, workspace_dir: Path, name: str) -> None:
    for candidate in _CONFIG_NAMES:
        path = workspace_dir / candidate
        data = atomic.read_optional(path)
        if data is not None:
            text = yaml.set_value(atomic.read_text(path), ("schema",), name, file=str(path))
            batch.write(path, text.encode(), expect=atomic.digest(data))
            return
    batch.write(workspace_dir / _CONFIG_NAMES[0], f"schema: {name}\n".encode(), expect=ABSENT)
