"""Which change or spec a name means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rasen.base.errors import InvalidInput, NotFound
from rasen.base.messages import N_, NONE
from rasen.base.text import nearest

CHANGE, SPEC, PIPELINE = "change", "spec", "pipeline"
SUGGESTIONS = 5


class UnknownItem(NotFound):
    """Neither a change nor a spec has that name."""

    code = "unknown_item"
    text = N_('nothing is called "{item}"; nearest: {nearest}')
    fix = N_("run `rasen list{selector}` or `rasen list --specs{selector}` to see what there is")


class AmbiguousItem(InvalidInput):
    """A change and a spec share the name."""

    code = "ambiguous_item"
    text = N_('"{item}" is a change and a spec')
    fix = N_("add --type change or --type spec")


class Item(NamedTuple):
    """A change, a spec or a pipeline by name. kind: CHANGE, SPEC or PIPELINE."""

    kind: str
    id: str


def resolve(
    wanted: str,
    kind: str | None,
    changes: Sequence[str],
    specs: Sequence[str],
    *,
    selector: str = "",
    pipelines: Sequence[str] = (),
) -> Item:
    """The item that `wanted` means; `kind` decides between a change and a spec of one name.

    selector: words that hints put behind a call. pipelines: names that count when no change and no
    spec has the name. An unknown `kind` counts as none.
    Errors: unknown_item, ambiguous_item. Source: planning §4.1.
    """
    kind = kind.lower() if kind and kind.lower() in (CHANGE, SPEC, PIPELINE) else None
    changes = changes if kind in (None, CHANGE) else ()
    specs = specs if kind in (None, SPEC) else ()
    is_change, is_spec = wanted in changes, wanted in specs
    if is_change and is_spec:
        raise AmbiguousItem(item=wanted)
    if is_change or is_spec:
        return Item(CHANGE if is_change else SPEC, wanted)
    pipelines = pipelines if kind in (None, PIPELINE) else ()
    if wanted in pipelines:
        return Item(PIPELINE, wanted)
    offered = [*changes, *specs, *(pipelines if kind == PIPELINE else ())]
    close = ", ".join(nearest(wanted, offered, most=SUGGESTIONS)) or NONE
    raise UnknownItem(item=wanted, nearest=close, selector=selector)
