"""What work in a root may look at: the root itself, and the stores and projects it refers to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import NotFound, Refused
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.files.atomic import ABSENT, replace_file
from rasen.files.errors import FileChanged
from rasen.roots.model import Root
from rasen.stores import ops as stores
from rasen.stores.refusals import InvalidStoreRegistry
from rasen.stores.remotes import redacted
from rasen.stores.standing import repair_of
from rasen.syntax import json
from rasen.upkeep.doctor import REGISTRY_UNREADABLE

if TYPE_CHECKING:
    from rasen.stores.references import ReferenceEntry

_TARGET = "context.output"


class ContextFileExists(Refused):
    code = "context_file_exists"
    text = N_("{file} exists already")
    fix = N_("name another file, or pass --force to replace it")


class ContextOutputDirMissing(NotFound):
    code = "context_output_dir_missing"
    text = N_("there is no folder {folder} to write into")
    fix = N_("make {folder}, or name a file in a folder that is there")


@dataclass(frozen=True)
class Member:
    """One declared reference. remote: where others get it, without secrets; None when not said."""

    entry: ReferenceEntry
    remote: str | None = None

    @property
    def is_available(self) -> bool:
        return self.entry.root is not None and not self.entry.status


@dataclass(frozen=True)
class WorkingSet:
    """A root and what it refers to, in the order of the declarations."""

    root: Root
    members: tuple[Member, ...]
    findings: tuple[Finding, ...] = ()

    def folders(self) -> list[tuple[str, Path]]:
        """Name and place of everything that is there, the root first."""
        name = self.root.store_id or self.root.path.name
        found = [(name, self.root.path)]
        for member in self.members:
            if member.is_available and member.entry.root is not None:
                found.append((f"ref:{member.entry.store_id}", member.entry.root))
        return found


def gather(ctx: Context, root: Root) -> WorkingSet:
    """The root with its references; nothing about them fails. Source: planning §7.9."""
    own = config.project_config(root.workspace_dir, tell=ctx.tell)
    declared = () if own is None else own.references
    known = stores.try_registry(ctx)
    entries = stores.reference_index(
        ctx, declared, own=root.path, own_id=root.store_id, with_specs=False, known=known
    )
    remotes = {(one.id, one.type == "project"): one.remote for one in declared}
    members = tuple(
        Member(entry, _shown(remotes.get((entry.store_id, entry.is_project)))) for entry in entries
    )
    findings: tuple[Finding, ...] = ()
    if isinstance(known, InvalidStoreRegistry):
        params = {"problem": known, "repair": repair_of(known)}
        findings = (Finding(REGISTRY_UNREADABLE, "relationships", params),)
    return WorkingSet(root, members, findings)


def write_workspace(ctx: Context, found: WorkingSet, said: str, *, is_forced: bool) -> Path:
    """Write a workspace file that lists the folders of `found`; its path.

    said: relative to where we are. is_forced: replace what is there.
    Errors: context_output_dir_missing, context_file_exists, those of writing files.
    """
    path = ctx.at(said)
    if not path.parent.is_dir():
        raise ContextOutputDirMissing(target=_TARGET, folder=path.parent)
    folders = [{"name": name, "path": str(place)} for name, place in found.folders()]
    data = json.dump({"folders": folders}).encode()
    if not is_forced and os.path.lexists(path):
        raise ContextFileExists(target=_TARGET, file=path)
    try:
        replace_file(path, data, expect=None if is_forced else ABSENT)
    except FileChanged as error:
        raise ContextFileExists(target=_TARGET, file=path) from error
    return path


def _shown(remote: str | None) -> str | None:
    return None if remote is None else redacted(remote)
