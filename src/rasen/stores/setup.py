"""Making a store: its folders and files, its repository, one commit, and its registration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, External, InvalidInput, Refused
from rasen.base.messages import N_
from rasen.files.atomic import ABSENT, digest, remove_file
from rasen.files.batch import Batch
from rasen.git import repo, write
from rasen.stores import disk, setup_plan
from rasen.stores.enrol import Enrolment, enrol, path_is_there
from rasen.stores.model import Registry
from rasen.stores.outcome import Outcome, registration
from rasen.stores.place import require_id, require_remote
from rasen.stores.registry_change import change, identified
from rasen.stores.remotes import redacted
from rasen.stores.setup_file import SetupNote
from rasen.stores.setup_plan import Picture, Plan
from rasen.stores.setup_recovery import alone, journal_of, save, settle, take_back


class StoreSetupIdRequired(InvalidInput):
    code = "store_setup_id_required"
    text = N_("a new store needs a name")
    fix = N_("run 'rasen store setup <id> --path <folder>'")


class StoreSetupPathRequired(InvalidInput):
    code = "store_setup_path_required"
    text = N_("the new store '{id}' needs a folder")
    fix = N_("run 'rasen store setup {id} --path {suggested}'")


class StoreSetupNeedsConsent(Refused):
    """A person answered questions; now they see what comes of it."""

    code = "store_setup_confirmation_required"
    text = N_("the store '{id}' would be made in {root}; that needs a yes")
    fix = N_("run 'rasen store setup {id} --path {root}'")

    def __init__(self, plan: Plan) -> None:
        super().__init__(target="store.root", id=plan.metadata.id, root=plan.picture.root)
        self.plan = plan


class StoreSetupCancelled(Refused):
    code = "store_setup_cancelled"
    text = N_("the setup was cancelled; nothing was changed")


class StoreSetupPathChanged(Conflict):
    code = "store_setup_path_changed"
    text = N_("{root} changed after the question")
    fix = N_("look at {root}, then run the command again")


class StoreGitInitFailed(External):
    code = "store_git_init_failed"
    text = N_("no repository can be made in {root}: {reason}")
    fix = N_("settle that, or use --no-init-git")


class StoreGitIdentityMissing(Refused):
    code = "store_git_identity_missing"
    text = N_("git does not know who commits in {root}")
    fix = N_("run 'git config --global user.name <name>' and the same for user.email")


class StoreGitCommitFailed(External):
    code = "store_git_commit_failed"
    text = N_("the files of the store could not be committed in {root}: {reason}")
    fix = N_("settle what git says, then run the command again; nothing was left behind")


@dataclass(frozen=True)
class Request:
    """What a person asked for. id, path: None when not said. has_git: False leaves git alone.

    asks: questions were answered, so the plan wants a yes. agreed: what they saw when they said it.
    """

    id: str | None = None
    path: str | None = None
    remote: str | None = None
    has_git: bool = True
    asks: bool = False
    agreed: Picture | None = None


def setup(ctx: Context, request: Request) -> Outcome:
    """Make a store and register it; what is there already is kept.

    The one command that writes to git. It leaves everything made, or nothing that was not there
    before: killed on the way, the next command about stores completes or undoes it.
    Errors: store_setup_* as named by `setup_plan.plan`, store_setup_id_required,
    store_setup_path_required, store_setup_path_changed, store_setup_confirmation_required,
    store_remote_*, store_metadata_id_mismatch, store_root_pointer_declared, invalid_store_pointer,
    store_id_conflict, store_path_conflict, store_git_*, store_registry_busy.
    Source: planning §7.4.
    """
    if request.id is None or not request.id.strip():
        raise StoreSetupIdRequired(target="store.id")
    name = require_id(request.id)
    if request.path is None or not request.path.strip():
        suggested = setup_plan.suggested_path(name)
        raise StoreSetupPathRequired(target="store.root", id=name, suggested=suggested)
    remote = require_remote(request.remote)
    settle(ctx)
    plan = setup_plan.plan(ctx, name, request.path, remote, has_git=request.has_git)
    is_known = _checked_against_registry(ctx, plan)
    if is_known and not plan.files:
        return _unchanged(ctx, plan)
    if plan.uses_git:
        _preflight(plan)
    if request.asks and request.agreed is None:
        raise StoreSetupNeedsConsent(plan)
    if request.agreed is not None and request.agreed != plan.picture:
        raise StoreSetupPathChanged(target="store.root", root=plan.picture.root)
    with alone(ctx, plan.picture.root) as note_path:
        return _perform(ctx, plan, note_path)


def _checked_against_registry(ctx: Context, plan: Plan) -> bool:
    """Whether it is registered there already. Errors: as `enrol`."""
    known = identified(disk.load_registry(ctx))
    row = registration(plan.picture.root, plan.metadata)
    return enrol(known, row, exists=path_is_there).is_known


def _unchanged(ctx: Context, plan: Plan) -> Outcome:
    root = plan.picture.root
    row = registration(root, plan.metadata)
    put = enrol(identified(disk.load_registry(ctx)), row, exists=path_is_there)
    return Outcome(
        plan.metadata.id,
        root,
        disk.metadata_path(root),
        disk.registry_path(ctx),
        is_known=True,
        is_repository=repo.is_root(root),
        findings=put.findings,
    )


def _preflight(plan: Plan) -> None:
    """Ask git, before anything is written, whether it could commit there."""
    root = plan.picture.root
    folder = next(one for one in (root, *root.parents) if one.is_dir())
    try:
        has_identity = write.has_identity(folder)
    except External as error:
        raise StoreGitInitFailed(target="store.git", root=root, reason=error) from error
    if not has_identity:
        raise StoreGitIdentityMissing(target="store.git", root=root)


def _perform(ctx: Context, plan: Plan, note_path: Path) -> Outcome:
    root = plan.picture.root
    files = {name: digest(data) for name, data in plan.files.items()}
    note = SetupNote(root, plan.folders, files, plan.uses_git, plan.starts_git)
    save(note_path, note)
    try:
        _make_files(ctx, plan, note_path)
        is_committed_now = _commit(plan)
        row = registration(root, plan.metadata)
        put: list[Enrolment] = []

        def edit(known: Registry) -> Registry:
            put.append(enrol(known, row, exists=path_is_there))
            return put[-1].registry

        changed = change(ctx, edit)
    except BaseException:
        take_back(ctx, note_path, note)
        raise
    remove_file(note_path)
    return Outcome(
        plan.metadata.id,
        root,
        disk.metadata_path(root),
        disk.registry_path(ctx),
        is_known=put[-1].is_known,
        is_repository=repo.is_root(root),
        is_initialized=plan.starts_git,
        is_committed=is_committed_now,
        created=tuple(plan.files),
        findings=(*put[-1].findings, *changed.findings),
    )


def _make_files(ctx: Context, plan: Plan, note_path: Path) -> None:
    root = plan.picture.root
    batch = Batch(journal_of(note_path), purpose="store setup", tell=ctx.tell)
    for folder in plan.folders:
        batch.make_dir(folder)
    for name, data in plan.files.items():
        batch.write(root / name, data, expect=ABSENT)
    batch.commit()


def _commit(plan: Plan) -> bool:
    """Begin the repository when there is none, and commit; whether a commit was made."""
    root, name = plan.picture.root, plan.metadata.id
    if plan.starts_git:
        try:
            write.init(root)
        except External as error:
            reason = _said(error)
            raise StoreGitInitFailed(target="store.git", root=root, reason=reason) from error
    if not plan.uses_git:
        return False
    try:
        write.commit(root, f"Set up the planning store {name}", plan.committed_paths)
    except External as error:
        reason = _said(error)
        raise StoreGitCommitFailed(target="store.git", root=root, reason=reason) from error
    return True


def _said(error: External) -> str:
    return redacted(str(error.params.get("stderr") or error))
