"""The machine's project registry, `<data>/projects/registry.json`, version 1.

Read on the way to `status`, so its few rules are checked by hand; `registry_file.v1.schema.json`
states the same rules for everyone else, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rasen.base.messages import fill
from rasen.projects.model import (
    MODE_IN_REPO,
    MODE_STORE,
    Entry,
    InvalidProjectRegistry,
    Registry,
)
from rasen.syntax import json

FORMAT = "project-registry"
_KEYS = ("projectId", "name", "mode", "home", "lastSeen")


def parse(text: str, *, file: str) -> Registry:
    """The registry in `text`.

    Errors: invalid_project_registry. Source: planning §7.11.
    """
    try:
        value = json.load(text, file=file)
    except json.JsonInvalid as error:
        raise _invalid(file, "{cause}", cause=error) from error
    top = _mapping(value, file, "")
    _only(top, ("version", "projects"), file, "")
    version = top.get("version")
    if isinstance(version, bool) or version != 1:
        raise _invalid(file, "'version' is not 1")
    projects = _mapping(top.get("projects"), file, "projects")
    return Registry({path: _entry(path, row, file) for path, row in projects.items()})


def render(registry: Registry) -> str:
    """The text of `registry`, paths sorted."""
    projects = {path: _row(registry.entries[path]) for path in sorted(registry.entries)}
    return json.dump({"version": 1, "projects": projects})


def _entry(path: str, value: object, file: str) -> Entry:
    row = _mapping(value, file, path)
    if "\0" in path:
        raise _invalid(file, "{path} is not a path", path=repr(path))
    _only(row, _KEYS, file, path)
    texts = [row.get(key) for key in _KEYS]
    for key, text in zip(_KEYS, texts, strict=True):
        if not isinstance(text, str) or not text:
            raise _invalid(file, "'{key}' of {path} is not text", key=key, path=path)
    if row["mode"] not in (MODE_IN_REPO, MODE_STORE):
        raise _invalid(file, "'mode' of {path} is neither in-repo nor store", path=path)
    if not _is_segment(str(row["home"])):
        raise _invalid(file, "'home' of {path} is not a folder name", path=path)
    return Entry(*(str(text) for text in texts))


def _is_segment(name: str) -> bool:
    return name not in (".", "..") and not any(c in name for c in "/\\\0")


def _mapping(value: object, file: str, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _invalid(file, "{where} is not a mapping", where=where or "the document")
    return value


def _only(row: Mapping[str, object], known: Iterable[str], file: str, where: str) -> None:
    for key in row:
        if key not in known:
            raise _invalid(
                file, "unknown key '{key}' in {where}", key=key, where=where or "the document"
            )


def _row(entry: Entry) -> dict[str, str]:
    return {
        "projectId": entry.project_id,
        "name": entry.name,
        "mode": entry.mode,
        "home": entry.home,
        "lastSeen": entry.last_seen,
    }


def _invalid(file: str, problem: str, **params: object) -> InvalidProjectRegistry:
    return InvalidProjectRegistry(
        target="project.registry", file=file, problem=fill(problem, params)
    )
