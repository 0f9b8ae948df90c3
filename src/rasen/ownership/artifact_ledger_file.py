"""Owns the ledger of user workflows, `rasen/.workflow-artifacts.json`, in its version 1; reads version 2 too.

Other programs read and write this file, so unknown members are refused and ours stay out of it.
Source: planning §8.7; library GN-004, GN-005.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from rasen.base.errors import Damaged, ToolError
from rasen.base.messages import N_
from rasen.ownership.model import Ledger, Owner, Row
from rasen.syntax import json as strict
from rasen.syntax.portable_path import is_id, order

FORMAT = ".workflow-artifacts.json"
ASIDE = ".workflow-artifacts.v2.json"
"""Where a ledger of version 2 goes when one of version 1 takes its place, for what only it says."""
VERSION = 1
LATER = 2
SOURCE = "user"
DIGEST = "workflowDigest"
"""The name under which a row keeps the digest of its workflow."""
ELSEWHERE = "elsewhere"
"""The name under which a ledger keeps files that lie outside the project."""

_SHA = re.compile(r"sha256:[0-9a-f]{64}")
_TOP = ("version", "workflows", "tools")
_LATER_TOP = (*_TOP, "stores")
_SKILLS = "skills"


class ArtifactLedgerInvalid(Damaged):
    """The ledger does not say what a ledger says, so nobody knows which files are ours."""

    code = "ledger_invalid"
    text = N_("{file}: {problem}")
    fix = N_("take the file's last good version from git, or delete it: then nothing there is ours")


class ArtifactLedgerUnreadable(Damaged):
    """The ledger is there and its bytes cannot be had."""

    code = "ledger_unreadable"
    text = N_("{file} cannot be read: {problem}")
    fix = N_("see to it that the file can be read")


class _Wrong(ValueError):
    """What is wrong with the document, in words."""


class _Entry(NamedTuple):
    """One workflow of one agent, as the file has it."""

    tool: str
    id: str
    source: str
    digest: str
    files: list[tuple[str, str, str]]


def parse(text: str, *, file: str) -> Ledger:
    """The ledger in `text`; of a version 2 only what version 1 has. Errors: ledger_invalid."""
    try:
        value: Any = strict.load(text, file=file)
        entries = list(_entries(value))
    except ToolError as error:
        problem = str(error.params.get("problem", error))
        raise ArtifactLedgerInvalid(file=file, problem=problem) from error
    except _Wrong as error:
        raise ArtifactLedgerInvalid(file=file, problem=str(error)) from error
    return _ledger(entries)


def holds_more(text: str) -> bool:
    """True for a sound ledger of version 2 that says more than version 1 can."""
    value: Any = strict.load(text, file=FORMAT)
    tools = value["tools"].values()
    return bool(value.get("stores")) or any(one.get("learned") for one in tools)


def render(ledger: Ledger) -> str:
    """The file's text: members sorted, two blanks of indentation."""
    tools: dict[str, dict[str, Any]] = {}
    for one in sorted(_of(ledger), key=lambda one: (one.tool, order(one.id))):
        rows = [
            {"scope": scope, "path": path, "sha256": sha}
            for scope, path, sha in sorted(one.files, key=lambda row: (row[0], order(row[1])))
        ]
        entry = {"source": one.source, "digest": one.digest, "files": rows}
        tools.setdefault(one.tool, {"workflows": {}})["workflows"][one.id] = entry
    ids = {id for tool in tools.values() for id in tool["workflows"]}
    document = {"version": VERSION, "workflows": sorted(ids, key=order), "tools": tools}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _of(ledger: Ledger) -> list[_Entry]:
    found: dict[tuple[str, str], _Entry] = {}
    for path, _ in sorted(ledger.rows):
        row = ledger.rows[path, ""]
        for owner in row.owners:
            source, _, id = owner.source.partition(":")
            digest = str(row.extra.get(DIGEST, ""))
            entry = found.setdefault((owner.tool, id), _Entry(owner.tool, id, source, digest, []))
            entry.files.append(("project", path, row.digest))
    elsewhere: Any = ledger.extra.get(ELSEWHERE, ())
    for other in elsewhere:
        entry = found.setdefault((other.tool, other.id), other._replace(files=[]))
        entry.files.extend(other.files)
    return list(found.values())


def _ledger(entries: list[_Entry]) -> Ledger:
    rows: dict[tuple[str, str], Row] = {}
    elsewhere = []
    for one in entries:
        owner = Owner(one.tool, f"{one.source}:{one.id}")
        outside = [row for row in one.files if row[0] == "absolute"]
        if outside or not one.files:
            elsewhere.append(one._replace(files=outside))
        for scope, path, sha in one.files:
            if scope == "absolute":
                continue
            former = rows.get((path, ""))
            owners = (owner,) if former is None else (*former.owners, owner)
            if former is not None and former.digest != sha:
                raise ArtifactLedgerInvalid(
                    file=FORMAT, problem=N_("{path} has two digests").format(path=path)
                )
            rows[path, ""] = Row(path, sha, owners, "", extra={DIGEST: one.digest})
    folders = {folder for path, _ in rows if (folder := _skill_folder(path)) is not None}
    extra = {ELSEWHERE: tuple(elsewhere)} if elsewhere else {}
    return Ledger(rows, tuple(sorted(folders)), extra)


def _skill_folder(path: str) -> str | None:
    """The folder of the skill that a file belongs to: we made it, with the skill. Source: GN-009."""
    steps = path.split("/")
    if _SKILLS not in steps[:-2]:
        return None
    return "/".join(steps[: steps.index(_SKILLS) + 2])


def _entries(value: Any) -> Iterator[_Entry]:
    if not isinstance(value, dict):
        raise _Wrong(N_("it has to be a map"))
    version = value.get("version")
    if type(version) is not int or version not in (VERSION, LATER):
        raise _Wrong(N_("its version is neither 1 nor 2; a newer program may have written it"))
    is_later = version == LATER
    _members(value, _TOP, _LATER_TOP if is_later else _TOP, "")
    ids = value["workflows"]
    if not isinstance(ids, list) or not all(isinstance(one, str) and is_id(one) for one in ids):
        raise _Wrong(N_("workflows: it has to be a list of ids"))
    if len(set(ids)) != len(ids):
        raise _Wrong(N_("workflows: an id is listed twice"))
    for tool, one in _map(value["tools"], "tools").items():
        place = f"tools.{tool}"
        known = ("workflows", "learned") if is_later else ("workflows",)
        _members(_map(one, place), () if is_later else ("workflows",), known, place)
        for id, entry in _map(one.get("workflows", {}), f"{place}.workflows").items():
            yield _entry(tool, id, entry, f"{place}.workflows.{id}")


def _entry(tool: str, id: str, value: Any, place: str) -> _Entry:
    if not is_id(id):
        raise _Wrong(N_("{place}: it is no id of a workflow").format(place=place))
    wanted = ("source", "digest", "files")
    _members(_map(value, place), wanted, wanted, place)
    source, digest, files = value["source"], value["digest"], value["files"]
    if not isinstance(source, str) or not source or ":" in source:
        raise _Wrong(N_("{place}: it has to be text").format(place=f"{place}.source"))
    if not isinstance(files, list):
        raise _Wrong(N_("{place}: it has to be a list").format(place=f"{place}.files"))
    _digest(digest, f"{place}.digest")
    rows = [_file(one, f"{place}.files[{number}]") for number, one in enumerate(files)]
    if len({row[:2] for row in rows}) != len(rows):
        raise _Wrong(N_("{place}: a file is listed twice").format(place=f"{place}.files"))
    return _Entry(tool, id, source, digest, rows)


def _file(value: Any, place: str) -> tuple[str, str, str]:
    wanted = ("scope", "path", "sha256")
    _members(_map(value, place), wanted, wanted, place)
    scope, path, sha = value["scope"], value["path"], value["sha256"]
    if scope not in ("project", "absolute"):
        raise _Wrong(N_("{place}: it has to be project or absolute").format(place=f"{place}.scope"))
    if not isinstance(path, str) or not _is_path(path, is_absolute=scope == "absolute"):
        raise _Wrong(N_("{place}: it is no path of that scope").format(place=f"{place}.path"))
    _digest(sha, f"{place}.sha256")
    return scope, path, sha


def _is_path(path: str, *, is_absolute: bool) -> bool:
    if not path or "\0" in path or ".." in PurePosixPath(path.replace("\\", "/")).parts:
        return False
    if is_absolute:
        return path.startswith("/") or re.match(r"[A-Za-z]:[\\/]|\\\\", path) is not None
    return "\\" not in path and all(one not in ("", ".") for one in path.split("/"))


def _digest(value: Any, place: str) -> None:
    if not isinstance(value, str) or _SHA.fullmatch(value) is None:
        raise _Wrong(N_("{place}: it is no digest").format(place=place))


def _map(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _Wrong(N_("{place}: it has to be a map").format(place=place))
    return value


def _members(
    value: Mapping[str, Any], wanted: tuple[str, ...], known: tuple[str, ...], place: str
) -> None:
    for name in wanted:
        if name not in value:
            raise _Wrong(N_("{place}: it is missing").format(place=_dotted(place, name)))
    for name in value:
        if name not in known:
            raise _Wrong(N_("{place}: there is no such member").format(place=_dotted(place, name)))


def _dotted(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
