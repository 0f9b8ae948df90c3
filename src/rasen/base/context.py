"""What a use case is told about the world: places, time, identities, and whom to tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.clock import Clock, Ids


class Note(NamedTuple):
    """Something worth saying on the side; never part of an answer. `text` is a template."""

    text: str
    params: Mapping[str, object]


@dataclass(frozen=True)
class Context:
    """The world as one command sees it, read once at start.

    cwd: canonical. home: the user's home. config_dir, data_dir: ours, may not exist.
    env: the environment as it was at start; domain code reads only variables named in the
    specification. workspace: the name of the planning folder, `rasen` or `openspec`.
    tell: receives notes; they reach stderr (or nobody) and must not be relied on.
    """

    cwd: Path
    home: Path
    config_dir: Path
    data_dir: Path
    env: Mapping[str, str]
    workspace: str
    clock: Clock
    ids: Ids
    tell: Callable[[Note], None]

    def at(self, said: str) -> Path:
        """The place that somebody named, seen from where we are; `..` is folded, links stay."""
        return Path(os.path.normpath(self.cwd / said))

    def note(self, text: str, **params: object) -> None:
        """Say `text` (a template marked with N_) on the side."""
        self.tell(Note(text, params))
