"""What of a delta was merged by an earlier sync of the same change, and is not to be done again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Removal, Rename
from rasen.planning.specs.model import Block
from rasen.planning.specs.spec_file import SpecDocument

ALREADY_SYNCED = Rule(
    "merge_already_synced",
    Level.INFO,
    N_('Line {line}: {section} "{name}" was merged by an earlier sync; nothing to do'),
)
BACK_AGAIN = Rule(
    "merge_back_after_sync",
    Level.WARNING,
    N_(
        'Line {line}: {section} "{name}" was carried out by an earlier sync, but {spec} has it again; it stays'
    ),
    N_("Take it out of the spec by hand if it is not meant to be there"),
)


@dataclass(frozen=True)
class Synced:
    """The entries that syncs of a change have merged into one spec.

    blocks: the lines of each ADDED or MODIFIED requirement as last merged, by name.
    """

    blocks: dict[str, list[str]] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    renamed: frozenset[tuple[str, str]] = frozenset()


NEVER = Synced()


def synced_of(deltas: Iterable[str]) -> Synced:
    """What the texts of delta files, oldest first, have done."""
    blocks: dict[str, list[str]] = {}
    removed: set[str] = set()
    renamed: set[tuple[str, str]] = set()
    for text in deltas:
        delta = Delta(text)
        for block in (*delta.added, *delta.modified):
            blocks[block.name] = _lines(delta, block)
        removed |= {one.name for one in delta.removed}
        renamed |= {(one.old, one.new) for one in delta.renamed}
    return Synced(blocks, frozenset(removed), frozenset(renamed))


def pending(
    delta: Delta, target: SpecDocument | None, synced: Synced, spec: str
) -> tuple[Delta, list[Finding]]:
    """What of `delta` is still to be done, and a word on everything else.

    An added requirement that was edited since its sync becomes a modification, as long as the spec
    has it as synced. spec: the name of the target in messages.
    """
    if synced is NEVER:
        return delta, []
    return _Pending(delta, target, synced, spec).divide()


class _Pending:
    def __init__(
        self, delta: Delta, target: SpecDocument | None, synced: Synced, spec: str
    ) -> None:
        self._delta = delta
        self._synced = synced
        self._spec = spec
        self._there: dict[str, list[str]] = {}
        for block in target.blocks if target is not None else ():
            assert target is not None
            self._there[block.name] = target.markdown.lines[block.start : block.end]
        self._found: list[Finding] = []

    def divide(self) -> tuple[Delta, list[Finding]]:
        left = self._delta.narrowed()
        left.renamed = [one for one in left.renamed if not self._is_renamed(one)]
        left.removed = [one for one in left.removed if not self._is_removed(one)]
        left.modified = [one for one in left.modified if not self._is_merged("MODIFIED", one)]
        added = [one for one in left.added if not self._is_merged("ADDED", one)]
        edited = [one for one in added if self._is_as_synced(one)]
        left.modified += edited
        left.added = [one for one in added if one not in edited]
        return left, self._found

    def _is_renamed(self, rename: Rename) -> bool:
        is_done = (rename.old, rename.new) in self._synced.renamed
        if is_done:
            self._say(ALREADY_SYNCED, "RENAMED", rename.old, rename.line)
        return is_done

    def _is_removed(self, removal: Removal) -> bool:
        is_done = removal.name in self._synced.removed
        if is_done:
            rule = BACK_AGAIN if removal.name in self._there else ALREADY_SYNCED
            self._say(rule, "REMOVED", removal.name, removal.line)
        return is_done

    def _is_merged(self, section: str, block: Block) -> bool:
        is_done = self._synced.blocks.get(block.name) == _lines(self._delta, block)
        if is_done:
            self._say(ALREADY_SYNCED, section, block.name, block.start)
        return is_done

    def _is_as_synced(self, block: Block) -> bool:
        lines = self._synced.blocks.get(block.name)
        return lines is not None and self._there.get(block.name) == lines

    def _say(self, rule: Rule, section: str, name: str, line: int) -> None:
        params = {"line": line + 1, "section": section, "name": name, "spec": self._spec}
        self._found.append(Finding(rule, "", params, line + 1))


def _lines(delta: Delta, block: Block) -> list[str]:
    return delta.markdown.lines[block.start : block.end]
