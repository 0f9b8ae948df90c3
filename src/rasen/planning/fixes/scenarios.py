"""The remedy for scenarios that a modified requirement leaves out: they are copied into it."""

from __future__ import annotations

from rasen.planning.changes.delta_file import Delta
from rasen.planning.fixes.editing import with_block
from rasen.planning.fixes.model import Case
from rasen.planning.merging.parts import Key, Part, take_apart
from rasen.planning.specs.blocks import scenario_headings
from rasen.planning.specs.model import Block
from rasen.syntax.markdown import Markdown


def lost_scenarios(case: Case) -> str | None:
    """The delta with the missing scenarios as the spec has them, each behind its neighbour there."""
    delta = Delta(case.document.text())
    mine = next((one for one in delta.modified if one.start == case.line), None)
    blocks = case.spec.blocks if case.spec else []
    former = {one.new: one.old for one in delta.renamed}
    name = former.get(mine.name, mine.name) if mine else ""
    theirs = next((one for one in blocks if one.name == name), None)
    if case.spec is None or mine is None or theirs is None:
        return None
    said = str(case.finding.params.get("scenarios", ""))
    parts = take_apart(case.spec.markdown.lines[theirs.start : theirs.end])
    order = parts.keys
    text = case.document.text()
    for part in parts.scenarios:
        if f'"{part.key[0]}"' in said:
            text = _with_scenario(text, case.line, part, order[: order.index(part.key)])
    return None if text == case.document.text() else text


def _with_scenario(text: str, start: int, part: Part, before: list[Key]) -> str:
    """`text` with one scenario in the block that begins at `start`, unless it is there.

    before: the scenarios that come before it in the spec.
    """
    document = Markdown(text)
    block = next(one for one in Delta(text).modified if one.start == start)
    there = take_apart(document.lines[block.start : block.end], with_intents=True)
    if part.key in there.keys:
        return text
    at = _place(document, block, [there.keys.index(one) for one in before if one in there.keys])
    return with_block(document, at, [part.heading, *part.lines])


def _place(document: Markdown, block: Block, neighbours: list[int]) -> int:
    """The line behind the last of the scenarios numbered `neighbours`, else before the first."""
    starts = [heading.line for heading in scenario_headings(document, block)]
    following = neighbours[-1] + 1 if neighbours else 0
    end = starts[following] if following < len(starts) else block.end
    return document.last_filled(block.start + 1, end)
