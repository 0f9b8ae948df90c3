"""Starting a change: its folder, its metadata, and what was already said about it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rasen.base.context import Context
from rasen.base.errors import Conflict, InvalidInput
from rasen.base.messages import N_
from rasen.files.atomic import ABSENT
from rasen.files.batch import Batch
from rasen.planning import change_name
from rasen.planning.bases import disk as bases_disk
from rasen.planning.bases.noting import capability_names, note
from rasen.planning.change_lane import check_lane
from rasen.planning.changes import metadata_file
from rasen.planning.changes.choice import Chooser
from rasen.planning.changes.metadata_file import Metadata
from rasen.planning.lane_rules import Suggestion, suggest
from rasen.planning.schemas.disk import without_suffix
from rasen.planning.schemas.lanes import FULL, NOTE, offers
from rasen.planning.schemas.model import DEFAULT_SCHEMA, Schema
from rasen.roots.model import Root

CONFIG_NAMES = ("config.yaml", "config.yml")
_SEED_NOTE = "_Seed: noted when the change was started. Replace it with the full proposal._"


class ChangeExists(Conflict):
    """The name is taken. It has no code of its own: the command's applies."""

    text = N_("the change '{name}' already exists at {path}")
    fix = N_("choose another name, or go on with it: rasen status --change {name}")


class NotAFolder(InvalidInput):
    """A file is where a folder of the workspace belongs. The command's own code applies."""

    text = N_("{path} has to be a folder, and is none")
    fix = N_("move it away, then run the command again")


class TextBlank(InvalidInput):
    """An option that needs text got none. It has no code of its own: the command's applies."""

    text = N_("{option} has no text")
    fix = N_("give {option} some text, or leave it out")


class OptionRemoved(InvalidInput):
    """An option of earlier versions."""

    text = N_("{option} is no longer an option of `new change`")
    fix = N_("leave {option} out, and say in the proposal what it was for")


class InitiativeRemoved(OptionRemoved):
    code = "initiative_option_removed"


class AreasRemoved(OptionRemoved):
    code = "areas_option_removed"


@dataclass(frozen=True)
class ChangeRequest:
    """What is known about a change before it exists; None means not given.

    schema: None takes the settings'. description: goes to a README. proposal: seeds the proposal.
    touches: capabilities with commas between; their specs are recorded as they are now.
    lane: how much of the schema to go through; None means all.
    """

    name: str
    schema: str | None = None
    description: str | None = None
    goal: str | None = None
    proposal: str | None = None
    touches: str | None = None
    lane: str | None = None


@dataclass(frozen=True)
class NewChange:
    """A change that was just made. path, metadata: absolute.

    recorded: the capabilities whose specs were recorded as its bases. lane: as asked for.
    suggestion: a smaller lane that suits what was said, when none was asked for.
    """

    id: str
    path: Path
    metadata: Path
    schema: str
    recorded: tuple[str, ...] = ()
    lane: str | None = None
    suggestion: Suggestion | None = None

    def to_json(self) -> dict[str, str]:
        """The `change` member, with `lane` when one was asked for. Source: planning §4.11."""
        answer = {
            "id": self.id,
            "path": str(self.path),
            "metadataPath": str(self.metadata),
            "schema": self.schema,
        }
        return answer if self.lane is None else {**answer, "lane": self.lane}


def check(request: ChangeRequest) -> None:
    """Pass only for a request that can be met in some root.

    Errors: names and blank texts have the command's own code; capability_name_invalid.
    Source: planning §4.11.
    """
    change_name.check(request.name)
    options = {
        "--goal": request.goal,
        "--proposal": request.proposal,
        "--touches": request.touches,
    }
    for option, text in options.items():
        if text is not None and not text.strip():
            raise TextBlank(option=option)
    capability_names(request.touches or "")


def refuse_removed(*, initiative: str | None, areas: str | None) -> None:
    """Pass only when no option of earlier versions is used.

    Errors: initiative_option_removed, areas_option_removed. Source: planning §2.5.
    """
    if initiative is not None:
        raise InitiativeRemoved(target="change.options", option="--initiative")
    if areas is not None:
        raise AreasRemoved(target="change.options", option="--areas")


def create(ctx: Context, root: Root, request: ChangeRequest) -> NewChange:
    """Make the change, all of it or nothing, and note what its author sees of the specs.

    Errors: those of `check`; lane_unknown, lane_not_offered; an existing change and an unknown schema have the command's own code;
    schema_invalid; file_*, path_traversal for a spec that cannot be recorded; disk_full, busy.
    Source: planning §4.11.
    """
    check(request)
    chooser = Chooser(ctx, root)
    schema = chooser.shelf.load(
        without_suffix(request.schema) if request.schema else chooser.default
    )
    check_lane(schema, request.lane)
    folder = root.changes_dir / request.name
    if os.path.lexists(folder):
        raise ChangeExists(name=request.name, path=str(folder))
    touched = capability_names(request.touches or "")
    noted = note(root, touched)
    metadata = Metadata(
        schema.name,
        created=ctx.clock.today(),
        goal=request.goal,
        base_commit=noted.commit,
        lane=None if request.lane == FULL else request.lane,
        skip_specs=request.lane == NOTE,
    )
    batch = Batch(
        root.workspace_dir / ".journal", purpose=f"start the change {request.name}", tell=ctx.tell
    )
    _frame(batch, root, folder)
    path = folder / metadata_file.FORMAT
    batch.write(path, metadata_file.render(metadata).encode(), expect=ABSENT)
    _texts(batch, folder, request)
    for capability, text in noted.texts.items():
        bases_disk.record(batch, folder, capability, text)
    batch.commit()
    return NewChange(
        request.name,
        folder,
        path,
        schema.name,
        tuple(noted.texts),
        lane=request.lane,
        suggestion=_suggestion(request, schema, touched),
    )


def _suggestion(
    request: ChangeRequest, schema: Schema, touched: tuple[str, ...]
) -> Suggestion | None:
    """The lane that suits what was said; None when one was asked for, or nothing was said."""
    said = [one for one in (request.goal, request.proposal, request.description) if one]
    if request.lane is not None or not (said or touched):
        return None
    found = suggest("\n".join([request.name, *said]), touched)
    is_worth_a_word = found.lane != FULL and not found.is_guess
    return found if is_worth_a_word and offers(schema, found.lane) else None


def _frame(batch: Batch, root: Root, folder: Path) -> None:
    """The folders of a workspace, and settings that name the default schema when there are none."""
    for place in (root.workspace_dir, root.changes_dir, root.specs_dir, root.archive_dir):
        if os.path.lexists(place) and not place.is_dir():
            raise NotAFolder(path=str(place))
    for place in (folder, root.specs_dir, root.archive_dir):
        batch.make_dir(place)
    if not any(os.path.lexists(root.workspace_dir / name) for name in CONFIG_NAMES):
        config = root.workspace_dir / CONFIG_NAMES[0]
        batch.write(config, f"schema: {DEFAULT_SCHEMA}\n".encode(), expect=ABSENT)


def _texts(batch: Batch, folder: Path, request: ChangeRequest) -> None:
    title = f"# {request.name}\n\n"
    if request.description and request.description.strip():
        text = f"{title}{request.description.strip()}\n"
        batch.write(folder / "README.md", text.encode(), expect=ABSENT)
    if request.proposal:
        text = f"{title}{_SEED_NOTE}\n\n## Why\n\n{request.proposal.strip()}\n"
        batch.write(folder / "proposal.md", text.encode(), expect=ABSENT)
