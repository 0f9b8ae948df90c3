"""The names and places of settings files, also those where the originals once kept them.

It is read on every start, so it imports nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FILE = "config.json"
PROJECT_FILES = ("config.yaml", "config.yml")

# Variable (empty: the home folder) and folders below it, in the order in which they are tried. The
# originals looked below `.config` only where XDG_CONFIG_HOME was not set.
OLDER: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("XDG_CONFIG_HOME", ("openspec",)),
    ("", (".config", "rasen")),
    ("", (".config", "openspec")),
    ("APPDATA", ("rasen",)),
    ("APPDATA", ("openspec",)),
)


def settings_file(env: Mapping[str, str], home: Path, config_dir: Path) -> Path | None:
    """The settings file that counts: ours, else one of an older layout in its place; None if none.

    With RASEN_HOME only the folder it names counts. Source: planning §1.5.
    """
    own = config_dir / FILE
    if own.is_file():
        return own
    if env.get("RASEN_HOME", "").strip():
        return None
    return next((path for path in older_files(env, home) if path.is_file()), None)


def older_files(env: Mapping[str, str], home: Path) -> list[Path]:
    """Every place where an older program may have left its settings."""
    found: list[Path] = []
    for variable, folders in OLDER:
        if not variable and env.get("XDG_CONFIG_HOME", "").strip():
            continue
        base = env.get(variable, "").strip() if variable else str(home)
        if base:
            found.append(Path(base).joinpath(*folders, FILE))
    return found
