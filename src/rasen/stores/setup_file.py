"""The note of a setup under way, `<data>/stores/setup-<key>.json`: what to finish or take back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rasen.base.errors import Damaged, ToolError
from rasen.base.messages import N_
from rasen.syntax import json

FORMAT = "store-setup"
VERSION = 1


class StoreSetupNoteInvalid(Damaged):
    code = "store_setup_note_invalid"
    text = N_("{file} should tell of an interrupted 'rasen store setup', but cannot be read")
    fix = N_("look at what a setup may have left behind, then remove {file}")


@dataclass(frozen=True)
class SetupNote:
    """What one setup is going to make.

    folders: those that are not there yet, outermost first. files: path relative to root with its
    digest. uses_git: they are to be committed. starts_git: the repository is made, too.
    """

    root: Path
    folders: tuple[Path, ...]
    files: Mapping[str, str]
    uses_git: bool
    starts_git: bool


def parse(text: str, *, file: str) -> SetupNote:
    """The note in `text`. Errors: store_setup_note_invalid."""
    try:
        value = json.load(text, file=file)
    except ToolError as error:
        raise StoreSetupNoteInvalid(target="store.setup", file=file) from error
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise StoreSetupNoteInvalid(target="store.setup", file=file)
    root, folders, files = value.get("root"), value.get("folders"), value.get("files")
    if not (isinstance(root, str) and isinstance(folders, list) and isinstance(files, dict)):
        raise StoreSetupNoteInvalid(target="store.setup", file=file)
    return SetupNote(
        Path(root),
        tuple(Path(str(folder)) for folder in folders),
        {str(name): str(found) for name, found in files.items()},
        uses_git=value.get("usesGit") is True,
        starts_git=value.get("startsGit") is True,
    )


def render(note: SetupNote) -> str:
    """The text of a note."""
    return json.dump(
        {
            "version": VERSION,
            "root": str(note.root),
            "folders": [str(folder) for folder in note.folders],
            "files": dict(note.files),
            "usesGit": note.uses_git,
            "startsGit": note.starts_git,
        }
    )
