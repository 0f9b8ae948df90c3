"""JSON read strictly (no duplicate keys, no NaN, no lone surrogates) and written in one form."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_

MAX_DEPTH = 100

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]|-?[0-9][0-9.eE+-]*|-?[A-Za-z]+', re.DOTALL)


class JsonInvalid(InvalidInput):
    """A JSON document cannot be read; parameters: file, line, column, problem."""

    code: ClassVar[str] = "json_invalid"
    text: ClassVar[str] = N_("{file}:{line}:{column}: invalid JSON: {problem}")
    fix: ClassVar[str] = N_("correct line {line} of {file}")


class _Unacceptable(Exception):
    """The standard decoder accepts it, we do not; where it stands is found afterwards."""


def load(text: str, *, file: str) -> object:
    """The data of the one document in `text`.

    Errors: json_invalid with line and column: broken syntax, a duplicate key, NaN or an infinity, a
    number too large to hold, a lone surrogate, a byte order mark, nesting over 100 levels.
    """
    if text.startswith("\ufeff"):
        raise _at(text, 0, file, "it begins with a byte order mark")
    try:
        value: object = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise _at(text, error.pos, file, _lower(error.msg)) from error
    except (_Unacceptable, ValueError, RecursionError) as error:
        raise _first_problem(text, file) from error
    if _needs_a_look(text, value):
        problem = _find_problem(text)
        if problem is not None:
            raise _at(text, problem[0], file, problem[1])
    return value


def dump(value: object) -> str:
    """`value` with 2 spaces of indent, letters of all scripts as they are, and a final line feed.

    Errors: ValueError for NaN and infinities, TypeError for what JSON cannot hold.
    """
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Unacceptable
    return found


def _refuse(_constant: str) -> object:
    raise _Unacceptable


def _finite(number: str) -> float:
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise _Unacceptable
    return value


def _needs_a_look(text: str, value: object) -> bool:
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        return True
    return bool(_ESCAPED_SURROGATE.search(text) or _SURROGATE.search(text))


def _is_deep(value: object) -> bool:
    """Whether maps and lists are nested more than 100 levels deep; level by level, which is quick."""
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        rows = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for row in rows for one in row if isinstance(one, (dict, list))]
    return bool(level)


def _first_problem(text: str, file: str) -> JsonInvalid:
    index, problem = _find_problem(text) or (0, "it cannot be read")
    return _at(text, index, file, problem)


def _find_problem(text: str) -> tuple[int, str] | None:
    """Where, and why, `text` is refused although the standard decoder may take it."""
    keys: list[set[str] | None] = []
    matches = list(_TOKEN.finditer(text)) if len(text) < 1_000_000 else _TOKEN.finditer(text)
    waiting: re.Match[str] | None = None
    for match in matches:
        token = match[0]
        if waiting is not None:
            problem = _key_problem(waiting[0], keys) if token == ":" else None
            if problem:
                return waiting.start(), problem
            waiting = None
        problem = _token_problem(token, keys)
        if problem:
            return match.start(), problem
        if token[0] == '"':
            waiting = match
    return None


def _key_problem(token: str, keys: list[set[str] | None]) -> str | None:
    seen = keys[-1] if keys else None
    if seen is None:
        return None
    name = json.loads(token)
    if name in seen:
        return f"the key {token} appears twice in one object"
    seen.add(name)
    return None


def _token_problem(token: str, keys: list[set[str] | None]) -> str | None:
    first = token[0]
    if first in "[{":
        keys.append(set() if first == "{" else None)
        return f"nested more than {MAX_DEPTH} levels deep" if len(keys) > MAX_DEPTH else None
    if first in "]}":
        if keys:
            keys.pop()
        return None
    if first == '"':
        is_suspect = "\\" in token or _SURROGATE.search(token)
        broken = is_suspect and _SURROGATE.search(str(json.loads(token)))
        return "a text holds half of a surrogate pair" if broken else None
    if token in ("NaN", "Infinity", "-Infinity"):
        return f"{token} is not JSON"
    return _number_problem(token) if first in "-0123456789" else None


def _number_problem(token: str) -> str | None:
    try:
        value = json.loads(token)
    except ValueError:
        return "the number has too many digits"
    is_infinite = isinstance(value, float) and value in (float("inf"), float("-inf"))
    return "the number is too large" if is_infinite else None


def _at(text: str, index: int, file: str, problem: str) -> JsonInvalid:
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return JsonInvalid(file=file, line=line, column=column, problem=problem)


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]
