"""What a plain scalar means in the core schema of YAML 1.2, and the error of a broken document."""

from __future__ import annotations

import re
from typing import ClassVar

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_

MAX_DEPTH = 100
ALIAS_BUDGET = 10_000

CORE_TAG = "tag:yaml.org,2002:"

_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = frozenset((".nan", ".NaN", ".NAN"))
_NUMBER_START = frozenset("0123456789+-.")

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class YamlInvalid(InvalidInput):
    """A YAML document cannot be read; parameters: file, line, column, problem."""

    code: ClassVar[str] = "yaml_invalid"
    text: ClassVar[str] = N_("{file}:{line}:{column}: invalid YAML: {problem}")
    fix: ClassVar[str] = N_("correct line {line} of {file}")


class YamlEditRefused(InvalidInput):
    """An edit would not give the wanted data without touching what it must leave alone."""

    code: ClassVar[str] = "yaml_edit_refused"
    text: ClassVar[str] = N_("{file}: cannot change {key} in place: {problem}")
    fix: ClassVar[str] = N_("edit {key} in {file} by hand")


def resolve(text: str) -> object:
    """The value of a plain scalar: None, bool, int, float or the text itself.

    Errors: ValueError for a whole number with more digits than the interpreter converts.
    Source: YAML 1.2.2, section 10.3.2.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text[2:], 8)
    if _HEX.fullmatch(text):
        return int(text[2:], 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    if sign := _INFINITY.fullmatch(text):
        return float("-inf" if sign[1] == "-" else "inf")
    return float("nan") if text in _NAN else text


def resolve_tagged(tag: str, text: str) -> object:
    """The value of a scalar that names its core type.

    Errors: ValueError when the tag is not a core scalar tag, or the text is no such value.
    """
    kind = tag.removeprefix(CORE_TAG) if tag.startswith(CORE_TAG) else tag
    if kind in ("str", "!"):
        return text
    if kind not in ("null", "bool", "int", "float"):
        raise ValueError(f"the tag {tag} is not part of the core schema")
    value = resolve(text)
    if kind == "float" and type(value) is int:
        return float(value)
    names = {"null": type(None), "bool": bool, "int": int, "float": float}
    if type(value) is not names[kind]:
        raise ValueError(f"the value does not fit its tag {kind}")
    return value


def same(left: object, right: object) -> bool:
    """True when both hold the same data; 1, 1.0 and true differ, NaN equals NaN."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if type(left) is not type(right):
        return False
    return left == right or (left != left and right != right)
