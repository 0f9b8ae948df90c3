"""What a change of a setting means: the value that was typed, and whether it is allowed."""

from __future__ import annotations

import json
import re

from rasen.base.messages import N_
from rasen.config import keys
from rasen.config.model import (
    GLOBAL,
    PROJECT,
    Change,
    ConfigKeyScope,
    ConfigKeyUnknown,
    ConfigValueInvalid,
)
from rasen.syntax.json import JsonInvalid, load

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_LONGEST_NUMBER = 300


def coerce(text: str) -> object:
    """The value that a typed word means: true, false, a number, a JSON list or object, else text.

    Source: planning §1.9.
    """
    word = text.strip()
    if word in ("true", "false"):
        return word == "true"
    if _NUMBER.fullmatch(word) and len(word) < _LONGEST_NUMBER:
        return _number(word)
    if word[:1] in ("[", "{"):
        try:
            return load(word, file="")
        except JsonInvalid:
            return text
    return text


def shown(value: object) -> str:
    """`value` as a confirmation shows it: text in quotes, everything in JSON."""
    return json.dumps(value, ensure_ascii=False)


def path_of(change: Change) -> tuple[str, ...]:
    """The place of the key in the file of its scope.

    Errors: config_key_unknown, config_key_scope.
    """
    key = keys.find(change.key)
    if key is not None and change.scope in key.scopes:
        return tuple(change.key.split("."))
    if key is not None:
        other = GLOBAL if change.scope == PROJECT else PROJECT
        raise ConfigKeyScope(key=change.key, scope=change.scope, other=other)
    path = keys.path_of(change.key)
    if path is not None and change.allow_unknown and change.scope == GLOBAL:
        return path
    names = keys.nearest_names(change.key, change.scope)
    raise ConfigKeyUnknown(key=change.key, nearest=", ".join(names))


def kind_for(change: Change) -> keys.Kind:
    """What the key takes in its scope. Errors: as for path_of."""
    path_of(change)
    key = keys.find(change.key)
    return keys.ANY if key is None else keys.kind_of(key, change.scope)


def check(change: Change, value: object) -> None:
    """Refuse a value that the key does not take in its scope.

    Errors: config_value_invalid; as for path_of.
    """
    kind = kind_for(change)
    if kind.takes(value):
        return
    is_text = kind.takes(str(value)) and not isinstance(value, str)
    fix = N_("add --string to set it as text") if is_text else N_("see 'rasen config'")
    raise ConfigValueInvalid(fix=fix, key=change.key, value=shown(value), wanted=kind.wanted)


def _number(word: str) -> object:
    if _WHOLE.fullmatch(word):
        return int(word)
    value = float(word)
    return value if abs(value) != float("inf") else word
