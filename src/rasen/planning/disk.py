"""What lies in a workspace: specs, changes, and the delta files of a change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.files.atomic import read_text
from rasen.files.errors import FileUnreadable, NotAFolder
from rasen.files.paths import inside, is_plain_name

SPEC_FILE = "spec.md"
ARCHIVE = "archive"
_MARKS = ("proposal.md", ".openspec.yaml", "tasks.md", "specs")

MISPLACED = Rule(
    "delta_file_misplaced",
    Level.ERROR,
    N_("{file} is not where deltas are read; nothing in it would be merged"),
    N_("Move it to {expected}"),
)
ROOT_DELTA = Rule(
    "delta_file_at_root",
    Level.ERROR,
    N_("{file} belongs to no capability; nothing in it would be merged"),
    N_("Move it to specs/<capability>/spec.md"),
)
LINK_OUTSIDE = Rule(
    "delta_link_outside",
    Level.ERROR,
    N_("{file} is a link that leads out of the capability's folder"),
    N_("Put the file itself there"),
)
LINK_SKIPPED = Rule(
    "delta_link_skipped",
    Level.ERROR,
    N_("{file} is a linked folder; deltas below it are not read"),
    N_("Put the folder itself there"),
)

DELTA_NO_FILE = Rule(
    "delta_not_a_file",
    Level.ERROR,
    N_("{file} is a folder; the file that holds the delta belongs there"),
    N_("Move the folder away and write the file"),
)
SPECS_NO_FOLDER = Rule(
    "delta_specs_not_a_folder",
    Level.ERROR,
    N_("{file} is a file; deltas lie in a folder of that name, and nothing in it would be merged"),
    N_("Move it to specs/<capability>/spec.md"),
)


class SpecEntry(NamedTuple):
    """A capability: its id (path below `specs/`), and whether anything is called its spec.

    A folder or a dangling link of that name counts, so that reading it says what is wrong.
    """

    id: str
    has_spec: bool


class DeltaFile(NamedTuple):
    """A delta file of a change. relative: below the change's `specs/`, with `/`."""

    capability: str
    relative: str
    path: Path


class Discovery(NamedTuple):
    """The delta files of one change, and what lies beside them without being read."""

    files: tuple[DeltaFile, ...]
    misplaced: tuple[Finding, ...]

    @property
    def is_empty(self) -> bool:
        return not self.files and not self.misplaced


def spec_entries(specs_dir: Path) -> list[SpecEntry]:
    """Every capability below `specs_dir`, by id; a folder that leads to no spec counts as one.

    Nested capabilities have ids such as `area/login`. Linked folders are not followed.
    Source: planning §4.3, §13 row 3.
    """
    found: list[SpecEntry] = []
    for entry in _entries(str(specs_dir)):
        if _is_folder(entry):
            found += _capabilities(entry.path, entry.name)
    return sorted(found, key=lambda entry: entry.id)


def read_spec(specs_dir: Path, spec_id: str) -> str:
    """The text of a spec; a link is followed only inside `specs_dir`.

    Errors: file_*, path_traversal.
    """
    path = specs_dir / spec_id / SPEC_FILE
    if os.path.islink(path):  # noqa: PTH114 - False where we may not look
        inside(specs_dir, f"{spec_id}/{SPEC_FILE}")
    return read_text(path)


def has_spec(specs_dir: Path, spec_id: str) -> bool:
    """True when `spec_entries` would list `spec_id` with a spec; looks at no other spec."""
    folder = str(specs_dir)
    for name in spec_id.split("/"):
        if not _has_folder(folder, name, follow=False):
            return False
        folder = os.path.join(folder, name)  # noqa: PTH118 - a hot path
    return os.path.lexists(os.path.join(folder, SPEC_FILE))  # noqa: PTH118


def has_change(changes_dir: Path, name: str) -> bool:
    """True for an open change or a grouping folder of that name; looks at no other."""
    return name != ARCHIVE and _has_folder(str(changes_dir), name, follow=True)


def change_names(changes_dir: Path) -> list[str]:
    """The open changes: sub-folders but `archive`, dot names and grouping folders, sorted."""
    return [name for name in _folders(changes_dir) if not is_grouping(changes_dir / name)]


def grouping_folders(changes_dir: Path) -> list[str]:
    """Folders that are no change themselves but hold some; those are not found where they lie."""
    return [name for name in _folders(changes_dir) if is_grouping(changes_dir / name)]


def archived_names(archive_dir: Path) -> list[str]:
    """The archived changes in `archive_dir`, sorted."""
    return [entry.name for entry in _entries(str(archive_dir)) if _is_folder(entry)]


def is_grouping(folder: Path) -> bool:
    """True for a folder with changes below it and no mark of a change in it.

    Source: product rulings, grouping folders.
    """
    return not _is_marked(str(folder)) and bool(nested_changes(folder))


def nested_changes(folder: Path) -> list[str]:
    """The changes that lie inside a grouping folder; none in one that cannot be read."""
    try:
        entries = _entries(str(folder))
    except FileUnreadable:
        return []
    return [one.name for one in entries if _is_folder(one) and _is_marked(one.path)]


def _is_marked(folder: str) -> bool:
    return any(os.path.lexists(os.path.join(folder, mark)) for mark in _MARKS)  # noqa: PTH118


def delta_files(change_dir: Path) -> Discovery:
    """The delta files of a change: every `spec.md` in a folder below its `specs/`, sorted.

    Names with a leading dot are skipped, linked folders are not followed. Any other Markdown file
    there is misplaced. Errors: file_unreadable.
    Source: planning §3.5; product rulings, misplaced delta files.
    """
    specs = change_dir / "specs"
    is_link = os.path.islink(specs)  # noqa: PTH114 - False where we may not look
    if is_link or os.path.isfile(specs):  # noqa: PTH113
        rule = LINK_SKIPPED if is_link else SPECS_NO_FOLDER
        return Discovery((), (Finding(rule, "file", {"file": "specs"}),))
    files: list[DeltaFile] = []
    misplaced: list[Finding] = []
    for relative, entry in _walk(str(specs), ""):
        problem = _objection(relative, entry)
        if problem is not None:
            misplaced.append(problem)
        elif entry.name == SPEC_FILE:
            capability = relative.rpartition("/")[0]
            files.append(DeltaFile(capability, relative, Path(entry.path)))
    files.sort(key=lambda file: file.relative)
    misplaced.sort(key=lambda finding: finding.path)
    return Discovery(tuple(files), tuple(misplaced))


def _objection(relative: str, entry: os.DirEntry[str]) -> Finding | None:
    params: dict[str, object] = {"file": f"specs/{relative}"}
    if entry.is_symlink():
        if entry.is_dir():
            return Finding(LINK_SKIPPED, relative, params)
        if not _stays(entry.path):
            return Finding(LINK_OUTSIDE, relative, params)
    if _is_folder(entry):
        return Finding(DELTA_NO_FILE, relative, params)
    if not entry.name.lower().endswith(".md"):
        return None
    folder, _, name = relative.rpartition("/")
    if name == SPEC_FILE:
        return None if folder else Finding(ROOT_DELTA, relative, params)
    capability = folder or name[: -len(".md")]
    params["expected"] = f"specs/{capability}/{SPEC_FILE}"
    return Finding(MISPLACED, relative, params)


def _stays(path: str) -> bool:
    """True for a link whose end lies in the folder of the link; a dangling one is read, and fails."""
    folder = os.path.realpath(os.path.dirname(path))  # noqa: PTH120 - a hot path
    return os.path.dirname(os.path.realpath(path)) == folder or not os.path.exists(path)  # noqa: PTH110, PTH120


def _walk(folder: str, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below `folder` that is no folder, and folders where a delta file belongs."""
    for entry in _entries(folder):
        relative = prefix + entry.name
        if _is_folder(entry) and entry.name != SPEC_FILE:
            yield from _walk(entry.path, relative + "/")
        else:
            yield relative, entry


def _capabilities(folder: str, relative: str) -> list[SpecEntry]:
    """The capabilities in `folder` and below; one without a spec counts only where none is below."""
    below: list[SpecEntry] = []
    has_spec = False
    for entry in _entries(folder):
        has_spec = has_spec or entry.name == SPEC_FILE
        if _is_folder(entry):
            below += _capabilities(entry.path, f"{relative}/{entry.name}")
    real = [entry for entry in below if entry.has_spec]
    if has_spec or not real:
        return [SpecEntry(relative, has_spec), *real]
    return below


def _folders(changes_dir: Path) -> list[str]:
    return [
        entry.name
        for entry in _entries(str(changes_dir))
        if entry.name != ARCHIVE and entry.is_dir()
    ]


def _has_folder(parent: str, name: str, *, follow: bool) -> bool:
    """True when `parent` has a sub-folder of exactly that name, whatever case the system ignores."""
    if not is_plain_name(name) or name.startswith("."):
        return False
    path = os.path.join(parent, name)  # noqa: PTH118 - a hot path
    if not os.path.isdir(path) or (not follow and os.path.islink(path)):  # noqa: PTH112, PTH114
        return False
    return name in os.listdir(parent)  # noqa: PTH208


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """The entries of `folder` without dot names, by name; none when there is no such folder.

    Errors: not_a_folder, file_unreadable.
    """
    try:
        with os.scandir(folder) as found:
            entries = [entry for entry in found if not entry.name.startswith(".")]
    except FileNotFoundError:
        return []
    except NotADirectoryError as error:
        raise NotAFolder(file=folder) from error
    except OSError as error:
        raise FileUnreadable(file=folder, reason=error.strerror or str(error)) from error
    return sorted(entries, key=lambda entry: entry.name)
