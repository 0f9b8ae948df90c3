"""What setting up and registering answer, and the row that both put into the registry."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.findings import Finding
from rasen.stores.model import STORE, Metadata, Registration
from rasen.stores.place import observed_remote


@dataclass(frozen=True)
class Outcome:
    """A store that is registered now.

    is_known: it was before. is_repository: a repository is rooted at its folder. is_initialized,
    is_committed: this run made the repository, and a commit. created: files made, relative to root.
    """

    id: str
    root: Path
    metadata_path: Path | None
    registry_path: Path
    is_known: bool
    is_repository: bool
    is_initialized: bool = False
    is_committed: bool = False
    created: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The members beside `status`. Source: planning §7.4."""
        store: dict[str, object] = {"id": self.id, "root": str(self.root)}
        if self.metadata_path is not None:
            store["metadata_path"] = str(self.metadata_path)
        return {
            "store": store,
            "registry": {
                "path": str(self.registry_path),
                "registered": True,
                "already_registered": self.is_known,
            },
            "git": {
                "is_repository": self.is_repository,
                "initialized": self.is_initialized,
                "committed": self.is_committed,
            },
            "created_files": list(self.created),
        }


def registration(root: Path, metadata: Metadata) -> Registration:
    """The row of the store at `root`, with the origin that its repository has."""
    remote = observed_remote(root)
    return Registration(metadata.id, str(root), STORE, metadata.uid, remote)
