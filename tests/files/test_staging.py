"""Making a whole folder of new files in one step."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.crash import fork, points

from rasen.files.batch import Batch, recover
from rasen.files.errors import RecoveryNeeded, TargetExists
from rasen.files.staging import TreeFile, stage_tree
from rasen.files.tree import foreseen_digest, tree_digest

FILES = {
    "SKILL.md": TreeFile(b"text\n"),
    "bin/ask": TreeFile(b"#!/bin/sh\n", 0o700),
    "references/a/deep.md": TreeFile(b"deep\n", 0o600),
}


def batch(tmp_path: Path) -> Batch:
    one = Batch(tmp_path / ".journal", purpose="x")
    one.write(tmp_path / "first", b"1", expect="absent")
    one.new_tree(tmp_path / "a" / "b", FILES)
    one.new_tree(tmp_path / "c", {"x": TreeFile(b"")})
    one.write(tmp_path / "last", b"2", expect="absent")
    return one


def state(tmp_path: Path) -> str:
    return tree_digest(tmp_path)


def test_the_folder_and_its_files_are_there(tmp_path: Path) -> None:
    batch(tmp_path).commit()

    place = tmp_path / "a" / "b"
    assert (place / "references/a/deep.md").read_bytes() == b"deep\n"
    assert (place / "bin/ask").stat().st_mode & 0o777 == 0o700
    assert (place / "references/a/deep.md").stat().st_mode & 0o777 == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "c", "first", "last"]


def test_a_place_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    before = state(tmp_path)

    with pytest.raises(TargetExists):
        batch(tmp_path).commit()

    assert state(tmp_path) == before


@pytest.mark.parametrize("fault", ["kill", "enospc"])
def test_it_is_all_or_nothing(tmp_path: Path, fault: str) -> None:
    root = tmp_path / "root"

    def prepare() -> None:
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()

    prepare()
    nothing = state(root)
    batch(root).commit()
    everything = state(root)
    for at in points(lambda: batch(root).commit(), prepare):
        prepare()
        fork(lambda: batch(root).commit(), at=at, fault=fault)
        recover(root / ".journal", tell=lambda _: None)
        assert state(root) in (nothing, everything), at


def test_what_someone_put_into_it_meanwhile_is_kept(tmp_path: Path) -> None:
    total = fork(lambda: _again(tmp_path)).calls
    shutil.rmtree(tmp_path / "a")
    (tmp_path / "last").unlink()
    kept = 0
    for at in range(1, total + 1):
        fork(lambda: _again(tmp_path), at=at)
        if (tmp_path / "a").is_dir() and (tmp_path / ".journal" / "journal.json").exists():
            (tmp_path / "a" / "theirs").write_bytes(b"mine")
            _recover_loudly(tmp_path)
            if (tmp_path / "a").exists():
                assert (tmp_path / "a" / "theirs").read_bytes() == b"mine"
                kept += 1
        else:
            recover(tmp_path / ".journal", tell=lambda _: None)
        shutil.rmtree(tmp_path / "a", ignore_errors=True)
        (tmp_path / "last").unlink(missing_ok=True)
    assert kept > 0


def _again(root: Path) -> None:
    one = Batch(root / ".journal", purpose="x")
    one.new_tree(root / "a", FILES)
    one.write(root / "last", b"2", expect="absent")
    one.commit()


def _recover_loudly(root: Path) -> None:
    """What was left alone is told once; where the write was completed there is nothing to tell."""
    with suppress(RecoveryNeeded):
        recover(root / ".journal", tell=lambda _: None)


NAMES = st.text("abcA-. é", min_size=1, max_size=4).filter(lambda one: one not in (".", ".."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


def _is_a_tree(files: dict[str, object]) -> bool:
    return not any(f"{one}/" in f"{other}/" and one != other and other.startswith(f"{one}/")
                   for one in files for other in files)  # fmt: skip


@given(
    st.dictionaries(
        PATHS,
        st.builds(TreeFile, st.binary(max_size=8), st.sampled_from([None, 0o700, 0o600])),
        max_size=6,
    ).filter(_is_a_tree)
)
def test_the_digest_is_foreseen(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, TreeFile]
) -> None:
    place = tmp_path_factory.mktemp("tree") / "top"

    digest = stage_tree(place, files)

    assert digest == tree_digest(place)
    assert digest == foreseen_digest(
        {name: (one.data, one.mode == 0o700) for name, one in files.items()}
    )
