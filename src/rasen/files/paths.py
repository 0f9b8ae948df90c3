"""Paths: the real one, and those that stay inside a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from rasen.base.messages import N_
from rasen.files.errors import PathTraversal

_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[1-9¹²³]|lpt[1-9¹²³])(?:\..*)?", re.I
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def canonical(path: Path) -> Path:
    """The absolute path with every link resolved, as far as the path exists; the rest is appended."""
    return Path(os.path.realpath(path))


def inside(root: Path, relative: str) -> Path:
    """`relative` (with `/`) below `root`: a path that no segment and no existing link leads out of.

    The same text is accepted or refused on every system. The result is not resolved.
    Errors: path_traversal.
    """
    segments = relative.split("/")
    for segment in segments:
        reason = _objection(segment)
        if reason:
            raise PathTraversal(path=relative, root=str(root), reason=reason)
    joined = root.joinpath(*segments)
    if not _has_link(str(root), segments):
        return joined  # nothing on it could lead anywhere else
    base = canonical(root)
    real = canonical(joined)
    if real == base or not real.is_relative_to(base):
        reason = N_("a link on it leads elsewhere")
        raise PathTraversal(path=relative, root=str(root), reason=reason)
    return joined


def _has_link(folder: str, segments: list[str]) -> bool:
    for segment in segments:
        folder = os.path.join(folder, segment)  # noqa: PTH118 - a hot path
        if os.path.islink(folder):  # noqa: PTH114 - a hot path
            return True
    return False


def is_plain_name(name: str) -> bool:
    """True when `name` can be one segment of a path on every system."""
    return "/" not in name and not _objection(name)


def resolve_link(path: Path) -> Path:
    """The file that writing `path` means: itself, or where a link leads when that is the same folder.

    A link out of its folder is refused, so that a repository cannot aim our writes elsewhere.
    Errors: path_traversal.
    """
    if not path.is_symlink():
        return path
    real = canonical(path)
    if real.parent != canonical(path.parent):
        reason = N_("it is a link that leads out of its folder")
        raise PathTraversal(path=str(path), root=str(path.parent), reason=reason)
    return real


def _objection(segment: str) -> str:
    """Why `segment` may not be part of a path; empty when it may."""
    if segment in ("", ".", ".."):
        return N_("it has an empty, `.` or `..` segment")
    if "\\" in segment or ":" in segment:
        return N_("it has a backslash, a colon or a drive")
    if _CONTROL.search(segment):
        return N_("it has a control character")
    if segment[-1] in ". ":
        return N_("a segment ends in a dot or a blank")
    if _RESERVED.fullmatch(segment):
        return N_("a segment is a name that some systems reserve")
    return ""
