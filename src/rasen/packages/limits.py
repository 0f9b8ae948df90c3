"""How large a package may be; each limit is inclusive. Source: library §3.4."""

from __future__ import annotations

from typing import Final

from rasen.workflows import tree

PACKAGE_BYTES: Final = 16 * 1024 * 1024
CONTENT_BYTES: Final = tree.CONTENT_BYTES
FILE_BYTES: Final = tree.FILE_BYTES
FILES: Final = tree.MAX_FILES
WORKFLOWS: Final = 64
DEPTH: Final = 32
PROPERTIES: Final = 4096

VALUES: Final = 8192
"""Ours: a document with more values than this has no form of a package, and is not kept in memory.

The other limits allow about 3,500.
"""
ISSUES: Final = 100
"""Ours: so many problems of one document are told; the rest would say nothing new."""
