"""Events in the life of a spec, a spec as it once was, and why it cannot be told."""

from __future__ import annotations

from dataclasses import dataclass

from rasen.base.errors import NotFound
from rasen.base.messages import N_

DELTA_ONLY = "delta-only"
JOURNAL, GIT, FILE = "journal", "git", "file"


@dataclass(frozen=True, slots=True)
class Event:
    """What one change did to one requirement.

    at: ISO 8601 in UTC; only a date where no journal says more. kind: archive, sync or delta-only.
    name: the archived folder, or the open change. former: the name before a renaming. other: where
    an ADDED one came from, or a REMOVED one went to, when it moved: capability and name there.
    """

    at: str
    kind: str
    name: str
    change: str
    capability: str
    operation: str
    requirement: str
    former: str | None = None
    other: tuple[str, str] | None = None

    def to_json(self) -> dict[str, object]:
        row: dict[str, object] = {
            "at": self.at,
            "kind": self.kind,
            "name": self.name,
            "change": self.change,
            "capability": self.capability,
            "operation": self.operation,
            "requirement": self.requirement,
        }
        if self.former is not None:
            row["from"] = self.former
        if self.other is not None:
            key = "movedFrom" if self.operation == "ADDED" else "movedTo"
            row[key] = dict(zip(("capability", "requirement"), self.other, strict=True))
        return row

    def is_of(self, event: Event) -> bool:
        """True when the same archive or sync did both."""
        return (self.kind, self.name, self.at) == (event.kind, event.name, event.at)


@dataclass(frozen=True, slots=True)
class Past:
    """A spec as it was. source: journal, git, or file for what is true still. by: the archive, sync or commit it is known from."""

    capability: str
    text: str
    source: str
    by: str | None = None

    def to_json(self) -> dict[str, str]:
        row = {"source": self.source}
        return row if self.by is None else {**row, "by": self.by}


class ShowAtUnknown(NotFound):
    """The words behind `--at` name no moment that anything is known of."""

    code = "show_at_unknown"
    text = N_(
        '"{at}" is no archived change, no date and no git revision known here; archives: {known}'
    )
    fix = N_("name an archived change, a date (YYYY-MM-DD) or a git revision")


class ShowAtAbsent(NotFound):
    """At that moment there was no such spec."""

    code = "show_at_unknown"
    text = N_('there was no spec "{spec}" at {at}')
    fix = N_("run `rasen history {spec}{selector}` to see when it came and went")


class ShowAtUntold(NotFound):
    """Nothing tells what the spec was then."""

    code = "show_at_unknown"
    text = N_('nothing here tells what the spec "{spec}" was at {at}: no journal, and no commit')
    fix = N_("name a git revision, or an archived change that has a journal")
