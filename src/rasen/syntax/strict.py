"""Checking loaded data against a JSON Schema file, with all problems in one pass."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rasen.base.messages import fill

_SHOWN_CHARS = 120
_MANY = 5


class Problem(NamedTuple):
    """One place where data breaks its schema. where: dotted path; empty for the whole document."""

    where: str
    text: str


def problems(value: object, schema: Path) -> list[Problem]:
    """Every place where `value` breaks the schema in the file `schema`, in a stable order."""
    if _surely_fits(schema)(value):
        return []
    validator = _validator(schema)
    if validator.is_valid(value):
        return []
    found = {
        Problem(".".join(map(str, error.instance_path)), _text(error))
        for error in validator.iter_errors(value)
    }
    return sorted(found)


def summary(found: list[Problem]) -> str:
    """The first few of `found` as one line of English."""
    shown = [f"{where}: {text}" if where else text for where, text in found[:_MANY]]
    rest = len(found) - len(shown)
    return "; ".join(shown) + (fill("; and {count} more", {"count": rest}) if rest else "")


@lru_cache
def _surely_fits(schema: Path) -> Callable[[object], bool]:
    from rasen.syntax.surely_fits import compiled

    return compiled(json.loads(schema.read_text("utf-8")))


@lru_cache
def _validator(schema: Path) -> Any:
    """Made once for each schema: one look at a machine may check hundreds of files by it."""
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads(schema.read_text("utf-8")))


def _text(error: Any) -> str:
    kind = error.kind
    match kind.name:
        case "additionalProperties":
            names = ", ".join(sorted(f"'{name}'" for name in kind.unexpected))
            return fill("unknown key {names}", {"names": names})
        case "required":
            return fill("'{key}' is missing", {"key": kind.property})
        case "const":
            return fill("it is not {value}", {"value": json.dumps(kind.expected_value)})
        case "type":
            return fill("it is not of type {types}", {"types": " or ".join(kind.types)})
        case "propertyNames":
            return fill("the key {key} has no valid form", {"key": json.dumps(error.instance)})
    message = str(error.message)
    return message if len(message) <= _SHOWN_CHARS else message[: _SHOWN_CHARS - 1] + "…"
