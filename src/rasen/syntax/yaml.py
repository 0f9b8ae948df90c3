"""YAML 1.2 (core schema) as plain data: reading with places, editing in place, writing.

A map's keys are always text. What is stricter than the standard: one document, no duplicate keys,
scalar keys only, core tags only, bounded depth and bounded repetition through aliases. `<<` is an
ordinary key.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rasen.syntax.yaml_core import YamlEditRefused, YamlInvalid, resolve

if TYPE_CHECKING:
    from rasen.syntax.yaml_reader import Place

__all__ = [
    "Positioned",
    "YamlEditRefused",
    "YamlInvalid",
    "alias_in",
    "dump",
    "load",
    "load_positioned",
    "set_value",
    "unset",
]

# A plain document: comment lines, and `key: value` with characters that mean nothing else in YAML,
# in maps indented by two spaces below a `key:`.
_WORD = r"[\w./@+\-]+(?::[\w./@+\-]+)*"
_KEY = r"[A-Za-z0-9_][A-Za-z0-9_-]{0,99}(?::[A-Za-z0-9_-]{1,99})?"
_FLAT_LINE = re.compile(rf"((?:  ){{0,9}})({_KEY}):(?: +((?![-.@]){_WORD}(?: +{_WORD})*))? *\r?")
_COMMENT = re.compile(r" *(?:#.*)?\r?")
_SOUND_ASCII = re.compile(r"[\t\n\r\x20-\x7e]*")


class Positioned:
    """A document's data and where each value stands."""

    __slots__ = ("places", "value")

    def __init__(self, value: object, places: dict[tuple[str | int, ...], Place]) -> None:
        self.value, self.places = value, places

    def where(self, path: tuple[str | int, ...]) -> tuple[int, int] | None:
        """One-based line and column of the key (in a list: of the item) at `path`.

        None when nothing stands there, or only by way of an alias.
        """
        place = self.places.get(path)
        return (place.line, place.column) if place else None


def load(text: str, *, file: str) -> object:
    """The data of the one document in `text`; None when there is none.

    Errors: yaml_invalid with line and column.
    """
    flat = load_flat(text)
    if flat is not None:
        return flat
    from rasen.syntax.yaml_reader import read

    return read(text, file=file)


def load_flat(text: str) -> dict[str, object] | None:
    """The data of a document that is only `key: plain value` lines, and maps of such lines.

    None when it is not so simple. It exists because the parser takes 11 ms to import and a
    registry of hundreds of rows as long again; what it accepts, the parser reads the same.
    """
    if not _is_sound(text):
        return None
    found: dict[str, object] = {}
    open_maps = [found]
    for line in text.split("\n"):
        if _COMMENT.fullmatch(line):
            continue
        match = _FLAT_LINE.fullmatch(line)
        if match is None or not _put(match, open_maps):
            return None
    return found if open_maps[-1] else None  # else empty, or a key at the end has no value


def _put(match: re.Match[str], open_maps: list[dict[str, object]]) -> bool:
    """Enter one line into the map it belongs to; False when it cannot stand there.

    open_maps: from the outermost one to that of the line before; empty is that of a key which has
    no value so far.
    """
    indent, key, text = match.groups()
    depth = len(indent) // 2 + 1
    is_first = not open_maps[-1]
    if depth > len(open_maps) or (is_first and depth < len(open_maps)):
        return False
    del open_maps[depth:]
    target = open_maps[-1]
    if key in target:
        return False
    if text is None:
        open_maps.append({})
        target[key] = open_maps[-1]
        return True
    try:
        target[key] = resolve(text)
    except ValueError:
        return False
    return True


def load_positioned(text: str, *, file: str) -> Positioned:
    """The data of the one document in `text` with the place of every value.

    Errors: yaml_invalid with line and column.
    """
    from rasen.syntax.yaml_reader import Places, read

    places: Places = {}
    return Positioned(read(text, file=file, places=places), places)


def alias_in(text: str) -> tuple[str, int, int] | None:
    """The name of the first alias in a document that can be read, with its line and column; or None."""
    if "*" not in text:
        return None
    from rasen.syntax.yaml_reader import alias_in as find

    return find(text)


def set_value(text: str, path: tuple[str, ...], value: object, *, file: str) -> str:
    """`text` with `value` at `path`; maps on the way are made, every other byte stays.

    Errors: yaml_invalid when `text` is broken; yaml_edit_refused when it cannot be done in place.
    """
    from rasen.syntax.yaml_edit import set_value as edit

    return edit(text, path, value, file=file)


def unset(text: str, path: tuple[str, ...], *, file: str) -> str:
    """`text` without the key at `path` and without maps that this leaves empty.

    A path that is not there changes nothing. Errors: as for set_value.
    """
    from rasen.syntax.yaml_edit import unset as edit

    return edit(text, path, file=file)


def dump(value: object) -> str:
    """`value` as one YAML document in block style; reading it again gives equal data.

    Errors: TypeError or ValueError for what YAML cannot hold.
    """
    from rasen.syntax.yaml_dump import dump as write

    return write(value)


def _is_sound(text: str) -> bool:
    """True when nothing in `text` is refused by the parser or taken for the end of a line."""
    if text.isascii():
        return _SOUND_ASCII.fullmatch(text) is not None
    # Compiled only here: it takes 2 ms, and most such documents are ASCII.
    return re.fullmatch(r"[\t\n\r\x20-\x7e\xa0-\u2027\u2030-\ud7ff]*", text) is not None
