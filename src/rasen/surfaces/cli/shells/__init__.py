"""Static completion scripts, one writer for each shell."""

from __future__ import annotations

from collections.abc import Callable

from rasen.surfaces.cli.shells import bash, fish, powershell, zsh
from rasen.surfaces.cli.shells.tree import Place

WRITERS: dict[str, Callable[[list[Place]], str]] = {
    "bash": bash.script,
    "fish": fish.script,
    "powershell": powershell.script,
    "zsh": zsh.script,
}
