"""Where the machine's project registry and the project homes lie; loading and saving them."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.base.messages import N_, Phrase
from rasen.files.atomic import read_optional, replace_file
from rasen.projects import registry_file
from rasen.projects.model import InvalidProjectRegistry, Registry


def folder(ctx: Context) -> Path:
    return ctx.data_dir / "projects"


def registry_path(ctx: Context) -> Path:
    return folder(ctx) / "registry.json"


def lock_path(ctx: Context) -> Path:
    return folder(ctx) / "registry.json.lock"


def load(ctx: Context) -> Registry:
    """The registry; empty when there is none yet.

    Errors: invalid_project_registry, and those of reading a file.
    """
    path = registry_path(ctx)
    data = read_optional(path)
    if data is None:
        return Registry()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidProjectRegistry(
            target="project.registry", file=path, problem=Phrase(N_("it is not UTF-8"))
        ) from error
    return registry_file.parse(text, file=str(path))


def save(ctx: Context, registry: Registry) -> None:
    """Make the registry on disk say `registry`. Hold its lock."""
    replace_file(registry_path(ctx), registry_file.render(registry).encode())
