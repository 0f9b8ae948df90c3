"""The marked lines that we add to a shell's profile, and their exact removal."""

from __future__ import annotations

from dataclasses import dataclass

START = b"# RASEN:START"
END = b"# RASEN:END"
_LEGACY = (b"# OPENSPEC:START", b"# OPENSPEC:END")


@dataclass(frozen=True)
class Block:
    """Where a block lies in a profile, as byte positions from its start marker to after its end line."""

    start: int
    end: int


def find(profile: bytes, markers: tuple[bytes, bytes] = (START, END)) -> Block | None:
    """The one block between `markers`; None when there is none.

    Errors: ValueError when the markers are not exactly one start line before one end line.
    """
    starts, ends = _lines_that_are(profile, markers[0]), _lines_that_are(profile, markers[1])
    if not starts and not ends:
        return None
    if len(starts) != 1 or len(ends) != 1 or starts[0][0] > ends[0][0]:
        raise ValueError("unbalanced markers")
    return Block(starts[0][0], ends[0][1])


def added(profile: bytes | None, lines: list[str]) -> bytes:
    """`profile` with our block holding `lines`: in place of ours or the original's, else at the end.

    None means that there is no profile. `removed` gives back the bytes that were there before.
    Errors: ValueError for malformed markers.
    """
    text = profile or b""
    eol = b"\r\n" if b"\r\n" in text else b"\n"
    block = eol.join([START, *(line.encode() for line in lines), END]) + eol
    ours, legacy = find(text), find(text, _LEGACY)
    if legacy is not None:
        if ours is not None:
            text = text[: legacy.start] + text[legacy.end :]
            ours = find(text)
        else:
            ours = legacy
    if ours is not None:
        return text[: ours.start] + block + text[ours.end :]
    return block if profile is None else text + eol + block


def removed(profile: bytes) -> bytes | None:
    """`profile` without our block and the line end before it; None when nothing else was in it.

    Errors: ValueError for malformed markers.
    """
    block = find(profile)
    if block is None:
        return profile
    before, after = profile[: block.start], profile[block.end :]
    if not before and not after:
        return None
    eol = b"\r\n" if profile[block.start :].lstrip().startswith(START + b"\r\n") else b"\n"
    return before.removesuffix(eol) + after


def _lines_that_are(text: bytes, marker: bytes) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        if line.strip() == marker:
            found.append((start, start + len(line)))
        start += len(line)
    return found
