"""The names that tab completion offers, read without side effects."""

from __future__ import annotations

from rasen.base.context import Context
from rasen.base.errors import NotFound
from rasen.base.messages import N_
from rasen.base.text import without_controls
from rasen.roots.model import Root


class KindUnknown(NotFound):
    """A completion script asked for something that does not exist."""

    code = "completion_kind_unknown"
    text = N_("nothing of the kind {kind} can be completed")


def of_kind(ctx: Context, kind: str) -> list[tuple[str, str]]:
    """Names of one kind with a short description each: changes, specs, schemas, archived-changes.

    Names that hold a line feed or a tab cannot be offered and are left out.
    Errors: completion_kind_unknown; those of selecting a root. Source: planning §10.2.
    """
    from rasen.roots.model import RootRequest
    from rasen.roots.ops import select

    root = select(ctx, RootRequest())
    match kind:
        case "changes":
            rows = _changes(root)
        case "specs":
            rows = _specs(root)
        case "schemas":
            rows = _schemas(ctx, root)
        case "archived-changes":
            rows = _archived(ctx, root)
        case _:
            raise KindUnknown(kind=kind)
    return [
        (name, text) for name, text in rows if without_controls(name) == name and "\t" not in name
    ]


def _changes(root: Root) -> list[tuple[str, str]]:
    from rasen.planning.disk import change_names

    return [(name, "change") for name in change_names(root.changes_dir)]


def _specs(root: Root) -> list[tuple[str, str]]:
    from rasen.planning.disk import spec_entries

    return [(entry.id, "spec") for entry in spec_entries(root.specs_dir)]


def _schemas(ctx: Context, root: Root) -> list[tuple[str, str]]:
    from rasen.planning.schemas.ops import available

    return [
        (schema.name, " ".join(schema.description.split()))
        for schema in available(ctx, root.workspace_dir)
    ]


def _archived(ctx: Context, root: Root) -> list[tuple[str, str]]:
    from rasen.planning.disk import archived_names
    from rasen.projects.ops import archive_dir_external

    rows = dict.fromkeys(archived_names(root.archive_dir), "archived change")
    external = archive_dir_external(ctx, root.path)
    for name in archived_names(external) if external is not None else []:
        rows.setdefault(name, "archived change, outside the repository")
    return sorted(rows.items())
