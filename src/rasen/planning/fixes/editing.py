"""Edits of a Markdown text by line; every byte of the lines not named stays."""

from __future__ import annotations

from collections.abc import Sequence

from rasen.syntax.markdown import BOM, Heading, Markdown, with_ending


def heading_at(document: Markdown, line: int) -> Heading | None:
    """The heading on `line`; None when that is no heading, or stands in a comment."""
    found = document.headings_between(line, line + 1)
    return found[0] if found and line not in document.commented_lines() else None


def section_of(document: Markdown, line: int) -> Heading | None:
    """The level-2 heading that `line` stands under; None before the first."""
    above = [one for one in document.headings_between(0, line) if is_section(one)]
    return above[-1] if above else None


def is_section(heading: Heading) -> bool:
    """True for a heading that begins a section of a spec or delta."""
    return heading.level == 2 and heading.is_spaced


def with_line(document: Markdown, line: int, text: str) -> str:
    """The whole text with `line` replaced; its ending stays."""
    return _joined(document, line, text + document.ending(line), line + 1)


def with_level(document: Markdown, lines: Sequence[int], level: int) -> str:
    """The whole text with the headings on `lines` at `level`; their titles stay as written."""
    changed = dict.fromkeys(lines)
    pieces = [BOM if document.bom else ""]
    for number, line in enumerate(document.lines):
        if number in changed:
            line = f"{'#' * level} {line.lstrip('#').lstrip()}"
        pieces.append(line + document.ending(number))
    return "".join(pieces)


def with_block(document: Markdown, at: int, lines: Sequence[str]) -> str:
    """The whole text with `lines` before line `at`, set off by one blank line on either side."""
    return _set_off(document, at, with_ending(lines, document.dominant_ending()))


def without_block(document: Markdown, start: int, end: int) -> str:
    """The whole text without `start` to `end` and without the blank lines that set them off."""
    count = len(document.lines)
    if document.last_filled(end, count) == end:
        start = document.last_filled(0, start)
        end = count
    elif start == 0 or not document.lines[start - 1].strip():
        while not document.lines[end].strip():
            end += 1
    return _joined(document, start, "", end)


def with_block_moved(document: Markdown, start: int, end: int, at: int) -> str:
    """The whole text with lines `start` to `end` before line `at`, which is not among them."""
    block = document.raw(start, end)
    if not block.endswith(("\n", "\r")):
        block += document.dominant_ending()
    rest = Markdown(without_block(document, start, end))
    if at > start:
        at -= len(document.lines) - len(rest.lines)
    return _set_off(rest, max(at, 0), block)


def _set_off(document: Markdown, at: int, block: str) -> str:
    ending = document.dominant_ending()
    lines = document.lines
    if at and lines[at - 1].strip():
        is_ended = bool(document.ending(at - 1))
        block = (ending if is_ended else ending * 2) + block
    if at < len(lines) and lines[at].strip():
        block += ending
    return _joined(document, at, block, at)


def _joined(document: Markdown, start: int, text: str, end: int) -> str:
    before = (BOM if document.bom else "") + document.raw(0, start)
    return before + text + document.raw(end, len(document.lines))
