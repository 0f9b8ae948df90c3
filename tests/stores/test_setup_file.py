"""The note of a setup under way: read back as it was written, refused when it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.world import World

from rasen.stores import setup_file
from rasen.stores.setup_file import SetupNote, StoreSetupNoteInvalid

FROZEN = Path(__file__).parents[1] / "frozen" / "store-setup" / "v1" / "setup.json"


def test_an_older_note_still_loads() -> None:
    note = setup_file.parse(FROZEN.read_text(), file="note")

    assert note.root == Path("/work/team")
    assert (note.uses_git, note.starts_git) == (True, False)
    assert setup_file.render(note) == FROZEN.read_text()


def test_a_note_is_read_back() -> None:
    note = SetupNote(Path("/a"), (Path("/a"),), {"x": "absent"}, uses_git=False, starts_git=True)

    assert setup_file.parse(setup_file.render(note), file="note") == note


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"version": 2}', '{"version": 1}', '{"version": 1, "root": 1}'],
)
def test_a_broken_note_is_refused(text: str) -> None:
    with pytest.raises(StoreSetupNoteInvalid):
        setup_file.parse(text, file="note")


def test_a_broken_note_names_itself(world: World) -> None:
    folder = world.data_dir / "stores"
    folder.mkdir(parents=True)
    (folder / "setup-0123.json").write_text("{")

    result = world.cli("store", "list", "--json")

    assert (result.code, result.error) == (1, "store_setup_note_invalid")
    assert str(folder / "setup-0123.json") in result.json["status"][0]["fix"]
