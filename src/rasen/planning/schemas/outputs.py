"""Which files of a change an artifact's `generates` names: our own glob, contained in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from pathlib import Path

_MAGIC = re.compile(r"[*?\[]")


def is_glob(pattern: str) -> bool:
    """True when `pattern` has to be searched for rather than looked up."""
    return _MAGIC.search(pattern) is not None


def outputs(change_dir: Path, pattern: str) -> list[Path]:
    """The regular files that `pattern` names in the change: real paths, unique, sorted.

    `**` stands for zero or more folders; names starting with a dot need a dot in the pattern; links
    are followed, but a file whose real path lies outside the change is not the change's.
    Source: planning §5.5.
    """
    base = os.path.realpath(change_dir)
    parts = _split(pattern)
    if not parts or ".." in parts:
        return []
    literal = str(Path(base, *parts))
    found = _walk(base, parts, (base,)) if is_glob(pattern) else iter([literal])
    real = {Path(os.path.realpath(name)) for name in found}
    return sorted(one for one in real if Path(base) in one.parents and os.path.isfile(one))  # noqa: PTH113 - False where we may not look


def matches(pattern: str, relative: str) -> bool:
    """True when the glob `pattern` would name the file `relative`, were it there."""
    return _fits(_split(pattern), _split(relative))


def _split(path: str) -> list[str]:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return [one for at, one in enumerate(parts) if one != "**" or parts[at - 1 : at] != ["**"]]


def _fits(parts: list[str], names: list[str]) -> bool:
    if not parts:
        return not names
    if parts[0] == "**":
        return any(_fits(parts[1:], names[skip:]) for skip in range(len(names) + 1))
    return bool(names) and _segment(parts[0])(names[0]) and _fits(parts[1:], names[1:])


def _walk(folder: str, parts: list[str], trail: tuple[str, ...]) -> Iterator[str]:
    """Paths below `folder` that fit `parts`. `trail` holds the real folders above, to end loops."""
    first, rest = parts[0], parts[1:]
    if first == "**":
        yield from _walk(folder, rest or ["*"], trail)
    fits = _segment("*" if first == "**" else first)
    for entry in _entries(folder):
        if not fits(entry.name):
            continue
        if not rest and first != "**":
            yield entry.path
        elif entry.is_dir():
            real = os.path.realpath(entry.path)
            if real not in trail:
                yield from _walk(entry.path, parts if first == "**" else rest, (*trail, real))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:  # gone, or not ours to read: it has no files for us
        return []


def _segment(pattern: str) -> Callable[[str], bool]:
    match = re.compile(translate(pattern.replace("[^", "[!"))).match
    hidden = pattern.startswith(".")
    return lambda name: bool(match(name)) and (hidden or not name.startswith("."))
