"""The file of worksets: strict, sorted, read back as it was written."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.worksets import worksets_file
from rasen.worksets.model import Member, Workset

FROZEN = Path(__file__).parents[1] / "frozen" / "worksets"


@pytest.mark.parametrize("file", sorted(FROZEN.rglob("*.yaml")), ids=lambda path: path.parent.name)
def test_older_files_are_read_and_written_the_same(file: Path) -> None:
    text = file.read_text("utf-8")

    assert worksets_file.render(worksets_file.parse(text, file=str(file))) == text


def test_worksets_are_read_back_sorted_by_name() -> None:
    worksets = {
        "b": Workset("b", (Member("ä b", "/x"), Member("2", "/y")), "code"),
        "a": Workset("a", (Member("x", "/x"),)),
    }

    found = worksets_file.parse(worksets_file.render(worksets), file="w")

    assert found == worksets
    assert list(found) == ["a", "b"]
