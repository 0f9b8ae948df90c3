"""The lane of a change: what it is, what would suit, and moving the change to another one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput
from rasen.base.messages import N_
from rasen.files.atomic import digest_or_absent, read_optional
from rasen.files.batch import Batch
from rasen.planning import disk
from rasen.planning.changes import metadata_file
from rasen.planning.changes.choice import Chooser
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.lane_findings import suggestion
from rasen.planning.lane_rules import Suggestion
from rasen.planning.load import change_dir, decode
from rasen.planning.schemas.lanes import FULL, LANES, NOTE, offers
from rasen.planning.schemas.model import Schema
from rasen.roots.model import Root
from rasen.syntax import yaml


class LaneUnknown(InvalidInput):
    """No lane has that name."""

    code = "lane_unknown"
    text = N_("there is no lane '{lane}'")
    fix = N_("name note, light or full")


class LaneNotOffered(InvalidInput):
    """The schema of the change lacks an artifact that the lane consists of."""

    code = "lane_not_offered"
    text = N_("the schema {schema} has no lane {lane}; it needs {needed}")
    fix = N_("leave the lane out, or follow another schema")


class LaneHasSpecs(Conflict):
    """The lane `note` touches no spec, and the change has deltas."""

    code = "lane_has_specs"
    text = N_("{change} has deltas ({files}), and the lane note touches no spec")
    fix = N_("delete them first, or choose the lane light")


@dataclass(frozen=True)
class LaneReport:
    """The lane of a change. suggestion: what would suit, from its texts.

    before: the lane it was in, when it was moved.
    """

    change: str
    lane: str
    suggestion: Suggestion
    before: str | None = None

    def to_json(self) -> dict[str, object]:
        """`{change, lane, before?, suggested}`."""
        answer: dict[str, object] = {"change": self.change, "lane": self.lane}
        if self.before is not None:
            answer["before"] = self.before
        return {**answer, "suggested": self.suggestion.to_json()}


def check_lane(schema: Schema, lane: str | None) -> None:
    """Pass only for a lane that changes of `schema` may be in.

    Errors: lane_unknown, lane_not_offered.
    """
    if lane is None:
        return
    if lane not in LANES:
        raise LaneUnknown(lane=lane)
    if not offers(schema, lane):
        needed = "a proposal" if lane == NOTE else "a proposal, specs and tasks"
        raise LaneNotOffered(schema=schema.name, lane=lane, needed=needed)


def show(ctx: Context, root: Root, change: str) -> LaneReport:
    """The lane of `change`, and which one would suit. Errors: ChangeNotFound, those of its files."""
    folder = change_dir(root, change)
    metadata = Chooser(ctx, root).metadata(folder)
    return LaneReport(change, _lane(metadata), suggestion(folder, metadata))


def move(ctx: Context, root: Root, change: str, lane: str) -> LaneReport:
    """Put `change` into `lane`: its metadata is edited, and no text of it.

    The lane `note` sets `skip_specs: true` with it, and leaving that lane takes it away again.
    Errors: lane_unknown, lane_not_offered, lane_has_specs, ChangeNotFound, change_metadata_invalid.
    """
    folder = change_dir(root, change)
    chooser = Chooser(ctx, root)
    metadata = chooser.metadata(folder)
    schema = chooser.shelf.load(metadata.schema if metadata else chooser.default)
    check_lane(schema, lane)
    if lane == NOTE:
        _refuse_deltas(change, folder)
    path = folder / metadata_file.FORMAT
    old = read_optional(path)
    if old is None:
        text = metadata_file.render(_in_lane(Metadata(schema.name), lane))
    else:
        text = _moved(decode(old, path), metadata, lane, file=str(path))
    if old is None or text.encode() != old:
        batch = Batch(
            root.workspace_dir / ".journal", purpose=f"the lane of {change}", tell=ctx.tell
        )
        batch.write(path, text.encode(), expect=digest_or_absent(old))
        batch.commit()
    return LaneReport(change, lane, suggestion(folder, metadata), before=_lane(metadata))


def _in_lane(metadata: Metadata, lane: str) -> Metadata:
    return metadata._replace(lane=None if lane == FULL else lane, skip_specs=lane == NOTE)


def _moved(text: str, metadata: Metadata | None, lane: str, *, file: str) -> str:
    was_note = _lane(metadata) == NOTE
    if lane == FULL:
        text = yaml.unset(text, ("lane",), file=file)
    elif _lane(metadata) != lane:
        text = yaml.set_value(text, ("lane",), lane, file=file)
    if lane == NOTE and not (metadata and metadata.skip_specs):
        return yaml.set_value(text, ("skip_specs",), value=True, file=file)
    return yaml.unset(text, ("skip_specs",), file=file) if was_note and lane != NOTE else text


def _refuse_deltas(change: str, folder: Path) -> None:
    files = [f"specs/{one.relative}" for one in disk.delta_files(folder).files]
    if files:
        raise LaneHasSpecs(change=change, files=", ".join(files))


def _lane(metadata: Metadata | None) -> str:
    return (metadata.lane if metadata else None) or FULL
