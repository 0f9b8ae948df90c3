"""Every file of ours in a project: why it is there, since which version, and whether it was edited."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.files.atomic import ABSENT
from rasen.ownership import ops as ownership
from rasen.ownership.model import Owner, Row
from rasen.upkeep import sites


class State(StrEnum):
    """How a file of ours is, compared with what we wrote.

    OUTSIDE: it lies where we write nothing, so the ledger is not believed.
    """

    UNCHANGED = "unchanged"
    LINE_ENDINGS = "line-endings-only"
    EDITED = "edited"
    MISSING = "missing"
    OUTSIDE = "outside"


class Trace(NamedTuple):
    """One thing of ours. path: absolute. part: of a JSON file the member; else empty."""

    path: Path
    part: str
    owners: tuple[Owner, ...]
    version: str
    state: State

    def to_json(self) -> dict[str, object]:
        """`{path, part?, owners, version, state}`."""
        answer: dict[str, object] = {"path": str(self.path)}
        if self.part:
            answer["part"] = self.part
        owners = [{"tool": one.tool, "source": one.source} for one in self.owners]
        return {**answer, "owners": owners, "version": self.version, "state": self.state.value}


def footprint(ctx: Context, root: Path) -> list[Trace]:
    """All that is ours in the project, and in homes of the machine for its sake; by path.

    Errors: files_ledger_invalid, file_*, busy, recovery_needed.
    """
    sites.settle(ctx, root)
    found = []
    for site in sites.own_sites(ctx, root):
        rows = ownership.ledger(site).rows
        reader = ownership.reader(site)
        for key in sorted(rows):
            owners = tuple(one for one in rows[key].owners if one.project == site.project)
            if owners:
                is_believed = site.can_hold(rows[key].path)
                state = _state(rows[key], reader) if is_believed else State.OUTSIDE
                place = site.base / rows[key].path
                found.append(Trace(place, rows[key].part, owners, rows[key].version, state))
    return found


def _state(row: Row, reader: ownership.Reader) -> State:
    actual = reader.actual(row.path, row.kind, row.part)
    if actual.digest == row.digest:
        return State.UNCHANGED
    if actual.digest == ABSENT and actual.blocked is None:
        return State.MISSING
    return State.LINE_ENDINGS if row.digest in actual.other_ends else State.EDITED
