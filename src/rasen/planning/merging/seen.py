"""What the author of a change saw of a spec, and how it has moved on since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rasen.planning.specs.spec_file import SpecDocument

Lines = tuple[str, ...]
_REMEMBERED = 512


class Seen(NamedTuple):
    """The requirement blocks of the base, by name. is_known: False when nobody can tell."""

    is_known: bool
    blocks: Mapping[str, Lines]

    def has(self, name: str) -> bool:
        """True when the author is known to have seen a requirement of that name."""
        return name in self.blocks

    def is_another(self, name: str, lines: Lines) -> bool:
        """True when `lines` are word for word what the base has under another name, not under this."""
        texts = {other: block[1:] for other, block in self.blocks.items()}
        return lines[1:] != texts.get(name) and lines[1:] in texts.values()


UNSEEN = Seen(False, {})


def seen_of(text: str | None, now: SpecDocument | None = None) -> Seen:
    """What a base holds; None stands for "there was no spec".

    now: the spec as it is; where that is still the base, it need not be read again.
    """
    if text is None:
        return Seen(True, {})
    if now is not None and now.markdown.text() == text:
        return _seen_in(now)
    return _seen_in_text(text)


def _seen_in(spec: SpecDocument) -> Seen:
    lines = spec.markdown.lines
    return Seen(True, {one.name: tuple(lines[one.start : one.end]) for one in spec.blocks})


@lru_cache(maxsize=_REMEMBERED)
def _seen_in_text(text: str) -> Seen:
    """Read once, also when a change is tried against many others."""
    return _seen_in(SpecDocument(text))


def after_sync(seen: Seen, blocks: Mapping[str, Sequence[str]]) -> Seen:
    """`seen`, with the requirements that a sync of the change has merged as it merged them.

    From then on, that text is what both sides started from.
    """
    if not blocks:
        return seen
    merged = {name: tuple(lines) for name, lines in blocks.items()}
    return Seen(seen.is_known, {**seen.blocks, **merged})


def moved_to(name: str, seen: Seen, current: Mapping[str, Lines]) -> str | None:
    """The new name of a requirement that others renamed since; None when it was not, or who knows.

    A rename shows as the same text under one name that the base did not have with that text. What
    has the old name now must be another requirement of the base.
    """
    base = seen.blocks.get(name)
    if base is None or len(base) < 2:
        return None
    if name in current and not seen.is_another(name, current[name]):
        return None
    alike = [
        other
        for other, lines in current.items()
        if lines[1:] == base[1:] and seen.blocks.get(other, ())[1:] != base[1:]
    ]
    return alike[0] if len(alike) == 1 else None


def likely_moved_to(name: str, seen: Seen, current: Mapping[str, Lines]) -> str | None:
    """The name that a requirement may have now which others renamed and changed; None without one.

    It has more than half of the lines, and more of them than of what had its name in the base.
    """
    base = seen.blocks.get(name)
    if base is None or name in current:
        return None
    filled = _filled(base)
    shares = {other: (_filled(lines) & filled).total() for other, lines in current.items()}
    likely = [
        other
        for other, share in shares.items()
        if share * 2 > filled.total()
        and share > (_filled(seen.blocks.get(other, ())) & _filled(current[other])).total()
    ]
    return max(likely, key=lambda other: shares[other], default=None)


def _filled(lines: Lines) -> Counter[str]:
    """The lines below the heading that are not blank."""
    return Counter(line for line in lines[1:] if line.strip())
