"""Changes one value of a YAML text by splicing, so that every byte that is not meant stays.

Each edit is read back and compared with the wanted data before it is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rasen.syntax.yaml_core import YamlEditRefused, YamlInvalid, same
from rasen.syntax.yaml_dump import entry_lines, flow, flow_key, inline, value_lines
from rasen.syntax.yaml_reader import Place, Places, read

Keys = tuple[str, ...]


def set_value(text: str, path: Keys, value: object, *, file: str) -> str:
    """`text` with `value` at `path`; maps on the way are made, every other byte stays.

    Errors: yaml_invalid, yaml_edit_refused.
    """
    if not path:
        raise ValueError("the path of an edit names at least one key")
    document = _Document(text, file)
    wanted = document.with_value(path, value)
    if same(wanted, document.data):
        return text
    return document.first_that_gives(wanted, document.ways_to_set(path, value), path)


def unset(text: str, path: Keys, *, file: str) -> str:
    """`text` without the key at `path` and without maps that this leaves empty.

    Errors: yaml_invalid, yaml_edit_refused.
    """
    document = _Document(text, file)
    target = document.prunable(path)
    if target is None:
        return text
    wanted = _without(document.data, target)
    return document.first_that_gives(wanted, document.ways_to_unset(target), path)


class _Document:
    """One text with its data and places, and the style that new lines follow."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.places: Places = {}
        self.data = read(text, file=file, places=self.places)
        self.eol = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        self.step = self._indent_step()
        self.is_list_indented = self._lists_are_indented()

    def with_value(self, path: Keys, value: object) -> object:
        """The data with `value` at `path`."""
        return self._set_in(self.data, path, (), value)

    def _set_in(self, node: object, path: Keys, above: Keys, value: object) -> object:
        if not path:
            return value
        if node is not None and not isinstance(node, dict):
            where = ".".join(above) or "the top"
            raise self._refusal(above + path, f"what stands at {where} is not a map")
        found = dict(node or {})
        found[path[0]] = self._set_in(found.get(path[0]), path[1:], (*above, path[0]), value)
        return found

    def prunable(self, path: Keys) -> Keys | None:
        """The path of what has to go: `path`, or the outermost map that only leads to it."""
        node: object = self.data
        target = path[:1]
        for depth, key in enumerate(path):
            if not isinstance(node, dict) or key not in node:
                return None
            if len(node) > 1:
                target = path[: depth + 1]
            node = node[key]
        return target or None

    def ways_to_set(self, path: Keys, value: object) -> Iterator[str]:
        """Texts that may carry `value` at `path`, best first."""
        depth = len(path)
        while depth and path[:depth] not in self.places:
            depth -= 1
        known, missing = path[:depth], path[depth:]
        place = self.places.get(known)
        node = self._data_at(known)
        if missing and place is not None and place.kind == "alias":
            return  # what it repeats is written elsewhere, for others too
        if missing and isinstance(node, dict) and place is not None:
            rest = _nested(missing[1:], value)
            yield from self._insertions(known, place, missing[0], rest)
        elif not known:
            yield self._append_to_nothing(missing, value)
        elif place is not None:
            yield from self._replacements(known, place, _nested(missing, value))

    def _append_to_nothing(self, path: Keys, value: object) -> str:
        lines = self._entry(path[0], _nested(path[1:], value), 0)
        gap = "" if not self.text or self.text.endswith(("\n", "\ufeff")) else self.eol
        return self.text + gap + "".join(line + self.eol for line in lines)

    def _insertions(self, owner: Keys, place: Place, key: str, value: object) -> Iterator[str]:
        children = self._children(owner)
        if place.is_flow or not children:
            yield self._insert_in_flow(place, children, key, value)
            return
        lines = self._entry(key, value, place.home_column)
        for is_greedy in (False, True):
            yield self._insert_after(self._line_end(children[-1], is_greedy=is_greedy), lines)
        # A block scalar that the file's end cuts short cannot have a line after it.
        yield self._splice_lines(self._line_start(children[-1].key_start), lines)

    def _insert_in_flow(self, place: Place, children: list[Place], key: str, value: object) -> str:
        entry = f"{flow_key(key)}: {flow(value)}"
        if not children:
            inside = self.text.index("{", place.start) + 1
            return self._splice(inside, inside, entry)
        return self._splice(children[-1].end, children[-1].end, ", " + entry)

    def _insert_after(self, end: int, lines: list[str]) -> str:
        if end == len(self.text) and not self.text.endswith("\n"):
            return self.text + self.eol + self.eol.join(lines)
        return self._splice_lines(end, lines)

    def _replacements(self, path: Keys, place: Place, value: object) -> Iterator[str]:
        if self._is_inside_flow(path):
            yield self._splice(place.start, place.end, self._spaced(place, flow(value)))
            return
        column = self.places[path[:-1]].home_column
        head, *rest = value_lines(value, step=self.step, is_indented=self.is_list_indented)
        lines = [head, *(" " * column + line if line else line for line in rest)]
        if place.kind in ("scalar", "alias") or place.is_flow:
            if not rest:
                yield self._splice(place.start, place.end, self._spaced(place, inline(value)))
            yield self._replace_rest_of_line(place, lines)
        else:
            yield self._replace_block(place, lines)
        yield self._replace_entry(place, lines)

    def _replace_rest_of_line(self, place: Place, lines: list[str]) -> str:
        """Keep the key and the comment behind the value; put the block on the lines below."""
        head = lines[0]
        end = self._line_end(place)
        start = place.start if head else _rstrip_to(self.text, place.start)
        tail = self.text[place.end : end].rstrip("\r\n")
        first = self._spaced(place, head) + (tail if tail.strip() else "")
        return self._put(start, end, [first, *lines[1:]])

    def _replace_block(self, place: Place, lines: list[str]) -> str:
        """Keep the key's line with its comment; replace the lines of the block below it."""
        key_line_end = self._end_of_line_at(place.key_end)
        if place.kind == "literal" or place.start < key_line_end:
            return self._replace_entry(place, lines)
        colon = self.text.index(":", place.key_end) + 1
        rest = self.text[colon:key_line_end].rstrip("\r\n")
        head = lines[0]
        first = (" " + head if head else "") + rest
        return self._put(colon, self._line_end(place), [first, *lines[1:]])

    def _replace_entry(self, place: Place, lines: list[str]) -> str:
        start = place.key_start
        key_and_colon = self.text[start : self.text.index(":", place.key_end) + 1]
        first = key_and_colon + (" " + lines[0] if lines[0] else "")
        return self._put(start, self._line_end(place), [first, *lines[1:]])

    def _put(self, start: int, end: int, lines: list[str]) -> str:
        ending = self.eol if self.text[:end].endswith("\n") else ""
        return self._splice(start, end, self.eol.join(lines) + ending)

    def ways_to_unset(self, path: Keys) -> Iterator[str]:
        """Texts that may lack `path`, best first."""
        place = self.places.get(path)
        if place is None:
            return
        if self._is_inside_flow(path):
            yield self._remove_from_flow(path, place)
            return
        start, end = self._line_start(place.key_start), self._line_end(place)
        yield self._splice(start, end, "")
        end = self._line_end(place, is_greedy=True)
        # Blank lines behind it would be taken up by a block scalar that keeps trailing lines.
        blank = re.compile(r"(?:[ \t]*\r?\n)*").match(self.text, end)
        yield self._splice(start, blank.end() if blank else end, "")

    def _remove_from_flow(self, path: Keys, place: Place) -> str:
        siblings = self._children(path[:-1])
        position = siblings.index(place)
        if position + 1 < len(siblings):
            return self._splice(place.key_start, siblings[position + 1].key_start, "")
        start = siblings[position - 1].end if position else place.key_start
        return self._splice(start, place.end, "")

    def first_that_gives(self, wanted: object, ways: Iterator[str], path: Keys) -> str:
        """The first of `ways` whose data is `wanted`. Errors: yaml_edit_refused when none is."""
        for text in ways:
            try:
                data = read(text, file=self.file)
            except YamlInvalid:
                continue
            if same(data if data is not None else {}, wanted if wanted is not None else {}):
                return text
        raise self._refusal(path, "its surroundings would be read differently")

    def _refusal(self, path: Keys, problem: str) -> YamlEditRefused:
        return YamlEditRefused(file=self.file, key=".".join(path), problem=problem)

    def _entry(self, key: str, value: object, column: int) -> list[str]:
        lines = entry_lines(key, value, step=self.step, is_indented=self.is_list_indented)
        return [" " * column + line if line else line for line in lines]

    def _indent_step(self) -> int:
        for path, place in self.places.items():
            if place.kind == "map" and not place.is_flow and path and isinstance(path[-1], str):
                owner = self.places[path[:-1]]
                if place.home_column > owner.home_column:
                    return place.home_column - owner.home_column
        return 2

    def _lists_are_indented(self) -> bool:
        for path, place in self.places.items():
            if place.kind == "list" and not place.is_flow and path and isinstance(path[-1], str):
                return place.home_column > self.places[path[:-1]].home_column
        return True

    def _children(self, path: Keys) -> list[Place]:
        node = self._data_at(path)
        assert isinstance(node, dict)
        return [self.places[(*path, key)] for key in node]

    def _data_at(self, path: Keys) -> object:
        node = self.data
        for key in path:
            node = node[key] if isinstance(node, dict) else None
        return node

    def _is_inside_flow(self, path: Keys) -> bool:
        return any(self.places[path[:depth]].is_flow for depth in range(len(path)))

    def _spaced(self, place: Place, value: str) -> str:
        needs_space = place.start and self.text[place.start - 1] == ":"
        return " " + value if value and needs_space else value

    def _line_start(self, index: int) -> int:
        start = self.text.rfind("\n", 0, index) + 1
        return start + 1 if self.text.startswith("\ufeff", start) and not start else start

    def _end_of_line_at(self, index: int) -> int:
        found = self.text.find("\n", index)
        return len(self.text) if found < 0 else found + 1

    def _line_end(self, place: Place, *, is_greedy: bool = False) -> int:
        """The offset behind the last line of the value at `place`.

        is_greedy: with the blank lines that a block scalar at its end may or may not keep.
        """
        end = place.end
        if end > place.start and self.text[end - 1] == "\n":
            return end if is_greedy else self._end_of_line_at(_rstrip_to(self.text, end, " \t\r\n"))
        return self._end_of_line_at(end)

    def _splice_lines(self, index: int, lines: list[str]) -> str:
        return self._splice(index, index, "".join(line + self.eol for line in lines))

    def _splice(self, start: int, end: int, new: str) -> str:
        return self.text[:start] + new + self.text[end:]


def _nested(path: Keys, value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _without(node: object, path: Keys) -> object:
    assert isinstance(node, dict)
    if len(path) == 1:
        return {key: value for key, value in node.items() if key != path[0]}
    return {
        key: _without(value, path[1:]) if key == path[0] else value for key, value in node.items()
    }


def _rstrip_to(text: str, index: int, blank: str = " \t") -> int:
    return len(text[:index].rstrip(blank))
