"""`store sync`: one store and the branch it follows at its remote, brought together on request."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.files.batch import recover
from rasen.files.lock import hold
from rasen.git import remote, repo, scratch
from rasen.git.remote import Divergence, Upstream
from rasen.git.running import GitFailed
from rasen.git.scratch import Scratch
from rasen.git.write import has_identity
from rasen.stores import ops as stores
from rasen.stores.model import Checkout
from rasen.stores.remotes import has_credentials, redacted, without_credentials
from rasen.upkeep import sync_refusals as refusals
from rasen.upkeep.store_rebase import FileConflict, MergedFile, rebase

UP_TO_DATE, FAST_FORWARDED, PUSHED, REBASED = "up-to-date", "fast-forwarded", "pushed", "rebased"
_TRIES: Final = 2
_FILES_SHOWN: Final = 10
_TARGET: Final = "store.git"


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did, or in a rehearsal would do.

    before, after: the commits of this checkout. pulled, pushed: how many commits came and went.
    merged: files that both sides had changed. problem: why it ended early; what is told beside it
    has happened nevertheless.
    """

    checkout: Checkout
    upstream: str
    before: str
    after: str
    outcome: str = UP_TO_DATE
    pulled: int = 0
    pushed: int = 0
    merged: tuple[MergedFile, ...] = ()
    conflicts: tuple[FileConflict, ...] = ()
    problem: ToolError | None = None
    is_rehearsal: bool = False


def sync(ctx: Context, wanted: str, *, is_rehearsal: bool = False) -> Synced:
    """Bring the checkout of a store and the branch it follows together: fetch, merge, push.

    wanted: a display name or an identity. Only behind: fast-forward; only ahead: push; both: the
    commits of this checkout are made again on the fetched ones, file by file. Nothing is ever
    committed that was not. A rehearsal fetches into a place that goes away again and changes
    nothing.
    Errors: those of resolving a store, store_sync_*, git_failed, git_index_locked, recovery_needed.
    """
    checkout = stores.resolve(ctx, wanted)
    root = checkout.path
    if not repo.is_available():
        raise _about(refusals.SyncGitMissing, root)
    if not repo.is_root(root):
        raise _about(refusals.SyncNotRepository, root)
    recover(root / checkout.workspace / ".journal", tell=ctx.tell)
    lock = (repo.git_dir(root) or root) / "rasen-sync.lock"
    with hold(lock, busy=refusals.SyncBusy, tell=ctx.tell):
        scratch.settle(root)
        upstream = _checked(root)
        with scratch.scratch(root, is_trial=is_rehearsal) as place:
            try:
                return _Sync(checkout, upstream, place).run()
            except GitFailed as error:
                verb, status = error.params["verb"], error.params["status"]
                said = redacted(str(error.params["stderr"]))
                raise GitFailed(target=_TARGET, verb=verb, status=status, stderr=said) from error


def _checked(root: Path) -> Upstream:
    """Where the branch goes to, when nothing stands in the way. Source: planning §7.6."""
    mark = remote.unfinished(root)
    if mark is not None:
        raise _about(refusals.SyncUnfinished, root, mark=mark)
    if repo.head(root) is None:
        raise _about(refusals.SyncNoCommits, root)
    branch = remote.branch(root)
    if branch is None:
        raise _about(refusals.SyncDetachedHead, root)
    if not remote.has_remotes(root):
        raise _about(refusals.SyncNoRemote, root)
    upstream = remote.upstream(root, branch)
    if upstream is None:
        raise _about(refusals.SyncNoUpstream, root, branch=branch)
    for one in remote.addresses(root, branch, upstream.remote):
        if has_credentials(one.url):
            raise _about(
                refusals.SyncCredentials,
                root,
                address=redacted(one.url),
                plain=shlex.quote(without_credentials(one.url)),
                key=shlex.quote(one.key),
            )
    status = repo.status(root, root)
    loose = [*status.dirty, *status.untracked]
    if loose or not status.is_known:
        more = ["…"] if len(loose) > _FILES_SHOWN else []
        files = ", ".join(loose[:_FILES_SHOWN] + more)
        raise _about(refusals.SyncDirty, root, files=files or "?")
    return upstream


@dataclass(slots=True)
class _Sync:
    checkout: Checkout
    upstream: Upstream
    place: Scratch
    done: Synced = field(init=False)

    def __post_init__(self) -> None:
        head = repo.head(self.checkout.path) or ""
        self.done = Synced(
            self.checkout,
            redacted(self.upstream.label),
            head,
            head,
            is_rehearsal=self.place.is_trial,
        )

    def run(self) -> Synced:
        try:
            for _ in range(_TRIES):
                if not self._once():
                    return self.done
            raise self._refusal(refusals.SyncRemoteMoved)
        except ToolError as problem:
            if isinstance(problem, GitFailed):
                raise
            self.done = replace(self.done, problem=problem)
            return self.done

    def _once(self) -> bool:
        """One round of fetch, merge and push; True when the remote moved before the push."""
        theirs = self._fetched()
        ours = self.done.after
        differs = remote.divergence(self.place, ours, theirs)
        if theirs is not None and differs.behind:
            if not differs.is_related:
                raise self._refusal(refusals.SyncUnrelated)
            self._land(differs, theirs)
        return self._push(theirs)

    def _fetched(self) -> str | None:
        """The newest commit of the remote; None for a branch that it does not have yet."""
        fetched = remote.fetch(self.place, self.upstream)
        if fetched.problem:
            raise self._refusal(refusals.SyncFetchFailed, reason=redacted(fetched.problem))
        if fetched.commit is None and self.upstream.tracking:
            raise self._refusal(refusals.SyncUpstreamGone)
        return fetched.commit

    def _land(self, differs: Divergence, theirs: str) -> None:
        """Move the checkout to the commit that holds both sides."""
        root, ours = self.checkout.path, self.done.after
        head, outcome = theirs, FAST_FORWARDED
        merged: tuple[MergedFile, ...] = ()
        if differs.ahead:
            if differs.has_merges:
                raise self._refusal(refusals.SyncMerges)
            if not has_identity(root):
                raise self._refusal(refusals.SyncIdentityMissing)
            rebased = rebase(self.place, differs.ahead, theirs, workspace=self.checkout.workspace)
            if rebased.conflicts:
                self.done = replace(self.done, conflicts=rebased.conflicts)
                files = ", ".join(dict.fromkeys(one.file for one in rebased.conflicts))
                raise self._refusal(refusals.SyncConflict, files=files)
            head, outcome, merged = rebased.head, REBASED, rebased.merged
        if not self.place.is_trial and not self.place.land(ours, head):
            raise self._refusal(refusals.SyncLocalMoved)
        self.done = replace(
            self.done,
            after=head,
            outcome=outcome,
            pulled=self.done.pulled + differs.behind,
            merged=tuple(dict.fromkeys([*self.done.merged, *merged])),
        )

    def _push(self, theirs: str | None) -> bool:
        count = len(remote.divergence(self.place, self.done.after, theirs).ahead)
        if not count:
            return False
        if not self.place.is_trial:
            pushed = remote.push(self.checkout.path, self.upstream, self.done.after)
            if not pushed.is_done:
                if pushed.has_moved:
                    return True
                raise self._refusal(refusals.SyncPushFailed, reason=redacted(pushed.problem))
        outcome = PUSHED if self.done.outcome == UP_TO_DATE else self.done.outcome
        self.done = replace(self.done, pushed=count, outcome=outcome)
        return False

    def _refusal(self, kind: type[ToolError], *, reason: str = "", files: str = "") -> ToolError:
        return _about(
            kind,
            self.checkout.path,
            upstream=self.done.upstream,
            remote=redacted(self.upstream.remote),
            branch=self.upstream.ref.removeprefix("refs/heads/"),
            reason=reason,
            files=files,
        )


def _about(kind: type[ToolError], root: Path, **more: str) -> ToolError:
    """A refusal about the repository at `root`; its path can be pasted into a shell as `place`."""
    params: dict[str, object] = {"root": root, "place": shlex.quote(str(root)), **more}
    return kind(target=_TARGET, fix=None, **params)
