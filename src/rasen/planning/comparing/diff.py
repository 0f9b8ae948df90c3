"""Compares the specs before and after a change, requirement by requirement and as a unified diff."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import unified_diff

from rasen.planning.change_plan import ChangePlan, PlannedDelta
from rasen.planning.comparing.model import RequirementDiff, SpecDiff
from rasen.planning.merging.threeway import MINE
from rasen.planning.specs.spec_file import SpecDocument

_NOT_THERE = "/dev/null"
_PLAIN_QUOTES = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def spec_diffs(plan: ChangePlan, specs: str) -> tuple[SpecDiff, ...]:
    """Every spec that the change makes another, by capability.

    specs: the folder of the specs relative to the root, with `/`.
    """
    found = (_spec_diff(planned, specs) for planned in plan.deltas)
    return tuple(sorted((one for one in found if one is not None), key=lambda one: one.capability))


def unified(diff: SpecDiff, *, context: int) -> str:
    """One spec's difference as `git apply` and `patch -p1` take it at the root.

    context: lines around each difference. Without git's own header, so that it also applies where
    the root is a folder inside of a repository.
    """
    source = _NOT_THERE if diff.before is None else _name("a", diff.path)
    target = _NOT_THERE if diff.after is None else _name("b", diff.path)
    rows = unified_diff(_lines(diff.before), _lines(diff.after), "", "", n=context)
    body = [_ended(row) for number, row in enumerate(rows) if number > 1]
    return "".join([f"--- {source}\n", f"+++ {target}\n", *body]) if body else ""


def _spec_diff(planned: PlannedDelta, specs: str) -> SpecDiff | None:
    merged = planned.merged
    if merged is None or (merged.text is None and not merged.is_retired):
        return None
    spec = planned.target.spec
    before = None if spec is None else spec.markdown.text()
    if before == merged.text:
        return None
    done = {one.requirement for one in merged.decisions if (one.place, one.taken) == ("name", MINE)}
    renames = planned.delta.renamed if planned.delta is not None else []
    former = {one.new: one.old for one in renames if one.new in done and one.new != one.old}
    capability = planned.file.capability
    path = f"{specs}/{capability}/spec.md"
    pieces = tuple(_requirements(_pieces(before), _pieces(merged.text), former))
    return SpecDiff(capability, path, before, merged.text, pieces)


def _requirements(
    old: dict[str | None, str], new: dict[str | None, str], former: dict[str, str]
) -> Iterator[RequirementDiff]:
    """The pieces that differ, in the order of the new text; what is gone stands where it stood."""
    was = {name: name if name is None else former.get(name, name) for name in new}
    kept = set(was.values())
    waiting = [name for name in old if name not in kept]
    place = {name: at for at, name in enumerate(old)}
    for name, before in was.items():
        at = place.get(before, -1)
        while waiting and place[waiting[0]] < at:
            yield _gone(waiting[0], old[waiting.pop(0)])
        if before != name:
            yield RequirementDiff(name, "RENAMED", old.get(before), new[name], before)
        elif old.get(name) != new[name]:
            changed = "MODIFIED" if name in old else "ADDED"
            operation = changed if name is not None else "OTHER"
            yield RequirementDiff(name, operation, old.get(name), new[name])
    for name in waiting:
        yield _gone(name, old[name])


def _gone(name: str | None, text: str) -> RequirementDiff:
    return RequirementDiff(name, "OTHER" if name is None else "REMOVED", text, None)


def _pieces(text: str | None) -> dict[str | None, str]:
    """The requirements by name; under None what stands around them, blank lines at its ends apart."""
    if text is None:
        return {}
    spec = SpecDocument(text)
    lines = spec.markdown.lines
    around: list[str] = []
    found: dict[str | None, str] = {None: ""}
    at = 0
    for block in spec.blocks:
        around += lines[at : block.start]
        found[block.name] = "\n".join(lines[block.start : block.end])
        at = block.end
    around += lines[at:]
    found[None] = "\n".join(_without_double_blanks(around)).strip("\n")
    return found


def _without_double_blanks(lines: Iterable[str]) -> Iterator[str]:
    last = "."
    for line in lines:
        if line.strip() or last.strip():
            yield line
        last = line


def _lines(text: str | None) -> list[str]:
    """Lines as git counts them: only a line feed ends one."""
    if not text:
        return []
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _ended(row: str) -> str:
    return row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n"


def _name(side: str, path: str) -> str:
    """A path as headers of a diff have it: quoted where its characters could be misread."""
    name = f"{side}/{path}"
    if any(
        mark in '"\\' or mark < " " or "\x7f" <= mark < "\xa0" or "\ud800" <= mark < "\ue000"
        for mark in name
    ):
        return '"' + "".join(map(_quoted, name)) + '"'
    return f"{name}\t" if " " in name else name


def _quoted(mark: str) -> str:
    if mark in _PLAIN_QUOTES:
        return _PLAIN_QUOTES[mark]
    if " " <= mark < "\x7f":
        return mark
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(mark))
