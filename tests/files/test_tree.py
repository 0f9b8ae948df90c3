"""A folder as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from rasen.files.errors import SpecialFile
from rasen.files.tree import newest_mtime, tree_digest


def build(root: Path) -> Path:
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "f").write_text("F")
    (root / "a" / "g").write_text("G")
    (root / "link").symlink_to("a")
    return root


def test_equal_trees_have_equal_digests_whatever_their_times(tmp_path: Path) -> None:
    one, two = build(tmp_path / "one"), build(tmp_path / "two")
    os.utime(two / "a" / "g", (1, 1))

    assert tree_digest(one) == tree_digest(two)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda root: (root / "a/g").write_text("H"), id="bytes"),
        pytest.param(lambda root: (root / "a/g").rename(root / "a/h"), id="name"),
        pytest.param(lambda root: (root / "a/g").chmod(0o755), id="executable"),
        pytest.param(lambda root: (root / "a/e").mkdir(), id="empty-folder"),
        pytest.param(lambda root: _relink(root / "link", "a/b"), id="link-text"),
        pytest.param(lambda root: _swap(root / "a/g"), id="file-into-folder"),
        pytest.param(lambda root: (root / "a/b/f").rename(root / "a/f"), id="place"),
    ],
)
def test_any_difference_that_counts_changes_the_digest(
    tmp_path: Path, change: Callable[[Path], object]
) -> None:
    root = build(tmp_path / "one")
    before = tree_digest(root)

    change(root)

    assert tree_digest(root) != before


def test_a_pipe_has_no_digest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(SpecialFile):
        tree_digest(tmp_path)


def test_the_newest_file_counts_and_folders_only_without_files(tmp_path: Path) -> None:
    root = build(tmp_path / "one")
    (root / "link").unlink()
    os.utime(root / "a/g", (100, 100))
    os.utime(root / "a/b/f", (200, 200))
    assert newest_mtime(root) == 200

    (tmp_path / "empty").mkdir()
    os.utime(tmp_path / "empty", (300, 300))
    assert newest_mtime(tmp_path / "empty") == 300


def _relink(link: Path, text: str) -> None:
    link.unlink()
    link.symlink_to(text)


def _swap(path: Path) -> None:
    path.unlink()
    path.mkdir()
