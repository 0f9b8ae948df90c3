"""Parts of files that belong to somebody else, of whichever kind: several in one file, at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rasen.ownership import block, member
from rasen.ownership.model import Action, Kind, Row, Step

Key = tuple[str, str]


def text_of(kind: Kind, path: str, text: str, part: str) -> str | None:
    """What the part says; None when it is not there. Raises CannotSplice."""
    if kind is Kind.BLOCK:
        return block.block_text(path, text, part)
    return member.value_text(text, part)


def edited(
    text: str | None, steps: Sequence[Step], rows: Iterable[Row]
) -> tuple[str | None, dict[Key, str | None]]:
    """`text` of one file after `steps`, and what was made for each part that was put there.

    text: None for a file that is not there; so is a file of ours that has nothing left in it.
    rows: what the ledger says of the file's parts. Raises CannotSplice.
    """
    known = {row.key: row for row in rows}
    made: dict[Key, str | None] = {}
    for step in steps:
        key = (step.path, step.part)
        if step.action is Action.REMOVE:
            text = None if text is None else _taken(text, known[key], known.values())
            continue
        assert step.desired is not None, "only what is wanted is written"
        text, new = _put(text, step)
        former = known.get(key)
        made[key] = new if new is not None or former is None else former.made
    return text, made


def inherited(rows: dict[Key, Row], gone: Iterable[Row]) -> dict[Key, Row]:
    """`rows` of parts, where those that stay answer for what was made for those that went."""
    changed = {}
    for row in gone:
        for key, other in rows.items():
            if other.path == row.path and _covers(row, other) and _is_more(row, other):
                changed[key] = rows[key] = replace(other, made=row.made)
    return changed


def _put(text: str | None, step: Step) -> tuple[str, str | None]:
    assert step.desired is not None
    value = step.desired.data.decode()
    if step.desired.kind is Kind.BLOCK:
        return block.put(step.path, text, step.part, value)
    return member.put(text, step.part, value)


def _taken(text: str, row: Row, rows: Iterable[Row]) -> str | None:
    made = row.made
    for other in rows:
        if _covers(other, row) and _is_more(other, replace(row, made=made)):
            made = other.made
    if row.kind is Kind.BLOCK:
        return block.taken(row.path, text, row.part, made)
    return member.taken(text, row.part, made)


def _covers(row: Row, other: Row) -> bool:
    """Whether what was made for `row` holds `other` too."""
    if row.made is None:
        return False
    is_inside = row.kind is Kind.MEMBER and other.part.startswith(f"{row.made}.")
    return row.made == "" or is_inside


def _is_more(row: Row, other: Row) -> bool:
    """Whether more was made for `row` than for `other`."""
    return other.made is None or len(row.made or "") < len(other.made)
