"""Which change introduced, changed, renamed or removed each requirement of a spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import NONE
from rasen.base.text import nearest
from rasen.files.atomic import read_text
from rasen.planning import disk
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Operation
from rasen.planning.items import SUGGESTIONS, UnknownItem
from rasen.planning.journal.disk import TELLS_NOTHING, Found, find
from rasen.planning.journal.model import Entry
from rasen.planning.journal.steps import blocks_of, moves
from rasen.planning.past.model import DELTA_ONLY, Event
from rasen.roots.model import Root

_DATED = re.compile(r"(\d{4}-\d{2}-\d{2})-(.+)", re.DOTALL)


def history(ctx: Context, root: Root, capability: str, requirement: str | None) -> list[Event]:
    """The events of a spec, oldest first; those of one requirement through all its names.

    An archive without a journal tells what its deltas asked for.
    Errors: unknown_item with the nearest names, file_*.
    """
    found = find(ctx, root)
    for name, problem in found.unreadable:
        ctx.note(TELLS_NOTHING, name=name, problem=problem)
    everything = [event for part in _merged(_bare(root, found), found.entries) for event in part]
    current = disk.read_spec(root.specs_dir, capability) if _exists(root, capability) else None
    events = [event for event in everything if event.capability == capability]
    if current is None and not events:
        specs = [entry.id for entry in disk.spec_entries(root.specs_dir)]
        raise _unknown(root, capability, [*specs, *(one.capability for one in everything)])
    if requirement is None:
        return events
    names = {*blocks_of(current), *(one.requirement for one in events)}
    names |= {one.former for one in events if one.former is not None}
    if requirement not in names:
        raise _unknown(root, requirement, names)
    return _of_one(everything, capability, requirement)


def _exists(root: Root, capability: str) -> bool:
    return disk.has_spec(root.specs_dir, capability)


def _unknown(root: Root, wanted: str, known: Iterable[str]) -> UnknownItem:
    close = ", ".join(nearest(wanted, known, most=SUGGESTIONS)) or NONE
    return UnknownItem(item=wanted, nearest=close, selector=root.selector_text)


def _of_one(events: list[Event], capability: str, name: str) -> list[Event]:
    """The events of the requirement that is, or last was, called `name`, wherever it stood then."""
    kept: list[Event] = []
    arrived: Event | None = None
    for event in reversed(events):
        if event.capability != capability or (arrived is not None and event.is_of(arrived)):
            continue
        if event.requirement == name:
            kept.append(event)
            name = event.former or name
            if event.operation == Operation.ADDED.value and event.other is not None:
                arrived = event
                capability, name = event.other
        elif event.former == name:  # it went on under another name
            kept.append(event)
    return kept[::-1]


_Part = list[Event]


def _merged(bare: list[tuple[str, _Part]], entries: Iterable[Entry]) -> Iterator[_Part]:
    """Archives without a journal by the day in their names, the others in their own order."""
    waiting = sorted(bare, key=lambda one: one[0])
    for entry in entries:
        while waiting and waiting[0][0] <= entry.record.at[:10]:
            yield waiting.pop(0)[1]
        yield list(_told(entry))
    yield from (part for _, part in waiting)


def _told(entry: Entry) -> Iterator[Event]:
    record = entry.record
    moved = moves(record)
    for spec in record.specs:
        for step in spec.requirements:
            yield Event(
                record.at,
                record.kind,
                entry.name,
                record.change,
                spec.capability,
                step.operation,
                step.name,
                step.former,
                moved.get((step.operation, spec.capability, step.name)),
            )


def _bare(root: Root, found: Found) -> list[tuple[str, _Part]]:
    """What archives without a readable journal asked for, each with its day."""
    broken = [root.archive_dir / name for name, _ in found.unreadable]
    folders = {*found.unjournalled, *(one for one in broken if one.is_dir())}
    parts: list[tuple[str, _Part]] = []
    for folder in sorted(folders):
        match = _DATED.fullmatch(folder.name)
        day, change = match.groups() if match else ("", folder.name)
        parts.append((day, list(_asked(folder, day, change))))
    return parts


def _asked(folder: Path, day: str, change: str) -> Iterator[Event]:
    for file in disk.delta_files(folder).files:
        try:
            delta = Delta(read_text(file.path))
        except ToolError:
            continue  # `validate` told of it while the change was open
        for operation, name, former in _operations(delta):
            yield Event(
                day,
                DELTA_ONLY,
                folder.name,
                change,
                file.capability,
                operation.value,
                name,
                former,
            )


def _operations(delta: Delta) -> Iterator[tuple[Operation, str, str | None]]:
    """In the order in which they were merged."""
    for rename in delta.renamed:
        yield Operation.RENAMED, rename.new, rename.old
    for removal in delta.removed:
        yield Operation.REMOVED, removal.name, None
    for block in delta.modified:
        yield Operation.MODIFIED, block.name, None
    for block in delta.added:
        yield Operation.ADDED, block.name, None
