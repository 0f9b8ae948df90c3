"""The session announced in the environment, and the planning root it stands for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.messages import N_, Phrase
from rasen.roots.model import SOURCE_NEAREST, SOURCE_STORE, Root

if TYPE_CHECKING:
    from rasen.roots.session_file import Session

_VARIABLE = "RASEN_SESSION_CONTEXT"


def announced(ctx: Context) -> Session | None:
    """The session this command runs in; None when none is announced (a blank value is none).

    Errors: session_context_broken. Source: planning §9.4.
    """
    named = ctx.env.get(_VARIABLE, "").strip()
    if not named:
        return None
    from rasen.files.atomic import read_text
    from rasen.roots.session_file import broken, parse

    path = Path(named)
    if not path.is_absolute():
        raise broken(named, Phrase(N_("the path is not absolute")))
    try:
        text = read_text(path)
    except ToolError as error:
        raise broken(named, error) from error
    session = parse(text, file=named, directory=path.parent.name)
    if not os.path.isdir(session.planning.root):  # noqa: PTH112 - it may be forbidden
        raise broken(named, Phrase(N_("its planning root is not a folder")))
    return session


def root_of(ctx: Context, session: Session) -> Root:
    """The planning root of `session`. Source: planning §9.5."""
    from rasen.files.paths import canonical
    from rasen.stores.health import workspace_of

    planning = session.planning
    root = canonical(planning.root)
    if not planning.is_store:
        return Root(root, SOURCE_NEAREST, ctx.workspace)
    return Root(root, SOURCE_STORE, workspace_of(root), planning.id or planning.uid)
