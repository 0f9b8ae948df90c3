"""The line grammar of REMOVED and RENAMED sections: entries, and lines that only look like some."""

from __future__ import annotations

import re

_MARKER = r"[^\S\n]*(?:(?:[-*+>]|\d+[.)])[^\S\n]*)*"
_ENTRY = r"(?P<quote>`*)### Requirement:(?P<rest>.*)"
_REMOVAL = re.compile(rf"[^\S\n]*[-*+][^\S\n]*{_ENTRY}")
_RENAME = re.compile(rf"[^\S\n]*(?:[-*+][^\S\n]*)?(?P<side>FROM|TO):[^\S\n]*{_ENTRY}")
_MOVE = re.compile(
    r"[^\S\n]*(?:[-*+][^\S\n]*)?FROM:[^\S\n]*(?P<open>`?)(?P<capability>[^\s`#]+)`?[^\S\n]+"
    + _ENTRY
)
_MOVED_CAPABILITY = re.compile(
    r"[^\S\n]*(?:[-*+][^\S\n]*)?FROM:[^\S\n]*`?(?P<capability>[^\s`#]+)`?[^\S\n]*"
)
_BULLET = re.compile(r"[^\S\n]*(?:[-*+]|\d+[.)])[^\S\n]")
_REASON = re.compile(rf"{_MARKER}(?:reason|migration)\b", re.IGNORECASE)
_SIDE_LIKE = re.compile(rf"{_MARKER}[`*_]*(?:from|to)[`*_]*[^\S\n]*:", re.IGNORECASE)
_HEADING_LIKE = re.compile(rf"{_MARKER}[`*_]*#{{1,6}}[^\S\n]*Requirement\b", re.IGNORECASE)
_NAMED_LIKE = re.compile(rf"{_MARKER}[`*_]*Requirement[^\S\n]*:", re.IGNORECASE)


def removal_name(line: str) -> str | None:
    """The requirement that a bullet of REMOVED names; None for any other line.

    Source: planning §3.5 (indent and back-quotes are optional; case counts).
    """
    match = _REMOVAL.fullmatch(line)
    return _name(match) if match else None


def rename_side(line: str) -> tuple[str, str] | None:
    """`("FROM" | "TO", name)` for a line of RENAMED; None for any other line."""
    match = _RENAME.fullmatch(line)
    name = _name(match) if match else None
    return (match["side"], name) if match and name else None


def move_source(line: str) -> tuple[str, str] | None:
    """Capability and requirement of a `FROM: capability ### Requirement: name` line; else None."""
    match = _MOVE.fullmatch(line)
    name = _name(match) if match else None
    return (match["capability"], name) if match and name else None


def moved_capability(line: str) -> str | None:
    """The capability of a `FROM: capability` line; None for any other line."""
    match = _MOVED_CAPABILITY.fullmatch(line)
    return match["capability"] if match else None


def looks_like_heading(line: str) -> bool:
    """True for a line that shows a requirement heading, as a bullet, quoted or emphasised."""
    return _HEADING_LIKE.match(line) is not None


def looks_like_removal(line: str) -> bool:
    """True for a line that was probably meant to remove something; reasons are not."""
    if looks_like_heading(line) or _NAMED_LIKE.match(line):
        return True
    return _BULLET.match(line) is not None and _REASON.match(line) is None


def looks_like_rename(line: str) -> bool:
    """True for a line that was probably meant to rename something."""
    return _SIDE_LIKE.match(line) is not None or "requirement:" in line.lower()


def is_remark(line: str) -> bool:
    """True for an indented or emphasised line below an entry, which says why."""
    return line[:1].isspace() or "**" in line


def is_bullet(line: str) -> bool:
    return _BULLET.match(line) is not None


def _name(match: re.Match[str]) -> str | None:
    """The name without the back-quotes around the whole entry; those inside the name stay."""
    name = match["rest"].strip()
    quote = match["quote"] or match.groupdict().get("open") or ""
    if quote:
        name = name.removesuffix(quote).strip()
    elif name.endswith("`") and name.count("`") % 2:
        name = name[:-1].strip()
    return name or None
