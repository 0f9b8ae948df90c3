"""Pickers over the changes and specs of a root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rasen.base.messages import N_
from rasen.planning import ops
from rasen.planning.items import CHANGE, SPEC, Item

if TYPE_CHECKING:
    from rasen.roots.model import Root
    from rasen.surfaces.cli.run import App

KINDS = {CHANGE: N_("a change"), SPEC: N_("a spec")}


def one(app: App, root: Root, question: str, *, rerun: str) -> Item | None:
    """The change or spec that the person picks; None when declined or when there is none.

    question: a template.
    """
    changes, specs = ops.item_names(root)
    names = {kind: found for kind, found in ((CHANGE, changes), (SPEC, specs)) if found}
    if not names:
        return None
    kind: str | None = next(iter(names))
    if len(names) > 1:
        kind = app.choose(question, [(one, app.t(KINDS[one])) for one in names], rerun=rerun)
    if kind is None:
        return None
    name = app.choose(N_("Which one?"), names[kind], rerun=rerun)
    return None if name is None else Item(kind, name)
