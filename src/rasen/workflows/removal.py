"""Taking an installed workflow out of the library."""

from __future__ import annotations

from rasen.base.context import Context
from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.files.batch import Batch
from rasen.files.paths import is_plain_name
from rasen.syntax.portable_path import is_junk
from rasen.workflows import builtin, disk, registry
from rasen.workflows.experts import EXPERTS
from rasen.workflows.registry import WorkflowNotFound


class BuiltInDelete(Refused):
    """What comes with the program stays with it."""

    code = "builtin_delete_forbidden"
    text = N_("{id} is built in and stays")
    fix = N_("leave it out of a profile: rasen profile new")


def check(ctx: Context, id: str) -> None:
    """Pass for a workflow that can be deleted, sound or not, also one that took an id of ours.

    Errors: builtin_delete_forbidden, workflow_not_found.
    """
    place = disk.home(ctx) / id
    if is_plain_name(id) and not is_junk(id) and place.is_dir() and not place.is_symlink():
        return
    if any(id in (one.id, one.folder) for one in (*builtin.BUILT_IN, *EXPERTS)):
        raise BuiltInDelete(id=id)
    raise WorkflowNotFound(id=id)


def delete(ctx: Context, id: str) -> None:
    """Remove an installed workflow and its former versions: all of it, or nothing.

    Errors: those of `check`, workflow_registry_busy, busy, file_not_writable. Source: library WC-019.
    """
    with registry.locked(ctx):
        check(ctx, id)
        batch = Batch(registry.journal(ctx), purpose="removal of a workflow", tell=ctx.tell)
        batch.remove_tree(disk.home(ctx) / id)
        former = ctx.data_dir / registry.VERSIONS / id
        if former.is_dir():
            batch.remove_tree(former)
            batch.remove_empty_dir(former.parent)
        batch.commit()
