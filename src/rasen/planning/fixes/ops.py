"""Mend what `validate` finds: which findings have a remedy, what it changes, and doing it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.files.atomic import ABSENT
from rasen.planning.fixes import disk
from rasen.planning.fixes.codes import FIXABLE
from rasen.planning.fixes.diffs import step_diff
from rasen.planning.fixes.draft import Draft, Source, key_of, with_specs
from rasen.planning.fixes.mend import Step, is_mendable, mend
from rasen.planning.fixes.model import Change, Fix, Mending
from rasen.planning.items import CHANGE, SPEC, Item
from rasen.planning.load import Reader
from rasen.roots.model import Root

MOST_TRIED = 40
"""How many findings of one item a mere look tries; the others carry no mark."""


def prepare(ctx: Context, root: Root, items: Iterable[Item]) -> Mending:
    """Every remedy that holds for `items`, and the files that result; nothing is written.

    Specs come first, so that changes are judged against mended ones. An item that cannot be read
    has no remedy; `validate` tells why.
    """
    reader = Reader(ctx, root)
    wanted = sorted(items, key=lambda item: (item.kind != SPEC, item.id))
    reader.prepare(item.id for item in wanted if item.kind == CHANGE)
    fixes: list[Fix] = []
    changes: list[Change] = []
    specs: dict[Path, str] = {}
    for item in wanted:
        try:
            draft, sources = _draft(reader, item, specs)
            steps = mend(draft)
        except ToolError:
            continue
        fixes += [Fix(item, step.finding, step_diff(step, root.path)) for step in steps]
        written = _changes(steps, sources)
        changes += written
        if item.kind == SPEC:
            specs |= {one.path: one.data.decode() for one in written if one.data is not None}
    return Mending(tuple(fixes), tuple(changes))


def apply(ctx: Context, root: Root, mending: Mending) -> None:
    """Write all of `mending`, or nothing when a file is no longer what it was planned from.

    Errors: file_changed, target_exists, file_*, disk_full, busy.
    """
    disk.write(ctx, root, mending.changes, purpose="validate --fix")


def fixable(reader: Reader, item: Item, findings: Sequence[Finding]) -> frozenset[int]:
    """The positions of those `findings` that a remedy would mend, each taken for itself.

    Of very many, only the first MOST_TRIED are tried.
    """
    wanted = [at for at, one in enumerate(findings) if one.code in FIXABLE][:MOST_TRIED]
    if not wanted:
        return frozenset()
    try:
        draft, _ = _draft(reader, item, {})
        own = {(key_of(one), one.line): one for one in draft.findings}
        pairs = [(at, own.get((key_of(findings[at]), findings[at].line))) for at in wanted]
        return frozenset(at for at, one in pairs if one is not None and is_mendable(draft, one))
    except ToolError:
        return frozenset()


def _draft(reader: Reader, item: Item, specs: dict[Path, str]) -> tuple[Draft, Sequence[Source]]:
    if item.kind == SPEC:
        spec, source = disk.spec_draft(reader.root, item.id)
        return spec, [source]
    change, sources = disk.change_draft(reader, item.id)
    return replace(change, loaded=with_specs(change.loaded, specs)), sources


def _changes(steps: list[Step], sources: Sequence[Source]) -> list[Change]:
    """The files that differ after `steps`; what is new comes before what goes."""
    known = {one.path: one for one in sources}
    texts = steps[-1].after.texts if steps else {}
    found = []
    for path, text in texts.items():
        source = known.get(path)
        if text is not None and (source is None or source.text != text):
            expect = ABSENT if source is None else source.digest
            found.append(Change(path, text.encode("utf-8"), expect))
    gone = [path for path, text in texts.items() if text is None]
    return [*found, *(Change(path, None, known[path].digest) for path in gone)]
