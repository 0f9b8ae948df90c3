"""A folder that is, or is to become, a store: what a person called it, and what its files declare."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, Refused
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.files.paths import canonical
from rasen.git import repo
from rasen.stores.model import is_id
from rasen.stores.refusals import InvalidStoreId, InvalidStorePointer
from rasen.stores.remotes import has_credentials, redacted, without_credentials


class StoreRootPointerDeclared(Refused):
    code = "store_root_pointer_declared"
    text = N_("{file} says that this folder plans in the store {store}, so it cannot be a store")
    fix = N_("use another folder, or remove 'store:' from {file}")


class StoreMetadataIdMismatch(Refused):
    code = "store_metadata_id_mismatch"
    text = N_("{file} names the store '{found}', not '{id}'")
    fix = N_("use the name '{found}', or another folder")


class StoreInsideDataFolder(Refused):
    code = "store_inside_data_folder"
    text = N_("{root} lies in {folder}, which this program keeps for itself and clears away")
    fix = N_("use a folder elsewhere, such as ~/rasen/{name}")


class StoreRemoteEmpty(InvalidInput):
    code = "store_remote_empty"
    text = N_("the remote is empty")
    fix = N_("give an address after --remote, or leave the option out")


class StoreRemoteCredentials(InvalidInput):
    code = "store_remote_credentials"
    text = N_("the remote {remote} carries a password or a token; it would be shared with everyone")
    fix = N_("use the address without it: {plain}")


def place(ctx: Context, said: str) -> Path:
    """The folder that a person means by `said`: `~` is the home, links are resolved."""
    if said == "~" or said.startswith(("~/", "~\\")):
        return canonical(ctx.home / said[2:])
    return canonical(ctx.cwd / said)


def refuse_data_folder(ctx: Context, root: Path) -> None:
    """Refuse a folder among this machine's own data, where `rasen doctor --gc` clears away.

    Errors: store_inside_data_folder. Source: planning §7.4.
    """
    folder = canonical(ctx.data_dir)
    if root.is_relative_to(folder):
        raise StoreInsideDataFolder(
            target="store.root", root=root, folder=folder, name=root.name or "plans"
        )


def require_id(name: str) -> str:
    """`name`, when a store may be called so. Errors: invalid_store_id. Source: planning §7.1."""
    if not is_id(name):
        raise InvalidStoreId(target="store.id", id=name)
    return name


def require_remote(remote: str | None) -> str | None:
    """`remote` trimmed, when it may be written where others read it.

    Errors: store_remote_empty, store_remote_credentials. Source: planning §7.2.
    """
    if remote is None:
        return None
    plain = remote.strip()
    if not plain:
        raise StoreRemoteEmpty(target="store.remote")
    if has_credentials(plain):
        shown, without = redacted(plain), without_credentials(plain)
        raise StoreRemoteCredentials(target="store.remote", remote=shown, plain=without)
    return plain


def refuse_pointer(workspace_dir: Path) -> None:
    """Refuse a folder whose own settings send its planning elsewhere.

    Errors: store_root_pointer_declared, invalid_store_pointer. Source: planning §7.4.
    """
    said = config.store_declaration(workspace_dir)
    if said.malformed is not None:
        raise InvalidStorePointer(target="store.pointer", file=said.file, problem=said.malformed)
    if said.pointer is not None:
        store = said.pointer.id or said.pointer.uid
        raise StoreRootPointerDeclared(target="store.pointer", file=said.file, store=store)


def observed_remote(root: Path) -> str | None:
    """The origin of the repository rooted exactly at `root`, without secrets; None without one."""
    origin = repo.origin(root)
    return None if origin is None else without_credentials(origin)
