"""Removing whole folders and empty ones, for those who know that all of it is theirs to remove."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rasen.files import fsio, transfer
from rasen.files.errors import from_os


def remove_tree(path: Path) -> None:
    """Make sure nothing is at `path`, whatever it holds; links in it are not followed.

    Killed on the way it leaves a part: use a batch where that must not be.
    Errors: file_not_writable.
    """
    try:
        transfer.delete(path)
        fsio.fsync_dir(path.parent)
    except OSError as error:
        raise from_os(error, path) from error


def remove_if_empty(path: Path) -> None:
    """Remove the folder `path` when it is there, empty and ours to remove; otherwise do nothing."""
    with suppress(OSError):
        fsio.rmdir(path)
