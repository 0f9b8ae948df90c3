"""Compiles the message catalogues when a wheel or an editable install is built."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Makes a `.mo` beside every `.po`."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Called by hatchling before it collects files."""
        for po in sorted(Path(self.root, "src/rasen/i18n/locales").glob("*/LC_MESSAGES/*.po")):
            with po.open("rb") as source:
                catalogue = read_po(source)
            with po.with_suffix(".mo").open("wb") as target:
                write_mo(target, catalogue)
