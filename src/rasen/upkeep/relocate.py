"""Moving the archived changes of a workspace between the repository and the machine's home of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput
from rasen.base.messages import N_
from rasen.files.batch import Batch
from rasen.projects import ops as projects
from rasen.roots import ops as roots
from rasen.roots.model import Root
from rasen.stores import parcels
from rasen.stores.commits import Commit, suggest
from rasen.stores.parcels import ARCHIVE, Load, Measures

IN_REPO, EXTERNAL = "in-repo", "external"


class RelocateDestinationRequired(InvalidInput):
    code = "relocate_destination_required"
    text = N_("where are the archived changes to go? The settings say: {setting}")
    fix = N_("say --to in-repo or --to external")


class RelocateTargetExists(Conflict):
    code = "relocate_target_exists"
    text = N_("{folder} has these already, in this or another case: {names}")
    fix = N_("compare the two, remove or rename one, then run the command again")


class Request(NamedTuple):
    """What a person asked for. to: IN_REPO or EXTERNAL; None means as the settings say."""

    to: str | None = None
    dry_run: bool = False
    verify_hash: bool = False


@dataclass(frozen=True)
class Outcome:
    """What moved, or would. source, target: the two archives; target None: a home not there yet."""

    root: Root
    to: str
    names: tuple[str, ...]
    source: Path | None
    target: Path | None
    is_dry_run: bool
    is_hashed: bool
    commits: tuple[Commit, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The members beside `status`."""
        return {
            "relocation": {
                "to": self.to,
                "from_path": None if self.source is None else str(self.source),
                "to_path": None if self.target is None else str(self.target),
                "moved": list(self.names),
                "verified": "sha256" if self.is_hashed else "size",
                "suggested_commits": [commit.to_json() for commit in self.commits],
            },
            "dry_run": self.is_dry_run,
            "root": self.root.to_json(),
        }


def relocate(ctx: Context, root: Root, request: Request) -> Outcome:
    """Move every archived change to where archived changes are to lie, all or nothing.

    A home is made, and an identity given, only when something goes there.
    Errors: relocate_destination_required, relocate_target_exists, migration_verify_failed,
    those of `projects.ops.register` and of a batch. Source: planning §7.4, §6.6.
    """
    to = request.to or _setting(ctx, root)
    home = projects.archive_dir_external(ctx, root.path)
    if to == EXTERNAL and home is None and not request.dry_run:
        has_any = parcels.pack(ARCHIVE, root.archive_dir, root.archive_dir / "-").parcels
        if has_any:
            home = projects.register(ctx, root.path).path / "archive"
    source, target = (root.archive_dir, home) if to == EXTERNAL else (home, root.archive_dir)
    load = _load(source, target, ctx)
    if load.collisions:
        names = ", ".join(name.removeprefix(f"{ARCHIVE}/") for name in load.collisions)
        raise RelocateTargetExists(target="openspec.archive", folder=target, names=names)
    commits: tuple[Commit, ...] = ()
    if load.parcels and not request.dry_run:
        _move(ctx, root, load, with_hash=request.verify_hash)
        commits = suggest(
            root.path,
            [p.source if to == EXTERNAL else p.target for p in load.parcels],
            purpose="Move archived changes",
        )
    return Outcome(
        root, to, load.of(ARCHIVE), source, target, request.dry_run, request.verify_hash, commits
    )


def _setting(ctx: Context, root: Root) -> str:
    """Where the settings want archived changes. Errors: relocate_destination_required."""
    settings = roots.settings(ctx, root)
    said = (settings.archive_destination if settings is not None else None) or IN_REPO
    if said not in (IN_REPO, EXTERNAL):
        raise RelocateDestinationRequired(target="archive.destination", setting=said)
    return said


def _load(source: Path | None, target: Path | None, ctx: Context) -> Load:
    """What moves; keepers stay, so that git keeps the folder. A missing target takes everything."""
    if source is None:
        return Load()
    unnamed = ctx.data_dir / "projects" / "-" / "archive"  # until it has a home of its own
    found = parcels.pack(ARCHIVE, source, target or unnamed)
    return Load(found.parcels, found.collisions)


def _move(ctx: Context, root: Root, load: Load, *, with_hash: bool) -> None:
    journal = root.workspace_dir / ".journal"
    measures = Measures(load.parcels, with_hash=with_hash)
    batch = Batch(journal, purpose="relocation of the archive", tell=ctx.tell)
    parcels.send(load, batch)
    batch.commit()
    measures.check(journal)
