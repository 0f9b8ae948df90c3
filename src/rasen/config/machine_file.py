"""This machine's `config.json`. The one owner of this format. Source: planning §1.6."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rasen.base.context import Note
from rasen.config.model import GLOBAL, ConfigShape
from rasen.config.reading import Complaints, without_invalid
from rasen.syntax.json import dump, load

# Written by earlier programs, read without complaint, gone with the next write.
RETIRED = ("delivery",)


def parse(text: str, *, path: Path) -> dict[str, object]:
    """All that the file holds, valid or not. Errors: json_invalid, config_shape_invalid."""
    value = load(text, file=str(path))
    if not isinstance(value, dict):
        raise ConfigShape(file=str(path))
    return value


def valid(
    fields: dict[str, object], *, path: Path, tell: Callable[[Note], None]
) -> dict[str, object]:
    """`fields` without the settings whose value is wrong, which are told, and without retired ones.

    Keys we do not know stay.
    """
    kept = {key: value for key, value in fields.items() if key not in RETIRED}
    return without_invalid(kept, (GLOBAL,), Complaints(str(path), tell, lambda _: None))


def render(fields: dict[str, object]) -> bytes:
    """The file's bytes: 2 spaces of indent, a final line feed, no retired keys."""
    return dump({key: value for key, value in fields.items() if key not in RETIRED}).encode()
