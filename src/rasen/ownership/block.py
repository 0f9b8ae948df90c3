"""A marked block in a text file that belongs to somebody else: set and taken away, every other byte kept."""

from __future__ import annotations

import re

from rasen.ownership.member import CannotSplice

_STARTS_LINE = r"(?:\A\ufeff?|(?<=\n))"
_ENDS_LINE = r"[ \t]*(?:\r?\n|\Z)"


def block_text(path: str, text: str, name: str) -> str | None:
    """What stands between the markers of `name`, with LF; None when the file has no such block.

    Raises CannotSplice where a marker has no counterpart, or there is more than one block.
    """
    found = _find(path, text, name)
    return None if found is None else _lf(text[found[1] : found[2]])


def put(path: str, text: str | None, name: str, value: str) -> tuple[str, str | None]:
    """`text` with the block set to `value`, in the line ends of the file; and what was made for it.

    text: None for a file that is not there. The second is `made` of the ledger's row: what had to be
    put between the file's last line and the block, "" for the whole file, None when there was a
    block or nothing. Raises CannotSplice.
    """
    opening, closing = markers(path, name)
    block = f"{opening}\n{value if value.endswith(chr(10)) else value + chr(10)}{closing}\n"
    if text is None:
        return block, ""
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    block = block.replace("\n", end)
    found = _find(path, text, name)
    if found is not None:
        return text[: found[0]] + block + text[found[3] :], None
    if not text.strip("\ufeff"):
        return text + block, None
    between = end if text.endswith("\n") else end * 2
    return text + between + block, between


def taken(path: str, text: str, name: str, made: str | None) -> str | None:
    """`text` without the block, and without what was put before it; None: nothing of our file is left.

    Raises CannotSplice.
    """
    found = _find(path, text, name)
    if found is None:
        return text
    before = text[: found[0]]
    if made and before.endswith(made):
        before = before[: -len(made)]
    left = before + text[found[3] :]
    return None if made == "" and not left.strip() else left


def markers(path: str, name: str) -> tuple[str, str]:
    """The lines around a block: comments, as the file's kind writes them."""
    if path.endswith((".md", ".mdc", ".html")):
        return f"<!-- rasen:start {name} -->", f"<!-- rasen:end {name} -->"
    return f"# rasen:start {name}", f"# rasen:end {name}"


def _find(path: str, text: str, name: str) -> tuple[int, int, int, int] | None:
    """Where the block starts, its text starts, its text ends, and it ends."""
    opening, closing = (
        [*re.finditer(f"{_STARTS_LINE}{re.escape(one)}{_ENDS_LINE}", text)]
        for one in markers(path, name)
    )
    if not opening and not closing:
        return None
    if len(opening) != 1 or len(closing) != 1 or opening[0].end() > closing[0].start():
        raise CannotSplice(f"the markers of {name} do not stand one before the other")
    start = opening[0].start() + text.startswith("\ufeff", opening[0].start())
    return start, opening[0].end(), closing[0].start(), closing[0].end()


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
