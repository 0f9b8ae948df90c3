"""The selection of workflows that an older program left in a project, kept when we take over."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from rasen.base.context import Context
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.hosts import ops as hosts
from rasen.hosts.model import SKILL
from rasen.profiles.model import CUSTOM
from rasen.workflows import ops as workflows

KEPT = Rule(
    "profile_migrated",
    Level.INFO,
    N_(
        "the workflows that were generated here before are now the selection of this machine: {ids}"
    ),
    N_("choose another with 'rasen profile use'"),
)
OURS_SINCE = (0, 2)
"""The first version of this program; skills that say an earlier one are of the originals."""
_RETAIN, _RETRO = "rasen-retain", "rasen-retro"


def proposed(ctx: Context, root: Path, owned: Container[Path]) -> tuple[str, ...] | None:
    """The workflows to keep; None when there is nothing to do.

    owned: the files that our own ledger names. Skills of ours say nothing about an older selection,
    nor do those that we left to a person who had edited them: this program writes a selection down
    before it generates. Source: planning §8.8.
    """
    settings = config.global_config(ctx)
    if settings.is_broken or "profile" in settings.values:
        return None
    folders = {
        place.name
        for host in hosts.HOSTS
        if not host.is_machine_wide
        for place in hosts.generated_skills(ctx, root, host)
        if place / SKILL not in owned and _is_of_originals(place / SKILL)
    }
    found = [one.id for one in workflows.built_in() if one.is_selectable and one.folder in folders]
    if _RETRO in folders and _RETAIN not in folders:
        found.append("retro-command")  # it was a workflow then; it says what to leave behind
    return tuple(found) or None


def keep(ctx: Context, ids: tuple[str, ...]) -> Finding:
    """Make `ids` the selection of this machine. Errors: those of writing the settings."""
    config.set_machine(ctx, {"profile": CUSTOM, "workflows": list(ids)})
    return finding(ids)


def finding(ids: tuple[str, ...]) -> Finding:
    """What there is to say about it."""
    return Finding(KEPT, "config.json", {"ids": ", ".join(ids)})


def _is_of_originals(file: Path) -> bool:
    """True unless the skill says that this program made it; an odd version is nobody's of ours."""
    first, _, rest = hosts.generated_by(file).partition(".")
    second = rest.partition(".")[0]
    if not (first.isdecimal() and second.isdecimal()):
        return True
    return (int(first), int(second)) < OURS_SINCE
