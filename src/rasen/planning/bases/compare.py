"""What differs between two texts of one spec, requirement by requirement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rasen.planning.specs.spec_file import SpecDocument


class Difference(NamedTuple):
    """One thing that is another in the second text.

    requirement: None for text outside of requirements. change: added, removed or changed.
    before, after: its lines as text; None where it is not there.
    """

    requirement: str | None
    change: str
    before: str | None
    after: str | None


def differences(before: str | None, after: str | None) -> tuple[Difference, ...]:
    """What became another from `before` to `after`, None being no spec; line endings do not count."""
    return tuple(_differences(_parts(before), _parts(after)))


def _differences(old: dict[str | None, str], new: dict[str | None, str]) -> Iterator[Difference]:
    for name in dict.fromkeys([*old, *new]):
        before, after = old.get(name), new.get(name)
        if before == after:
            continue
        change = "added" if before is None else "removed" if after is None else "changed"
        yield Difference(name, change, before, after)


def _parts(text: str | None) -> dict[str | None, str]:
    """The requirements by name; under None the rest, without blank lines at its ends.

    Requirements of one name, which no sound spec has, count as one.
    """
    if text is None:
        return {}
    spec = SpecDocument(text)
    lines = spec.markdown.lines
    parts: dict[str | None, list[str]] = {None: []}
    at = 0
    for block in spec.blocks:
        parts[None] += lines[at : block.start]
        parts.setdefault(block.name, []).extend(lines[block.start : block.end])
        at = block.end
    parts[None] += lines[at:]
    parts[None] = [line for line in parts[None] if line.strip()]
    return {name: "\n".join(part) for name, part in parts.items() if part}
