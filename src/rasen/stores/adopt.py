"""Moving the planning of a project into a store, so that it can be taken up again at any point.

The record that says what the project brought is written first; then everything moves as one
transaction, together with the pointer; what arrived is compared with what was sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.clock import iso_millis
from rasen.base.context import Context
from rasen.base.errors import InvalidInput, Refused
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_, Sentences
from rasen.config import declare
from rasen.config.model import StorePointer
from rasen.files.atomic import digest
from rasen.files.batch import Batch
from rasen.projects import ops as projects
from rasen.stores import membership, ops, parcels, project, records
from rasen.stores.add_project import TargetNotFound, ToRequired, refuse_self
from rasen.stores.binding import means, pointer_to
from rasen.stores.commits import Commit, suggest
from rasen.stores.membership import Edit, Site, Written
from rasen.stores.membership_file import Adoption, Membership, Roles
from rasen.stores.model import Checkout
from rasen.stores.parcels import ARCHIVE, CHANGES, KEPT_ARCHIVE, SPECS, Load, Measures
from rasen.stores.place import place
from rasen.stores.project import Project
from rasen.stores.refusals import NoRegisteredStores, UnhealthyStoreRoot, UnknownStore
from rasen.stores.setup_recovery import settle

MOVE, LEAVE, EXTERNAL = "move", "leave", "external"

_E = Level.ERROR
STORE_UNHEALTHY = Rule("adopt_store_unhealthy", _E, N_("{problem}"), N_("repair the store first"))
NOTHING_PLANNED = Rule(
    "adopt_no_planning",
    _E,
    N_("{path} holds neither specs nor changes"),
    N_("use 'rasen store add-project' with --set-primary for a project that plans nowhere"),
)
POINTER_DECLARED = Rule(
    "adopt_pointer_declared",
    _E,
    N_("{file} names the store {store} already"),
    N_("remove 'store:' from {file}, or adopt into that store"),
)
NAME_COLLISION = Rule(
    "adopt_name_collision",
    _E,
    N_("{name} is taken in the store, in this or another case"),
    N_("rename one of the two"),
)
SCHEMAS_STAY = Rule(
    "adopt_schemas_stay",
    Level.WARNING,
    N_("the schemas in {path} stay in the project; changes in the store do not see them"),
    N_("copy those that are used into the planning folder of the store"),
)


class AdoptPrecheckFailed(Refused):
    """Everything that stands in the way, gathered; findings: one for each."""

    code = "adopt_precheck_failed"
    text = N_("{root} cannot be adopted: {problems}")
    fix = N_("remove what is listed, then run the command again; nothing was changed")

    def __init__(self, root: Path, findings: tuple[Finding, ...]) -> None:
        super().__init__(target="store.membership", root=root, problems=Sentences(findings))
        self.findings = findings


class AdoptArchiveInvalid(InvalidInput):
    code = "adopt_archive_invalid"
    text = N_("--archive is {value}; it may be move, leave or external")


class Request(NamedTuple):
    """What a person asked for. archive: where archived changes go, one of MOVE, LEAVE, EXTERNAL."""

    path: str = "."
    to: str | None = None
    archive: str = MOVE
    dry_run: bool = False
    verify_hash: bool = False


@dataclass(frozen=True)
class Plan:
    """What is going to move, and the state of the world that this rests on."""

    request: Request
    project: Project
    store: Checkout
    pointer: StorePointer
    sites: tuple[Site, ...]
    known: Membership | None
    load: Load
    archive: Path | None
    findings: tuple[Finding, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether an earlier run has moved everything."""
        said = self.project.declaration.pointer
        is_bound = said is not None and means(said, self.pointer)
        is_recorded = self.known is not None and self.known.roles.planning
        return is_bound and is_recorded and not self.project.plans_itself


@dataclass(frozen=True)
class Outcome:
    """What an adoption did, or would do."""

    plan: Plan
    written: Written
    is_dry_run: bool = False

    def to_json(self) -> dict[str, object]:
        """The members beside `status`."""
        plan = self.plan
        store: dict[str, object] = {"id": plan.store.id, "root": str(plan.store.path)}
        if plan.store.uid is not None:
            store["uid"] = plan.store.uid
        root = {"root": str(plan.project.root), "project_id": self.written.project_id}
        return {
            "adoption": {
                "project": root,
                "store": store,
                "specs": list(plan.load.of(SPECS)),
                "changes": list(plan.load.of(CHANGES)),
                "archived": list(plan.load.of(ARCHIVE)),
                "archive": {
                    "mode": plan.request.archive,
                    "path": None if plan.archive is None else str(plan.archive),
                },
                "verified": "sha256" if plan.request.verify_hash else "size",
                "already_adopted": plan.is_finished,
            },
            "membership": self.written.to_json(),
            "dry_run": self.is_dry_run,
        }


def adopt(ctx: Context, request: Request) -> Outcome:
    """Move the planning of a project into a store and bind it there. It never commits.

    Killed at any moment, running it again completes it.
    Errors: those of `plan` and `apply`. Source: planning §7.4.
    """
    planned = plan(ctx, request)
    return foreseen(planned) if request.dry_run else apply(ctx, planned)


def plan(ctx: Context, request: Request) -> Plan:
    """Everything that can be refused, refused; nothing is written.

    Errors: store_add_project_to_required, store_add_project_target_not_found,
    store_add_project_self_reference, adopt_archive_invalid, adopt_precheck_failed,
    store_remote_credentials, invalid_store_project_record; those of `project.at`.
    """
    if request.archive not in (MOVE, LEAVE, EXTERNAL):
        raise AdoptArchiveInvalid(value=request.archive)
    if request.to is None or not request.to.strip():
        raise ToRequired(target="store.id", fix=N_("run 'rasen store adopt --to <store>'"))
    settle(ctx)
    root = place(ctx, request.path)
    store = _store(ctx, request.to, root)
    project.settle(ctx, store.path / store.workspace)
    refuse_self(root, store)
    found = project.at(ctx, root)
    known = None
    if found.project_id is not None:
        known = records.load(records.record_path(store.path, found.project_id))
    pointer = pointer_to(store, membership.shared_remote(store.path, store.remote))
    archive = _archive(ctx, request.archive, found, store)
    unnamed = ctx.data_dir / "projects" / "-" / "archive"  # until it has a home of its own
    load = _load(found, store, archive or unnamed)
    planned = Plan(
        request=request,
        project=found,
        store=store,
        pointer=pointer,
        sites=(Site.of(store.path), Site.of(root)),
        known=known,
        load=load,
        archive=archive,
        findings=tuple(_warnings(found)),
    )
    problems = tuple(_problems(planned))
    if problems:
        raise AdoptPrecheckFailed(root, problems)
    return planned


def foreseen(planned: Plan) -> Outcome:
    """What `apply` would do; nothing is written."""
    project_id = planned.project.project_id
    if planned.is_finished:
        return Outcome(planned, Written(project_id, planned.known), is_dry_run=True)
    folder = planned.store.path / records.RECORDS
    record = folder / f"{project_id}.yaml" if project_id else folder
    into_store = [p.target for p in planned.load.parcels if _is_in(p.target, planned.store.path)]
    sent = [parcel.source for parcel in planned.load.parcels]
    written = Written(
        project_id,
        _wanted(planned, planned.known, project_id or "", ""),
        (record, *into_store),
        (planned.project.config_path, *sent),
    )
    return Outcome(planned, written, is_dry_run=True)


def apply(ctx: Context, planned: Plan) -> Outcome:
    """Do what was planned: the record, the move with the pointer, the machine.

    Errors: membership_base_commit_moved, migration_verify_failed, file_changed, target_exists,
    store_project_record_unverified, store_registry_busy, project_registry_busy; busy.
    """
    root = planned.project.root
    with membership.writing(ctx):
        membership.check_bases(planned.sites)
        home = projects.register(ctx, root)
        project_id = home.project_id.strip().lower()
        if planned.is_finished:
            return Outcome(planned, Written(project_id, planned.known))
        path = records.record_path(planned.store.path, project_id)
        known = planned.known if planned.project.project_id else records.load(path)
        now = iso_millis(ctx.clock.now())
        wanted = _wanted(planned, known, project_id, now)
        load = planned.load
        if planned.request.archive == EXTERNAL and planned.archive is None:
            load = _load(planned.project, planned.store, home.path / "archive")
        stores = (
            [path]
            if membership.write_record(path, wanted, known=known, journal=planned.store.journal)
            else []
        )
        _move(ctx, planned, load)
        projects.register(ctx, root)  # its mode follows from its shape
    sent = [parcel.source for parcel in load.parcels]
    arrived = [p.target for p in load.parcels]
    written = Written(
        project_id,
        wanted,
        (*stores, *(place for place in arrived if _is_in(place, planned.store.path))),
        (planned.project.config_path, *sent),
        commits=_commits(planned, path, arrived, [*sent, *load.keepers]),
    )
    return Outcome(planned, written)


def _store(ctx: Context, to: str, root: Path) -> Checkout:
    try:
        return ops.resolve(ctx, to)
    except (UnknownStore, NoRegisteredStores) as error:
        raise TargetNotFound(target="store.id", problem=error) from error
    except UnhealthyStoreRoot as error:
        finding = Finding(STORE_UNHEALTHY, "store.root", {"problem": error})
        raise AdoptPrecheckFailed(root, (finding,)) from error


def _archive(ctx: Context, mode: str, found: Project, store: Checkout) -> Path | None:
    """Where archived changes go; None for a home that is not there yet."""
    if mode == MOVE:
        return store.path / store.workspace / "changes" / "archive"
    if mode == LEAVE:
        return found.workspace_dir / KEPT_ARCHIVE
    return projects.archive_dir_external(ctx, found.root)


def _load(found: Project, store: Checkout, archive: Path) -> Load:
    return parcels.pack_workspace(found.workspace_dir, store.path / store.workspace, archive)


def _problems(planned: Plan) -> list[Finding]:
    found, problems = planned.project, []
    said = found.declaration.pointer
    is_ours = said is not None and means(said, planned.pointer)
    if said is not None and not is_ours:
        params = {"file": found.config_path, "store": said.id or said.uid}
        problems.append(Finding(POINTER_DECLARED, "store.pointer", params))
    if not found.plans_itself and said is None:
        params = {"path": found.workspace_dir}
        problems.append(Finding(NOTHING_PLANNED, "openspec.root", params))
    for name in planned.load.collisions:
        problems.append(Finding(NAME_COLLISION, "store.root", {"name": name}))
    return problems


def _warnings(found: Project) -> list[Finding]:
    folder = found.workspace_dir / "schemas"
    if not folder.is_dir() or not any(folder.iterdir()):
        return []
    return [Finding(SCHEMAS_STAY, "openspec.root", {"path": folder})]


def _wanted(planned: Plan, known: Membership | None, project_id: str, now: str) -> Membership:
    """The record with the planning role, and with everything that this and earlier runs brought."""
    fresh = Membership(
        project_id,
        Roles(planning=True),
        id=planned.project.alias(None),
        remote=membership.shared_remote(planned.project.root),
    )
    former = known.adoption if known is not None else None
    load = planned.load
    brought = load.change_names if planned.request.archive == MOVE else load.of(CHANGES)
    specs = {*load.of(SPECS), *(former.specs if former else ())}
    changes = {*brought, *(former.changes if former else ())}
    adopted_at = former.adopted_at if former else now
    adoption = Adoption(tuple(sorted(specs)), tuple(sorted(changes)), adopted_at)
    return membership.joined(known, fresh)._replace(adoption=adoption)


def _move(ctx: Context, planned: Plan, load: Load) -> None:
    """Move everything and write the pointer, all or nothing."""
    journal = planned.project.workspace_dir / ".journal"
    measures = Measures(load.parcels, with_hash=planned.request.verify_hash)
    edit = Edit.of(planned.project.workspace_dir)
    file, after = str(edit.path), edit.before
    if planned.pointer.uid is not None:
        after = declare.with_membership(after, planned.pointer, file=file)
    after = declare.with_store(after, planned.pointer, file=file)
    batch = Batch(journal, purpose=f"adoption into {planned.store.id}", tell=ctx.tell)
    parcels.send(load, batch)
    batch.write(edit.path, after.encode(), expect=digest(edit.before.encode()))
    batch.commit()
    measures.check(journal, edit)


def _commits(
    planned: Plan, record: Path, arrived: list[Path], gone: list[Path]
) -> tuple[Commit, ...]:
    store, root = planned.store, planned.project.root
    name = planned.project.alias(None)
    kept = [path for path in arrived if _is_in(path, root)]
    return (
        *suggest(
            store.path,
            [record, *(path for path in arrived if _is_in(path, store.path))],
            purpose=f"Adopt the planning of {name}",
        ),
        *suggest(
            root,
            [planned.project.config_path, *gone, *kept],
            purpose=f"Plan in the store {store.id}",
        ),
    )


def _is_in(path: Path, root: Path) -> bool:
    return path.is_relative_to(root)
