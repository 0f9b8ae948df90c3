"""The first text of a spec that a change brings into being."""

from __future__ import annotations

from rasen.planning.changes.delta_file import Delta
from rasen.planning.specs.rules import structure
from rasen.planning.specs.spec_file import SpecDocument
from rasen.syntax.markdown import Markdown, find_section


def new_spec(delta: Delta, capability: str, change: str) -> SpecDocument:
    """A spec without requirements: title, purpose, and the section that will hold them.

    The purpose is the delta's own where it has prose and reads cleanly; otherwise a placeholder,
    long enough not to be called short, that names the change. Source: planning §6.4.
    """
    own = delta.purpose()
    if has_prose(own):
        spec = SpecDocument(_text(capability, "\n".join(own)))
        if _reads_cleanly(spec, own):
            return spec
    return SpecDocument(_text(capability, _placeholder(change)))


def has_prose(lines: list[str]) -> bool:
    """True when `lines` say something outside fences and comments."""
    document = Markdown("\n".join(lines))
    commented = document.commented_lines()
    return any(
        line.strip() and number not in commented and not document.is_fenced(number)
        for number, line in enumerate(document.lines)
    )


def _reads_cleanly(spec: SpecDocument, purpose: list[str]) -> bool:
    """True when both readers find the purpose as it is, and the section behind it."""
    found = find_section(spec.tree, "requirements")
    return (
        not structure(spec)
        and spec.purpose == "\n".join(purpose).strip()
        and found is not None
        and found.line == spec.section_start
    )


def _text(capability: str, purpose: str) -> str:
    return f"# {capability} Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n"


def _placeholder(change: str) -> str:
    return f"TBD: this capability came with the change {change}; say here what it is for."
