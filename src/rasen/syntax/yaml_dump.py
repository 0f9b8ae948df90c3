"""Writes plain data as YAML: quotes only where a plain scalar would be read otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from rasen.syntax.yaml_core import UNPRINTABLE, resolve

LONGEST_KEY = 1000

_LEADING = frozenset(",[]{}#&*!|>'\"%@`")
_UNSAFE_ANYWHERE = re.compile(
    r"[\n\r\t\x85\u2028\u2029\ufeff]|: |:$| #|^---|^\.\.\.|^ | $|^[-?:](?: |$)"
)
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}:]|^[-?]")
_LITERAL_UNSAFE = re.compile("[\r\x85\u2028\u2029\ufeff]")
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def dump(value: object) -> str:
    """`value` (maps with text keys, lists, text, numbers, booleans, None) as one YAML document.

    Reading it again gives equal data. Errors: TypeError for any other type, ValueError for a lone
    surrogate or a key of more than 1000 characters.
    """
    if _is_block(value):
        return "".join(line + "\n" for line in block_lines(value))
    return inline(value) + "\n"


def block_lines(value: object, *, step: int = 2, is_indented: bool = True) -> list[str]:
    """The lines of a non-empty map or list in block form, beginning at column 0.

    step: spaces for each level. is_indented: lists below a key stand deeper than the key.
    """
    if isinstance(value, Mapping):
        return [
            line
            for key, item in value.items()
            for line in entry_lines(key, item, step=step, is_indented=is_indented)
        ]
    lines: list[str] = []
    for item in _as_list(value):
        below = _below(item, step=step, is_indented=is_indented)
        lines.append("- " + below[0])
        lines.extend("  " + line if line else line for line in below[1:])
    return lines


def entry_lines(key: str, value: object, *, step: int = 2, is_indented: bool = True) -> list[str]:
    """The lines of `key` with its value, beginning at column 0."""
    head, *rest = value_lines(value, step=step, is_indented=is_indented)
    return [f"{key_text(key)}: {head}" if head else f"{key_text(key)}:", *rest]


def value_lines(value: object, *, step: int = 2, is_indented: bool = True) -> list[str]:
    """What follows `key:` on its line (nothing before a block), then the lines below it."""
    if not _is_block(value):
        head, *rest = _scalar_lines(value)
        return [head, *(_indent(line, step) for line in rest)]
    is_list = not isinstance(value, Mapping)
    deeper = step if is_indented or not is_list else 0
    below = block_lines(value, step=step, is_indented=is_indented)
    return ["", *(_indent(line, deeper) for line in below)]


def inline(value: object) -> str:
    """`value` on a single line, to stand as a whole value in block context."""
    if isinstance(value, str):
        return value if is_plain(value) else quoted(value)
    return flow(value)


def flow(value: object) -> str:
    """`value` in flow form on a single line."""
    if isinstance(value, str):
        return value if is_plain(value) and not _UNSAFE_IN_FLOW.search(value) else quoted(value)
    if isinstance(value, Mapping):
        pairs = (f"{flow_key(key)}: {flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if value is None or isinstance(value, bool | int | float):
        return _simple(value)
    return "[" + ", ".join(flow(item) for item in _as_list(value)) + "]"


def key_text(key: object) -> str:
    """A key as it is written in block context."""
    if not isinstance(key, str):
        raise TypeError("a key must be text")
    # A key is read as text whatever it looks like, so `true` and `12` need no quotes here.
    text = key if is_plain(key) or _is_word(key) else quoted(key)
    if len(text) > LONGEST_KEY:
        raise ValueError(f"a key is longer than {LONGEST_KEY} characters")
    return text


def flow_key(key: object) -> str:
    """A key as it is written in flow context."""
    text = key_text(key)
    assert isinstance(key, str)
    return quoted(key) if text == key and _UNSAFE_IN_FLOW.search(text) else text


def is_plain(text: str) -> bool:
    """True when `text`, written without quotes in block context, is read as the same text."""
    if not text or text[0] in _LEADING or _UNSAFE_ANYWHERE.search(text):
        return False
    if UNPRINTABLE.search(text):
        return False
    return _reads_as_text(text)


def quoted(text: str) -> str:
    """`text` in double quotes, with escapes where needed."""
    text.encode("utf-8")
    escaped = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", escaped)


def is_literal(text: str) -> bool:
    """True when `text` has several lines and can stand as a literal block with `|` or `|-`."""
    lines = text.split("\n")
    return (
        len(lines) > 1
        and bool(lines[0])
        and not text[0].isspace()
        and not text.endswith("\n\n")
        and not UNPRINTABLE.search(text)
        and not _LITERAL_UNSAFE.search(text)
        and not (len(lines) == 2 and not lines[1])
    )


def _scalar_lines(value: object) -> list[str]:
    """A value that needs no block of its own: one line, or a literal block with bare lines."""
    if isinstance(value, str) and is_literal(value):
        mark, body = ("|", value[:-1]) if value.endswith("\n") else ("|-", value)
        return [mark, *body.split("\n")]
    return [inline(value)]


def _below(item: object, *, step: int, is_indented: bool) -> list[str]:
    if _is_block(item):
        return block_lines(item, step=step, is_indented=is_indented)
    return _scalar_lines(item)


def _is_block(value: object) -> bool:
    return isinstance(value, Mapping | list | tuple) and len(value) > 0


def _indent(line: str, width: int) -> str:
    return " " * width + line if line else line


def _is_word(text: str) -> bool:
    return text.isalnum() and text.isascii()


def _reads_as_text(text: str) -> bool:
    try:
        return isinstance(resolve(text), str)
    except ValueError:
        return False


def _simple(value: bool | int | float | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def _as_list(value: object) -> Sequence[object]:
    if isinstance(value, list | tuple):
        return value
    raise TypeError(f"{type(value).__name__} cannot be written as YAML")
