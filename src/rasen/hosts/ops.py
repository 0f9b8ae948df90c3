"""What can be asked about coding agents."""

from __future__ import annotations

from rasen.base.errors import UsageError
from rasen.base.messages import N_, Phrase
from rasen.base.text import nearest
from rasen.hosts.detect import (
    SKILLS,
    configured,
    detected,
    generated_by,
    generated_skills,
    is_detected,
    is_generated,
    old_commands,
    skills_home,
)
from rasen.hosts.lint import check, check_listed, check_listing, check_written, listed
from rasen.hosts.model import Host
from rasen.hosts.skill_file import Rendered, render
from rasen.hosts.table import HOSTS

__all__ = [
    "HOSTS",
    "SKILLS",
    "Rendered",
    "ToolUnknown",
    "check",
    "check_listed",
    "check_listing",
    "check_written",
    "chosen",
    "configured",
    "detected",
    "generated_by",
    "generated_skills",
    "host",
    "is_detected",
    "is_generated",
    "is_selectable",
    "listed",
    "old_commands",
    "render",
    "skills_home",
]

ALL, NONE = "all", "none"


class ToolUnknown(UsageError):
    """No agent goes by that id."""

    code = "tool_unknown"
    text = N_("there is no agent '{tool}'; there are: {known}")
    fix = N_("name one of them, or all, or none")


def is_selectable(host: Host) -> bool:
    """True for an agent that skills can be made for: all of them, by the ruling on hosts."""
    return bool(host.folder)


def host(id: str) -> Host:
    """The agent of that id, whatever its case. Errors: tool_unknown."""
    found = next((one for one in HOSTS if one.id == id.lower()), None)
    if found is None or not is_selectable(found):
        ids = [one.id for one in HOSTS]
        close = ", ".join(nearest(id.lower(), ids, most=1, within=3))
        fix = N_("did you mean {nearest}?") if close else None
        raise ToolUnknown(tool=id, known=", ".join(ids), nearest=close, fix=fix)
    return found


def chosen(given: str) -> tuple[Host, ...]:
    """The agents that the value of `--tools` names, each once, in its order.

    `all` leaves out agents that serve the whole machine. Errors: usage_error for a list that makes
    no sense, tool_unknown. Source: planning §8.4, 8.
    """
    words = [word.strip().lower() for word in given.split(",")]
    if not all(words):
        raise UsageError(
            problem=Phrase(N_("--tools names nothing, or nothing between two commas")),
            fix=N_("name agents, or say --tools all or --tools none"),
        )
    special = {ALL, NONE} & set(words)
    if special and len(set(words)) > 1:
        raise UsageError(
            problem=Phrase(N_("--tools mixes all or none with other names")),
            fix=N_("say --tools all, --tools none, or ids only"),
        )
    if special == {ALL}:
        return tuple(one for one in HOSTS if is_selectable(one) and not one.is_machine_wide)
    return () if special else tuple(host(word) for word in dict.fromkeys(words))
