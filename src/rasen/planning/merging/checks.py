"""What a delta may not say, before any spec is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rasen.base.findings import Finding
from rasen.base.text import fold
from rasen.planning.changes.delta_file import Delta
from rasen.planning.merging import rules

_Named = list[tuple[str, int]]


def check_delta(delta: Delta) -> list[Finding]:
    """Unread lines, duplicates and contradictions of one delta file, by line.

    Source: planning §3.8.2 and §6.3 step 1.
    """
    found = [*delta.findings]
    if delta.is_empty:
        found.extend(_empty(delta))
    else:
        found.extend(_Names(delta).check())
    return sorted(found, key=lambda finding: finding.line or 0)


def _empty(delta: Delta) -> Iterator[Finding]:
    if delta.sections:
        names = ", ".join(f'"{section.operation.heading}"' for section in delta.sections)
        line = delta.sections[0].line + 1
        yield Finding(rules.EMPTY_SECTIONS, "", {"sections": names}, line)
    else:
        yield Finding(rules.NO_SECTION, "")


class _Names:
    """The names a delta uses, each with its zero-based line."""

    def __init__(self, delta: Delta) -> None:
        self.added: _Named = [(block.name, block.start) for block in delta.added]
        self.modified: _Named = [(block.name, block.start) for block in delta.modified]
        self.removed: _Named = [(one.name, one.line) for one in delta.removed]
        self.old: _Named = [(one.old, one.line) for one in delta.renamed]
        self.new: _Named = [(one.new, one.line) for one in delta.renamed]
        self._renames = {one.old: one.new for one in delta.renamed}

    def check(self) -> Iterator[Finding]:
        for section, names in (
            ("ADDED", self.added),
            ("MODIFIED", self.modified),
            ("REMOVED", self.removed),
            ("RENAMED FROM", self.old),
            ("RENAMED TO", self.new),
        ):
            yield from _duplicates(section, names)
        yield from _both("MODIFIED", self.modified, "REMOVED", self.removed)
        yield from _both("MODIFIED", self.modified, "ADDED", self.added)
        yield from _both("ADDED", self.added, "REMOVED", self.removed)
        yield from _both("ADDED", self.added, "RENAMED TO", self.new)
        yield from _both("REMOVED", self.removed, "RENAMED TO", self.new)
        yield from self._folded()
        for (old, line), (new, _) in zip(self.old, self.new, strict=True):
            if old == new:
                yield Finding(rules.RENAME_SAME, "", {"line": line + 1, "name": old}, line + 1)
        for name, line in self.modified:
            if self._renames.get(name, name) != name:
                params = {"line": line + 1, "name": name, "new": self._renames[name]}
                yield Finding(rules.OLD_NAME, "", params, line + 1)

    def _folded(self) -> Iterator[Finding]:
        old = {fold(name) for name, _ in self.old}
        for name, line in self.removed:
            if fold(name) in old:
                yield _contradiction(name, line, "REMOVED", "RENAMED FROM")


def _duplicates(section: str, names: _Named) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for name, line in names:
        if name in first:
            params = {"line": line + 1, "section": section, "name": name, "first": first[name] + 1}
            yield Finding(rules.DUPLICATE, "", params, line + 1)
        first.setdefault(name, line)


def _both(
    one: str, names: _Named, other: str, others: Iterable[tuple[str, int]]
) -> Iterator[Finding]:
    taken = {name for name, _ in others}
    for name, line in names:
        if name in taken:
            yield _contradiction(name, line, one, other)


def _contradiction(name: str, line: int, one: str, other: str) -> Finding:
    params = {"line": line + 1, "name": name, "one": one, "other": other}
    return Finding(rules.CONTRADICTION, "", params, line + 1)
