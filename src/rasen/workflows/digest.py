"""What identifies the content of a file and of a workflow. Source: library §1.3, §3.3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rasen.files.atomic import digest as file_digest
from rasen.syntax import canonical
from rasen.syntax.portable_path import order

__all__ = ["file_digest", "tree_rows", "workflow_digest"]

_FORMAT: Final = "rasen-workflow-digest"


def workflow_digest(id: str, files: Iterable[tuple[str, str]]) -> str:
    """The digest of a workflow; files: path and file digest of each, in any order.

    The exact bytes of the files count and nothing else, so `kind` is in it only as a line of the
    manifest. Source: library PK-031, WF-025, SP-031.
    """
    preimage = {"format": _FORMAT, "version": 1, "id": id, "files": tree_rows(files)}
    return file_digest(canonical.encode(preimage))


def tree_rows(files: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """`files` as the rows of a preimage, sorted by path. Source: library PK-020, PK-021."""
    ordered = sorted(files, key=lambda one: order(one[0]))
    return [{"path": path, "sha256": sha256} for path, sha256 in ordered]
