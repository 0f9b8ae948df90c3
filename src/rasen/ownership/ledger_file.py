"""Owns the ledger of generated files, `rasen/.rasen-files.json`; the same format serves the machine's.

One row a line, sorted, without times: two branches that add files merge. Fields we do not know are
kept; a newer major version is refused. Source: product rulings, ledgers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rasen.base.errors import Damaged, ToolError
from rasen.base.messages import N_
from rasen.ownership.model import BASE, Kind, Ledger, Owner, Row
from rasen.syntax import json as strict

FORMAT = ".rasen-files.json"
VERSION = 1
LIMIT_BYTES = 64 * 1024 * 1024
_NEWER = N_("use that program here, or take the file's last good version from git")
_ROW = ("path", "kind", "part", "digest", "version", "made", "owners")


class FilesLedgerInvalid(Damaged):
    """The ledger cannot be read, so nobody knows which files are ours."""

    code = "files_ledger_invalid"
    text = N_("{file}: {problem}")
    fix = N_("take the file's last good version from git, or delete it: then nothing there is ours")


def parse(text: str, *, file: str) -> Ledger:
    """The ledger in `text`; rows that a merge doubled are one. Errors: files_ledger_invalid."""
    try:
        value: Any = strict.load(text, file=file)
    except ToolError as error:
        problem = str(error.params.get("problem", error))
        line = error.params.get("line")
        where = (
            problem
            if line is None
            else N_("line {line}: {problem}").format(line=line, problem=problem)
        )
        raise FilesLedgerInvalid(file=file, problem=where) from error
    if not isinstance(value, Mapping):
        raise FilesLedgerInvalid(file=file, problem=N_("it has to be a map"))
    version = value.get("version")
    if version != VERSION or version is True:
        problem = N_("its version is not 1; a newer program may have written it")
        is_newer = isinstance(version, int) and version > VERSION
        raise FilesLedgerInvalid(file=file, problem=problem, fix=_NEWER if is_newer else None)
    try:
        rows = _rows(_items(value, "files"))
        folders = tuple(one if one == BASE else _path(one) for one in _items(value, "folders"))
    except (KeyError, TypeError, ValueError) as error:
        problem = N_("its rows are damaged: {reason}").format(reason=error)
        raise FilesLedgerInvalid(file=file, problem=problem) from error
    known = ("version", "files", "folders")
    extra = {key: one for key, one in value.items() if key not in known}
    return Ledger(rows, folders, extra)


def render(ledger: Ledger) -> str:
    """The file's text: sorted, one row a line."""
    rows = [_line(_fields(ledger.rows[key])) for key in sorted(ledger.rows)]
    folders = [_line(one) for one in sorted(ledger.folders)]
    parts = [f'  "version": {VERSION}']
    parts += [
        f'  "{name}": {_list(items)}' for name, items in (("files", rows), ("folders", folders))
    ]
    parts += [f"  {_line(key)}: {_line(value)}" for key, value in sorted(ledger.extra.items())]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _list(lines: list[str]) -> str:
    return "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fields(row: Row) -> dict[str, object]:
    fields: dict[str, object] = {"path": row.path}
    if row.kind is not Kind.FILE:
        fields["kind"] = row.kind.value
        fields["part"] = row.part
    fields["digest"] = row.digest
    fields["version"] = row.version
    if row.made is not None:
        fields["made"] = row.made
    fields["owners"] = [owner.to_json() for owner in row.owners]
    return {**fields, **row.extra}


def _items(value: Any, key: str) -> list[Any]:
    found = value[key]
    if not isinstance(found, list):
        raise ValueError(f"`{key}` is no list")
    return found


def _rows(values: list[Any]) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for value in values:
        row = _row(value)
        twin = found.setdefault(row.key, row)
        if (twin.digest, twin.kind) != (row.digest, row.kind):
            raise ValueError(f"two rows for {row.path}")
        if twin is not row:
            owners = dict.fromkeys((*twin.owners, *row.owners))
            found[row.key] = replace(twin, owners=tuple(owners))
    return found


def _row(value: Any) -> Row:
    owners = tuple(
        Owner(_text(one, "tool"), _text(one, "source"), _optional(one, "project"))
        for one in _items(value, "owners")
    )
    if not owners:
        raise ValueError("a row without owners")
    kind = Kind(value.get("kind", Kind.FILE.value))
    return Row(
        _path(value["path"]),
        _text(value, "digest"),
        owners,
        _text(value, "version"),
        kind,
        "" if kind is Kind.FILE else _text(value, "part"),
        _optional(value, "made"),
        {key: one for key, one in value.items() if key not in _ROW},
    )


def _text(value: Any, key: str) -> str:
    found = value[key]
    if not isinstance(found, str) or not found:
        raise ValueError(f"`{key}` is no text")
    return found


def _optional(value: Any, key: str) -> str | None:
    found = value.get(key)
    if found is not None and not isinstance(found, str):
        raise ValueError(f"`{key}` is no text")
    return found


def _path(value: object) -> str:
    """A path below the base: relative, without `..`."""
    if not isinstance(value, str) or not value or value.startswith("/") or "\\" in value:
        raise ValueError(f"no path: {value!r}")
    if any(step in ("", ".", "..") for step in value.split("/")) or "\0" in value:
        raise ValueError(f"no path: {value!r}")
    return value
