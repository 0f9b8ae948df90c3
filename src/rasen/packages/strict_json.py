"""JSON of strangers, read in one pass and in bounded memory, with every fault and its place.

Stricter than the standard: no key twice, no key that means something to a program's objects, no half
of a surrogate pair, no number that two programs could read differently, bounded depth and size.
Source: library PK-044, PK-045, T-02, T-16.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rasen.base.messages import N_, fill
from rasen.packages import limits

DANGEROUS_KEYS: Final = frozenset({"__proto__", "prototype", "constructor"})
SAFE: Final = 2**53 - 1

_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r'"([^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+)"'
    r"|([\[\]{}:,])"
    r"|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)"
    r"|(true|false|null))"
)
_STRING, _MARK, _NUMBER, _WORD = 1, 2, 3, 4
_BLANK = re.compile(r"[ \t\n\r]*+")
_ESCAPE = re.compile(r"\\(u.{4}|.)", re.DOTALL)
_PIECE = re.compile(r"(?:[^\\]|\\[^u]|\\u.{4}){1,8192}+", re.DOTALL)
_MANY = 50_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN = {
    '"': '"', "\\": "\\", "/": "/", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f",
}  # fmt: skip
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None}
_SURE_DIGITS = 15

_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _COLON, _AFTER, _DONE = range(7)
_EXPECTED = {
    _VALUE: N_("a value is missing"),
    _VALUE_OR_END: N_("a value or `]` is missing"),
    _KEY: N_("a key in quotes is missing"),
    _KEY_OR_END: N_("a key in quotes or `}}` is missing"),
    _COLON: N_("a colon is missing"),
    _AFTER: N_("a comma or a closing bracket is missing"),
    _DONE: N_("there is something after the end"),
}


class Issue(NamedTuple):
    """One fault. text: a template for `params`. offset: UTF-16 code units from the start."""

    code: str
    text: str
    offset: int
    params: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """`{code, message, offset, details?}`. Source: library PK-044."""
        answer: dict[str, object] = {
            "code": self.code,
            "message": fill(self.text, self.params),
            "offset": self.offset,
        }
        return {**answer, "details": dict(self.params)} if self.params else answer


class Parsed(NamedTuple):
    """What was read. value: complete only without issues.

    is_cut: it has more values than any package; then items of lists beyond the limit are left out.
    """

    value: Any
    issues: tuple[Issue, ...]
    is_cut: bool


def read(text: str) -> Parsed:
    """The one document in `text`, and everything that is wrong with it.

    A whole number has the type int however it is written. After broken syntax, too much depth or too
    many properties nothing more is read.
    """
    reader = _Reader(text)
    with contextlib.suppress(_Stop):
        reader.read()
    return Parsed(reader.top, tuple(reader.issues), reader.values > limits.VALUES)


class _Stop(Exception):
    """There is no sense in reading on."""


class _Reader:
    """One pass over a text, without recursion."""

    __slots__ = (
        "_key",
        "_keys",
        "_open",
        "_properties",
        "_state",
        "_text",
        "issues",
        "top",
        "values",
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[dict[str, object] | list[object]] = []
        self._keys: list[str] = []  # the key that waits for its value, for each open object
        self._state = _VALUE
        self._properties = 0
        self.values = 0
        self.issues: list[Issue] = []
        self.top: object = None

    def read(self) -> None:
        text, position, match = self._text, 0, _TOKEN.match
        while (found := match(text, position)) is not None:
            self._take(found)
            position = found.end()
        blank = _BLANK.match(text, position)
        end = blank.end() if blank else position
        if end < len(text):
            self._broken(N_("this is not JSON"), end)
        if self._state != _DONE:
            self._broken(_EXPECTED[self._state], end)

    def _take(self, found: re.Match[str]) -> None:
        kind, state = found.lastindex, self._state
        mark = found[_MARK] if kind == _MARK else ""
        if state == _COLON and mark == ":":
            self._state = _VALUE
        elif state in (_KEY, _KEY_OR_END) and kind == _STRING:
            self._take_key(found)
        elif state == _AFTER and mark == ",":
            self._state = _KEY if isinstance(self._open[-1], dict) else _VALUE
        elif mark in ("]", "}"):
            self._close(mark, found)
        elif state in (_VALUE, _VALUE_OR_END) and mark in ("[", "{"):
            self._enter(found, {} if mark == "{" else [])
        elif state in (_VALUE, _VALUE_OR_END) and not mark:
            self._put(self._scalar(found))
            self._state = _AFTER if self._open else _DONE
        else:
            self._broken(_EXPECTED[state], found.start(found.lastindex or 0))

    def _take_key(self, found: re.Match[str]) -> None:
        key, members = self._string(found), self._open[-1]
        self._properties += 1
        if self._properties > limits.PROPERTIES:
            self._exceeded("json_property_limit_exceeded", found, limits.PROPERTIES)
        if key in DANGEROUS_KEYS:
            text = N_("the key {key} is not allowed")
            self._issue("json_dangerous_key", text, found.start(_STRING) - 1, key=key)
        if key in members:
            text = N_("the key {key} appears twice in one object")
            self._issue("json_duplicate_key", text, found.start(_STRING) - 1, key=key)
        self._keys[-1] = key
        self._state = _COLON

    def _enter(self, found: re.Match[str], container: dict[str, object] | list[object]) -> None:
        if len(self._open) >= limits.DEPTH:
            self._exceeded("json_depth_exceeded", found, limits.DEPTH)
        self._put(container)
        self._open.append(container)
        if isinstance(container, dict):
            self._keys.append("")
            self._state = _KEY_OR_END
        else:
            self._state = _VALUE_OR_END

    def _close(self, mark: str, found: re.Match[str]) -> None:
        ends = (_AFTER, _KEY_OR_END) if mark == "}" else (_AFTER, _VALUE_OR_END)
        is_object = bool(self._open) and isinstance(self._open[-1], dict)
        if self._state not in ends or not self._open or is_object != (mark == "}"):
            self._broken(_EXPECTED[self._state], found.start(_MARK))
        self._open.pop()
        if is_object:
            self._keys.pop()
        self._state = _AFTER if self._open else _DONE

    def _put(self, value: object) -> None:
        self.values += 1
        if not self._open:
            self.top = value
            return
        holder = self._open[-1]
        if isinstance(holder, dict):
            holder[self._keys[-1]] = value
        elif self.values <= limits.VALUES:
            holder.append(value)

    def _scalar(self, found: re.Match[str]) -> object:
        if found.lastindex == _STRING:
            return self._string(found)
        if found.lastindex == _NUMBER:
            return self._number(found)
        return _WORDS[found[_WORD]]

    def _string(self, found: re.Match[str]) -> str:
        raw = found[_STRING]
        if "\\" not in raw:
            return raw
        many = raw.count("\\") > _MANY  # then in pieces, which bounds the memory it takes
        text = "".join(map(_unescaped, _PIECE.findall(raw))) if many else _unescaped(raw)
        if "\\u" not in raw or not _SURROGATE.search(text):
            return text
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        if _SURROGATE.search(text):
            message = N_("a text holds half of a surrogate pair")
            self._issue("json_lone_surrogate", message, found.start(_STRING) - 1)
        return text

    def _number(self, found: re.Match[str]) -> int | float:
        token = found[_NUMBER]
        if len(token) <= _SURE_DIGITS and token.lstrip("-").isdigit():
            return int(token)
        value = float(token)
        if value.is_integer() and abs(value) <= SAFE:
            return int(value)
        if value.is_integer() or abs(value) == float("inf"):
            message = N_("the number {number} is too large to be exact")
            shown = token if len(token) <= 40 else f"{token[:40]}…"
            self._issue("json_unsafe_integer", message, found.start(_NUMBER), number=shown)
        return value

    def _exceeded(self, code: str, found: re.Match[str], limit: int) -> None:
        texts = {
            "json_depth_exceeded": N_("nested {actual} levels deep; at most {limit} are allowed"),
            "json_property_limit_exceeded": N_(
                "it has {actual} properties or more; at most {limit} are allowed"
            ),
        }
        at = found.start(found.lastindex or 0)
        self._issue(code, texts[code], at, actual=limit + 1, limit=limit)
        raise _Stop

    def _broken(self, text: str, position: int) -> None:
        self._issue("json_syntax_invalid", text, position)
        raise _Stop

    def _issue(self, code: str, text: str, position: int, **params: object) -> None:
        offset = position
        if not self._text.isascii():
            offset = len(self._text[:position].encode("utf-16-le")) // 2
        self.issues.append(Issue(code, text, offset, params))
        if len(self.issues) >= limits.ISSUES:
            raise _Stop


def _unescaped(part: str) -> str:
    """`part` without its escapes, each half of a surrogate pair for itself."""
    pieces = _ESCAPE.split(part)  # text and what stands behind a backslash, in turn
    pieces[1::2] = [_PLAIN.get(one) or chr(int(one[1:], 16)) for one in pieces[1::2]]
    return "".join(pieces)
