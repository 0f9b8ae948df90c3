"""Whether the skills of a project's agents are those that this version would write. Looks only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rasen import __version__
from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.hosts.model import SKILL
from rasen.hosts.table import HOSTS
from rasen.upkeep.ledgers import LEDGER, MACHINE, WORKFLOWS

if TYPE_CHECKING:
    from rasen.ownership.model import Row

MISMATCH = Rule(
    "skill_version_mismatch",
    Level.WARNING,
    N_("{count} skills of agents were written by version {versions}, and this is {version}"),
    N_("run 'rasen update'"),
)


def findings(ctx: Context, root: Path) -> list[Finding | ToolError]:
    """What there is to say about the version of the skills in `root`; a broken ledger is told.

    Source: planning §7.7, §8.2, §8.6.
    """
    if not _may_have_skills(ctx, root):
        return []
    from rasen.upkeep import sites

    versions: list[str] = []
    known: set[Path] = set()
    try:
        for site in sites.own_sites(ctx, root):
            if site.ledger.is_file():
                from rasen.ownership import ops as ownership

                rows = ownership.ledger(site).rows.values()
                known.update(site.base / row.path for row in rows)
                versions += _recorded(rows, site.project)
        versions += _inherited(ctx, root, known)
    except ToolError as problem:
        return [problem]
    others = [one for one in versions if one != __version__]
    if not others:
        return []
    named = ", ".join(sorted(set(others)))
    params = {"count": len(others), "versions": named, "version": __version__}
    return [Finding(MISMATCH, "relationships", params)]


def _may_have_skills(ctx: Context, root: Path) -> bool:
    """Whether there is a ledger or a folder of an agent; otherwise there is nothing to load more for."""
    workspace = root / ctx.workspace
    places = [workspace / LEDGER, workspace / WORKFLOWS, ctx.data_dir / MACHINE]
    places += [*(root / host.folder for host in HOSTS)]
    return any(os.path.lexists(place) for place in places)


def _recorded(rows: Iterable[Row], project: str | None) -> list[str]:
    """The version of every skill that a ledger of ours names for a project."""
    return [
        row.version
        for row in rows
        if row.version
        and row.path.endswith(f"/{SKILL}")
        and any(one.project == project for one in row.owners)
    ]


def _inherited(ctx: Context, root: Path, known: set[Path]) -> list[str]:
    """What skills say of themselves that bear names of ours and that no ledger names."""
    from rasen.hosts import ops as hosts

    found = [
        folder
        for host in HOSTS
        if not host.is_machine_wide
        for folder in hosts.generated_skills(ctx, root, host)
        if folder / SKILL not in known
    ]
    if not found:
        return []
    from rasen.upkeep.older_skills import names

    ours = names()
    return [hosts.generated_by(one / SKILL) for one in found if one.name in ours]
