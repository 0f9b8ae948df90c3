"""Where schemas lie: the project's folder, the user's, then our own; each loaded once."""

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.errors import NotFound
from rasen.base.messages import N_
from rasen.files import atomic, paths
from rasen.planning.schemas.model import PACKAGE, PROJECT, USER, Artifact, Place, Schema

FILE = "schema.yaml"
SHIPPED = Path(__file__).parents[2] / "assets" / "schemas"


class SchemaUnknown(NotFound):
    """No layer has a schema of that name. It has no code of its own: the command's applies."""

    text = N_("there is no schema '{name}'; available: {available}")
    fix = N_("name one of the available schemas, or create it with `rasen schema init {name}`")


class TemplateMissing(NotFound):
    """A schema names a template that is not there."""

    code = "schema_template_missing"
    text = N_("the template of artifact '{artifact}' is missing: {path}")
    fix = N_("create the file, or run `rasen schema validate {schema}`")


class Shelf:
    """The schemas that one command can see, highest layer first."""

    def __init__(self, workspace_dir: Path, data_dir: Path, shipped: Path = SHIPPED) -> None:
        self.layers = (
            (PROJECT, workspace_dir / "schemas"),
            (USER, data_dir / "schemas"),
            (PACKAGE, shipped),
        )
        self._loaded: dict[str, Schema] = {}

    def places(self, name: str) -> list[Place]:
        """Every layer's schema of that name, the one that counts first. Source: planning §5.3."""
        if not paths.is_plain_name(name):
            return []
        return [
            Place(name, source, folder / name)
            for source, folder in self.layers
            if (folder / name / FILE).is_file()
        ]

    def find(self, name: str) -> Place:
        """The schema of that name that counts. Errors: the command's own code when unknown."""
        places = self.places(name)
        if not places:
            raise unknown(name, self.names())
        return places[0]

    def names(self, *sources: str) -> list[str]:
        """All names, sorted; only those of the given layers when any are given."""
        found: set[str] = set()
        for source, folder in self.layers:
            if not sources or source in sources:
                found.update(_schema_folders(folder))
        return sorted(found)

    def load(self, name: str) -> Schema:
        """The schema of that name, read once.

        Errors: unknown name (the command's own code), schema_invalid, yaml_invalid, file_*.
        """
        if name not in self._loaded:
            self._loaded[name] = load(self.find(name))
        return self._loaded[name]


def load(place: Place) -> Schema:
    """The schema at `place`. Errors: schema_invalid, yaml_invalid, file_*."""
    from rasen.planning.schemas import schema_file

    twin = place.directory.with_suffix(".json")
    if place.source == PACKAGE and twin.is_file():
        # The same document as our schema.yaml, kept equal by a test: commands that run a hundred
        # times a day then need no YAML parser.
        import json

        return schema_file.trusted(json.loads(atomic.read_text(twin)), place)
    path = place.directory / FILE
    return schema_file.parse(atomic.read_text(path), file=str(path), place=place)


def template_path(schema_dir: Path, template: str) -> Path:
    """Where a template is read from: `templates/`, or the schema's folder when only that has it.

    Source: planning §5.3. Errors: path_traversal.
    """
    usual = paths.inside(schema_dir, f"templates/{template}")
    if not usual.is_file():
        beside = paths.inside(schema_dir, template)
        if beside.is_file():
            return beside
    return usual


def template_text(schema: Schema, artifact: Artifact) -> str:
    """The template of an artifact, verbatim. Errors: schema_template_missing, file_*."""
    path = template_path(schema.directory, artifact.template)
    if not path.is_file():
        raise TemplateMissing(artifact=artifact.id, path=str(path), schema=schema.name)
    return atomic.read_text(path)


def unknown(name: str, available: list[str]) -> SchemaUnknown:
    """The refusal for a name no layer has, with up to three near ones. Source: planning §5.6."""
    from rasen.base.text import nearest

    close = nearest(name, available, most=3, within=3)
    return SchemaUnknown(
        name=name,
        available=", ".join(available),
        nearest=", ".join(close),
        fix=N_("did you mean {nearest}?") if close else None,
    )


def without_suffix(name: str) -> str:
    """`name` as typed by a person, who may have added `.yaml`. Source: planning §5.3."""
    for suffix in (".yaml", ".yml"):
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def _schema_folders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if not entry.name.startswith(".")]
    except OSError:  # no such layer
        return []
    return [name for name in names if (folder / name / FILE).is_file()]
