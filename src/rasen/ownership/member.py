"""One member of a JSON file that belongs to somebody else: set and taken away, every other byte kept."""

from __future__ import annotations

import json
from typing import NamedTuple

_SPACE = " \t\n\r"


class CannotSplice(ValueError):
    """The text is no JSON object, or something that is no object is in the way."""


class Member(NamedTuple):
    """Where a member stands: from the end of what comes before it to the end of its value."""

    name: str
    start: int
    value_start: int
    end: int


class _Object(NamedTuple):
    """An object: its brace, its members, and the position after its closing brace."""

    start: int
    members: list[Member]
    end: int


def value_text(text: str, part: str) -> str | None:
    """The text of the value at the dotted name `part`; None when it is not there.

    Raises CannotSplice for a text that is no JSON object, and where a parent is no object.
    """
    at = _top(text)
    names = part.split(".")
    for number, name in enumerate(names):
        found = _find(at, name)
        if found is None:
            return None
        if number == len(names) - 1:
            return text[found.value_start : found.end]
        if text[found.value_start] != "{":
            raise CannotSplice(f"{'.'.join(names[: number + 1])} is no object")
        at = _object(text, found.value_start)
    return None


def put(text: str | None, part: str, value: str) -> tuple[str, str | None]:
    """`text` with the member set to the JSON text `value`; and the outermost thing that was made.

    text: None for a file that is not there. The second is `made` of the ledger's row: the dotted
    name of the outermost new member, "" for the whole file, None when only a value was replaced.
    Raises CannotSplice.
    """
    if text is None:
        return "{\n" + _nested(part.split("."), value, "  ") + "\n}\n", ""
    names = part.split(".")
    at = _top(text)
    for depth, name in enumerate(names):
        found = _find(at, name)
        if found is None:
            new = _nested(names[depth:], value, _indent(text, at), is_inline=_is_inline(text, at))
            return _inserted(text, at, new), ".".join(names[: depth + 1])
        if depth == len(names) - 1:
            return text[: found.value_start] + value + text[found.end :], None
        if text[found.value_start] != "{":
            raise CannotSplice(f"{'.'.join(names[: depth + 1])} is no object")
        at = _object(text, found.value_start)
    raise AssertionError("unreachable: a dotted name has a last word")


def taken(text: str, part: str, made: str | None) -> str | None:
    """`text` without the member, and without what was made for it and is empty now.

    None: nothing is left of a file that we made. Raises CannotSplice.
    """
    names = part.split(".")
    text = _cut(text, names)
    while len(names) > 1:
        names = names[:-1]
        is_ours = made is not None and (made == "" or len(names) >= len(made.split(".")))
        inner = value_text(text, ".".join(names))
        if not is_ours or inner is None or _object(inner, 0).members:
            return text
        text = _cut(text, names)
    return None if made == "" and not _top(text).members else text


def _cut(text: str, names: list[str]) -> str:
    at = _top(text)
    for name in names[:-1]:
        found = _find(at, name)
        if found is None or text[found.value_start] != "{":
            return text
        at = _object(text, found.value_start)
    found = _find(at, names[-1])
    if found is None:
        return text
    is_first = at.members[0].start == found.start
    if is_first and len(at.members) > 1:
        comma = text.index(",", found.end)
        return text[: found.start] + text[comma + 1 :]
    return text[: found.start] + text[found.end :]


def _inserted(text: str, at: _Object, new: str) -> str:
    position = at.members[-1].end if at.members else at.start + 1
    if _is_inline(text, at):
        joined = f", {new}" if at.members else new
    else:
        joined = f",\n{new}" if at.members else f"\n{new}"
    return text[:position] + joined + text[position:]


def _nested(names: list[str], value: str, indent: str, *, is_inline: bool = False) -> str:
    key = json.dumps(names[0], ensure_ascii=False)
    if len(names) == 1:
        inner = value
    elif is_inline:
        inner = "{" + _nested(names[1:], value, "", is_inline=True) + "}"
    else:
        inner = "{\n" + _nested(names[1:], value, indent + "  ") + f"\n{indent}}}"
    return f"{'' if is_inline else indent}{key}: {inner}"


def _is_inline(text: str, at: _Object) -> bool:
    """True for an object whose members stand on one line."""
    return "\n" not in text[at.start : at.end]


def _indent(text: str, at: _Object) -> str:
    if at.members:
        before = text[: at.members[0].value_start]
        line = before[before.rfind("\n") + 1 :]
        return line[: len(line) - len(line.lstrip(" \t"))]
    line_start = text.rfind("\n", 0, at.start) + 1
    line = text[line_start : at.start]
    return line[: len(line) - len(line.lstrip(" \t"))] + "  "


def _find(at: _Object, name: str) -> Member | None:
    return next((member for member in at.members if member.name == name), None)


def _top(text: str) -> _Object:
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    try:
        found = _object(text, start)
    except (ValueError, IndexError) as error:
        raise CannotSplice("it is no JSON object") from error
    if _skip(text, found.end) != len(text):
        raise CannotSplice("something follows the JSON object")
    return found


def _object(text: str, start: int) -> _Object:
    if text[start] != "{":
        raise ValueError("no object")
    members: list[Member] = []
    position = start + 1
    while True:
        before = position
        position = _skip(text, position)
        if text[position] == "}" and not members:
            return _Object(start, members, position + 1)
        if text[position] != '"':
            raise ValueError("no name")
        name, position = json.JSONDecoder().raw_decode(text, position)
        position = _skip(text, position)
        if text[position] != ":":
            raise ValueError("no colon")
        value_start = _skip(text, position + 1)
        _, end = json.JSONDecoder().raw_decode(text, value_start)
        members.append(Member(name, before if not members else members[-1].end, value_start, end))
        position = _skip(text, end)
        if text[position] == "}":
            return _Object(start, members, position + 1)
        if text[position] != ",":
            raise ValueError("no comma")
        position += 1


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _SPACE:
        position += 1
    return position
