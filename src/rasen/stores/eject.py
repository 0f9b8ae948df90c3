"""Moving the planning of a project out of a store again, and back to where the project is.

The moves, the pointer and the record are one transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import Conflict, Refused
from rasen.base.findings import Finding, Level, Rule
from rasen.base.messages import N_
from rasen.config import declare
from rasen.config.model import StorePointer
from rasen.files.atomic import ABSENT, digest, digest_of
from rasen.files.batch import Batch
from rasen.projects import ops as projects
from rasen.stores import eject_find as find
from rasen.stores import membership, membership_file, ops, parcels, project, records
from rasen.stores.binding import means, pointer_to
from rasen.stores.commits import Commit, suggest
from rasen.stores.membership import Edit, Site, Written
from rasen.stores.membership_file import Membership, Roles
from rasen.stores.model import Checkout
from rasen.stores.parcels import ARCHIVE, CHANGES, KEPT_ARCHIVE, SPECS, Load, Measures, Parcel
from rasen.stores.project import Project
from rasen.stores.setup_recovery import settle

LEFT_BEHIND = Rule(
    "eject_missing_left_out",
    Level.WARNING,
    N_("{name} was adopted, but the store does not have it any more; it was left out"),
)


class EjectManifestMissing(Refused):
    code = "eject_manifest_missing"
    text = N_("the record of {project} does not say what it brought, so nothing is known to be its")
    fix = N_(
        "run 'rasen store migrate-membership {store}' if the store has an older list, or take"
        " everything with --all"
    )


class EjectManifestDrift(Conflict):
    code = "eject_manifest_drift"
    text = N_("the store does not have everything any more that {project} brought: {missing}")
    fix = N_("bring it back, or leave it out with --force")


class EjectAllNeedsConsent(Refused):
    code = "eject_all_confirmation_required"
    text = N_("--all takes everything that is planned in the store '{store}': {count} entries")
    fix = N_("say so with --yes")


class EjectCancelled(Refused):
    code = "eject_cancelled"
    text = N_("nothing was moved")


class EjectTargetExists(Conflict):
    code = "eject_target_exists"
    text = N_("{root} has these already, in this or another case: {names}")
    fix = N_("rename or remove them, then run the command again")


class Request(NamedTuple):
    """What a person asked for. into: None when not said. yes: consent to `all`."""

    project: str
    store: str
    into: str | None = None
    all: bool = False
    force: bool = False
    yes: bool = False


@dataclass(frozen=True)
class Plan:
    """What is going to move. missing: adopted names that are nowhere any more.

    is_finished: the project plans by itself already.
    """

    store: Checkout
    record: Membership
    project: Project
    pointer: StorePointer
    sites: tuple[Site, ...]
    load: Load
    missing: tuple[str, ...]
    is_all: bool
    is_finished: bool = False


@dataclass(frozen=True)
class Outcome:
    """What an ejection did."""

    plan: Plan
    written: Written

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning for each adopted name that was left out."""
        return tuple(
            Finding(LEFT_BEHIND, "store.membership", {"name": name}) for name in self.plan.missing
        )

    def to_json(self) -> dict[str, object]:
        """The members beside `status`."""
        plan = self.plan
        store: dict[str, object] = {"id": plan.store.id, "root": str(plan.store.path)}
        if plan.store.uid is not None:
            store["uid"] = plan.store.uid
        return {
            "ejection": {
                "project": {"root": str(plan.project.root), "project_id": plan.record.project_id},
                "store": store,
                "specs": list(plan.load.of(SPECS)),
                "changes": list(plan.load.of(CHANGES)),
                "archived": list(plan.load.of(ARCHIVE)),
                "missing": list(plan.missing),
                "all": plan.is_all,
                "record_removed": self.written.membership is None,
                "already_ejected": plan.is_finished,
            },
            "membership": self.written.to_json(),
        }


def eject(ctx: Context, request: Request) -> Outcome:
    """Move what a project brought out of a store. Its planning role ends, others stay.

    Errors: those of `plan` and `apply`. Source: planning §7.4.
    """
    return apply(ctx, plan(ctx, request))


def plan(ctx: Context, request: Request) -> Plan:
    """Everything that can be refused, refused; nothing is written.

    Errors: those of `stores.ops.resolve` and `project.at`; eject_project_unknown,
    eject_destination_required, eject_destination_mismatch, eject_manifest_missing,
    eject_manifest_drift, eject_target_exists, eject_all_confirmation_required.
    """
    settle(ctx)
    store = ops.resolve(ctx, request.store)
    project.settle(ctx, store.path / store.workspace)
    record = find.record(store, request.project) or find.former(ctx, store, request.project)
    root = find.destination(ctx, request.into, record.project_id)
    found = project.at(ctx, root)  # settles an interrupted run, which may bring the record back
    record = find.record(store, record.project_id) or record
    if _has_left(store, record, found) and not request.all:
        return Plan(store, record, found, pointer_to(store, None), (), Load(), (), False, True)
    load, missing = _owned(request, store, record, found)
    if missing and not request.force:
        names = ", ".join(missing)
        raise EjectManifestDrift(target="store.membership", project=_name(record), missing=names)
    if load.collisions:
        names = ", ".join(load.collisions)
        raise EjectTargetExists(target="openspec.root", root=root, names=names)
    if request.all and not request.yes:
        raise EjectAllNeedsConsent(
            target="store.membership", store=store.id, count=len(load.parcels)
        )
    return Plan(
        store=store,
        record=record,
        project=found,
        pointer=pointer_to(store, None),
        sites=(Site.of(store.path), Site.of(root)),
        load=load,
        missing=missing,
        is_all=request.all,
    )


def apply(ctx: Context, planned: Plan) -> Outcome:
    """Do what was planned, all or nothing, then tell the machine.

    Errors: membership_base_commit_moved, migration_verify_failed, file_changed, target_exists,
    store_project_record_unverified, store_registry_busy, project_registry_busy; busy.
    """
    store, root = planned.store, planned.project.root
    path = records.record_path(store.path, planned.record.project_id)
    wanted = _after(planned.record)
    if planned.is_finished:
        projects.register(ctx, root)
        return Outcome(planned, Written(planned.record.project_id, wanted))
    with membership.writing(ctx):
        membership.check_bases(planned.sites)
        _move(ctx, planned, path, wanted)
        membership.verify_record(path, wanted)
        projects.register(ctx, root)
    sent = [parcel.source for parcel in planned.load.parcels]
    arrived = [parcel.target for parcel in planned.load.parcels]
    written = Written(
        planned.record.project_id,
        wanted,
        (path, *sent),
        (planned.project.config_path, *arrived),
        commits=_commits(planned, path, sent, arrived),
    )
    return Outcome(planned, written)


def _has_left(store: Checkout, record: Membership, found: Project) -> bool:
    """Whether the project plans by itself and the store has nothing of it."""
    said = found.declaration.pointer
    is_bound = said is not None and means(said, pointer_to(store, None))
    return record.adoption is None and not is_bound and found.plans_itself


def _owned(
    request: Request, store: Checkout, record: Membership, found: Project
) -> tuple[Load, tuple[str, ...]]:
    """What moves, and the adopted names that are nowhere. Errors: eject_manifest_missing."""
    source, target = store.path / store.workspace, found.workspace_dir
    kept = parcels.pack(ARCHIVE, target / KEPT_ARCHIVE, target / "changes" / "archive")
    if request.all:
        everything = parcels.pack_workspace(source, target, target / "changes" / "archive")
        everything = Load(everything.parcels, everything.collisions)
        return everything.joined(kept), ()
    if record.adoption is None:
        raise EjectManifestMissing(target="store.membership", project=_name(record), store=store.id)
    moving: list[Parcel] = []
    collisions: list[str] = []
    missing: list[str] = []
    names = [(SPECS, name) for name in record.adoption.specs]
    names += [(CHANGES, name) for name in record.adoption.changes]
    for kind, name in names:
        parcel = _parcel(kind, name, source, target)
        if parcel is None:
            missing.append(f"{kind}/{name}")
        elif not parcel.source.exists():
            continue  # an earlier run has moved it
        elif _is_taken(parcel.target):
            collisions.append(f"{parcel.kind}/{parcel.name}")
        else:
            moving.append(parcel)
    return Load(tuple(moving), tuple(collisions)).joined(kept), tuple(missing)


def _parcel(kind: str, name: str, source: Path, target: Path) -> Parcel | None:
    """An adopted entry on its way back; a change may have been archived since. None: it is nowhere."""
    archive = source / "changes" / "archive"
    if kind == CHANGES and name.startswith("archive/"):
        kind, name = ARCHIVE, name.removeprefix("archive/")
    elif kind == CHANGES and not (source / "changes" / name).exists():
        dated = parcels.archived_as(archive, name)
        if dated is not None:
            kind, name = ARCHIVE, dated
    folder = Path("changes", "archive") if kind == ARCHIVE else Path(kind)
    parcel = Parcel(kind, name, source / folder / name, target / folder / name)
    return parcel if parcel.source.exists() or parcel.target.exists() else None


def _is_taken(path: Path) -> bool:
    if not path.parent.is_dir():
        return False
    return any(path.name.casefold() == entry.name.casefold() for entry in path.parent.iterdir())


def _after(record: Membership) -> Membership | None:
    """The record without the planning role; None when nothing is left to say."""
    if not record.roles.knowledge:
        return None
    return record._replace(roles=Roles(knowledge=True), adoption=None)


def _move(ctx: Context, planned: Plan, path: Path, wanted: Membership | None) -> None:
    """Move everything, take the pointer away and change the record, all or nothing."""
    workspace = planned.project.workspace_dir
    journal = workspace / ".journal"
    measures = Measures(planned.load.parcels, with_hash=False)
    edit = _edit(planned, stays=wanted is not None)
    batch = Batch(journal, purpose=f"ejection from {planned.store.id}", tell=ctx.tell)
    for folder in ("specs", "changes/archive"):
        batch.make_dir(workspace / folder)
    parcels.send(planned.load, batch)
    batch.write(edit.path, edit.after.encode(), expect=digest(edit.before.encode()))
    expect = digest_of(path)
    if wanted is None:
        batch.remove(path, expect=expect)
    elif expect != ABSENT:
        batch.write(path, membership_file.render(wanted).encode(), expect=expect)
    batch.commit()
    measures.check(journal, edit)


def _edit(planned: Plan, *, stays: bool) -> Edit:
    """The project's settings without the pointer to the store; the locator stays with the record."""
    edit = Edit.of(planned.project.workspace_dir)
    file, after = str(edit.path), edit.before
    said = planned.project.declaration.pointer
    if said is not None and means(said, planned.pointer):
        after = declare.without_store(after, file=file)
    if not stays:
        after = declare.without_membership(after, planned.pointer, file=file)
    return edit.to(after)


def _commits(
    planned: Plan, record: Path, sent: list[Path], arrived: list[Path]
) -> tuple[Commit, ...]:
    store, root = planned.store, planned.project.root
    out = [path for path in sent if path.is_relative_to(store.path)]
    within = [path for path in sent if path.is_relative_to(root)]
    return (
        *suggest(
            store.path, [record, *out], purpose=f"Eject the planning of {_name(planned.record)}"
        ),
        *suggest(
            root,
            [planned.project.config_path, *arrived, *within],
            purpose=f"Plan here again, no longer in {store.id}",
        ),
    )


def _name(record: Membership) -> str:
    return record.id or record.project_id
