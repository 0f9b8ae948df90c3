"""Which schema a change follows, and what it says about itself on disk."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.base.text import nearest
from rasen.config.model import ProjectConfig
from rasen.files import atomic
from rasen.files.errors import FileMissing
from rasen.planning.changes import metadata_file
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.schemas.disk import Shelf, without_suffix
from rasen.planning.schemas.lanes import narrowed
from rasen.planning.schemas.model import DEFAULT_SCHEMA, Schema
from rasen.roots.model import Root


class ChangeSchemaUnknown(InvalidInput):
    """A change's metadata names a schema that no layer has; the command's own code applies."""

    text = N_("{file} names the schema '{schema}', which does not exist; available: {available}")
    fix = N_("correct `schema` in {file}")


class Chooser:
    """Says which schema each change of one root follows; schemas and settings are read once."""

    def __init__(self, ctx: Context, root: Root) -> None:
        self.shelf = Shelf(root.workspace_dir, ctx.data_dir)
        self._ctx, self._root = ctx, root

    @cached_property
    def settings(self) -> ProjectConfig:
        """The settings of the root; all unset when it has no configuration."""
        from rasen.roots import ops

        return ops.settings(self._ctx, self._root) or ProjectConfig()

    @property
    def default(self) -> str:
        """The schema of changes that do not name one: the settings', else ours."""
        named = self.settings.schema
        return without_suffix(named) if named else DEFAULT_SCHEMA

    def schema(self, change_dir: Path, override: str | None = None) -> Schema:
        """The schema of a change: `override`, else its metadata's, else the settings', else ours.

        Only the part that belongs to the change's lane.

        Broken metadata is refused even when `override` decides. Source: planning §4.5, §5.3.
        Errors: change_metadata_invalid, yaml_invalid, schema_invalid, file_*; unknown names have
        the command's own code.
        """
        metadata = self.metadata(change_dir)
        named = metadata.schema if metadata else self.default
        whole = self.shelf.load(without_suffix(override) if override else named)
        return narrowed(whole, metadata.lane if metadata else None)

    def metadata(self, change_dir: Path) -> Metadata | None:
        """What a change says about itself; None when it has no metadata file.

        Errors: change_metadata_invalid, yaml_invalid, file_*; an unknown schema.
        """
        found = read_metadata(change_dir)
        if found and not self.shelf.places(found.schema):
            available = self.shelf.names()
            close = nearest(found.schema, available, most=3, within=3)
            raise ChangeSchemaUnknown(
                file=str(change_dir / metadata_file.FORMAT),
                schema=found.schema,
                available=", ".join(available),
                nearest=", ".join(close),
                fix=N_("did you mean {nearest}? Correct `schema` in {file}") if close else None,
            )
        return found


def read_metadata(change_dir: Path) -> Metadata | None:
    """The metadata of a change, whatever schema it names; None when it has no metadata file.

    Errors: change_metadata_invalid, yaml_invalid, file_*.
    """
    path = change_dir / metadata_file.FORMAT
    try:
        text = atomic.read_text(path)
    except FileMissing:
        if path.is_symlink():
            raise
        return None
    return metadata_file.parse(text, file=str(path))
