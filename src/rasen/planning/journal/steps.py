"""What became of each requirement between two texts of a spec."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rasen.planning.journal.model import Record, RequirementStep
from rasen.planning.specs.spec_file import SpecDocument


def blocks_of(text: str | None) -> dict[str, list[str]]:
    """The requirements of a spec by name, each with its lines; of equal names the last counts."""
    if text is None:
        return {}
    spec = SpecDocument(text)
    return {block.name: spec.markdown.lines[block.start : block.end] for block in spec.blocks}


def requirement_steps(
    before: str | None, after: str | None, renames: Iterable[tuple[str, str]]
) -> tuple[RequirementStep, ...]:
    """What happened to each requirement, in the order of the texts.

    renames: pairs of old and new name that a delta asked for; those that did not happen are passed
    over. A requirement that was renamed and changed gives two steps.
    """
    return tuple(_steps(blocks_of(before), blocks_of(after), renames))


def moves(record: Record) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Which added requirements of a record are the removed ones of another spec, text and all.

    Keys are operation, capability and name of either side, values capability and name of the other.
    """
    if len(record.specs) < 2:
        return {}
    sides: dict[str, list[tuple[str, str, list[str]]]] = {"ADDED": [], "REMOVED": []}
    for spec in record.specs:
        texts = {"ADDED": blocks_of(spec.after), "REMOVED": blocks_of(spec.before)}
        for step in spec.requirements:
            if step.operation in sides:
                body = texts[step.operation].get(step.name, [])[1:]
                sides[step.operation].append((spec.capability, step.name, body))
    found: dict[tuple[str, str, str], tuple[str, str]] = {}
    for capability, name, body in sides["ADDED"]:
        for other, former, was in sides["REMOVED"]:
            is_free = ("REMOVED", other, former) not in found
            if other != capability and body and was == body and is_free:
                found["ADDED", capability, name] = (other, former)
                found["REMOVED", other, former] = (capability, name)
                break
    return found


def _steps(
    old: dict[str, list[str]], new: dict[str, list[str]], renames: Iterable[tuple[str, str]]
) -> Iterator[RequirementStep]:
    moved = {source: target for source, target in renames if source in old and target in new}
    carried: dict[str, list[str]] = {}
    for name, lines in old.items():
        target = moved.get(name, name)
        if target != name:
            yield RequirementStep("RENAMED", target, former=name)
        carried[target] = lines
    for name, lines in carried.items():
        if name not in new:
            yield RequirementStep("REMOVED", name)
        elif new[name][1:] != lines[1:]:
            yield RequirementStep("MODIFIED", name)
    for name in new:
        if name not in carried:
            yield RequirementStep("ADDED", name)
