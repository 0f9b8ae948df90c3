"""What a remedy is given, and what a run of fixes comes to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from rasen.base.findings import Finding
from rasen.planning.items import Item
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown


class Case(NamedTuple):
    """One finding, and the text it is about.

    spec: what a delta is merged into; None where there is none. seen: the names of the requirements
    that the author of the delta is known to have seen.
    """

    finding: Finding
    document: Markdown
    spec: SpecDocument | None = None
    seen: Collection[str] = ()

    @property
    def line(self) -> int:
        """The line of the finding, zero-based; -1 for one about the whole file."""
        return (self.finding.line or 0) - 1


Remedy = Callable[[Case], str | None]
"""The whole text with the finding mended; None where it is not certain how."""


class Fix(NamedTuple):
    """One finding that is mended. diff: what that changes, unified, paths relative to the root."""

    item: Item
    finding: Finding
    diff: str

    def to_json(self, *, is_applied: bool) -> dict[str, object]:
        """`{id, type, code, path, line?, applied, diff}`."""
        answer: dict[str, object] = {
            "id": self.item.id,
            "type": self.item.kind,
            "code": self.finding.code,
            "path": self.finding.path,
        }
        if self.finding.line is not None:
            answer["line"] = self.finding.line
        return {**answer, "applied": is_applied, "diff": self.diff}


class Change(NamedTuple):
    """A file as it is to be. data: None when it goes. expect: the digest it was planned from."""

    path: Path
    data: bytes | None
    expect: str


class Mending(NamedTuple):
    """All that one run would mend. changes: each file once, in the order of writing."""

    fixes: tuple[Fix, ...]
    changes: tuple[Change, ...]
