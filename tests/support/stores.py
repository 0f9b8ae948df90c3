"""Stores in a sealed world: checkouts with metadata, and the machine's registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.world import World

from rasen.syntax import yaml


class Stores:
    """Makes checkouts and registers them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rows: dict[str, Any] = {}
        self.version = 1

    def checkout(
        self,
        name: str,
        *,
        workspace: str = "rasen",
        metadata: str | None = "",
        place: str = ".rasen-store",
    ) -> Path:
        """A healthy store; metadata: its text, "" for plain version 1, None for none."""
        root = self.world.base / "stores" / name
        (root / workspace / "specs").mkdir(parents=True)
        (root / workspace / "config.yaml").write_text("schema: spec-driven\n")
        if metadata is not None:
            (root / place).mkdir()
            (root / place / "store.yaml").write_text(metadata or f"version: 1\nid: {name}\n")
        return root

    def register(self, name: str, root: Path, *, uid: str | None = None, **backend: str) -> None:
        """Add a row; with a uid the registry becomes version 2."""
        row: dict[str, Any] = {"backend": {"type": "git", "local_path": str(root), **backend}}
        if name.startswith("project:"):
            row["type"] = "project"
        if uid is not None:
            self.version = 2
            row["id"] = name
        self.rows[uid or name] = row
        self.write(yaml.dump({"version": self.version, "stores": self.rows}))

    def write(self, text: str) -> Path:
        """Make `text` the registry."""
        path = self.world.data_dir / "stores" / "registry.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def spec(self, root: Path, name: str, text: str) -> None:
        """A spec of a store."""
        path = root / "rasen" / "specs" / name / "spec.md"
        path.parent.mkdir(parents=True)
        path.write_text(text)
