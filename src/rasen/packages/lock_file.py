"""Owns `rasen/library.lock.json`: what of the library a project wants, exactly, and where it comes from.

People and programs write it, so unknown fields are refused. Sorted, one entry a line, no addresses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.base.text import nearest
from rasen.syntax import json as strict
from rasen.syntax.portable_path import is_profile_name

FORMAT = "library.lock.json"
VERSION = 1
LIMIT_BYTES = 16 * 1024 * 1024
WORKFLOW, PROFILE = "workflow", "profile"
STORE = "store:"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FIELDS = ("kind", "id", "digest", "source")


class LockInvalid(InvalidInput):
    code = "library_lock_invalid"
    text = N_("{file}: {problem}")
    fix = N_("correct it, or write it anew with `rasen lock <source>`")


class Entry(NamedTuple):
    """One thing that is wanted. source: `/`-relative to the project, or `store:<uid>/path`."""

    kind: str
    id: str
    digest: str
    source: str

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from others."""
        return self.kind, self.id


def parse(text: str, *, file: str) -> tuple[Entry, ...]:
    """The entries, sorted. Errors: library_lock_invalid, json_invalid."""
    value = strict.load(text, file=file)
    if not isinstance(value, dict) or value.keys() != {"version", "entries"}:
        raise LockInvalid(file=file, problem=N_("it has to have exactly `version` and `entries`"))
    if value["version"] != VERSION or value["version"] is True:
        raise LockInvalid(file=file, problem=N_("its version is not 1"))
    if not isinstance(value["entries"], list):
        raise LockInvalid(file=file, problem=N_("`entries` has to be a list"))
    found = [_entry(one, number, file) for number, one in enumerate(value["entries"])]
    keys = [one.key for one in found]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        problem = N_("{kind} {id} stands twice").format(kind=twice[0], id=twice[1])
        raise LockInvalid(file=file, problem=problem)
    return tuple(sorted(found))


def render(entries: Iterable[Entry]) -> str:
    """The file's text."""
    lines = [json.dumps(one._asdict(), ensure_ascii=False) for one in sorted(entries)]
    inner = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    return f'{{\n  "version": {VERSION},\n  "entries": {inner}\n}}\n'


def _entry(value: Any, number: int, file: str) -> Entry:
    def wrong(problem: str) -> LockInvalid:
        return LockInvalid(file=file, problem=f"entries[{number}]: {problem}")

    if not isinstance(value, dict):
        raise wrong(N_("it has to be a map"))
    for key in value:
        if key not in _FIELDS:
            close = nearest(key, _FIELDS)[0]
            raise wrong(
                N_("unknown field {key}; did you mean {close}?").format(key=key, close=close)
            )
    for key in _FIELDS:
        if not isinstance(value.get(key), str):
            raise wrong(N_("`{key}` has to be text").format(key=key))
    entry = Entry(*(value[key] for key in _FIELDS))
    if entry.kind not in (WORKFLOW, PROFILE):
        raise wrong(N_("`kind` has to be workflow or profile"))
    if not is_profile_name(entry.id):
        raise wrong(N_("`id` is no id"))
    if not _DIGEST.fullmatch(entry.digest):
        raise wrong(N_("`digest` has to be sha256: and 64 hex digits"))
    if not is_source(entry.source):
        raise wrong(N_("`source` has to be a path in the project, or store:<uid>/path"))
    return entry


def is_source(text: str) -> bool:
    """True for a path that means the same on every machine."""
    path = text
    if text.startswith(STORE):
        uid, _, path = text.removeprefix(STORE).partition("/")
        if not _UID.fullmatch(uid):
            return False
    steps = path.split("/")
    return bool(path) and "\\" not in path and not any(step in ("", ".", "..") for step in steps)
