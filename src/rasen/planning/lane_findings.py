"""What is to be said about the lane of a change: its size, and whether another one suits."""

from __future__ import annotations

from pathlib import Path

from rasen.base.errors import ToolError
from rasen.base.findings import Finding
from rasen.base.messages import Sentences
from rasen.files.atomic import read_text
from rasen.planning import disk
from rasen.planning.changes import metadata_file
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.changes.proposal_file import Proposal
from rasen.planning.changes.tracked import files_of
from rasen.planning.lane_rules import NOT_OFFERED, TOO_SMALL, Suggestion, size_findings, suggest
from rasen.planning.schemas.lanes import FULL
from rasen.planning.schemas.model import Schema


def lane_findings(folder: Path, metadata: Metadata, schema: Schema) -> list[Finding]:
    """What is to be said about the lane of a change that names one."""
    lane = metadata.lane
    if lane is None or lane == FULL:
        return []
    if schema.lane != lane:
        params: dict[str, object] = {"schema": schema.name, "lane": lane}
        return [Finding(NOT_OFFERED, metadata_file.FORMAT, params)]
    texts = [path for one in schema.artifacts if not one.holds_deltas
             for path in [folder / one.generates] if path.is_file()]  # fmt: skip
    sizes = {path.name: len(_text(path)) for path in (*texts, *files_of(schema, folder))}
    found = size_findings(folder.name, lane, sizes)
    suits = suggestion(folder, metadata)
    if suits.is_larger_than(lane) and not suits.is_guess:
        params = {
            "lane": lane,
            "suggested": suits.lane,
            "reasons": Sentences(suits.reasons),
            "change": folder.name,
        }
        found.append(Finding(TOO_SMALL, "file", params))
    return found


def suggestion(folder: Path, metadata: Metadata | None) -> Suggestion:
    """The lane that suits the change in `folder`, by its texts and deltas."""
    text = _text(folder / "proposal.md")
    named = [one.capability for one in disk.delta_files(folder).files]
    names = dict.fromkeys((*named, *Proposal(text).capabilities()))
    return suggest(f"{metadata.goal or '' if metadata else ''}\n{text}", tuple(names))


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except ToolError:
        return ""  # a text that cannot be read is told where it is needed
