"""Making a project a member of a store: registration, record, reference, locator, in this order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, Refused, ToolError
from rasen.base.findings import Finding
from rasen.base.messages import N_
from rasen.config import declare
from rasen.config.model import Reference, StorePointer
from rasen.files.paths import canonical
from rasen.projects import ops as projects
from rasen.stores import disk, membership, ops, project, records, store_file
from rasen.stores.binding import Ask, Binding, decide, pointer_to
from rasen.stores.commits import quoted, suggest
from rasen.stores.enrol import Enrolment, enrol, path_is_there
from rasen.stores.membership import Edit, Site, Written
from rasen.stores.membership_file import Membership, Roles
from rasen.stores.model import PROJECT, Checkout, Metadata, Registration, Registry
from rasen.stores.place import observed_remote, place
from rasen.stores.project import Project
from rasen.stores.refusals import NoRegisteredStores, UnknownStore
from rasen.stores.registry_change import change
from rasen.stores.setup_recovery import settle


class ToRequired(InvalidInput):
    code = "store_add_project_to_required"
    text = N_("which store is the project to join?")
    fix = N_("run 'rasen store add-project <path> --to <store>'")


class PathRequired(InvalidInput):
    code = "store_add_project_path_required"
    text = N_("which project is to join?")
    fix = N_("run 'rasen store add-project <path> --to <store>'")


class TargetNotFound(NotFound):
    code = "store_add_project_target_not_found"
    text = N_("the store cannot be found: {problem}")
    fix = N_("run 'rasen store list', or register a checkout with 'rasen store register <path>'")


class SelfReference(Refused):
    code = "store_add_project_self_reference"
    text = N_("{root} is a checkout of the store '{id}' itself")
    fix = N_("name the folder of a project")


class Request(NamedTuple):
    """What a person asked for; None when not said.

    project: a registered project, by name or identity; then `path` may name the store instead.
    rebind_from: the store that the project may be taken from.
    """

    path: str | None = None
    to: str | None = None
    alias: str | None = None
    project: str | None = None
    set_primary: bool = False
    rebind_from: str | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class Plan:
    """What is going to happen, and the state of the world that it rests on."""

    project: Project
    alias: str
    store: Checkout
    pointer: StorePointer
    sites: tuple[Site, ...]
    known: Membership | None
    is_registered: bool
    store_edit: Edit
    binding: Binding
    findings: tuple[Finding, ...] = ()

    @property
    def store_label(self) -> str:
        return self.pointer.uid or self.store.id


@dataclass(frozen=True)
class Outcome:
    """What adding a project did, or would do."""

    plan: Plan
    written: Written
    is_metadata_created: bool
    is_reference_added: bool
    is_dry_run: bool
    findings: tuple[Finding, ...]

    def to_json(self) -> dict[str, object]:
        """The members beside `status`. Source: planning §7.4."""
        plan = self.plan
        return {
            "project": {
                "id": plan.alias,
                "root": str(plan.project.root),
                "metadata_created": self.is_metadata_created,
                "already_registered": plan.is_registered,
            },
            "target": {
                "id": plan.store.id,
                "root": str(plan.store.path),
                "reference_added": self.is_reference_added,
            },
            "membership": self.written.to_json(),
            "planning_binding": plan.binding.to_json(),
            "dry_run": self.is_dry_run,
        }


def add_project(ctx: Context, request: Request) -> Outcome:
    """Make a project a member of a store. It never commits, and takes no role away.

    Errors: those of `plan` and `apply`. Source: planning §7.4, §7.10.
    """
    planned = plan(ctx, request)
    return foreseen(planned) if request.dry_run else apply(ctx, planned)


def plan(ctx: Context, request: Request) -> Plan:
    """Everything that can be refused, refused; nothing is written.

    Errors: store_add_project_to_required, store_add_project_path_required,
    store_add_project_target_not_found, store_add_project_self_reference, store_id_conflict,
    store_path_conflict, store_remote_credentials, invalid_store_project_record,
    store_project_record_key_mismatch; those of `stores.ops.resolve` and `project.at`.
    """
    settle(ctx)
    path, to = _said(ctx, request)
    store = _target(ctx, to)
    project.settle(ctx, store.path / store.workspace)
    root = place(ctx, path)
    refuse_self(root, store)
    found = project.at(ctx, root)
    alias = found.alias(request.alias)
    row = Registration(alias, str(root), PROJECT, remote=observed_remote(root))
    enrolment = enrol(ops.registry(ctx), row, exists=path_is_there)
    known = None
    if found.project_id is not None:
        known = records.load(records.record_path(store.path, found.project_id))
    pointer = pointer_to(store, membership.shared_remote(store.path, store.remote))
    store_edit = Edit.of(store.path / store.workspace)
    after = declare.with_reference(
        store_edit.before, Reference(alias, PROJECT), file=str(store_edit.path)
    )
    ask = Ask(request.set_primary, request.rebind_from, quoted(str(root)))
    binding = decide(found.declaration.pointer, pointer, ask, plans_itself=found.plans_itself)
    refusal = binding.refusal(alias)
    return Plan(
        project=found,
        alias=alias,
        store=store,
        pointer=pointer,
        sites=(Site.of(store.path), Site.of(root)),
        known=known,
        is_registered=enrolment.is_known,
        store_edit=store_edit.to(after),
        binding=binding,
        findings=(*_legacy(store), *(() if refusal is None else (refusal,))),
    )


def foreseen(planned: Plan) -> Outcome:
    """What `apply` would do; nothing is written."""
    project_id = planned.project.project_id
    wanted = _wanted(planned, project_id or "")
    stores, of_project = _store_files(planned, project_id), []
    touched = []
    if wanted != planned.known:
        touched.append(stores[0])
    if planned.store_edit.is_needed:
        touched.append(planned.store_edit.path)
    if planned.project.metadata is None:
        of_project.append(planned.project.root / disk.METADATA)
    edit = _project_edit(planned)
    if project_id is None or edit.is_needed:
        of_project.append(edit.path)
    written = Written(project_id, wanted, tuple(touched), tuple(of_project))
    return _outcome(planned, written, is_dry_run=True)


def apply(ctx: Context, planned: Plan) -> Outcome:
    """Do what was planned: the machine, the store, the project.

    A locator that cannot be written leaves the record standing and is told.
    Errors: membership_base_commit_moved, store_registry_busy, file_changed,
    store_project_record_unverified, project_identity_not_written, and those of writing files.
    """
    with membership.writing(ctx):
        membership.check_bases(planned.sites)
        _register(ctx, planned)
        project_id = projects.register(ctx, planned.project.root).project_id.strip().lower()
        path = records.record_path(planned.store.path, project_id)
        known = planned.known if planned.project.project_id else records.load(path)
        wanted = membership.joined(known, _fresh(planned, project_id))
        stores = (
            [path]
            if membership.write_record(path, wanted, known=known, journal=planned.store.journal)
            else []
        )
        if membership.write_edit(planned.store_edit):
            stores.append(planned.store_edit.path)
        of_project, problem = _write_locator(planned)
    written = Written(
        project_id,
        wanted,
        tuple(stores),
        tuple(of_project),
        is_repair_needed=problem is not None,
        commits=(
            *suggest(
                planned.store.path,
                _store_files(planned, project_id),
                purpose=f"Record {planned.alias} as a member",
            ),
            *suggest(
                planned.project.root,
                (planned.project.config_path, planned.project.root / disk.METADATA),
                purpose=f"Join the store {planned.store.id}",
            ),
        ),
    )
    return _outcome(planned, written, problem)


def refuse_self(root: Path, store: Checkout) -> None:
    """Refuse a folder that is this or another checkout of the store.

    Errors: store_add_project_self_reference.
    """
    try:
        said = disk.load_metadata(canonical(root))
    except ToolError:
        said = None
    is_twin = said is not None and said.uid is not None and said.uid == store.uid
    if root == store.path or is_twin:
        raise SelfReference(target="store.root", root=root, id=store.id)


def _said(ctx: Context, request: Request) -> tuple[str, str]:
    """The path and the store, from either spelling of the call."""
    if request.project is not None:
        to = request.to if request.to is not None else request.path
        if to is None:
            raise ToRequired(target="store.id")
        return str(_registered(ctx, request.project)), to
    if request.to is None or not request.to.strip():
        raise ToRequired(target="store.id")
    if request.path is None or not request.path.strip():
        raise PathRequired(target="store.root")
    return request.path, request.to


def _registered(ctx: Context, wanted: str) -> Path:
    """The checkout of a registered project, by its identity or its name.

    Errors: those of `stores.ops.resolve`, store_add_project_path_required.
    """
    from rasen.stores.checkouts import live

    places = live(ctx, wanted)
    if len(places) == 1:
        return places[0]
    if places:
        raise PathRequired(target="store.root")
    return ops.resolve(ctx, wanted, namespace=PROJECT).path


def _target(ctx: Context, to: str) -> Checkout:
    try:
        return ops.resolve(ctx, to)
    except (UnknownStore, NoRegisteredStores) as error:
        raise TargetNotFound(target="store.id", problem=error) from error


def _legacy(store: Checkout) -> tuple[Finding, ...]:
    if store.uid is not None:
        return ()
    from rasen.stores.inspect import METADATA_LEGACY

    params = {"file": disk.metadata_path(store.path), "id": store.id}
    return (Finding(METADATA_LEGACY, "store.metadata", params),)


def _register(ctx: Context, planned: Plan) -> None:
    """Register the project in its namespace, together with metadata when it has none."""
    root = planned.project.root
    row = Registration(planned.alias, str(root), PROJECT, remote=observed_remote(root))
    put: list[Enrolment] = []

    def edit(known: Registry) -> Registry:
        put.append(enrol(known, row, exists=path_is_there))
        return put[-1].registry

    files = {}
    if planned.project.metadata is None:
        text = store_file.render(Metadata(planned.alias))
        files = {root / disk.METADATA: text.encode()}
    change(ctx, edit, files=files)


def _fresh(planned: Plan, project_id: str) -> Membership:
    return Membership(
        project_id,
        Roles(planning=planned.binding.plans_here, knowledge=True),
        id=planned.alias,
        remote=membership.shared_remote(planned.project.root),
    )


def _wanted(planned: Plan, project_id: str) -> Membership:
    return membership.joined(planned.known, _fresh(planned, project_id))


def _store_files(planned: Plan, project_id: str | None) -> list[Path]:
    """The record and the settings of the store; the folder of records before there is an identity."""
    folder = planned.store.path / records.RECORDS
    record = folder / f"{project_id}.yaml" if project_id else folder
    return [record, planned.store_edit.path]


def _project_edit(planned: Plan) -> Edit:
    edit = Edit.of(planned.project.workspace_dir)
    file, after = str(edit.path), edit.before
    if planned.pointer.uid is not None:
        after = declare.with_membership(after, planned.pointer, file=file)
    if planned.binding.becomes is not None:
        after = declare.with_store(after, planned.binding.becomes, file=file)
    return edit.to(after)


def _write_locator(planned: Plan) -> tuple[list[Path], Finding | None]:
    """The files of the project that this run wrote, and what kept it from finishing."""
    root, config_path = planned.project.root, planned.project.config_path
    done = [root / disk.METADATA] if planned.project.metadata is None else []
    is_minted = planned.project.project_id is None
    try:
        is_edited = membership.write_edit(_project_edit(planned))
    except ToolError as error:
        command = f"rasen store add-project {quoted(str(root))} --to {planned.store_label}"
        if planned.binding.is_requested:
            command += " --set-primary"
        return [*done, *([config_path] if is_minted else [])], membership.unwritten(
            config_path, error, command
        )
    if is_edited or is_minted:
        done.append(config_path)
    return done, None


def _outcome(
    planned: Plan, written: Written, problem: Finding | None = None, *, is_dry_run: bool = False
) -> Outcome:
    if problem is not None and planned.binding.becomes is not None:
        planned = replace(planned, binding=planned.binding._replace(becomes=None))
    return Outcome(
        planned,
        written,
        is_metadata_created=planned.project.metadata is None,
        is_reference_added=planned.store_edit.is_needed,
        is_dry_run=is_dry_run,
        findings=(*planned.findings, *(() if problem is None else (problem,))),
    )
