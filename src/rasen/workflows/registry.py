"""One writer at a time in the folder of the user's workflows, and the end of what a dead one began."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from rasen.base.context import Context
from rasen.base.errors import Busy, NotFound
from rasen.base.messages import N_

LOCK = ".workflows.lock"
JOURNAL = ".workflows-journal"
VERSIONS = "workflow-versions"
"""The folder of versions that an upgrade replaced, below the data folder."""
STAGING = ".workflow-import-"
"""How the private folders begin in which new workflows are laid out. Source: library PK-080."""


class WorkflowRegistryBusy(Busy):
    """Somebody else is changing the installed workflows."""

    code: ClassVar[str] = "workflow_registry_busy"
    text: ClassVar[str] = N_("the installed workflows are being changed by {holder}")
    fix: ClassVar[str] = N_("try again in a moment; if nobody works on them, remove {lock}")


class WorkflowNotFound(NotFound):
    """The catalogue has no workflow of that id."""

    code: ClassVar[str] = "workflow_not_found"
    text: ClassVar[str] = N_("there is no workflow '{id}'")
    fix: ClassVar[str] = N_("run `rasen workflow list`")


def staging(ctx: Context) -> Path:
    """A new place for a private folder, on the same disk as the installed workflows."""
    return ctx.data_dir / f"{STAGING}{os.getpid()}-{os.urandom(4).hex()}"


def journal(ctx: Context) -> Path:
    """Where a change of several workflows keeps its journal while it happens."""
    return ctx.data_dir / JOURNAL


def settle(ctx: Context) -> None:
    """Complete or undo what a dead writer left; one look at the disk when there is nothing.

    Errors: busy, recovery_needed.
    """
    if os.path.lexists(journal(ctx)):
        from rasen.files.batch import recover

        recover(journal(ctx), tell=ctx.tell)


@contextmanager
def locked(ctx: Context) -> Iterator[None]:
    """Hold the installed workflows; what dead writers left is settled and swept first.

    Errors: workflow_registry_busy, busy, recovery_needed. Source: library SP-040, SP-041.
    """
    from rasen.files import atomic
    from rasen.files.lock import hold

    atomic.make_dirs(ctx.data_dir)
    with hold(ctx.data_dir / LOCK, busy=WorkflowRegistryBusy, tell=ctx.tell):
        settle(ctx)
        _sweep(ctx)
        yield


def _sweep(ctx: Context) -> None:
    """Remove the private folders of writers that died: only who holds the lock has one."""
    from rasen.base.errors import ToolError
    from rasen.files.removal import remove_tree

    for name in os.listdir(ctx.data_dir):  # noqa: PTH208 - the names suffice
        if name.startswith(STAGING):
            with suppress(ToolError):
                remove_tree(ctx.data_dir / name)


def former_versions(ctx: Context, id: str) -> list[Path]:
    """The folders of versions of a workflow that were replaced, the one replaced last at the end."""
    try:
        names = os.listdir(ctx.data_dir / VERSIONS / id)  # noqa: PTH208 - the names suffice
    except OSError:
        return []
    numbered = [name for name in names if name.partition("-")[0].isdigit()]
    return [
        ctx.data_dir / VERSIONS / id / name
        for name in sorted(numbered, key=lambda name: int(name.partition("-")[0]))
    ]


def next_version(ctx: Context, id: str, digest: str) -> Path:
    """Where the next replaced version goes. digest: of it; empty when it has none."""
    kept = former_versions(ctx, id)
    number = int(kept[-1].name.partition("-")[0]) + 1 if kept else 1
    short = digest.partition(":")[2][:12] or "unusable"
    return ctx.data_dir / VERSIONS / id / f"{number:04}-{short}"
