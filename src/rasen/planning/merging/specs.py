"""Three-way merge of two whole specs: requirement by requirement, and losing no statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rasen.planning.merging.lines import merge_lines
from rasen.planning.merging.threeway import Clash, merge_blocks_of_specs
from rasen.planning.merging.whole import FileMerge, clashed, merged_order, one_sided
from rasen.planning.specs.blocks import following
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import BOM, Markdown

HEAD, PREAMBLE, TAIL, WHOLE = "head", "preamble", "tail", "file"


def merge_specs(base: str, theirs: str, mine: str) -> FileMerge:
    """What a spec becomes when one side made `theirs` of `base` and the other made `mine`.

    Requirements are added, removed, renamed and modified on either side; what stands around them
    is merged by lines. A base of "" stands for a spec that both sides are new to. What one side
    leaves alone keeps its bytes. The place of a clash is a part of the file, or a requirement's
    name and the place in it.
    """
    known = one_sided(base, theirs, mine)
    if known is not None:
        return known
    merge = _Merge(_Spec(base), _Spec(theirs), _Spec(mine))
    if any(spec.has_namesakes for spec in (merge.base, merge.theirs, merge.mine)):
        return clashed(WHOLE, base, theirs, mine)
    return merge.run()


class _Block(NamedTuple):
    """A requirement. lines: without endings. text, gap: raw; the gap is what follows it."""

    name: str
    lines: tuple[str, ...]
    text: str
    gap: str


class _Spec:
    """A spec as head, preamble, requirements and tail, each raw; nothing of it is left out."""

    def __init__(self, text: str) -> None:
        spec = SpecDocument(text)
        document = self.document = spec.markdown
        start, end, count = spec.section_start, spec.section_end, len(document.lines)
        first = spec.blocks[0].start if spec.blocks else end
        bom = BOM if document.bom else ""
        self.text = text
        self.parts = {
            HEAD: bom + document.raw(0, count if start is None else start + 1),
            PREAMBLE: "" if start is None else document.raw(start + 1, first),
            TAIL: "" if start is None else document.raw(end, count),
        }
        follows = following([block.start for block in spec.blocks], end)
        self.blocks = [
            _Block(
                block.name,
                tuple(document.lines[block.start : block.end]),
                document.raw(block.start, block.end),
                document.raw(block.end, follow),
            )
            for block, follow in zip(spec.blocks, follows, strict=True)
        ]

    @property
    def has_namesakes(self) -> bool:
        return len({block.name for block in self.blocks}) < len(self.blocks)


def _keyed(base: _Spec, side: _Spec) -> dict[str, _Block]:
    """The requirements of `side` by their names in the base; one that was only renamed is followed."""
    old = {block.name: block for block in base.blocks}
    gone = [block for block in base.blocks if block.name not in {one.name for one in side.blocks}]
    bodies = Counter(block.lines[1:] for block in gone)
    keys = {
        block.lines[1:]: block.name
        for block in gone
        if len(block.lines) > 1 and bodies[block.lines[1:]] == 1
    }
    return {
        block.name if block.name in old else keys.pop(block.lines[1:], block.name): block
        for block in side.blocks
    }


@dataclass(slots=True)
class _Merge:
    base: _Spec
    theirs: _Spec
    mine: _Spec
    clashes: list[Clash] = field(default_factory=list)

    def run(self) -> FileMerge:
        parts = {name: self._part(name) for name in (HEAD, PREAMBLE, TAIL)}
        blocks = self._blocks()
        if self.clashes:
            return FileMerge(None, tuple(self.clashes))
        text = self._joined(parts, blocks)
        if not _is_read_as(_Spec(text), parts, blocks):
            return clashed(WHOLE, self.base.text, self.theirs.text, self.mine.text)
        return FileMerge(text)

    def _part(self, name: str) -> str:
        base, theirs, mine = (side.parts[name] for side in (self.base, self.theirs, self.mine))
        merged = merge_lines(*(side.splitlines(keepends=True) for side in (base, theirs, mine)))
        if merged is None:
            self.clashes.append(Clash(name, base, theirs, mine))
            return theirs
        return "".join(merged)

    def _blocks(self) -> list[_Block]:
        base = {block.name: block for block in self.base.blocks}
        theirs, mine = _keyed(self.base, self.theirs), _keyed(self.base, self.mine)
        merged: list[_Block] = []
        for key in merged_order(list(base), list(theirs), list(mine)):
            block = self._block(key, base.get(key), theirs.get(key), mine.get(key))
            if block is not None:
                merged.append(block)
        return merged

    def _block(
        self, key: str, base: _Block | None, theirs: _Block | None, mine: _Block | None
    ) -> _Block | None:
        if _same(theirs, mine) or _same(base, mine):
            return theirs
        if _same(base, theirs):
            return mine
        if base is None or theirs is None or mine is None:
            self._clash(key, base, theirs, mine)
            return theirs
        outcome = merge_blocks_of_specs(base.lines, theirs.lines, mine.lines)
        for clash in outcome.clashes:
            self.clashes.append(clash._replace(place=f"{key}: {clash.place}"))
        name = theirs.name if theirs.name != key else mine.name
        return theirs._replace(
            name=name, lines=outcome.lines, text=self._raw(outcome.lines, theirs, mine)
        )

    def _raw(self, lines: Sequence[str], *sides: _Block) -> str:
        """`lines` with the endings they have on a side, theirs first."""
        endings: dict[str, str] = {}
        for side in sides:
            document = Markdown(side.text)
            for number, line in enumerate(document.lines):
                endings.setdefault(line, document.ending(number))
        common = self.theirs.document.dominant_ending()
        return "".join(line + (endings.get(line) or common) for line in lines)

    def _clash(self, key: str, *sides: _Block | None) -> None:
        base, theirs, mine = (None if one is None else "\n".join(one.lines) for one in sides)
        self.clashes.append(Clash(key, base, theirs, mine))

    def _joined(self, parts: Mapping[str, str], blocks: Sequence[_Block]) -> str:
        ending = self.theirs.document.dominant_ending()
        pieces = [parts[HEAD], parts[PREAMBLE]]
        if not parts[PREAMBLE] and blocks:
            pieces = [_ended(parts[HEAD], ending)]
        for at, block in enumerate(blocks):
            is_last = at + 1 == len(blocks) and not parts[TAIL]
            pieces += [block.text, self._last_gap()] if is_last else _spaced(block, ending)
        return "".join(pieces) + parts[TAIL]

    def _last_gap(self) -> str:
        side = self.theirs if self.theirs.blocks else self.mine
        return side.blocks[-1].gap if side.blocks else ""


def _spaced(block: _Block, ending: str) -> list[str]:
    """A requirement with a blank line behind it at least."""
    return [_ended(block.text, ending), _ended(block.gap, ending) or ending]


def _ended(text: str, ending: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + ending


def _same(one: _Block | None, other: _Block | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.lines == other.lines


def _is_read_as(spec: _Spec, parts: Mapping[str, str], blocks: Sequence[_Block]) -> bool:
    """False when a fence or a heading of one side takes in what the other side wrote."""
    read = [(block.name, block.lines) for block in spec.blocks]
    is_whole = spec.parts[TAIL] == parts[TAIL]
    return is_whole and read == [(block.name, block.lines) for block in blocks]
