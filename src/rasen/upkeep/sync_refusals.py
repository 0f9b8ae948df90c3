"""Why a store is not brought together with its remote, one class for each code."""

from __future__ import annotations

from rasen.base.errors import Busy, Conflict, External, NotFound, Refused
from rasen.base.messages import N_
from rasen.stores.place import StoreRemoteCredentials


class SyncGitMissing(External):
    code = "store_sync_git_missing"
    text = N_("there is no git to sync {root} with")
    fix = N_("install git, or put it on the search path")


class SyncNotRepository(Refused):
    code = "store_sync_not_repository"
    text = N_("{root} is not the top of a git repository")
    fix = N_("make it one with `git -C {place} init`, and give it a remote")


class SyncNoCommits(Refused):
    code = "store_sync_no_commits"
    text = N_("{root} has no commit yet")
    fix = N_("commit its files first")


class SyncDetachedHead(Refused):
    code = "store_sync_detached_head"
    text = N_("{root} is on no branch (its head is detached)")
    fix = N_("check a branch out: `git -C {place} switch <branch>`")


class SyncUnfinished(Refused):
    code = "store_sync_unfinished"
    text = N_("a merge or rebase waits for its end in {root} ({mark})")
    fix = N_("finish it or give it up with git, then sync")


class SyncNoRemote(Refused):
    code = "store_sync_no_remote"
    text = N_("{root} has no remote")
    fix = N_("add one: `git -C {place} remote add origin <address>`")


class SyncNoUpstream(Refused):
    code = "store_sync_no_upstream"
    text = N_("the branch {branch} of {root} follows no branch of a remote")
    fix = N_("say which one: `git -C {place} push -u origin {branch}`")


class SyncUpstreamGone(NotFound):
    code = "store_sync_upstream_gone"
    text = N_("the branch {branch} of {root} follows {upstream}, which the remote has no more")
    fix = N_("push it again yourself, or let the branch follow another one")


class SyncCredentials(StoreRemoteCredentials):
    text = N_("the remote of {root} carries a password or a token: {address}")
    fix = N_("give git the address without it: `git -C {place} config {key} {plain}`")


class SyncDirty(Refused):
    code = "store_sync_dirty"
    text = N_("{root} has changes that are not committed: {files}")
    fix = N_("commit them, or take them away; a sync never commits for you")


class SyncIdentityMissing(Refused):
    code = "store_sync_identity_missing"
    text = N_("git does not know who you are, and commits of {root} have to be made again")
    fix = N_("set user.name and user.email: `git config --global user.email <address>`")


class SyncUnrelated(Refused):
    code = "store_sync_unrelated"
    text = N_("{root} and {upstream} have no commit in common")
    fix = N_("check that the remote is the one of this store")


class SyncMerges(Refused):
    code = "store_sync_merge_commits"
    text = N_("{root} and {upstream} differ, and commits of this checkout are merges")
    fix = N_("bring them together with git: `git -C {place} merge {upstream}`, then sync")


class SyncFetchFailed(External):
    code = "store_sync_fetch_failed"
    text = N_("fetching {upstream} did not work: {reason}")
    fix = N_("try `git -C {place} fetch {remote}` in a terminal, where git can ask you")


class SyncPushFailed(External):
    code = "store_sync_push_failed"
    text = N_("pushing to {upstream} did not work: {reason}")
    fix = N_("try `git -C {place} push` in a terminal; this checkout is up to date and stays so")


class SyncConflict(Conflict):
    code = "store_sync_conflict"
    text = N_("{upstream} and {root} changed the same in: {files}; nothing was changed")
    fix = N_("bring both sides together with git: `git -C {place} rebase {upstream}`, then sync")


class SyncRemoteMoved(Conflict):
    code = "store_sync_remote_moved"
    text = N_("{upstream} moved again while {root} was being pushed")
    fix = N_("run the sync once more")


class SyncLocalMoved(Conflict):
    code = "store_sync_local_moved"
    text = N_("{root} changed while it was being synced; it is as it was left")
    fix = N_("commit what changed, and run the sync once more")


class SyncBusy(Busy):
    code = "store_sync_busy"
    text = N_("another sync is at work in {folder} ({holder})")
    fix = N_("try again when it is done; its lock is {lock}")
