"""What moves when planning changes its place: whole specs, changes and archived changes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.errors import External
from rasen.base.messages import N_
from rasen.files.atomic import digest_of
from rasen.files.batch import Batch
from rasen.files.tree import Kind, tree_digest, walk
from rasen.stores.membership import Edit

SPECS, CHANGES, ARCHIVE = "specs", "changes", "archive"
KEPT_ARCHIVE = "archive"  # beside `changes`: an archive that stays does not make a project plan
_KEEPER = ".gitkeep"
_SPEC = "spec.md"
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}-")


class MigrationVerifyFailed(External):
    code = "migration_verify_failed"
    text = N_("{names}: what arrived is not what was sent; everything was put back")
    fix = N_("make sure that nothing else writes there, then run the command again")


class Parcel(NamedTuple):
    """One entry on its way. kind: SPECS, CHANGES or ARCHIVE. name: with `/` below its kind's folder."""

    kind: str
    name: str
    source: Path
    target: Path


@dataclass(frozen=True)
class Load:
    """Everything that moves from one workspace to another.

    collisions: names that are taken at the target, in whatever case. keepers: files that only keep
    an empty folder. folders: those that may be left empty, innermost first.
    """

    parcels: tuple[Parcel, ...] = ()
    collisions: tuple[str, ...] = ()
    keepers: tuple[Path, ...] = ()
    folders: tuple[Path, ...] = ()

    def of(self, kind: str) -> tuple[str, ...]:
        """The names of one kind."""
        return tuple(parcel.name for parcel in self.parcels if parcel.kind == kind)

    @property
    def change_names(self) -> tuple[str, ...]:
        """Open changes, then archived ones behind `archive/`, as a record lists them."""
        archived = tuple(f"{ARCHIVE}/{name}" for name in self.of(ARCHIVE))
        return (*self.of(CHANGES), *archived)

    def joined(self, other: Load) -> Load:
        return Load(
            self.parcels + other.parcels,
            self.collisions + other.collisions,
            self.keepers + other.keepers,
            self.folders + other.folders,
        )


def pack(kind: str, source: Path, target: Path) -> Load:
    """What lies in the folder `source` and is to lie in `target`. Looks only.

    A folder that is in both places and is no spec in either is an area: what is in it moves.
    """
    parcels: list[Parcel] = []
    collisions: list[str] = []
    keepers: list[Path] = []
    folders: list[Path] = []
    _gather(kind, "", (source, target), parcels, collisions, keepers=keepers, folders=folders)
    return Load(tuple(parcels), tuple(collisions), tuple(keepers), tuple(folders))


def pack_workspace(source: Path, target: Path, archive: Path) -> Load:
    """All planning of a workspace. archive: where archived changes go."""
    specs = pack(SPECS, source / "specs", target / "specs")
    archived = pack(ARCHIVE, source / "changes" / "archive", archive)
    changes = pack(CHANGES, source / "changes", target / "changes")
    return specs.joined(archived).joined(changes)


def send(load: Load, batch: Batch) -> None:
    """Add the moves of `load` to `batch`, then the removal of folders this leaves empty."""
    for parcel in load.parcels:
        batch.move(parcel.source, parcel.target)
    for keeper in load.keepers:
        batch.remove(keeper, expect=digest_of(keeper))
    for folder in load.folders:
        batch.remove_empty_dir(folder)


class Measures:
    """What each parcel held before it was sent. with_hash: contents too, not only sizes."""

    def __init__(self, parcels: Iterable[Parcel], *, with_hash: bool) -> None:
        self._with_hash = with_hash
        self._before = {parcel: self._of(parcel.source) for parcel in parcels}

    def check(self, journal: Path, edit: Edit | None = None) -> None:
        """Compare with what arrived; a difference sends everything back.

        edit: settings that were changed with the move and get their former text again; None: none.
        Errors: migration_verify_failed.
        """
        wrong = [p.name for p, was in self._before.items() if self._of(p.target) != was]
        if not wrong:
            return
        back = Batch(journal, purpose="take back a move that arrived changed")
        for parcel in self._before:
            back.move(parcel.target, parcel.source)
        if edit is not None:
            back.write(edit.path, edit.before.encode(), expect=digest_of(edit.path))
        back.commit()
        raise MigrationVerifyFailed(target="openspec.root", names=", ".join(wrong))

    def _of(self, path: Path) -> object:
        if self._with_hash:
            return tree_digest(path)
        sizes = [node.stat.st_size for node in walk(path) if node.kind is Kind.FILE]
        return len(sizes), sum(sizes)


def archived_as(archive: Path, change: str) -> str | None:
    """The name under which a change lies in an archive; None when it does not, or more than once."""
    names = sorted(path.name for path in archive.iterdir()) if archive.is_dir() else []
    found = [name for name in names if name == change or _DATED.sub("", name, count=1) == change]
    return found[-1] if found else None


def _gather(
    kind: str,
    prefix: str,
    places: tuple[Path, Path],
    parcels: list[Parcel],
    collisions: list[str],
    *,
    keepers: list[Path],
    folders: list[Path],
) -> None:
    source, target = places
    if not source.is_dir():
        return
    taken = {}
    if target.is_dir():
        taken = {path.name.casefold(): path for path in target.iterdir()}
    for entry in sorted(source.iterdir()):
        name = f"{prefix}{entry.name}"
        twin = taken.get(entry.name.casefold())
        if entry.name == _KEEPER:
            keepers.append(entry)
        elif kind == CHANGES and not prefix and entry.name == ARCHIVE:
            continue
        elif twin is None:
            parcels.append(Parcel(kind, name, entry, target / entry.name))
        elif kind == SPECS and twin.name == entry.name and _is_area(entry) and _is_area(twin):
            both = (entry, twin)
            _gather(kind, f"{name}/", both, parcels, collisions, keepers=keepers, folders=folders)
        else:
            collisions.append(f"{kind}/{name}")
    folders.append(source)


def _is_area(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and not (folder / _SPEC).exists()
