"""Workflows of a user's own, as folders and as files in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.world import World

Files = dict[str, bytes]


def manifest(
    id: str,
    *,
    sidecars: Sequence[str] = (),
    scripts: Sequence[str] = (),
    requires: Mapping[str, Sequence[str]] | None = None,
    more: str = "",
) -> str:
    """The text of a workflow.yaml. more: further lines."""
    text = f"version: 1\nid: {id}\n"
    if sidecars or scripts:
        text += f"files:\n  sidecars: [{', '.join(sidecars)}]\n  scripts: [{', '.join(scripts)}]\n"
    if requires:
        text += "requires:\n"
        text += "".join(f"  {name}: [{', '.join(ids)}]\n" for name, ids in requires.items())
    return text + more


def skill(name: str, body: str = "Do it.\n", *, more: str = "") -> str:
    """The text of a SKILL.md. more: further lines of front matter."""
    return f"---\nname: {name}\ndescription: How to do {name}.\n{more}---\n\n{body}"


def workflow(
    id: str,
    *,
    body: str = "Do it.\n",
    sidecars: Mapping[str, str] | None = None,
    scripts: Mapping[str, str] | None = None,
    requires: Mapping[str, Sequence[str]] | None = None,
    more: str = "",
) -> Files:
    """The files of a sound workflow whose skill has the workflow's id as its name."""
    beside, run = dict(sidecars or {}), dict(scripts or {})
    head = manifest(id, sidecars=list(beside), scripts=list(run), requires=requires, more=more)
    texts = {"workflow.yaml": head, "SKILL.md": skill(id, body), **beside, **run}
    return {path: text.encode() for path, text in texts.items()}


def lay(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files into a folder, which is made."""
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def install(world: World, id: str, files: Mapping[str, bytes] | None = None) -> Path:
    """Put a workflow into the library of the world, past every check."""
    return lay(world.data_dir / "workflows" / id, workflow(id) if files is None else files)


def select(world: World, *ids: str) -> None:
    """Make `ids` the selection of the machine."""
    world.config_dir.mkdir(parents=True, exist_ok=True)
    quoted = ", ".join(f'"{one}"' for one in ids)
    text = f'{{"profile": "custom", "workflows": [{quoted}]}}\n'
    (world.config_dir / "config.json").write_text(text)
