"""Batches that nobody thought of: random steps over a small tree, killed at random."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.support import crash
from tests.support.snapshot import snapshot

from rasen.base.context import Note
from rasen.files import fsio
from rasen.files.atomic import ABSENT, digest
from rasen.files.batch import Batch, recover

Step = tuple[str, str, str]

_PATHS = ["a", "b", "c", "a/a", "a/b", "b/a", "b/b", "a/a/a", "c/a/b"]
_KINDS = ["write", "write", "remove", "make_dir", "remove_empty_dir", "move", "move", "remove_tree"]
_STEPS = st.lists(
    st.tuples(st.sampled_from(_KINDS), st.sampled_from(_PATHS), st.sampled_from(_PATHS)),
    min_size=1,
    max_size=8,
)
_TREES = st.lists(st.tuples(st.sampled_from(_PATHS), st.booleans()), max_size=6)
_QUIET = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
)


def build(root: Path, tree: list[tuple[str, bool]]) -> None:
    """Files and folders, as far as they do not stand in one another's way."""
    root.mkdir(parents=True)
    for rel, is_folder in tree:
        path = root / rel
        if any(parent.is_file() for parent in path.parents) or path.exists():
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if is_folder:
            path.mkdir()
        else:
            path.write_text("1")


def plainly(root: Path, step: Step) -> Callable[[Batch, Path], None] | None:
    """Do a step with plain means; what makes a batch do the same, or None when it cannot be done."""
    kind, rel, other = step
    path, target = root / rel, root / other
    if any(parent.is_file() for parent in (*path.parents, *target.parents)):
        return None
    match kind:
        case "write":
            return _write(path, rel, content=other[-1].encode())
        case "remove" if path.is_file():
            expect = digest(path.read_bytes())
            path.unlink()
            return lambda batch, at: batch.remove(at / rel, expect=expect)
        case "make_dir" if not path.is_file():
            path.mkdir(parents=True, exist_ok=True)
            return lambda batch, at: batch.make_dir(at / rel)
        case "remove_empty_dir":
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            return lambda batch, at: batch.remove_empty_dir(at / rel)
        case "remove_tree":
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            return lambda batch, at: batch.remove_tree(at / rel)
        case "move" if path.exists() and not target.exists() and path not in target.parents:
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
            return lambda batch, at: batch.move(at / rel, at / other)
    return None


def _write(path: Path, rel: str, *, content: bytes) -> Callable[[Batch, Path], None] | None:
    if path.is_dir():
        return None
    expect = digest(path.read_bytes()) if path.exists() else ABSENT
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return lambda batch, at: batch.write(at / rel, content, expect=expect)


def ignore(note: Note) -> None:
    """Nobody listens."""


def only_in_the_same_folder() -> None:
    """Make renames refuse to leave their folder, as between file systems."""
    for name in ("rename", "replace"):
        setattr(fsio, name, _staying(getattr(fsio, name)))


def _staying(rename: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    def staying(source: Path, target: Path) -> None:
        if source.parent != target.parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename(source, target)

    return staying


def check(
    tree: list[tuple[str, bool]], steps: list[Step], kills: list[int], *, is_split: bool
) -> None:
    """A batch does what plain means do; killed anywhere, and its recovery too, it leaves old or new."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as base:
        root, plain = Path(base) / "root", Path(base) / "plain"
        build(plain, tree)
        before = snapshot(plain)
        made = [done for step in steps if (done := plainly(plain, step))]
        after = snapshot(plain)

        def work() -> None:
            if is_split:
                only_in_the_same_folder()
            batch = Batch(root / ".journal", purpose="random")
            for make in made:
                make(batch, root)
            batch.commit()

        def heal() -> None:
            if is_split:
                only_in_the_same_folder()
            recover(root / ".journal", tell=ignore)

        build(root, tree)
        whole = crash.fork(work)
        assert not whole.code, whole.text
        assert snapshot(root) == after

        shutil.rmtree(root)
        build(root, tree)
        crash.fork(work, at=1 + kills[0] % max(1, whole.calls))
        for kill in kills[1:]:
            crash.fork(heal, at=1 + kill % 40)
        healed = crash.fork(heal)
        assert not healed.code, healed.text
        assert snapshot(root) in (before, after)


_KILLS = st.lists(st.integers(0, 500), min_size=1, max_size=3)


@settings(_QUIET, max_examples=60)
@given(tree=_TREES, steps=_STEPS, kills=_KILLS)
def test_any_batch_is_whole_or_not_at_all(
    tree: list[tuple[str, bool]], steps: list[Step], kills: list[int]
) -> None:
    check(tree, steps, kills, is_split=False)


@settings(_QUIET, max_examples=30)
@given(tree=_TREES, steps=_STEPS, kills=_KILLS)
def test_any_batch_is_whole_or_not_at_all_between_file_systems(
    tree: list[tuple[str, bool]], steps: list[Step], kills: list[int]
) -> None:
    check(tree, steps, kills, is_split=True)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@settings(_QUIET, max_examples=5000)
@given(tree=_TREES, steps=_STEPS, kills=_KILLS, is_split=st.booleans())
def test_very_many_batches_are_whole_or_not_at_all(
    tree: list[tuple[str, bool]], steps: list[Step], kills: list[int], is_split: bool
) -> None:
    check(tree, steps, kills, is_split=is_split)
