"""What is in a package, without installing it: a tree, sizes, and what stands out in the texts.

Facts only. That nothing stands out does not make a package safe.
"""

from __future__ import annotations

from typing import NamedTuple

from rasen.packages import facts, manifests
from rasen.packages.facts import Fact, Facts
from rasen.packages.model import MEDIA_TYPE, Entry, Package
from rasen.packages.signatures import Seal
from rasen.workflows.model import MANIFEST


class FileRow(NamedTuple):
    """One file, as it is listed. is_script: declared as one, or looks as if it could be run."""

    path: str
    size_bytes: int
    lines: int
    sha256: str
    is_script: bool

    def to_json(self) -> dict[str, object]:
        """`{path, bytes, lines, sha256, script}`."""
        return {
            "path": self.path,
            "bytes": self.size_bytes,
            "lines": self.lines,
            "sha256": self.sha256,
            "script": self.is_script,
        }


class EntryRow(NamedTuple):
    """A workflow or pipeline, as it is listed."""

    id: str
    digest: str
    files: tuple[FileRow, ...]

    def to_json(self) -> dict[str, object]:
        """`{id, digest, files}`."""
        files = [one.to_json() for one in self.files]
        return {"id": self.id, "digest": self.digest, "files": files}


class Inspection(NamedTuple):
    """A decoded package with the facts of its files; the paths of facts begin with the entry's id."""

    file: str
    size_bytes: int
    package: Package
    entries: tuple[EntryRow, ...]
    facts: Facts
    seal: Seal

    def to_json(self) -> dict[str, object]:
        """The published document, without its status."""
        one = self.package
        return {
            "package": {
                "file": self.file,
                "mediaType": MEDIA_TYPE,
                "bytes": self.size_bytes,
                "kind": one.kind.value,
                "name": one.name,
                "digest": one.digest,
                "minRasenVersion": one.min_version,
                "roots": list(one.roots),
                "profile": None if one.profile is None else one.profile.to_json(),
            },
            "entries": [entry.to_json() for entry in self.entries],
            "facts": [fact.to_json() for fact in self.facts.facts],
            "counts": {kind: self.facts.counts[kind] for kind in facts.KINDS},
            "signature": self.seal.to_json(),
        }

    def told(self, kind: str) -> list[Fact]:
        """The facts of one kind, in the order of the files."""
        return [one for one in self.facts.facts if one.kind == kind]


def inspect(file: str, size_bytes: int, package: Package, seal: Seal) -> Inspection:
    """Look at every file of a decoded package."""
    entries = tuple(_row(one) for one in package.entries())
    found = [
        facts.of_text(f"{entry.id}/{one.path}", one.content, is_script=row.is_script)
        for entry, listed in zip(package.entries(), entries, strict=True)
        for one, row in zip(entry.files, listed.files, strict=True)
    ]
    return Inspection(file, size_bytes, package, entries, facts.together(found), seal)


def _row(entry: Entry) -> EntryRow:
    manifest = next((one.content for one in entry.files if one.path == MANIFEST), None)
    declared = () if manifest is None else manifests.of_workflow(manifest).scripts
    rows = [
        FileRow(
            one.path,
            len(one.data),
            one.content.count("\n") + (not one.content.endswith("\n") and one.content != ""),
            one.sha256,
            one.path in declared or facts.looks_like_script(one.path, one.content),
        )
        for one in entry.files
    ]
    return EntryRow(entry.id, entry.digest, tuple(rows))
