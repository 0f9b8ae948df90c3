"""Why the folder of a store may not be deleted: it holds what is not its own to delete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Refused
from rasen.base.messages import N_
from rasen.files.paths import canonical
from rasen.git import repo
from rasen.git.risks import risks
from rasen.stores.model import Registration, Registry


class StoreRemoveHoldsRoot(Refused):
    code = "store_remove_registered_root_inside"
    text = N_("{root} holds another registered root: {others}")
    fix = N_("unregister or move it first")


class StoreRemoveHoldsMachineFolder(Refused):
    code = "store_remove_protected_folder"
    text = N_("{root} holds a folder that this machine needs: {other}")
    fix = N_("run 'rasen store unregister {id}', and delete what belongs to the store by hand")


class StoreRemoveHoldsRepository(Refused):
    code = "store_remove_repository_inside"
    text = N_("{root} holds another repository: {other}")
    fix = N_("move {other} elsewhere first")


class StoreRemoveLinksOut(Refused):
    code = "store_remove_links_outside"
    text = N_("{root} holds a link that leads out of it: {other}")
    fix = N_("remove the link first")


class StoreRemoveUncommitted(Refused):
    code = "store_remove_uncommitted_work"
    text = N_("{root} has work that is not committed: {paths}")
    fix = N_("commit and push it, or move it elsewhere")


class StoreRemoveUnpushed(Refused):
    code = "store_remove_unpushed_work"
    text = N_("{root} has commits that no remote has: {count}")
    fix = N_("push them; or run 'rasen store unregister {id}' and delete {root} by hand")


class StoreRemoveHasWorktrees(Refused):
    code = "store_remove_has_worktrees"
    text = N_("{root} is the repository of other work trees: {others}")
    fix = N_("remove them first with 'git worktree remove'")


class StoreRemoveUnknown(Refused):
    code = "store_remove_work_unknown"
    text = N_("git cannot say whether {root} has work that is nowhere else")
    fix = N_("make git work there; or run 'rasen store unregister {id}' and delete by hand")


def guard(ctx: Context, registry: Registry, row: Registration, root: Path) -> None:
    """Refuse to delete `root` while something in it is not the store's own to delete.

    root: canonical, a folder. A store that is no repository, or has no remote, has no other copy by
    nature: the person's yes covers that.
    Errors: store_remove_registered_root_inside, store_remove_protected_folder,
    store_remove_repository_inside, store_remove_links_outside, store_remove_uncommitted_work,
    store_remove_unpushed_work, store_remove_has_worktrees, store_remove_work_unknown.
    """
    others = [one for one in registry.rows if one is not row and _holds(root, Path(one.path))]
    if others:
        shown = ", ".join(f"{one.id} ({one.path})" for one in others)
        raise StoreRemoveHoldsRoot(target="store.root", root=root, others=shown)
    for folder in (ctx.home, ctx.data_dir, ctx.config_dir):
        if _holds(root, folder):
            raise StoreRemoveHoldsMachineFolder(
                target="store.root", root=root, other=folder, id=row.id
            )
    for path in _walk(root):
        if path.is_symlink() and not _holds(root, path):
            raise StoreRemoveLinksOut(target="store.root", root=root, other=path)
        if path.name == ".git" and path.parent != root:
            raise StoreRemoveHoldsRepository(target="store.root", root=root, other=path.parent)
    if repo.is_root(root):
        _guard_work(row, root)


def _guard_work(row: Registration, root: Path) -> None:
    found = risks(root)
    if found is None:
        raise StoreRemoveUnknown(target="store.git", root=root, id=row.id)
    if found.worktrees:
        others = ", ".join(found.worktrees)
        raise StoreRemoveHasWorktrees(target="store.git", root=root, others=others)
    if found.uncommitted:
        paths = ", ".join(found.uncommitted)
        raise StoreRemoveUncommitted(target="store.git", root=root, paths=paths)
    if found.unpushed:
        raise StoreRemoveUnpushed(target="store.git", root=root, count=found.unpushed, id=row.id)


def _holds(root: Path, other: Path) -> bool:
    return canonical(other).is_relative_to(root)


def _walk(root: Path) -> Iterator[Path]:
    """Every folder, link and `.git` below `root`, without looking into its own repository."""
    for folder, names, files in os.walk(root):
        here = Path(folder)
        yield from (
            here / name for name in (*names, *files) if name == ".git" or _is_link(here, name)
        )
        names[:] = [name for name in names if name != ".git"]


def _is_link(folder: Path, name: str) -> bool:
    return (folder / name).is_symlink()
