"""The older list of adopted projects, `.rasen-store/adoptions.yaml`; read only, never written.

It has no strict form: what a row does not say is left open, what we do not know is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.stores.membership_file import normal_project_id
from rasen.syntax import yaml

FORMAT = "store-adoptions"
PLACE = Path(".rasen-store", "adoptions.yaml")

_LISTS = ("adoptions", "projects")
_IDS = ("projectId", "project_id")
_NAMES = ("alias", "id", "name", "project")


class AdoptionsInvalid(InvalidInput):
    code = "store_adoptions_invalid"
    text = N_("{file} is not a list of adopted projects: {problem}")
    fix = N_("correct {file}")


class Adopted(NamedTuple):
    """One row; None for what it does not say. source_path: of some machine, never to be shared."""

    project_id: str | None
    alias: str | None
    source_path: str | None
    timestamp: str | None
    specs: tuple[str, ...]
    changes: tuple[str, ...]


def parse(text: str, *, file: str) -> tuple[Adopted, ...]:
    """The rows of an older list. Errors: store_adoptions_invalid."""
    try:
        value = yaml.load(text, file=file)
    except yaml.YamlInvalid as error:
        raise AdoptionsInvalid(target="store.membership", file=file, problem=error) from error
    return tuple(_row(key, row) for key, row in _rows(value, file))


def _rows(value: object, file: str) -> Iterator[tuple[str | None, Mapping[str, object]]]:
    found = value
    if isinstance(value, dict):
        found = next((value[name] for name in _LISTS if name in value), value)
    pairs: list[tuple[str | None, object]]
    if isinstance(found, dict):
        pairs = [(key, row) for key, row in found.items() if key != "version"]
    elif isinstance(found, list):
        pairs = [(None, row) for row in found]
    else:
        pairs = []
        if found is not None:
            raise AdoptionsInvalid(target="store.membership", file=file, problem="it has no rows")
    for key, row in pairs:
        if not isinstance(row, dict):
            raise AdoptionsInvalid(
                target="store.membership", file=file, problem="a row of it is no map"
            )
        yield key, row


def _row(key: str | None, row: Mapping[str, object]) -> Adopted:
    project_id = _text(row, _IDS)
    return Adopted(
        None if project_id is None else normal_project_id(project_id),
        _text(row, _NAMES) or key,
        _text(row, ("sourcePath",)),
        _text(row, ("timestamp", "adoptedAt")),
        _names(row.get("specs")),
        _names(row.get("changes")),
    )


def _text(row: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    found = (row.get(name) for name in names)
    return next(
        (value.strip() for value in found if isinstance(value, str) and _is_usable(value)), None
    )


def _is_usable(text: str) -> bool:
    """Whether it says anything; what holds a NUL can be no name and no path."""
    return bool(text.strip()) and "\0" not in text


def _names(value: object) -> tuple[str, ...]:
    """The names in a list, without what could be a path of a machine."""
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, str) and _is_name(item))


def _is_name(text: str) -> bool:
    return bool(text) and not text.startswith("/") and "\\" not in text and ":" not in text
