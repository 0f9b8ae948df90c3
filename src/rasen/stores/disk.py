"""Where the store registry and the metadata of a store lie; loading them."""

from __future__ import annotations

import os
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.atomic import read_text
from rasen.files.errors import FileMissing
from rasen.stores import registry_file, store_file
from rasen.stores.model import Metadata, Registry
from rasen.stores.refusals import InvalidStoreMetadata, InvalidStoreRegistry

METADATA = Path(".rasen-store", "store.yaml")
LEGACY_METADATA = Path(".openspec-store", "store.yaml")


def registry_path(ctx: Context) -> Path:
    return ctx.data_dir / "stores" / "registry.yaml"


def load_registry(ctx: Context) -> Registry:
    """The registry; empty when there is none.

    Errors: invalid_store_registry, also when it cannot be read.
    """
    return parse_registry(ctx, load_registry_text(ctx))


def load_registry_text(ctx: Context) -> str | None:
    """The text of the registry; None when there is none. Errors: invalid_store_registry."""
    path = registry_path(ctx)
    try:
        return read_text(path)
    except FileMissing:
        return None
    except ToolError as error:
        raise InvalidStoreRegistry(target="store.registry", file=path, problem=error) from error


def parse_registry(ctx: Context, text: str | None) -> Registry:
    """The registry that `text` holds; empty for None. Errors: invalid_store_registry."""
    if text is None:
        return Registry()
    return registry_file.parse(text, file=str(registry_path(ctx)))


def metadata_path(root: Path) -> Path | None:
    """The metadata file that counts, the older place last; None when there is neither."""
    for place in (METADATA, LEGACY_METADATA):
        if os.path.lexists(root / place):
            return root / place
    return None


def load_metadata(root: Path) -> Metadata | None:
    """What the store says about itself; None when it says nothing.

    Errors: invalid_store_metadata, also when it cannot be read.
    """
    path = metadata_path(root)
    if path is None:
        return None
    try:
        text = read_text(path)
    except ToolError as error:
        raise InvalidStoreMetadata(target="store.metadata", file=path, problem=error) from error
    return store_file.parse(text, file=str(path))
