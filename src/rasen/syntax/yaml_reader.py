"""Builds plain data from PyYAML's events, with the places of all values when asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

import yaml

from rasen.syntax.yaml_core import (
    ALIAS_BUDGET,
    CORE_TAG,
    MAX_DEPTH,
    UNPRINTABLE,
    YamlInvalid,
    resolve,
    resolve_tagged,
)

# The stubs call every mark optional; the parser sets them all.
_Event = Any


class Place(NamedTuple):
    """Where one value stands: character offsets, and one-based line and column for people.

    line, column: of the key in a map, else of the value. start, end: the value's own text, for a
    block collection up to the end of its last scalar. key_start, key_end: of the key; -1 outside
    maps. home_column: zero-based column where the value begins.
    kind: `scalar`, `literal` (a block scalar), `map`, `list` or `alias`.
    """

    line: int
    column: int
    start: int
    end: int
    key_start: int
    key_end: int
    home_column: int
    kind: str
    is_flow: bool


Path = tuple[str | int, ...]
Places = dict[Path, Place]

# The parser follows YAML 1.1, where these end a line; in 1.2 they are ordinary characters.
_OLD_BREAKS = ("\x85", "\u2028", "\u2029")
_FIRST_PRIVATE = 0xE000


def read(text: str, *, file: str, places: Places | None = None, pure: bool = False) -> object:
    """The data of the one document in `text`; None when it holds no document.

    places: filled with the place of every value that is written out (not of what an alias repeats).
    pure: use the parser written in Python although the one in C is there.
    Errors: yaml_invalid.
    """
    return _Reader(text, file=file, places=places, pure=pure).document()


def alias_in(text: str) -> tuple[str, int, int] | None:
    """The name of the first alias, with its line and column; None when there is none."""
    body = text.removeprefix("\ufeff")
    restore = _stand_ins(body)
    hidden = body.translate({original: stand_in for stand_in, original in restore.items()})
    events: Iterator[_Event] = yaml.parse(hidden, Loader=getattr(yaml, "CLoader", yaml.Loader))
    for event in events:
        if _is(event, yaml.AliasEvent):
            mark = event.start_mark
            return str(event.anchor).translate(restore), mark.line + 1, mark.column + 1
    return None


class _Reader:
    def __init__(self, text: str, *, file: str, places: Places | None, pure: bool) -> None:
        self.file, self.places = file, places
        self.shift = 1 if text.startswith("\ufeff") else 0
        body = text[self.shift :]
        bad = UNPRINTABLE.search(body)
        if bad:
            self._refuse_at(body, bad.start(), f"the character U+{ord(bad[0]):04X} is not allowed")
        self.restore = _stand_ins(body)
        loader = yaml.Loader if pure else getattr(yaml, "CLoader", yaml.Loader)
        self.events: Iterator[_Event] = yaml.parse(body.translate(self._hide()), Loader=loader)
        self.anchors: dict[str, object] = {}
        self.repeated = 0

    def _hide(self) -> dict[int, int]:
        return {original: stand_in for stand_in, original in self.restore.items()}

    def document(self) -> object:
        try:
            next(self.events)
            if _is(next(self.events), yaml.StreamEndEvent):
                return None
            value, _ = self._node(next(self.events), (), 0, None)
            next(self.events)
            more = next(self.events)
            if not _is(more, yaml.StreamEndEvent):
                self._refuse(more, "a second document begins here; one is allowed")
            return value
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            problem = error.problem or error.context or "it cannot be parsed"
            self._raise(line, column, problem, error)
        except yaml.YAMLError as error:
            self._raise(1, 1, str(error).split("\n", 1)[0], error)

    def _node(
        self, event: _Event, path: Path, depth: int, key: _Event | None
    ) -> tuple[object, int]:
        """The value that `event` begins, and the offset where its text ends."""
        if depth > MAX_DEPTH:
            self._refuse(event, f"nested more than {MAX_DEPTH} levels deep")
        if _is(event, yaml.AliasEvent):
            value, end, kind = self._alias(event, depth), event.end_mark.index, "alias"
        elif _is(event, yaml.ScalarEvent):
            value, end = self._scalar(event), event.end_mark.index
            kind = "literal" if event.style in ("|", ">") else "scalar"
            self._remember(event.anchor, value)
        else:
            value, end, kind = self._collection(event, path, depth)
        if self.places is not None:
            self.places[path] = self._place(event, end, kind, key)
        return value, end

    def _collection(self, event: _Event, path: Path, depth: int) -> tuple[object, int, str]:
        kind = "map" if _is(event, yaml.MappingStartEvent) else "list"
        wanted = "map" if kind == "map" else "seq"
        if event.tag not in (None, "!", CORE_TAG + wanted):
            self._refuse(event, f"the tag {event.tag} is not part of the core schema")
        if event.anchor:
            self.anchors.pop(event.anchor, None)
        build = self._map if kind == "map" else self._list
        value, end = build(event, path, depth)
        self._remember(event.anchor, value)
        return value, end, kind

    def _map(self, start: _Event, path: Path, depth: int) -> tuple[dict[str, object], int]:
        found: dict[str, object] = {}
        end = start.end_mark.index
        while not _is(key := next(self.events), yaml.MappingEndEvent):
            name = self._key(key)
            if name in found:
                self._refuse(key, f"the key {name!r} appears twice in one map")
            below = (*path, name) if self.places is not None else path
            found[name], end = self._node(next(self.events), below, depth + 1, key)
        return found, key.end_mark.index if start.flow_style else end

    def _list(self, start: _Event, path: Path, depth: int) -> tuple[list[object], int]:
        found: list[object] = []
        end = start.end_mark.index
        while not _is(event := next(self.events), yaml.SequenceEndEvent):
            below = (*path, len(found)) if self.places is not None else path
            value, end = self._node(event, below, depth + 1, None)
            found.append(value)
        return found, event.end_mark.index if start.flow_style else end

    def _key(self, event: _Event) -> str:
        """A key is always text: what is written, whatever a plain scalar would mean elsewhere."""
        if _is(event, yaml.ScalarEvent):
            self._scalar(event)
            text = self._text(event)
            self._remember(event.anchor, text)
            return text
        value = self.anchors.get(event.anchor) if _is(event, yaml.AliasEvent) else None
        if not isinstance(value, str):
            self._refuse(event, "a key must be a single plain or quoted text")
        return value

    def _scalar(self, event: _Event) -> object:
        text = self._text(event)
        try:
            if event.tag is not None:
                return resolve_tagged(event.tag, text)
            return resolve(text) if event.implicit[0] else text
        except ValueError as error:
            problem = str(error)
            if "digits" in problem:
                problem = "the number has too many digits"
            self._refuse(event, problem)

    def _text(self, event: _Event) -> str:
        value: str = event.value
        return value.translate(self.restore) if self.restore else value

    def _remember(self, anchor: str | None, value: object) -> None:
        if anchor:
            self.anchors[anchor] = value

    def _alias(self, event: _Event, depth: int) -> object:
        if event.anchor not in self.anchors:
            self._refuse(event, f"the alias *{event.anchor} names nothing complete before it")
        value = self.anchors[event.anchor]
        size, height = _measure(value, ALIAS_BUDGET - self.repeated)
        self.repeated += size
        if self.repeated > ALIAS_BUDGET:
            self._refuse(event, f"aliases repeat more than {ALIAS_BUDGET} values")
        if depth + height > MAX_DEPTH:
            self._refuse(event, f"nested more than {MAX_DEPTH} levels deep")
        return value

    def _place(self, event: _Event, end: int, kind: str, key: _Event | None) -> Place:
        head = (key or event).start_mark
        return Place(
            line=head.line + 1,
            column=head.column + 1,
            start=event.start_mark.index + self.shift,
            end=end + self.shift,
            key_start=key.start_mark.index + self.shift if key else -1,
            key_end=key.end_mark.index + self.shift if key else -1,
            home_column=event.start_mark.column,
            kind=kind,
            is_flow=bool(getattr(event, "flow_style", False)),
        )

    def _refuse(self, event: _Event, problem: str) -> NoReturn:
        self._raise(event.start_mark.line + 1, event.start_mark.column + 1, problem)

    def _refuse_at(self, body: str, index: int, problem: str) -> NoReturn:
        line = body.count("\n", 0, index) + 1
        self._raise(line, index - body.rfind("\n", 0, index), problem)

    def _raise(
        self, line: int, column: int, problem: str, cause: Exception | None = None
    ) -> NoReturn:
        raise YamlInvalid(file=self.file, line=line, column=column, problem=problem) from cause


def _is(event: _Event, kind: type) -> bool:
    return type(event) is kind


def _stand_ins(body: str) -> dict[int, int]:
    """Private characters that do not occur in `body`, each with the break it stands for."""
    chosen: dict[int, int] = {}
    candidate = _FIRST_PRIVATE
    for character in _OLD_BREAKS:
        if character not in body:
            continue
        while chr(candidate) in body:
            candidate += 1
        chosen[candidate] = ord(character)
        candidate += 1
    return chosen


def _measure(value: object, budget: int) -> tuple[int, int]:
    """How many values `value` holds with itself, and how deep; stops soon after `budget`."""
    size, height = 1, 0
    children = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        for child in children:  # type: ignore[attr-defined]
            below, deep = _measure(child, budget - size)
            size += below
            height = max(height, deep + 1)
            if size > budget:
                break
    return size, height
