"""Where generated files lie and which ledger knows them: the project, and homes of the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rasen.base.context import Context
from rasen.config import ops as config
from rasen.files.atomic import digest
from rasen.files.batch import recover
from rasen.files.paths import canonical
from rasen.hosts import ops as hosts
from rasen.hosts.model import PREFIX, Host
from rasen.ownership.model import Form, Site
from rasen.upkeep.ledgers import LEDGER, MACHINE, WORKFLOWS

SETTINGS = ".claude/settings.json"
"""The one file of somebody else where a member may be ours."""


def project_site(ctx: Context, root: Path) -> Site:
    """The project's own files, and the ledger that is committed with them."""
    workspace = root / ctx.workspace
    places = (*(f"{one}/{PREFIX}*" for one in _skills_paths()), SETTINGS)
    return Site(root, workspace / LEDGER, workspace / ".journal", places=places)


def workflow_site(ctx: Context, root: Path) -> Site:
    """What lies in the project because of the user's own workflows, with a ledger of its own."""
    workspace = root / ctx.workspace
    journal = workspace / ".journal"
    places = _skills_paths()
    return Site(root, workspace / WORKFLOWS, journal, form=Form.ARTIFACTS, places=places)


def machine_site(ctx: Context, root: Path, host: Host) -> Site:
    """The home of an agent that serves the whole machine; its ledger is the machine's.

    A home that was moved has a ledger of its own. Its owners carry the project, so that a file goes
    with the last project that wants it.
    """
    home = canonical(hosts.skills_home(ctx, root, host).parent)
    place = ctx.data_dir / MACHINE / f"{host.id}-{digest(str(home).encode())[7:19]}"
    project = project_of(ctx, root)
    return Site(home, place / LEDGER, place / ".journal", project, places=(hosts.SKILLS,))


def own_sites(ctx: Context, root: Path) -> Iterator[Site]:
    """The project's site, that of the user's workflows, and homes of the machine, where recorded."""
    yield project_site(ctx, root)
    own = workflow_site(ctx, root)
    if own.ledger.exists():
        yield own
    for host in hosts.HOSTS:
        if host.is_machine_wide:
            site = machine_site(ctx, root, host)
            if site.ledger.parent.is_dir():
                yield site


def settle(ctx: Context, root: Path) -> None:
    """Complete or undo what a dead writer left at any of the sites. Errors: busy, recovery_needed."""
    for site in own_sites(ctx, root):
        if os.path.lexists(site.journal):
            recover(site.journal, tell=ctx.tell)


def site_of(ctx: Context, root: Path, host: Host) -> Site:
    """The site where the files of `host` lie."""
    return machine_site(ctx, root, host) if host.is_machine_wide else project_site(ctx, root)


def skills_path(host: Host) -> str:
    """The skills folder of `host` below the base of its site, with `/`."""
    return hosts.SKILLS if host.is_machine_wide else f"{host.folder}/{hosts.SKILLS}"


def _skills_paths() -> tuple[str, ...]:
    return tuple(skills_path(host) for host in hosts.HOSTS if not host.is_machine_wide)


def project_of(ctx: Context, root: Path) -> str:
    """What tells the project from others on this machine: its identity, or where it is."""
    own = config.project_config(root / ctx.workspace, tell=lambda _: None)
    return (own.project_id if own is not None else None) or str(root)
