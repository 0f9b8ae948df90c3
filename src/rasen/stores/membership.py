"""Writing membership: the record in the store first, the locator in the project second.

Each write is read back. When the second cannot be done the first stands, and the step that finishes
it is told. Source: planning §7.10, write protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, External, ToolError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.files.atomic import digest, digest_or_absent, make_dirs, read_optional
from rasen.files.batch import Batch
from rasen.files.errors import FileChanged
from rasen.files.lock import hold
from rasen.git import repo
from rasen.stores import disk, membership_file, records
from rasen.stores.commits import Commit
from rasen.stores.membership_file import Membership
from rasen.stores.place import observed_remote, require_remote
from rasen.stores.registry_change import StoreRegistryBusy

REPAIR_NEEDED = Rule(
    "project_membership_locator_unwritten",
    Level.ERROR,
    N_("the record in the store stands, but {file} could not be written: {problem}"),
    N_("remove the cause, then run: {command}"),
)


class BaseCommitMoved(Conflict):
    code = "membership_base_commit_moved"
    text = N_("{root} was at {before} when this was planned and is at {now} now")
    fix = N_("look at what came in, then run the command again")


class RecordUnverified(External):
    code = "store_project_record_unverified"
    text = N_("{file} does not read back as it was written")
    fix = N_("look at {file} and the disk it is on, then run the command again")


@dataclass(frozen=True)
class Site:
    """A repository as it was when a write was planned. head: None without a commit."""

    root: Path
    head: str | None

    @classmethod
    def of(cls, root: Path) -> Site:
        """`root` as it is now."""
        return cls(root, repo.head(root))


@dataclass(frozen=True)
class Written:
    """What a membership command did, or would do, to the two repositories.

    membership: None when the record went. store_writes, project_writes: the files touched.
    """

    project_id: str | None
    membership: Membership | None
    store_writes: tuple[Path, ...] = ()
    project_writes: tuple[Path, ...] = ()
    is_repair_needed: bool = False
    commits: tuple[Commit, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The `membership` member. Source: planning §7.4."""
        return {
            "project_id": self.project_id,
            "roles": None if self.membership is None else self.membership.roles.to_json(),
            "store_writes": [str(path) for path in self.store_writes],
            "project_writes": [str(path) for path in self.project_writes],
            "repair_needed": self.is_repair_needed,
            "suggested_commits": [commit.to_json() for commit in self.commits],
        }


def joined(known: Membership | None, wanted: Membership) -> Membership:
    """`known` with the roles of `wanted` added, and what it leaves open filled in."""
    if known is None:
        return wanted
    return known._replace(
        roles=known.roles.merged(wanted.roles),
        id=known.id or wanted.id,
        remote=known.remote or wanted.remote,
        adoption=known.adoption or wanted.adoption,
    )


def check_bases(sites: tuple[Site, ...]) -> None:
    """Refuse when a repository got a commit since the write was planned.

    Errors: membership_base_commit_moved.
    """
    for site in sites:
        now = repo.head(site.root)
        if now != site.head:
            raise BaseCommitMoved(
                target="store.membership",
                root=site.root,
                before=site.head or "-",
                now=now or "-",
            )


@contextmanager
def writing(ctx: Context) -> Iterator[None]:
    """Be the only writer of memberships on this machine. Errors: store_registry_busy."""
    lock = disk.registry_path(ctx).parent / "membership.lock"
    make_dirs(lock.parent)
    with hold(lock, busy=StoreRegistryBusy, tell=ctx.tell):
        yield


def write_record(
    path: Path, wanted: Membership | None, *, known: Membership | None, journal: Path
) -> bool:
    """Make the record at `path` say `wanted` (None: no record), and read it back.

    known: what it said when this was planned. journal: of the store's workspace.
    False when it says so already.
    Errors: file_changed, store_remote_credentials, store_project_record_unverified, those of `load`
    and of writing files.
    """
    data = read_optional(path)
    now = None if data is None else membership_file.parse(records.text(path, data), file=str(path))
    if now != known:
        raise FileChanged(file=str(path))
    if now == wanted:
        return False
    require_remote(None if wanted is None else wanted.remote)
    expect = digest_or_absent(data)
    batch = Batch(journal, purpose=f"record {path.stem}")
    if wanted is None:
        batch.remove(path, expect=expect)
    else:
        batch.write(path, membership_file.render(wanted).encode(), expect=expect)
    batch.commit()
    verify_record(path, wanted)
    return True


def verify_record(path: Path, wanted: Membership | None) -> None:
    """Refuse a record that does not read back. Errors: store_project_record_unverified."""
    try:
        is_so = records.load(path) == wanted
    except ToolError as error:
        raise RecordUnverified(target="store.membership", file=path) from error
    if not is_so:
        raise RecordUnverified(target="store.membership", file=path)


@dataclass(frozen=True)
class Edit:
    """A file of settings and its text before and after. Both equal: nothing to do."""

    path: Path
    before: str
    after: str

    @classmethod
    def of(cls, workspace_dir: Path) -> Edit:
        """The settings of a workspace, not changed yet.

        Errors: config_file_missing, those of reading files.
        """
        path = config.project_config_path(workspace_dir)
        if path is None:
            from rasen.config.model import ConfigFileMissing

            raise ConfigFileMissing(file=str(workspace_dir / "config.yaml"))
        data = read_optional(path) or b""
        text = records.text(path, data)
        return cls(path, text, text)

    def to(self, after: str) -> Edit:
        """The same edit with another outcome."""
        return replace(self, after=after)

    @property
    def is_needed(self) -> bool:
        return self.before != self.after


def write_edit(edit: Edit) -> bool:
    """Make a settings file hold its new text, and read it back; False when it does already.

    Errors: file_changed, store_project_record_unverified, those of writing files.
    """
    if not edit.is_needed:
        return False
    after = edit.after.encode()
    batch = Batch(edit.path.parent / ".journal", purpose="settings about stores")
    batch.write(edit.path, after, expect=digest(edit.before.encode()))
    batch.commit()
    if read_optional(edit.path) != after:
        raise RecordUnverified(target="store.membership", file=edit.path)
    return True


def unwritten(file: Path, problem: ToolError, command: str) -> Finding:
    """What is told when the second write could not be done."""
    params = {"file": file, "problem": problem, "command": command}
    return Finding(REPAIR_NEEDED, "store.membership", params)


def shared_remote(root: Path, declared: str | None = None) -> str | None:
    """The address under which others find the repository at `root`; None without one.

    declared: what its metadata says; it wins over the origin. A path of this machine is no address.
    Errors: store_remote_credentials.
    """
    remote = require_remote(declared) if declared is not None else observed_remote(root)
    return remote if remote is not None and is_portable(remote) else None


def is_portable(remote: str) -> bool:
    """Whether an address means the same on every machine: no path, no `file:` URL."""
    if "://" in remote:
        return not remote.lower().startswith("file:")
    before, colon, _ = remote.partition(":")
    return bool(colon) and "/" not in before and "\\" not in before and len(before) > 1
