"""Starting, showing and ending sessions, and finding the checkout of a frozen identity."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, Refused, ToolError
from rasen.base.messages import N_
from rasen.files.atomic import ABSENT, remove_file, replace_file
from rasen.files.errors import FileChanged
from rasen.files.paths import canonical, is_plain_name
from rasen.files.removal import remove_if_empty
from rasen.projects import ops as projects
from rasen.roots import disk, frozen, ops, session, session_file
from rasen.roots.model import Root
from rasen.roots.session_file import Execution, Planning, Session
from rasen.stores import checkouts, project
from rasen.stores import disk as stores_disk
from rasen.stores import ops as stores
from rasen.stores.model import Metadata

_FILE = "context.json"


class SessionIdInvalid(InvalidInput):
    code = "session_id_invalid"
    text = N_("'{id}' cannot be the id of a session")
    fix = N_("use letters, digits, '-', '_' and '.', or leave the id out")


class SessionExists(Refused):
    code = "session_exists"
    text = N_("there is a session '{id}' already: {file}")
    fix = N_("use another id, or run 'rasen session end {id}'")


class SessionNotFound(NotFound):
    code = "session_not_found"
    text = N_("there is no session '{id}' in {folder}")
    fix = N_("name a session that was started here: rasen session end <id>")


class SessionNotAnnounced(NotFound):
    code = "session_not_announced"
    text = N_("no session is announced, and none was named")
    fix = N_("name it: rasen session end <id>")


class SessionCheckoutRequired(NotFound):
    code = "session_checkout_required"
    text = N_("{place} lies in no project that a session could work in")
    fix = N_("go to the project's checkout, name it with --checkout, or pass --planning-only")


class SessionIdentityMissing(Refused):
    code = "session_identity_missing"
    text = N_("the project in {root} has no identity, so no session can be bound to it")
    fix = N_("run 'rasen init' there, or pass --planning-only")


class Started(NamedTuple):
    """A session and the file that says so."""

    session: Session
    path: Path

    def to_json(self) -> dict[str, object]:
        """The `session` member."""
        from rasen.syntax import json

        value = json.load(session_file.render(self.session), file="")
        assert isinstance(value, dict)
        del value["version"]
        return {"path": str(self.path), **value}


def start(
    ctx: Context,
    root: Root,
    *,
    checkout: str | None = None,
    is_planning_only: bool = False,
    session_id: str | None = None,
) -> Started:
    """Write the file of a new session that plans in `root` and works in one checkout, or in none.

    checkout: a folder in it; None means where we are. session_id: None means a fresh one.
    Errors: session_id_invalid, session_exists, session_checkout_required,
    session_identity_missing, those of writing files. Source: planning §9.4.
    """
    wanted = ctx.ids.uuid() if session_id is None else session_id
    path = _path(ctx, wanted)
    execution = None if is_planning_only else _execution(ctx, checkout)
    made = Session(wanted, _planning(ctx, root), execution)
    try:
        replace_file(path, session_file.render(made).encode(), expect=ABSENT)
    except FileChanged as error:
        raise SessionExists(target="session.context", id=wanted, file=path) from error
    return Started(made, path)


def current(ctx: Context) -> Started | None:
    """The announced session; None when none is announced. Errors: session_context_broken."""
    found = session.announced(ctx)
    return None if found is None else Started(found, _announced_path(ctx))


def permissions(ctx: Context, found: Started) -> dict[str, object]:
    """The `actionContext` of work in a session. Source: planning §9.3."""
    return ops.action_context(ctx, session.root_of(ctx, found.session), [])


def end(ctx: Context, session_id: str | None = None) -> str:
    """Remove the file of a session, broken or not; its id.

    session_id: None means the announced one. Only files in our own folder are removed.
    Errors: session_not_announced, session_id_invalid, session_not_found.
    """
    if session_id is None:
        if not ctx.env.get(session_file.VARIABLE, "").strip():
            raise SessionNotAnnounced(target="session.context")
        announced = _announced_path(ctx)
        session_id = announced.parent.name
        is_ours = canonical(announced) == canonical(_path(ctx, session_id))
    else:
        is_ours = True
    path = _path(ctx, session_id)
    if not is_ours or not os.path.lexists(path):
        folder = path.parent.parent
        raise SessionNotFound(target="session.context", id=session_id, folder=folder)
    remove_file(path)
    remove_if_empty(path.parent)
    return session_id


def check(
    ctx: Context, identity: str | None, *, selector: str | None = None
) -> frozen.Binding | None:
    """The checkout in which work of a frozen identity goes on; None when nothing is bound.

    selector: a project by name or identity; it only cross-checks.
    Errors: session_context_broken and those of `frozen.bind`. Source: planning §9.6.
    """
    return frozen.bind(
        identity,
        selected=None if selector is None else _selected(ctx, selector),
        session=_canonical(session.announced(ctx)),
        here=_here(ctx),
        registered=lambda: checkouts.live(ctx, identity or ""),
    )


def _path(ctx: Context, session_id: str) -> Path:
    is_sound = is_plain_name(session_id) and all(
        mark.isascii() and (mark.isalnum() or mark in "-_.") for mark in session_id
    )
    if not is_sound or session_id.startswith("."):
        raise SessionIdInvalid(target="session.context", id=session_id)
    return ctx.data_dir / "sessions" / session_id / _FILE


def _announced_path(ctx: Context) -> Path:
    return Path(ctx.env[session_file.VARIABLE].strip())


def _planning(ctx: Context, root: Root) -> Planning:
    metadata = _metadata(root.path)
    is_store = not root.is_project_namespace and (
        root.store_id is not None or stores.is_registered(ctx, root.path)
    )
    name = root.store_id or (metadata.id if is_store and metadata is not None else None)
    return Planning(
        root.path,
        is_store,
        id=name,
        uid=metadata.uid if is_store and metadata is not None else None,
        project_id=None if is_store else project.identity_of(root.path),
    )


def _metadata(root: Path) -> Metadata | None:
    try:
        return stores_disk.load_metadata(root)
    except ToolError:
        return None


def _execution(ctx: Context, checkout: str | None) -> Execution:
    place = canonical(ctx.cwd if checkout is None else ctx.cwd / checkout)
    found = disk.nearest(place, ctx.workspace)
    if found is None:
        raise SessionCheckoutRequired(target="session.context", place=place)
    project_id = project.identity_of(found.path)
    if project_id is None:
        raise SessionIdentityMissing(target="session.context", root=found.path)
    return Execution(project_id, found.path, projects.home_of(ctx, found.path))


def _selected(ctx: Context, selector: str) -> frozen.Selected:
    place = checkouts.named(ctx, selector)
    if place is None:
        return frozen.Selected(selector, None)
    return frozen.Selected(selector, project.identity_of(place), place)


def _here(ctx: Context) -> frozen.Located | None:
    found = disk.nearest(ctx.cwd, ctx.workspace)
    if found is None:
        return None
    return frozen.Located(found.path, project.identity_of(found.path))


def _canonical(announced: Session | None) -> Session | None:
    """The session with the real path of its checkout. Errors: session_context_broken."""
    if announced is None or announced.execution is None:
        return announced
    from dataclasses import replace

    execution = announced.execution
    return replace(announced, execution=replace(execution, root=canonical(execution.root)))
