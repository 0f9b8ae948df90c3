"""Open changes that lie elsewhere: on other branches of the repository, and in its other work trees."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_
from rasen.files.atomic import digest
from rasen.git.branches import Branch, other_work_trees, unmerged_branches
from rasen.git.history import Entry, Objects, prefix
from rasen.planning import disk
from rasen.planning.bases import disk as bases_disk
from rasen.planning.bases.model import Base, Source
from rasen.planning.change_plan import LoadedChange, LoadedDelta
from rasen.planning.changes import metadata_file
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.disk import DeltaFile, Discovery
from rasen.planning.load import Reader
from rasen.planning.overlaps.model import Where
from rasen.roots.model import Root

Found = tuple[LoadedChange, Where]
_TIP = N_("the specs of the branch that has the change, at {revision}")


def on_branches(root: Root, reader: Reader) -> list[Found] | None:
    """The open changes of the local branches that HEAD does not contain; None without git.

    Nothing is checked out: one git lists the branches, one reads all their files. A change that
    several branches have alike is read once. reader: gives the specs as they are here.
    """
    branches = unmerged_branches(root.path)
    if branches is None:
        return None
    with Objects(root.path) as objects:
        return list(_Branches(root, reader, objects).changes(branches))


def in_work_trees(ctx: Context, root: Root, reader: Reader) -> list[Found] | None:
    """The open changes of the repository's other work trees, read from their folders; None without git."""
    trees = other_work_trees(root.path)
    if trees is None:
        return None
    found: list[Found] = []
    for tree in trees:
        there = root._replace(path=tree / prefix(root.path))
        with suppress(ToolError):  # a broken work tree says nothing of this one
            other = Reader(ctx, there)
            names = disk.change_names(there.changes_dir)
            other.prepare(names)
            where = Where("worktree", str(tree))
            changes = (other.change(name, with_tasks=False) for name in names)
            found += [(one._replace(target=reader.target), where) for one in changes]
    return found


@dataclass
class _Branches:
    """Reads changes from commits. seen: those read before, by name and id of their folder."""

    root: Root
    reader: Reader
    objects: Objects
    seen: dict[tuple[str, str], LoadedChange] = field(default_factory=dict)

    def changes(self, branches: tuple[Branch, ...]) -> Iterator[Found]:
        for branch in branches:
            for entry in self.objects.folder(branch.commit, f"{self.root.workspace}/changes"):
                if not entry.is_folder or entry.name == disk.ARCHIVE or entry.name[0] == ".":
                    continue
                key = entry.name, entry.id
                if key not in self.seen:
                    self.seen[key] = self._change(branch, entry)
                yield self.seen[key], Where("branch", branch.name)

    def _change(self, branch: Branch, folder: Entry) -> LoadedChange:
        files = dict(self._files(folder.id, ""))
        place = self.root.changes_dir / folder.name
        deltas = tuple(
            delta for path in sorted(files) if (delta := self._delta(place, path, files[path]))
        )
        metadata = self._metadata(files.get(metadata_file.FORMAT))
        names = [delta.file.capability for delta in deltas]
        bases = {name: self._base(branch, files, name, metadata) for name in names}
        return LoadedChange(
            folder.name,
            place,
            Discovery(tuple(delta.file for delta in deltas), ()),
            deltas,
            self.reader.target,
            bases.__getitem__,
            skip_specs=metadata is not None and metadata.touches_no_spec,
            may_retire=metadata is not None and metadata.retire_capabilities,
        )

    def _files(self, folder: str, at: str) -> Iterator[tuple[str, str]]:
        """The files below a folder that matter: path and id."""
        for entry in self.objects.folder_of(folder):
            path = f"{at}{entry.name}"
            is_ours = not entry.name.startswith(".") or path.startswith(bases_disk.FOLDER)
            if entry.is_folder and is_ours:
                yield from self._files(entry.id, f"{path}/")
            elif not entry.is_folder and not entry.is_link:
                yield path, entry.id

    def _delta(self, place: Path, path: str, content: str) -> LoadedDelta | None:
        top, _, relative = path.partition("/")
        capability, _, name = relative.rpartition("/")
        text = self._text(content) if top == "specs" and name == disk.SPEC_FILE else None
        if not capability or text is None:
            return None
        file = DeltaFile(capability, relative, place / path)
        return LoadedDelta(file, text, digest(text.encode("utf-8")))

    def _base(
        self, branch: Branch, files: dict[str, str], capability: str, metadata: Metadata | None
    ) -> Base:
        """What was recorded; else the specs at the commit the change names; else those of its branch."""
        recorded = f"{bases_disk.FOLDER}/{capability}/"
        if recorded + disk.SPEC_FILE in files:
            text = self._text(files[recorded + disk.SPEC_FILE])
            if text is not None:
                return Base(capability, Source.RECORDED, text)
        if recorded + bases_disk.NO_SPEC in files:
            return Base(capability, Source.RECORDED, None)
        spec = f"{self.root.workspace}/specs/{capability}/{disk.SPEC_FILE}"
        noted = None if metadata is None else metadata.base_commit
        commit = self.objects.full_id(noted) if noted is not None else None
        data = self.objects.read(commit or branch.commit, spec)
        text = None
        if isinstance(data, bytes):
            with suppress(UnicodeDecodeError):
                text = data.decode("utf-8")
        return Base(capability, Source.COMMIT, text, _TIP, commit or branch.commit)

    def _metadata(self, content: str | None) -> Metadata | None:
        text = None if content is None else self._text(content)
        if text is None:
            return None
        try:
            return metadata_file.parse(text, file=metadata_file.FORMAT)
        except ToolError:
            return None

    def _text(self, content: str) -> str | None:
        data = self.objects.content(content)
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError:
            return None
