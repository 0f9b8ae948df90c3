"""The selected planning root and the request that led to it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

SOURCE_STORE = "store"
SOURCE_DECLARED = "declared"
SOURCE_NEAREST = "nearest"
SOURCE_IMPLICIT = "implicit"


class RootRequest(NamedTuple):
    """What the caller said about the root; None means not said.

    store_path: the retired selector, kept so that its use can be refused by name.
    allow_implicit: False where a command makes no sense without a real workspace.
    """

    store: str | None = None
    project: str | None = None
    store_path: str | None = None
    allow_implicit: bool = True


class Root(NamedTuple):
    """One planning root.

    path: canonical. source: one of the SOURCE_ values. workspace: name of the planning folder in it.
    store_id: display name, only when a store (or a project of the registry) was selected.
    store_word: what selects it where others share its name; None where the name is enough.
    """

    path: Path
    source: str
    workspace: str
    store_id: str | None = None
    is_project_namespace: bool = False
    store_word: str | None = None

    @property
    def workspace_dir(self) -> Path:
        """The planning folder; it may not exist under an implicit root."""
        return self.path / self.workspace

    @property
    def specs_dir(self) -> Path:
        return self.workspace_dir / "specs"

    @property
    def changes_dir(self) -> Path:
        return self.workspace_dir / "changes"

    @property
    def archive_dir(self) -> Path:
        return self.changes_dir / "archive"

    @property
    def selector(self) -> tuple[str, ...]:
        """The words that select this root again; empty when being inside it is enough."""
        if self.store_id is None:
            return ()
        word = self.store_word or self.store_id
        return ("--project" if self.is_project_namespace else "--store", word)

    @property
    def selector_text(self) -> str:
        """`selector` to put behind a call in a hint: " --store team", or nothing."""
        return "".join(f" {word}" for word in self.selector)

    def to_json(self) -> dict[str, str]:
        """The `root` member of JSON documents. Source: planning correction 5."""
        answer = {"path": str(self.path), "source": self.source}
        if self.store_id is not None:
            answer["store_id"] = self.store_id
        return answer
