"""Says of data that it surely fits a JSON Schema, as far as a few common words tell.

It never says so of data that the schema refuses; what it is not sure of is left to the library,
which takes several milliseconds to load. Texts count only when they are printable ASCII: there all
kinds of regular expressions mean the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

Check = Callable[[Any], bool]

_TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str, "boolean": bool}
_MEANS_NOTHING = frozenset(("$schema", "$defs", "title", "description"))
_SURE_TEXT = re.compile(r"[ -~]*")


def compiled(schema: Mapping[str, Any]) -> Check:
    """The check of `schema`: True where a value surely fits; False where it may not."""
    try:
        return _all(schema, schema.get("$defs", {}))
    except (_Unsure, RecursionError):
        return _never


class _Unsure(Exception):
    """The schema holds a word that is not known here."""


def _never(_value: object) -> bool:
    return False


def _all(schema: object, defs: Mapping[str, Any]) -> Check:
    if schema is True:
        return _is_plain
    if not isinstance(schema, dict):
        raise _Unsure
    checks: list[Check] = [_is_plain] if "pattern" in schema or "minLength" in schema else []
    for word, said in schema.items():
        if word in _MEANS_NOTHING or word in ("additionalProperties", "patternProperties"):
            continue
        make = _WORDS.get(word)
        if make is None:
            raise _Unsure
        checks.append(make(said, defs))
    if "properties" in schema or "additionalProperties" in schema:
        checks.append(_members(schema, defs))
    elif "patternProperties" in schema:
        raise _Unsure
    return checks[0] if len(checks) == 1 else partial(_each, tuple(checks))


def _each(checks: tuple[Check, ...], value: object) -> bool:
    for check in checks:  # noqa: SIM110 - a generator costs as much as the checks
        if not check(value):
            return False
    return True


def _is_plain(value: object) -> bool:
    return not isinstance(value, str) or _SURE_TEXT.fullmatch(value) is not None


def _ref(said: str, defs: Mapping[str, Any]) -> Check:
    name = said.removeprefix("#/$defs/")
    if name not in defs:
        raise _Unsure
    return _all(defs[name], defs)


def _type(said: object, _defs: object) -> Check:
    kind = _TYPES.get(said) if isinstance(said, str) else None
    if kind is None:
        raise _Unsure
    return lambda value: type(value) is kind


def _const(said: object, _defs: object) -> Check:
    if isinstance(said, (dict, list)):
        raise _Unsure
    return lambda value: type(value) is type(said) and value == said


def _required(said: list[str], _defs: object) -> Check:
    return lambda value: not isinstance(value, dict) or all(name in value for name in said)


def _pattern(said: str, _defs: object) -> Check:
    search = re.compile(said).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def _min_length(said: int, _defs: object) -> Check:
    return lambda value: not isinstance(value, str) or len(value) >= said


def _items(said: object, defs: Mapping[str, Any]) -> Check:
    check = _all(said, defs)
    return lambda value: not isinstance(value, list) or all(map(check, value))


def _any_of(said: list[object], defs: Mapping[str, Any]) -> Check:
    checks = [_all(one, defs) for one in said]
    return lambda value: any(check(value) for check in checks)


def _property_names(said: object, defs: Mapping[str, Any]) -> Check:
    check = _all(said, defs)
    return lambda value: not isinstance(value, dict) or all(map(check, value))


def _members(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Check:
    """`properties`, `patternProperties` and `additionalProperties`, which belong together."""
    known = {name: _all(one, defs) for name, one in schema.get("properties", {}).items()}
    patterns: list[tuple[Callable[[str], object], Check]] = [
        (re.compile(pattern).search, _all(one, defs))
        for pattern, one in schema.get("patternProperties", {}).items()
    ]
    others = schema.get("additionalProperties", True)
    rest = None if others is False else _all(others, defs)
    return partial(_each_fits, known, patterns, rest)


def _each_fits(
    known: Mapping[str, Check],
    patterns: list[tuple[Callable[[str], object], Check]],
    rest: Check | None,
    value: object,
) -> bool:
    if not isinstance(value, dict):
        return True
    for name, one in value.items():
        check = known.get(name)
        if (check is None or patterns) and not (isinstance(name, str) and _is_plain(name)):
            return False
        checks = [found for search, found in patterns if search(name)]
        if check is not None:
            checks.append(check)
        if not _each(tuple(checks) or (rest or _never,), one):
            return False
    return True


_WORDS: Mapping[str, Callable[[Any, Mapping[str, Any]], Check]] = {
    "$ref": _ref,
    "type": _type,
    "const": _const,
    "required": _required,
    "pattern": _pattern,
    "minLength": _min_length,
    "items": _items,
    "anyOf": _any_of,
    "propertyNames": _property_names,
    "properties": lambda _said, _defs: _always,
}


def _always(_value: object) -> bool:
    return True
