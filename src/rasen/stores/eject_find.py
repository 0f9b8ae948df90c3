"""Which member leaves a store, and which of its checkouts takes its planning."""

from __future__ import annotations

from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import NotFound, Refused, ToolError
from rasen.base.messages import N_, NONE
from rasen.stores import checkouts, health, membership_file, project, records
from rasen.stores.membership_file import Membership
from rasen.stores.model import Checkout
from rasen.stores.place import place


class EjectProjectUnknown(NotFound):
    code = "eject_project_unknown"
    text = N_("the store '{store}' has no record of a project '{project}'")
    fix = N_("its members are: {members}")


class EjectDestinationRequired(Refused):
    code = "eject_destination_required"
    text = N_("it is not clear which checkout of {project} is meant; there are: {candidates}")
    fix = N_("name one with --into <path>")


class EjectDestinationMismatch(Refused):
    code = "eject_destination_mismatch"
    text = N_("{root} is not a checkout of {project}: its identity is {found}")
    fix = N_("name a checkout with the identity {project}")


def record(store: Checkout, wanted: str) -> Membership | None:
    """The record of a member, by its identity or its name; None when there is not exactly one.

    Errors: invalid_store_project_record, store_project_record_key_mismatch.
    """
    if membership_file.is_recordable(wanted):
        direct = records.load(records.record_path(store.path, wanted))
        if direct is not None:
            return direct
    named = [member for member in _readable(store) if member.id == wanted]
    return named[0] if len(named) == 1 else None


def former(ctx: Context, store: Checkout, wanted: str) -> Membership:
    """What stands for the record of a project that has none (any more), but is known here.

    Errors: eject_project_unknown.
    """
    place_of = checkouts.named(ctx, wanted)
    identity = wanted if checkouts.live(ctx, wanted) else None
    if identity is None and place_of is not None:
        identity = project.identity_of(place_of)
    if identity is not None and membership_file.is_recordable(identity):
        return Membership(membership_file.normal_project_id(identity))
    known = [f"{member.id or '-'} ({member.project_id})" for member in _readable(store)]
    raise EjectProjectUnknown(
        target="store.membership", store=store.id, project=wanted, members=", ".join(known) or NONE
    )


def destination(ctx: Context, into: str | None, project_id: str) -> Path:
    """Where the planning goes: as said, else here, else the one live checkout.

    Errors: eject_destination_required, eject_destination_mismatch.
    """
    if into is not None:
        root = place(ctx, into)
        found = project.identity_of(root) if root.is_dir() else None
        if found != project_id:
            raise EjectDestinationMismatch(
                target="openspec.root", root=root, project=project_id, found=found or "-"
            )
        return root
    for folder in (ctx.cwd, *ctx.cwd.parents):
        if (folder / health.workspace_of(folder)).is_dir():
            if project.identity_of(folder) == project_id:
                return folder
            break
    places = checkouts.live(ctx, project_id)
    if len(places) == 1:
        return places[0]
    candidates = ", ".join(str(path) for path in places) or NONE
    raise EjectDestinationRequired(
        target="openspec.root", project=project_id, candidates=candidates
    )


def _readable(store: Checkout) -> list[Membership]:
    """The members whose record can be read: a broken one of another project is no obstacle."""
    folder = store.path / records.RECORDS
    found = []
    for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else []:
        try:
            member = records.load(path)
        except ToolError:
            continue
        if member is not None:
            found.append(member)
    return found
