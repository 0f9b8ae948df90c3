"""What older data of a store says about its members, and the findings about such data.

Source: planning §7.10; the records of members replace all of it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.atomic import read_optional, read_text
from rasen.files.paths import canonical
from rasen.stores import adoptions_file, health
from rasen.stores.membership_file import FOLDER, Roles
from rasen.stores.model import PROJECT, Registration, Registry

ADOPTION, REFERENCE = "legacy-adoption", "legacy-reference"

MANIFEST = Rule(
    "store_membership_legacy_manifest",
    Level.WARNING,
    N_("{file} is an older list of members; records take its place"),
    N_("run 'rasen store migrate-membership {id}' to see the records it would become"),
)
LOCAL_PATH = Rule(
    "shared_metadata_contains_local_path",
    Level.WARNING,
    N_("{file} is shared through git, but holds a path of one machine: {path}"),
    N_("run 'rasen store migrate-membership {id} --apply', which leaves it out"),
)

_TARGET = "store.membership"


class Trace(NamedTuple):
    """Older data that names a project. provenance: ADOPTION or REFERENCE."""

    provenance: str
    roles: Roles


def alias_of(known: Registry, root: Path) -> str | None:
    """The name under which the checkout at `root` is registered as a project."""
    shown = str(root)
    rows = (
        row for row in known.of(PROJECT) if row.path == shown or canonical(Path(row.path)) == root
    )
    return next((row.id for row in rows), None)


def find(row: Registration, root: Path, record: str | None, alias: str | None) -> Trace | None:
    """What older data of the store in `row` says of the project at `root`; None when nothing.

    record: the name of the project's record, which holds its identity. Data that cannot be read
    says nothing.
    """
    identity = None if record is None else record.removesuffix(".yaml")
    place = os.path.join(row.path, adoptions_file.PLACE)  # noqa: PTH118 - asked for every store
    if os.path.lexists(place) and _is_adopted(Path(place), root, identity, alias):
        return Trace(ADOPTION, Roles(planning=True))
    if alias is not None and alias in _referenced(Path(row.path)):
        return Trace(REFERENCE, Roles(knowledge=True))
    return None


def of_store(ctx: Context, store_id: str, root: Path) -> list[Finding | ToolError]:
    """Everything about the membership data of one store that someone should see to."""
    found: list[Finding | ToolError] = []
    from rasen.stores import records

    folder = root / FOLDER
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else []:
        try:
            records.load(path)
        except ToolError as error:
            found.append(error)
    manifest = root / adoptions_file.PLACE
    if os.path.lexists(manifest):
        found.append(Finding(MANIFEST, _TARGET, {"file": manifest, "id": store_id}))
        found += _local_paths(manifest, store_id)
    return found + _unresolved(ctx, store_id, root)


def _is_adopted(manifest: Path, root: Path, identity: str | None, alias: str | None) -> bool:
    try:
        rows = adoptions_file.parse(read_text(manifest), file=str(manifest))
    except ToolError:
        return False
    for row in rows:
        if row.project_id is not None:
            is_it = row.project_id == identity
        elif row.source_path is not None and canonical(Path(row.source_path)) == root:
            is_it = True
        else:
            is_it = alias is not None and row.alias == alias
        if is_it:
            return True
    return False


def _local_paths(manifest: Path, store_id: str) -> list[Finding | ToolError]:
    try:
        rows = adoptions_file.parse(read_text(manifest), file=str(manifest))
    except ToolError as error:
        return [error]
    paths = [row.source_path for row in rows if row.source_path is not None]
    params = {"file": manifest, "id": store_id, "path": ", ".join(paths)}
    return [Finding(LOCAL_PATH, _TARGET, params)] if paths else []


def _referenced(store_root: Path) -> list[str]:
    """The projects that the settings of a store refer to; a cheap look comes before the parser."""
    from rasen.config import ops as config

    folder = store_root / health.workspace_of(store_root)
    path = config.project_config_path(folder)
    try:
        data = None if path is None else read_optional(path)
    except ToolError:
        return []
    if data is None or b"project" not in data:
        return []
    settings = config.project_config(folder, tell=lambda _: None)
    if settings is None:
        return []
    return [item.id for item in settings.references if item.type == PROJECT]


def _unresolved(ctx: Context, store_id: str, root: Path) -> list[Finding | ToolError]:
    from rasen.stores import checkouts
    from rasen.stores.migrate import UNRESOLVED
    from rasen.stores.project import identity_of

    found: list[Finding | ToolError] = []
    names = _referenced(root)
    records = _names_on_record(root) if names else set()
    for alias in names:
        place = checkouts.named(ctx, alias)
        if (place is None or identity_of(place) is None) and alias not in records:
            params = {"alias": alias, "source": REFERENCE, "store": store_id}
            found.append(Finding(UNRESOLVED, _TARGET, params))
    return found


def _names_on_record(root: Path) -> set[str | None]:
    from rasen.stores import records

    try:
        return {member.id for member in records.members(root)}
    except ToolError:
        return set()
