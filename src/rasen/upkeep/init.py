"""Making a workspace in a project, or completing the one that is there."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, Refused, ToolError, UsageError
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import ops as config
from rasen.config.model import StoreDeclaration
from rasen.files.atomic import ABSENT, make_dirs
from rasen.files.batch import Batch
from rasen.files.paths import canonical, is_plain_name
from rasen.hosts.model import Host
from rasen.ownership import ops as ownership
from rasen.projects import ops as projects
from rasen.roots import disk, ops
from rasen.roots.select import Shape
from rasen.stores.refusals import InvalidStorePointer
from rasen.upkeep import legacy, older_places
from rasen.upkeep.refresh import Each, Request, refresh
from rasen.upkeep.refreshed import Report
from rasen.upkeep.sites import project_site

FOLDERS = ("specs", "changes", "changes/archive")
DEFAULT_SCHEMA = "spec-driven"
BUILT_IN_PROFILES = ("full", "core", "custom")

NOT_REGISTERED = Rule(
    "machine_home_not_registered",
    Level.WARNING,
    N_("the workspace is ready, but this machine could not register it: {problem}"),
    N_("run 'rasen init' again when that is settled"),
)

_POINTER_FIX = N_("correct or remove 'store:' in {file}, then run 'rasen init' again")
_HELP = """\

# What anyone who writes an artifact here should know; it reaches the agent as it stands.
# At most 50 KB.
#
# context: |
#   Payments are made in cents. Releases leave on Thursdays.
#   The public interface is described in docs/api.

# Short demands on one kind of artifact.
#
# rules:
#   proposal:
#     - Name the people who are affected.
#   tasks:
#     - No task longer than half a day.
"""


class InitPathNotDirectory(InvalidInput):
    code = "init_path_not_directory"
    text = N_("{path} is not a folder")
    fix = N_("name a folder, or one that does not exist yet")


class InitNotWritable(Refused):
    code = "init_not_writable"
    text = N_("{path} cannot be written")
    fix = N_("give yourself the right to write {path}")


class InitPointerDeclared(Refused):
    code = "init_store_pointer"
    text = N_("{file} says that this project plans in the store {store}")
    fix = N_("plan there, or remove 'store:' from {file} to plan here")


class InitInsideWorkspace(Refused):
    code = "init_inside_workspace"
    text = N_("{path} belongs to the workspace of {root}")
    fix = N_("work in {root}, or make a separate workspace with --force")


class ProfileUnknown(UsageError):
    code = "profile_unknown"
    text = N_("there is no profile named '{profile}'")
    fix = N_("use full, core or custom")


@dataclass(frozen=True)
class Plan:
    """What a person asked for. profile: to lock in the configuration; None leaves it open.

    is_forced: make a workspace even below another one. is_dry: only say what would be made.
    hosts: the agents to write skills for. teams: as in a request for skills.
    """

    path: Path
    profile: str | None = None
    is_forced: bool = False
    is_dry: bool = False
    hosts: tuple[Host, ...] = ()
    teams: bool | None = None


@dataclass(frozen=True)
class Outcome:
    """What `init` did. created: paths made, relative to the root, in order.

    config_is_new, identity_is_new: this run made them. home: None when the machine could not
    register the project; then `notices` says why. skills: None when no agent was named.
    """

    root: Path
    workspace: Path
    config: Path
    created: tuple[str, ...] = ()
    config_is_new: bool = False
    identity_is_new: bool = False
    project_id: str | None = None
    home: Path | None = None
    notices: tuple[Finding, ...] = ()
    skills: Report | None = None

    @property
    def is_failed(self) -> bool:
        """True when something that was wanted for an agent is not there."""
        return self.skills is not None and self.skills.is_failed


def prepare(ctx: Context, plan: Plan) -> Path:
    """Check that a workspace may be made, and give its canonical root; a missing folder is made.

    In a dry run it is not. Errors: init_path_not_directory, init_not_writable, init_store_pointer, invalid_store_pointer,
    init_inside_workspace, profile_unknown, busy, recovery_needed. Source: planning §8.4, 1 to 3.
    """
    if plan.path.exists() and not plan.path.is_dir():
        raise InitPathNotDirectory(path=plan.path)
    _check_profile(ctx, plan.profile)
    root = canonical(plan.path)
    _refuse_other_planning(ctx, plan, root)
    if not root.exists():
        if plan.is_dry:
            return root
        make_dirs(root)
        ctx.note(N_("made the folder {path}"), path=root)
    if not os.access(root, os.W_OK | os.X_OK):
        raise InitNotWritable(path=root)
    ops.heal(ctx, root / ctx.workspace)
    return root


def init(ctx: Context, plan: Plan, *, each: Each = tuple) -> Outcome:
    """Make the workspace, or what of it is missing, and the skills of the agents that are named.

    Of the workspace nothing that is there is changed, with one exception: a configuration without
    an identity is given one. Running it again does nothing. Folders and a new configuration are made
    all or none; registering on this machine comes after, and when it is refused that is only a
    warning; then come the skills, and what goes wrong for one agent is reported.
    each: as for `refresh`.
    Errors: those of `prepare`, of writing files, and of `refresh`. Source: planning §8.4, 9 to 12.
    """
    root = prepare(ctx, plan)
    if plan.hosts:
        ownership.ledger(project_site(ctx, root))  # a damaged one is told before anything is made
    copied = () if plan.is_dry else older_places.bring(ctx)
    notices = (*copied, *legacy.notices(ctx, root))
    outcome = replace(_made(ctx, plan, root), notices=notices)
    if not plan.is_dry:
        outcome = _registered(ctx, outcome)
    if not plan.hosts:
        return outcome
    lock = plan.profile if plan.is_dry else None
    request = Request(plan.hosts, is_dry=plan.is_dry, teams=plan.teams, lock=lock)
    return replace(outcome, skills=refresh(ctx, root, request, each=each))


def _registered(ctx: Context, outcome: Outcome) -> Outcome:
    try:
        home = projects.register(ctx, outcome.root)
    except ToolError as error:
        finding = Finding(NOT_REGISTERED, "project.registry", {"problem": error})
        return replace(outcome, notices=(*outcome.notices, finding))
    return replace(
        outcome,
        project_id=home.project_id,
        identity_is_new=outcome.config_is_new or home.is_minted,
        home=home.path,
    )


def fresh_config(project_id: str, *, profile: str | None = None) -> str:
    """The text of a new configuration. Source: planning §1.3, last paragraph."""
    lock = f"profile: {profile}\n" if profile else ""
    return f"schema: {DEFAULT_SCHEMA}\nprojectId: {project_id}\n{lock}{_HELP}"


def _made(ctx: Context, plan: Plan, root: Path) -> Outcome:
    workspace = root / ctx.workspace
    batch = Batch(workspace / ".journal", purpose="init", tell=ctx.tell)
    created = []
    for name in FOLDERS:
        if not (workspace / name).is_dir():
            batch.make_dir(workspace / name)
            created.append(workspace / name)
    file = disk.config_file(workspace)
    lock = plan.profile if plan.profile != "custom" else None
    project_id = None
    if file is None:
        target = workspace / disk.CONFIG_NAMES[0]
        project_id = "" if plan.is_dry else ctx.ids.uuid()
        batch.write(target, fresh_config(project_id, profile=lock).encode(), expect=ABSENT)
        created.append(target)
    elif lock is not None:
        _lock_profile(batch, file, lock)
    if plan.is_dry:
        project_id = None
    else:
        batch.commit()
    return Outcome(
        root,
        workspace,
        file or workspace / disk.CONFIG_NAMES[0],
        created=tuple(path.relative_to(root).as_posix() for path in created),
        config_is_new=file is None,
        identity_is_new=file is None and not plan.is_dry,
        project_id=project_id,
    )


def _lock_profile(batch: Batch, file: Path, profile: str) -> None:
    from rasen.files.atomic import digest, read_text
    from rasen.syntax import yaml

    text = read_text(file)
    locked = yaml.set_value(text, ("profile",), profile, file=str(file))
    if locked != text:
        batch.write(file, locked.encode(), expect=digest(text.encode()))


def _check_profile(ctx: Context, profile: str | None) -> None:
    if profile is None or profile in BUILT_IN_PROFILES:
        return
    saved = ctx.config_dir / "profiles" / f"{profile}.yaml"
    if not is_plain_name(profile) or not saved.is_file():
        raise ProfileUnknown(profile=profile)


def _refuse_other_planning(ctx: Context, plan: Plan, root: Path) -> None:
    """Refuse where a pointer, or a workspace further up, already says where this folder plans."""
    found = disk.nearest(root, ctx.workspace)
    if found is None:
        return
    if found.shape is Shape.CONFIG_ONLY:
        _refuse_pointer(config.store_declaration(found.path / ctx.workspace))
    is_own_repository = (root / ".git").exists()
    if found.path != root and not is_own_repository and not plan.is_forced:
        raise InitInsideWorkspace(path=root, root=found.path)


def _refuse_pointer(said: StoreDeclaration) -> None:
    if said.malformed is not None:
        raise InvalidStorePointer(
            target="store.pointer", fix=_POINTER_FIX, file=said.file, problem=said.malformed
        )
    if said.pointer is not None:
        store = said.pointer.id or said.pointer.uid
        raise InitPointerDeclared(target="store.pointer", file=said.file, store=store)
