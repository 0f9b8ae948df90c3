"""What can be asked of a workspace: list, show, validate, view, and the tasks of a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rasen.base.context import Context
from rasen.base.errors import InvalidInput, NotFound, ToolError
from rasen.base.messages import N_
from rasen.planning import disk
from rasen.planning.items import CHANGE, SPEC, Item, UnknownItem, resolve
from rasen.roots.model import Root

# What only some of the questions need is imported by their functions: a list starts without the
# merge, and a merge without the lists.
if TYPE_CHECKING:
    from pathlib import Path

    from rasen.base.findings import Finding
    from rasen.planning.change_plan import ChangePlan
    from rasen.planning.changes.delta_file import Delta
    from rasen.planning.listing import ChangeRow, SpecRow
    from rasen.planning.overview import Overview
    from rasen.planning.showing import SpecFilter
    from rasen.planning.validation import Validation


PROPOSAL = "proposal.md"
Track = Callable[[Sequence[Item]], Iterable[Item]]


class ProposalMissing(NotFound):
    """A change without the file that `show` is about."""

    code = "show_error"
    text = N_('change "{change}" has no proposal: {file} does not exist')
    fix = N_("run `rasen instructions proposal --change {change}{selector}` to write it")


class ProposalIncomplete(InvalidInput):
    """A proposal that lacks a part."""

    code = "show_error"
    text = N_("{file}: {problem}")
    fix = N_("run `rasen instructions proposal --change {change}{selector}` for its form")


class SpecIncomplete(InvalidInput):
    """A spec that lacks a part."""

    code = "show_error"
    text = N_("{file}: {problem}")
    fix = N_("run `rasen validate {spec} --type spec{selector}` for all findings")


def list_changes(ctx: Context, root: Root, *, by_name: bool = False) -> list[ChangeRow]:
    """The open changes, newest first, or by name. Source: planning §4.3."""
    from rasen.planning import listing

    rows = listing.change_rows(ctx, root)
    if not by_name:
        rows.sort(key=lambda row: row.modified, reverse=True)
    return rows


def misplaced_changes(root: Root) -> list[Finding]:
    """Folders in `changes/` that only group changes, one finding each."""
    return [_grouping(root, name) for name in disk.grouping_folders(root.changes_dir)]


def list_specs(root: Root) -> list[SpecRow]:
    """The specs, by id. Source: planning §4.3."""
    from rasen.planning import listing

    return listing.spec_rows(root)


def change_headline(root: Root, name: str) -> tuple[str, int] | None:
    """Title and number of deltas of a change for the long list; None when it cannot be read."""
    try:
        document = _change_document(root, name)
    except ToolError:
        return None
    return str(document["title"]), int(str(document["deltaCount"]))


def find_item(
    root: Root, name: str, kind: str | None, pipelines: Callable[[], Sequence[str]] = tuple
) -> Item:
    """The change or spec called `name`, else the pipeline. Errors: unknown_item, ambiguous_item.

    pipelines: their names, asked for only when no change and no spec has the name.
    """
    there = [name] if disk.has_change(root.changes_dir, name) else []
    specs = [name] if disk.has_spec(root.specs_dir, name) else []
    try:
        return resolve(name, kind, there, specs)
    except UnknownItem:
        known = [*disk.change_names(root.changes_dir), *disk.grouping_folders(root.changes_dir)]
        return resolve(
            name,
            kind,
            known,
            spec_ids(root),
            selector=root.selector_text,
            pipelines=pipelines(),
        )


def item_names(root: Root) -> tuple[list[str], list[str]]:
    """The names of the open changes and of the specs."""
    return disk.change_names(root.changes_dir), spec_ids(root)


def spec_ids(root: Root) -> list[str]:
    """The capabilities that have a spec file, by id."""
    entries = disk.spec_entries(root.specs_dir)
    return [entry.id for entry in entries if entry.has_spec]


def show_text(root: Root, item: Item) -> str:
    """The file that stands for `item`, as it is. Errors: show_error, file_*."""
    if item.kind == CHANGE:
        return _proposal_text(root, item.id)
    return disk.read_spec(root.specs_dir, item.id)


def show_document(root: Root, item: Item, wanted: SpecFilter) -> dict[str, object]:
    """The document of `item`, without its root. `wanted` narrows a spec.

    Errors: show_error, file_*. Source: planning §4.2.
    """
    if item.kind == CHANGE:
        return _change_document(root, item.id)
    return spec_document_of(root, item.id, disk.read_spec(root.specs_dir, item.id), wanted)


def spec_document_of(root: Root, spec_id: str, text: str, wanted: SpecFilter) -> dict[str, object]:
    """The document of the spec `spec_id` when it reads `text`. Errors: show_error."""
    from rasen.planning.showing import spec_document
    from rasen.planning.specs.rules import unreadable_part
    from rasen.planning.specs.spec_file import SpecDocument

    spec = SpecDocument(text)
    problem = unreadable_part(spec)
    if problem is not None:
        path = _spec_path(root, spec_id)
        raise SpecIncomplete(
            file=str(path), problem=problem, spec=spec_id, selector=root.selector_text
        )
    return spec_document(spec_id, spec, wanted)


def validate(
    ctx: Context,
    root: Root,
    items: Sequence[Item],
    *,
    scope: tuple[str, ...],
    strict: bool = False,
    workers: int = 1,
    track: Track | None = None,
) -> Validation:
    """A report on each of `items`, sorted by id.

    Of several changes it is also told which of them touch the same requirements.
    scope: the kinds that totals are given for. workers: the most processes to share many specs out
    to. track: sees the items go by, one at a time; then all is done in this process.
    Source: planning §4.1.
    """
    from rasen.planning.checking import Checker, useful_workers, with_overlaps
    from rasen.planning.load import Reader
    from rasen.planning.validation import Validation

    reader = Reader(ctx, root)
    reader.prepare(item.id for item in items if item.kind == CHANGE)
    ordered = sorted(items, key=lambda item: (item.id, item.kind))
    checker = Checker(reader, strict=strict)
    if track is not None:
        reports = [checker.report(item) for item in track(ordered)]
    else:
        reports = checker.reports(ordered, useful_workers(workers))
    return Validation(tuple(with_overlaps(reports, checker.plans)), scope)


def all_items(root: Root, kinds: Iterable[str]) -> list[Item]:
    """Every item of the kinds asked for; grouping folders count as (misplaced) changes."""
    found: list[Item] = []
    if CHANGE in kinds:
        names = [*disk.change_names(root.changes_dir), *disk.grouping_folders(root.changes_dir)]
        found += [Item(CHANGE, name) for name in names]
    if SPEC in kinds:
        found += [Item(SPEC, one) for one in spec_ids(root)]
    return found


def plan(ctx: Context, root: Root, name: str) -> ChangePlan:
    """What the change `name` would do to the specs, and what stands against it."""
    from rasen.planning.load import Reader
    from rasen.planning.planner import plan_change

    return plan_change(Reader(ctx, root).change(name))


def overview(ctx: Context, root: Root) -> Overview:
    """The dashboard. Source: planning §4.4."""
    from rasen.planning import listing
    from rasen.planning.overview import arrange

    return arrange(listing.change_rows(ctx, root), list_specs(root))


def _spec_path(root: Root, spec_id: str) -> Path:
    return root.specs_dir / spec_id / disk.SPEC_FILE


def _proposal_text(root: Root, name: str) -> str:
    import os

    from rasen.files.atomic import read_text
    from rasen.files.errors import FileMissing
    from rasen.files.paths import inside

    path = root.changes_dir / name / PROPOSAL
    if os.path.islink(path):  # noqa: PTH114 - False where we may not look
        inside(root.changes_dir / name, PROPOSAL)  # a link out would show what is not the change's
    try:
        return read_text(path)
    except FileMissing as error:
        selector = root.selector_text
        raise ProposalMissing(change=name, file=str(path), selector=selector) from error


def _change_document(root: Root, name: str) -> dict[str, object]:
    from rasen.planning.changes.proposal_file import Proposal, missing_parts
    from rasen.planning.showing import change_document

    proposal = Proposal(_proposal_text(root, name))
    for problem in missing_parts(proposal):
        path = root.changes_dir / name / PROPOSAL
        raise ProposalIncomplete(
            file=str(path), problem=problem, change=name, selector=root.selector_text
        )
    return change_document(name, proposal, _deltas(root, name))


def _deltas(root: Root, name: str) -> Iterator[tuple[str, Delta]]:
    from rasen.files.atomic import read_text
    from rasen.planning.changes.delta_file import Delta

    for file in disk.delta_files(root.changes_dir / name).files:
        yield file.capability, Delta(read_text(file.path))


def _grouping(root: Root, name: str) -> Finding:
    from rasen.base.findings import Finding, Level
    from rasen.planning.change_plan import GROUPING

    nested = disk.nested_changes(root.changes_dir / name)
    shown = ", ".join(f"{name}/{one}" for one in nested)
    rule = GROUPING._replace(level=Level.WARNING)  # a list shows what there is and fails nothing
    return Finding(rule, "changes", {"name": name, "nested": shown})
