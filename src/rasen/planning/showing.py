"""Changes and specs as the documents that `show --json` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rasen.base.errors import InvalidInput
from rasen.base.messages import N_
from rasen.planning.changes.delta_file import Delta
from rasen.planning.changes.model import Move, Operation
from rasen.planning.changes.proposal_file import Proposal
from rasen.planning.specs.blocks import block_requirement
from rasen.planning.specs.model import Block
from rasen.planning.specs.spec_file import SpecDocument

_VERBS = {Operation.ADDED: "Add", Operation.MODIFIED: "Modify", Operation.REMOVED: "Remove"}


class RequirementNotFound(InvalidInput):
    """A spec has no requirement of that number."""

    code = "show_error"
    text = N_('requirement {number} not found; "{spec}" has {count}')
    fix = N_("name one from 1 to {count}, in the order of the file")


class FilterConflict(InvalidInput):
    """Two filters that exclude each other."""

    code = "show_error"
    text = N_("--requirements and --requirement exclude each other")
    fix = N_("use --requirement with --no-scenarios")


class SpecFilter(NamedTuple):
    """What of a spec to show. number: one-based, as typed; None shows all requirements."""

    is_bare: bool = False
    without_scenarios: bool = False
    number: str | None = None


def change_document(
    name: str, proposal: Proposal, deltas: Iterable[tuple[str, Delta]]
) -> dict[str, object]:
    """`{id, title, deltaCount, deltas}` of a change; `deltas` pairs capabilities with their files.

    The bullets of the proposal stand in where no delta file asks for anything. Source: planning §3.6.
    """
    rows = [row for capability, delta in deltas for row in _rows(capability, delta)]
    if not rows:
        rows = [
            {"spec": one.name, "operation": one.operation.value, "description": one.text}
            for one in proposal.suggestions()
        ]
    return {"id": name, "title": proposal.title or name, "deltaCount": len(rows), "deltas": rows}


def descriptions(deltas: Iterable[tuple[str, Delta]], proposal: Proposal) -> list[str]:
    """One sentence for each delta, as `show` has them."""
    rows = change_document("", proposal, deltas)["deltas"]
    assert isinstance(rows, list)
    return [str(row["description"]) for row in rows]


def spec_document(spec_id: str, spec: SpecDocument, wanted: SpecFilter) -> dict[str, object]:
    """`{id, title, overview, requirementCount, requirements, metadata}` of a readable spec.

    Errors: show_error for a number out of range or filters that exclude each other.
    Source: planning §4.2.
    """
    if wanted.is_bare and wanted.number is not None:
        raise FilterConflict
    requirements = [one.to_json() for one in spec.requirements or ()]
    if wanted.number is not None:
        requirements = [requirements[_index(wanted.number, spec_id, len(requirements))]]
    if wanted.is_bare or wanted.without_scenarios:
        requirements = [{**one, "scenarios": []} for one in requirements]
    return {
        "id": spec_id,
        "title": spec_id,
        "overview": spec.purpose or "",
        "requirementCount": len(requirements),
        "requirements": requirements,
        "metadata": {"version": "1.0.0", "format": "openspec"},
    }


def _index(number: str, spec_id: str, count: int) -> int:
    value = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    if not 1 <= value <= count:
        raise RequirementNotFound(number=number, spec=spec_id, count=count)
    return value - 1


def _rows(capability: str, delta: Delta) -> Iterator[Mapping[str, object]]:
    for operation, blocks in (
        (Operation.ADDED, delta.added),
        (Operation.MODIFIED, delta.modified),
    ):
        for block in blocks:
            yield _row(capability, operation, _requirement(delta, block))
    for removal in delta.removed:
        shown: dict[str, object] = {"text": removal.name, "scenarios": []}
        if removal.block is not None:
            shown = _requirement(delta, removal.block)
        yield _row(capability, Operation.REMOVED, shown)
    for rename in delta.renamed:
        yield {
            "spec": capability,
            "operation": Operation.RENAMED.value,
            "description": f'Rename requirement from "{rename.old}" to "{rename.new}"',
            "rename": {"from": rename.old, "to": rename.new},
        }
    for move in (*delta.moved, *((delta.moved_capability,) if delta.moved_capability else ())):
        yield _moved(capability, move)


def _moved(capability: str, move: Move) -> Mapping[str, object]:
    what = "capability" if move.old is None else f'requirement "{move.old}" from'
    shown: dict[str, object] = {"spec": move.capability}
    if move.old is not None:
        shown |= {"requirement": move.old, "to": move.new}
    return {
        "spec": capability,
        "operation": Operation.MOVED.value,
        "description": f'Move {what} "{move.capability}"',
        "move": shown,
    }


def _requirement(delta: Delta, block: Block) -> dict[str, object]:
    return block_requirement(delta.markdown, block).to_json()


def _row(capability: str, operation: Operation, shown: dict[str, object]) -> dict[str, object]:
    return {
        "spec": capability,
        "operation": operation.value,
        "description": f"{_VERBS[operation]} requirement: {shown['text']}",
        "requirement": shown,
        "requirements": [shown],
    }
