"""The machine's store registry, `<data>/stores/registry.yaml`, versions 1 and 2."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.stores.model import PROJECT, STORE, Registration, Registry, normal_uid
from rasen.stores.refusals import InvalidStoreRegistry
from rasen.syntax import yaml
from rasen.syntax.strict import problems, summary

FORMAT = "store-registry"
VERSIONS = (1, 2)
_PROJECT_PREFIX = "project:"


class RegistryNeedsIdentities(Refused):
    code = "store_registry_names_collide"
    text = N_(
        "two stores are named '{id}', and at least one registered store has no identity,"
        " so the registry cannot tell them apart"
    )
    fix = N_("run 'rasen store upgrade-identity <id> --apply' for each store without one")


def parse(text: str, *, file: str) -> Registry:
    """The registry in `text`; an old `repos` map is passed over.

    Errors: invalid_store_registry. Source: planning §7.3.
    """
    try:
        value = yaml.load(text, file=file)
    except yaml.YamlInvalid as error:
        raise _invalid(file, str(error)) from error
    version = value.get("version") if isinstance(value, dict) else None
    number = version if version in VERSIONS and not isinstance(version, bool) else VERSIONS[-1]
    broken = problems(value, Path(__file__).with_name(f"registry_file.v{number}.schema.json"))
    if broken or not isinstance(value, dict):
        raise _invalid(file, summary(broken))
    rows: Mapping[str, Mapping[str, Any]] = value["stores"]
    registry = Registry(tuple(_row(key, row, file) for key, row in rows.items()))
    uids = [row.uid for row in registry.rows if row.uid is not None]
    if len(set(uids)) != len(uids):
        raise _invalid(file, "two stores have one identity")
    return registry


def render(registry: Registry) -> str:
    """The text of `registry`, keys sorted: version 2 when every store has an identity.

    Errors: store_registry_names_collide when version 1 would have to drop a store.
    Source: planning §7.3.
    """
    stores = list(registry.of(STORE))
    is_keyed_by_uid = bool(stores) and all(row.uid is not None for row in stores)
    rows: dict[str, object] = {}
    for row in registry.rows:
        key = _key(row, is_keyed_by_uid=is_keyed_by_uid)
        if key in rows:
            raise RegistryNeedsIdentities(target="store.registry", id=row.id)
        rows[key] = _fields(row, is_keyed_by_uid=is_keyed_by_uid)
    version = 2 if is_keyed_by_uid else 1
    return yaml.dump({"version": version, "stores": {key: rows[key] for key in sorted(rows)}})


def _row(key: str, row: Mapping[str, Any], file: str) -> Registration:
    backend = row["backend"]
    name = key.removeprefix(_PROJECT_PREFIX)
    is_project = name != key
    uid = normal_uid(key) if "id" in row and not is_project else None
    if is_project and row.get("id", name) != name:
        raise _invalid(file, f"stores.{key}: its id is '{row['id']}'")
    path = backend["local_path"]
    if "\0" in path or not os.path.isabs(path):  # noqa: PTH117 - asked of every row
        raise _invalid(file, f"stores.{key}: local_path is not an absolute path")
    return Registration(
        id=row.get("id", name),
        path=backend["local_path"],
        namespace=PROJECT if is_project else STORE,
        uid=uid,
        remote=backend.get("remote"),
        branch=backend.get("branch"),
    )


def _key(row: Registration, *, is_keyed_by_uid: bool) -> str:
    if row.namespace == PROJECT:
        return _PROJECT_PREFIX + row.id
    return row.uid if is_keyed_by_uid and row.uid is not None else row.id


def _fields(row: Registration, *, is_keyed_by_uid: bool) -> dict[str, object]:
    backend = {"type": "git", "local_path": row.path}
    if row.remote is not None:
        backend["remote"] = row.remote
    if row.branch is not None:
        backend["branch"] = row.branch
    named = {"id": row.id} if is_keyed_by_uid and row.namespace == STORE else {}
    return {"type": row.namespace, **named, "backend": backend}


def _invalid(file: str, problem: str) -> InvalidStoreRegistry:
    return InvalidStoreRegistry(target="store.registry", file=file, problem=problem)
