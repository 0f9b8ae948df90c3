"""Copying a workspace of the older layout beside itself; the original is never touched."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Phrase
from rasen.files.atomic import ABSENT, read_bytes
from rasen.files.batch import Batch
from rasen.files.errors import FileUnreadable, NotAFolder
from rasen.files.paths import canonical, inside
from rasen.roots.disk import CONFIG_NAMES, LEGACY_WORKSPACE
from rasen.roots.ops import heal
from rasen.upkeep import legacy

COPIED = ("specs", "changes", "schemas", *CONFIG_NAMES)


NOTHING = Rule(
    "migrate_nothing",
    Level.INFO,
    N_("there is nothing to migrate in {root}"),
)
IN_PLACE = Rule(
    "migrate_in_place",
    Level.INFO,
    N_("{target} is the workspace in use here, so there is nothing to migrate"),
)
INCOMPLETE = Rule(
    "migrate_incomplete",
    Level.ERROR,
    N_("{count} of the files in {source} were not copied"),
    N_("settle the reasons given for each, then run 'rasen migrate' again"),
)


class MigratePathNotDirectory(InvalidInput):
    code = "migrate_path_not_directory"
    text = N_("{path} is not a folder")
    fix = N_("name the folder that holds openspec/")


@dataclass(frozen=True)
class Failure:
    """One thing that was not copied although it should have been."""

    path: str
    problem: ToolError | Phrase

    @property
    def reason(self) -> str:
        """Why, in English."""
        return str(self.problem)


@dataclass
class Report:
    """What a migration did; paths are relative to the project.

    source: None when there was nothing to migrate. skipped: already there, left as it is.
    others: entries of the older folder that are never copied.
    """

    root: Path
    target: Path
    source: Path | None = None
    copied: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def is_in_place(self) -> bool:
        """Whether the older folder is the workspace itself, by choice of the user."""
        return self.target.name == LEGACY_WORKSPACE

    def notice(self) -> Finding | None:
        """What a reader should know besides the lists; None when all went well."""
        if self.is_in_place:
            return Finding(IN_PLACE, "openspec.root", {"target": self.target})
        if self.source is None:
            return Finding(NOTHING, "openspec.root", {"root": self.root})
        if self.failed:
            params = {"count": len(self.failed), "source": self.source}
            return Finding(INCOMPLETE, "openspec.root", params)
        return None


def migrate(ctx: Context, path: Path) -> Report:
    """Copy the older workspace in the folder `path` into the present one, all or nothing.

    What is already there is never overwritten. What cannot be read, and links and special files
    that cannot be copied as plain files, are reported one by one and hold up nothing else.
    Errors: migrate_path_not_directory, busy, recovery_needed, and those of writing files.
    Source: planning §8.9.
    """
    if not path.is_dir():
        raise MigratePathNotDirectory(path=path)
    root = canonical(path)
    report = Report(root, root / ctx.workspace, legacy.folder(ctx, root))
    if report.source is None:
        return report
    for workspace in (report.source, report.target):
        heal(ctx, workspace)
    batch = Batch(report.target / ".journal", purpose="migrate")
    for entry in sorted(report.source.iterdir(), key=lambda item: item.name):
        if entry.name not in COPIED:
            report.others.append(_shown(report, entry))
        elif entry.name in CONFIG_NAMES and _has_config(report.target):
            report.skipped.append(_shown(report, report.target / entry.name))
        else:
            _add(batch, report, entry)
    batch.commit()
    return report


def _has_config(target: Path) -> bool:
    """A second configuration file could silence the one that counts now."""
    return any(os.path.lexists(target / name) for name in CONFIG_NAMES)


def _add(batch: Batch, report: Report, entry: Path) -> None:
    """Plan the copy of `entry`, with all that is below it."""
    for item in _walk(entry):
        try:
            _plan(batch, report, item)
        except ToolError as error:
            report.failed.append(Failure(_shown(report, item), error))
        except OSError as error:
            report.failed.append(Failure(_shown(report, item), _unread(item, error)))


def _plan(batch: Batch, report: Report, item: Path) -> None:
    assert report.source is not None
    relative = item.relative_to(report.source).as_posix()
    target = inside(report.root, f"{report.target.name}/{relative}")
    blocked = _blocked(report.root, target)
    if blocked is not None:
        raise NotAFolder(file=blocked)
    if item.is_dir() and not item.is_symlink():
        os.scandir(item).close()
        if os.path.lexists(target) and not target.is_dir():
            raise NotAFolder(file=target)
        if not target.is_dir():
            batch.make_dir(target)
        return
    reason = _objection(canonical(report.source), item)
    if reason:
        report.failed.append(Failure(_shown(report, item), Phrase(reason)))
    elif os.path.lexists(target):
        report.skipped.append(_shown(report, target))
    else:
        batch.write(target, read_bytes(item, limit_bytes=1 << 30), expect=ABSENT)
        report.copied.append(_shown(report, target))


def _unread(item: Path, error: OSError) -> FileUnreadable:
    return FileUnreadable(file=item, reason=error.strerror or str(error))


def _blocked(root: Path, target: Path) -> Path | None:
    """What stands where a folder above `target` belongs; None when nothing does."""
    above = [folder for folder in target.parents if folder.is_relative_to(root)]
    return next((f for f in above if os.path.lexists(f) and not f.is_dir()), None)


def _objection(source: Path, item: Path) -> str:
    """Why `item` cannot be copied as a plain file; empty when it can."""
    if item.is_symlink():
        real = canonical(item)
        if not real.exists():
            return N_("it is a link that leads nowhere")
        if not real.is_relative_to(source):
            return N_("it is a link that leads out of the workspace")
        if real.is_dir():
            return N_("it is a link to a folder")
    if not stat.S_ISREG(item.stat().st_mode):
        return N_("it is neither a file nor a folder")
    return ""


def _walk(entry: Path) -> Iterator[Path]:
    """`entry` and everything below it, parents first, in order of names; links are not entered."""
    yield entry
    try:
        if entry.is_symlink() or not entry.is_dir():
            return
        below = sorted(entry.iterdir(), key=lambda item: item.name)
    except OSError:
        return
    for item in below:
        yield from _walk(item)


def _shown(report: Report, path: Path) -> str:
    return path.relative_to(report.root).as_posix()
