"""How settings are taken out of untrusted maps: each field by itself, complaints told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rasen.base.context import Note
from rasen.base.messages import N_, Phrase
from rasen.config import keys

Path = tuple[str | int, ...]
Tell = Callable[[Note], None]

A_MAP = Phrase(N_("a map"))

_NOTHING = object()
_IGNORED = N_("{place}: {key} is ignored: it must be {wanted}")


class Complaints:
    """Tells which fields of one file are ignored, with their line where that can be known."""

    def __init__(self, file: str, tell: Tell, where: Callable[[Path], int | None]) -> None:
        self._file, self._tell, self._where = file, tell, where

    def say(self, path: Path, template: str, **params: object) -> None:
        """Tell `template`, whose {place} is the file and line of `path`."""
        line = self._where(path)
        place = self._file if line is None else f"{self._file}:{line}"
        self._tell(Note(template, {"place": place, **params}))

    def ignored(self, path: Path, wanted: str) -> None:
        """Tell that the field at `path` is ignored because it is not `wanted`."""
        self.say(path, _IGNORED, key=".".join(map(str, path)), wanted=wanted)


def settings(
    fields: Mapping[str, object], scopes: tuple[str, ...], complaints: Complaints
) -> dict[str, object]:
    """The settings of the registry in `fields` that are valid in one of `scopes`, nested as there.

    What is no setting is left out silently; a setting with a wrong value is told and left out.
    """
    found: dict[str, object] = {}
    for path, value in _leaves(fields, (), complaints):
        if _is_valid(path, value, scopes, complaints):
            put(found, path, value)
    return found


def without_invalid(
    fields: Mapping[str, object], scopes: tuple[str, ...], complaints: Complaints
) -> dict[str, object]:
    """All of `fields` but the settings with a wrong value, which are told."""
    kept = dict(fields)
    for path, value in list(_leaves(fields, (), complaints)):
        if not _is_valid(path, value, scopes, complaints):
            remove(kept, path)
    return kept


def _is_valid(
    path: tuple[str, ...], value: object, scopes: tuple[str, ...], complaints: Complaints
) -> bool:
    key = keys.find(".".join(path))
    if key is None or not set(scopes) & set(key.scopes):
        return False
    kind = keys.kind_of(key, scopes[0])
    if not kind.takes(value) and not (kind.reads is not None and kind.reads(value)):
        complaints.ignored(path, kind.wanted)
        return False
    return True


def put(fields: dict[str, object], path: tuple[str, ...], value: object) -> None:
    """Set `value` at `path`, making the maps on the way; what is no map there is replaced."""
    node = fields
    for word in path[:-1]:
        below = node.get(word)
        node[word] = node = dict(below) if isinstance(below, dict) else {}
    node[path[-1]] = value


def get(fields: Mapping[str, object], path: tuple[str, ...]) -> object:
    """The value at `path`; None when nothing is there."""
    node: object = fields
    for word in path:
        if not isinstance(node, Mapping) or word not in node:
            return None
        node = node[word]
    return node


def remove(fields: dict[str, object], path: tuple[str, ...]) -> bool:
    """Take away the value at `path` and the maps this leaves empty; False when it was not there."""
    below = fields.get(path[0])
    if len(path) == 1:
        return fields.pop(path[0], _NOTHING) is not _NOTHING
    if not isinstance(below, dict):
        return False
    fields[path[0]] = inner = dict(below)
    is_removed = remove(inner, path[1:])
    if is_removed and not inner:
        del fields[path[0]]
    return is_removed


def _leaves(
    fields: Mapping[str, object], above: tuple[str, ...], complaints: Complaints
) -> Iterator[tuple[tuple[str, ...], object]]:
    """The settings of the registry below `fields`, with their paths."""
    for name, value in fields.items():
        path = (*above, name)
        if keys.find(".".join(path)) is not None and "." not in name:
            yield path, value
        elif keys.is_block(path):
            if isinstance(value, dict):
                yield from _leaves(value, path, complaints)
            elif value is not None:
                complaints.ignored(path, A_MAP)
        elif above == ("handoff", "roles"):
            complaints.ignored(path, keys.ROLE_WANTED)
