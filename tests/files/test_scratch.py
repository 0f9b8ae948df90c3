"""Folders for a while."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from tests.support.crash import fork, points

from rasen.base.errors import ToolError
from rasen.files.atomic import ABSENT
from rasen.files.batch import Batch, recover
from rasen.files.errors import TargetExists
from rasen.files.scratch import lay_aside, scratch_folder


def test_a_scratch_folder_is_private_and_goes_away_with_what_is_in_it() -> None:
    with scratch_folder() as folder:
        (folder / "a").mkdir()
        (folder / "a" / "b").write_text("x")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    assert not folder.exists()


def test_a_scratch_folder_goes_away_after_an_error() -> None:
    with pytest.raises(KeyError), scratch_folder() as folder:
        raise KeyError

    assert not folder.exists()


def test_what_is_laid_aside_is_private(tmp_path: Path) -> None:
    lay_aside(tmp_path / "x", {"a": {"p/q.md": b"1", "r": b""}, "b": {"s": b"2"}})

    assert (tmp_path / "x/a/p/q.md").read_bytes() == b"1"
    assert (tmp_path / "x/b/s").read_bytes() == b"2"
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "x/a/p/q.md").stat().st_mode) == 0o600


def test_what_cannot_be_laid_aside_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        lay_aside(tmp_path / "x", {"a": {"p": b"1"}, "a/p": {"s": b"2"}})

    assert caught.value.code == "file_not_writable"
    assert list(tmp_path.iterdir()) == []


def test_an_occupied_place_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "mine").write_text("x")

    with pytest.raises(ToolError):
        lay_aside(tmp_path / "x", {"a": {"p": b"1"}})

    assert (tmp_path / "x" / "mine").read_text() == "x"


def _placing(root: Path) -> None:
    """Lay two folders aside and put them in place, with a file."""
    lay_aside(root / ".aside", {"a": {"p/q": b"1"}, "b": {"r": b"2"}})
    batch = Batch(root / ".journal", purpose="x")
    batch.place_tree(root / "there" / "a", root / ".aside" / "a")
    batch.place_tree(root / "there" / "b", root / ".aside" / "b")
    batch.write(root / "last", b"3", expect=ABSENT)
    batch.commit()


def test_folders_that_were_laid_aside_take_their_places(tmp_path: Path) -> None:
    _placing(tmp_path)

    assert (tmp_path / "there/a/p/q").read_bytes() == b"1"
    assert (tmp_path / "there/b/r").read_bytes() == b"2"
    assert sorted(one.name for one in tmp_path.iterdir()) == [".aside", "last", "there"]


def test_a_taken_place_keeps_all_of_them_away(tmp_path: Path) -> None:
    (tmp_path / "there" / "b").mkdir(parents=True)

    with pytest.raises(TargetExists):
        _placing(tmp_path)

    assert list((tmp_path / "there").iterdir()) == [tmp_path / "there" / "b"]
    assert not (tmp_path / "last").exists()
    assert not (tmp_path / ".journal").exists()


@pytest.mark.parametrize("fault", ["kill", "torn", "enospc", "eacces"])
def test_all_of_them_are_in_place_or_none(tmp_path: Path, fault: str) -> None:
    def reset() -> None:
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()

    outcomes = set()
    for at in points(lambda: _placing(tmp_path), reset):
        reset()
        fork(lambda: _placing(tmp_path), at=at, fault=fault)

        recover(tmp_path / ".journal", tell=lambda _: None)

        seen = {one.name for one in tmp_path.iterdir()} - {".aside"}
        assert seen in (set(), {"there", "last"}), (at, seen)
        outcomes.add(len(seen))

    assert outcomes >= {0}
    assert 2 in outcomes or fault == "enospc"
