"""Folders for a while: private ones in the system's place for such things, or beside a target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from rasen.files import atomic, fsio, transfer
from rasen.files.errors import NotAFolder, TargetExists, from_os
from rasen.files.staging import TreeFile, stage_tree

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder that nobody else can look into; afterwards it is gone.

    Errors: file_not_writable, disk_full.
    """
    try:
        folder = fsio.make_temporary_dir()
    except OSError as error:
        raise from_os(error, Path(error.filename or "temporary folder")) from error
    try:
        yield folder
    finally:
        with suppress(OSError):
            transfer.delete(folder)


def lay_aside(folder: Path, trees: Mapping[str, Mapping[str, bytes]]) -> None:
    """Make the new private `folder` with a folder for each of `trees`, on the disk when this returns.

    trees: by name; the bytes of each file by its path, with `/`. Files can be read by the user alone.
    Nothing is left when it cannot be done. Errors: file_not_writable, disk_full.
    """
    try:
        fsio.mkdir(folder, PRIVATE_FOLDER)
    except OSError as error:
        raise from_os(error, folder) from error
    try:
        for name, files in trees.items():
            rows = {path: TreeFile(data, PRIVATE_FILE) for path, data in files.items()}
            stage_tree(folder / name, rows)
        fsio.sync_everything()
    except BaseException as error:
        with suppress(OSError):
            transfer.delete(folder)
        if isinstance(error, OSError):
            raise from_os(error, folder) from error
        raise


def fill_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make the private `folder`, or take it when it is empty, and put new private files into it.

    files: by path below it, with `/`. Missing parents of the folder are made. When it cannot be done,
    nothing that this made is left. Errors: target_exists, not_a_folder, file_not_writable, disk_full.
    """
    import os

    try:
        above = atomic.make_dirs(folder.parent)
        is_new = not os.path.lexists(folder)
        if not is_new and (folder.is_symlink() or not folder.is_dir()):
            raise NotAFolder(file=str(folder))
        if not is_new and any(folder.iterdir()):
            raise TargetExists(file=str(folder))
        aside = folder.with_name(f".{folder.name}-{os.urandom(4).hex()}")
        lay_aside(aside, {"made": files})
        try:
            if not is_new:
                fsio.rmdir(folder)
            fsio.chmod(aside / "made", PRIVATE_FOLDER)
            fsio.rename(aside / "made", folder)
        except BaseException:
            if not is_new and not folder.exists():
                fsio.mkdir(folder)
            for one in reversed(above):
                with suppress(OSError):
                    fsio.rmdir(one)
            raise
        finally:
            with suppress(OSError):
                transfer.delete(aside)
    except OSError as error:
        raise from_os(error, folder) from error
