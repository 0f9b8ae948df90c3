"""A spec's Requirements section in pieces, and the text when some of them change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rasen.planning.specs.blocks import following
from rasen.planning.specs.model import Block
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import BOM, Markdown, with_ending


@dataclass(slots=True, eq=False)
class Piece:
    """One requirement on its way into the new text.

    text: raw, endings included. gap: the blank lines behind it, raw. origin: where it stood in the
    old text; None for a new one.
    """

    name: str
    text: str
    gap: str
    origin: Block | None


class Composition:
    """The pieces of a spec, changed one by one; bytes of untouched pieces and gaps stay.

    Spacing is normalised only at seams that a change makes. Source: planning §6.3 step 5;
    product rulings, spacing in merges and line endings.
    """

    def __init__(self, spec: SpecDocument) -> None:
        document = spec.markdown
        count = len(document.lines)
        start, end = spec.section_start, spec.section_end
        self._ending = document.dominant_ending()
        self._bom = BOM if document.bom else ""
        self._has_section = start is not None
        self._head = document.raw(0, count if start is None else start + 1)
        first = spec.blocks[0].start if spec.blocks else end
        self._preamble = "" if start is None else document.raw(start + 1, first)
        self._tail = "" if start is None else document.raw(end, count)
        follows = following([block.start for block in spec.blocks], end)
        self.pieces = [
            Piece(
                block.name,
                document.raw(block.start, block.end),
                document.raw(block.end, follow),
                block,
            )
            for block, follow in zip(spec.blocks, follows, strict=True)
        ]
        self._by_name = {piece.name: piece for piece in reversed(self.pieces)}

    def find(self, name: str) -> Piece | None:
        return self._by_name.get(name)

    def rename(self, piece: Piece, new: str) -> None:
        """Give `piece` another heading line; position and body stay."""
        heading = Markdown(piece.text).lines[0]
        self._forget(piece)
        piece.name = new
        self._by_name[new] = piece
        piece.text = f"### Requirement: {new}{piece.text[len(heading) :]}"

    def replace(self, piece: Piece, lines: Sequence[str]) -> None:
        """Let `lines` stand where `piece` stood; a line that was there keeps its own ending."""
        old = Markdown(piece.text)
        endings = {line: old.ending(number) for number, line in enumerate(old.lines)}
        piece.text = "".join(line + (endings.get(line) or self._ending) for line in lines)

    def remove(self, piece: Piece) -> None:
        """Take `piece` and the gap behind it away; the section's last gap stays the last."""
        at = self.pieces.index(piece)
        del self.pieces[at]
        self._forget(piece)
        if at == len(self.pieces) and self.pieces:
            self.pieces[-1].gap = piece.gap

    def append(self, name: str, lines: Sequence[str]) -> None:
        """Put a new requirement behind the last one, one blank line between."""
        text = with_ending(lines, self._ending)
        if self.pieces:
            last = self.pieces[-1]
            last.text = self._ended(last.text)
            last.gap = self._ending
        else:
            self._preamble = self._closed_preamble()
        piece = Piece(name, text, self._ending if self._tail else "", None)
        self.pieces.append(piece)
        self._by_name[name] = piece

    def is_read_in(self, spec: SpecDocument) -> bool:
        """True when `spec`, made of this text, has these requirements and this tail, no others."""
        tail = spec.markdown.raw(spec.section_end, len(spec.markdown.lines))
        names = [piece.name for piece in self.pieces]
        return tail == self._tail and names == [block.name for block in spec.blocks]

    def text(self) -> str:
        """The whole new spec."""
        body = "".join(piece.text + piece.gap for piece in self.pieces)
        return self._bom + self._head + self._preamble + body + self._tail

    def _forget(self, piece: Piece) -> None:
        """Free the name of `piece`, unless another took it in a swap."""
        if self._by_name.get(piece.name) is piece:
            del self._by_name[piece.name]

    def _closed_preamble(self) -> str:
        """What stands between the section heading and its first requirement."""
        if not self._has_section:
            head = self._filled(self._head)
            self._head = (head + self._ending if head else "") + "## Requirements"
        self._head = self._ended(self._head)
        return self._filled(self._preamble) + self._ending

    def _filled(self, text: str) -> str:
        """`text` without the blank lines at its end, and ended."""
        document = Markdown(text)
        return self._ended(document.raw(0, document.last_filled(0, len(document.lines))))

    def _ended(self, text: str) -> str:
        return text if not text or text.endswith(("\n", "\r")) else text + self._ending
