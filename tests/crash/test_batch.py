"""A batch that is killed, or refused by the disk, at every single change it makes."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot

from rasen.base.context import Note
from rasen.files import fsio
from rasen.files.atomic import ABSENT, digest
from rasen.files.batch import Batch, recover

Snapshot = dict[str, tuple[str, int, bytes]]


class Scene:
    """A workspace, a batch of every kind of step over it, and the same workspace afterwards."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "work"
        self.before: Snapshot = {}
        self.after: Snapshot = {}
        self.around: Callable[[], None] = lambda: None

    def prepare(self) -> None:
        shutil.rmtree(self.base, ignore_errors=True)
        for rel, text in {
            "specs/auth/spec.md": "old\r\n",
            "specs/gone/spec.md": "to be retired",
            "changes/x/proposal.md": "why",
            "changes/x/deep/tasks.md": "- [ ] a",
            "changes/y.md": "single",
            "out/a/b.md": "generated",
            "out/c.md": "generated too",
        }.items():
            path = self.root / rel
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        (self.root / "changes/x/link").symlink_to("proposal.md")
        (self.root / "changes/empty").mkdir()
        (self.root / "specs/auth/spec.md").chmod(0o640)
        (self.root / "changes/x/deep").chmod(0o750)
        self.before = self.now()

    def work(self) -> None:
        """Write, create, remove, move, rewrite the moved, replace a tree, drop empty folders."""
        self.around()
        root = self.root
        batch = Batch(root / ".journal", purpose="archive x")
        batch.write(root / "changes/x/proposal.md", b"why, done", expect=digest(b"why"))
        batch.write(root / "specs/auth/spec.md", b"new\n", expect=digest(b"old\r\n"))
        batch.write(root / "specs/fresh/sub/spec.md", b"fresh", expect=ABSENT)
        batch.remove(root / "specs/gone/spec.md", expect=digest(b"to be retired"))
        batch.remove_empty_dir(root / "specs/gone")
        batch.remove_empty_dir(root / "specs")
        batch.move(root / "changes/x", root / "archive/2026/x")
        batch.write(root / "archive/2026/x/deep/tasks.md", b"- [x] a", expect=digest(b"- [ ] a"))
        batch.move(root / "changes/y.md", root / "archive/y.md")
        batch.remove_tree(root / "out")
        batch.write(root / "out/c.md", b"generated too", expect=ABSENT)
        batch.make_dir(root / "changes/z")
        batch.commit()

    def heal(self) -> None:
        recover(self.root / ".journal", tell=ignore)

    def now(self) -> Snapshot:
        return snapshot(self.root)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """In memory where possible: waiting for a real disk thousands of times shows nothing more."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as base:
        yield _built(Path(base) / "scene")


def _built(base: Path) -> Scene:
    built = Scene(base)
    built.prepare()
    assert not crash.fork(built.work).code
    built.after = built.now()
    assert built.after != built.before
    assert ".journal" not in built.after
    return built


def ignore(note: Note) -> None:
    """Nobody listens."""


def across(errno_: int, *, names: tuple[str, ...] = ("rename", "replace")) -> Callable[[], None]:
    """Installs, in the child, renames that refuse to leave the folder they start in."""

    def install() -> None:
        for name in names:
            setattr(fsio, name, _staying(getattr(fsio, name), errno_))

    return install


def _staying(rename: Callable[[Path, Path], None], errno_: int) -> Callable[[Path, Path], None]:
    def staying(source: Path, target: Path) -> None:
        if source.parent != target.parent:
            raise OSError(errno_, os.strerror(errno_))
        rename(source, target)

    return staying


def disks(*, usual_stride: int) -> pytest.MarkDecorator:
    """On each kind of disk, every `usual_stride`-th point; in the soak, every point."""
    kinds = {
        "one-file-system": lambda: None,
        "several-file-systems": across(errno.EXDEV),
        "renames-forbidden": across(errno.EPERM),
    }
    soak = [pytest.mark.soak, pytest.mark.timeout(3600)]
    usual = [pytest.param(kind, usual_stride, id=name) for name, kind in kinds.items()]
    every = [pytest.param(kind, 1, id=f"{name}-all", marks=soak) for name, kind in kinds.items()]
    return pytest.mark.parametrize(("around", "stride"), [*usual, *every])


def test_a_batch_killed_at_every_single_change_leaves_old_or_new(scene: Scene) -> None:
    for at in crash.points(scene.work, scene.prepare):
        scene.prepare()
        assert crash.fork(scene.work, at=at).was_killed

        crash.fork(scene.heal)

        assert scene.now() in (scene.before, scene.after), at


@disks(usual_stride=4)
@pytest.mark.parametrize("fault", ["kill", "torn"])
def test_a_batch_killed_anywhere_is_completed_or_undone_by_the_next_command(
    scene: Scene, around: Callable[[], None], stride: int, fault: str
) -> None:
    scene.around = around
    seen = set()
    for at in crash.points(scene.work, scene.prepare, stride):
        scene.prepare()
        assert crash.fork(scene.work, at=at, fault=fault).was_killed

        crash.fork(scene.heal)

        now = scene.now()
        assert now in (scene.before, scene.after), f"neither old nor new at change {at}"
        seen.add(now == scene.after)
    assert seen == {True, False}


@disks(usual_stride=23)
def test_recovery_may_itself_be_killed_anywhere(
    scene: Scene, around: Callable[[], None], stride: int
) -> None:
    scene.around = around
    heal = _with(around, scene.heal)
    for at in crash.points(scene.work, scene.prepare, stride):
        _kill_recovery(scene, heal, at, stride=min(stride, 5))


def _kill_recovery(scene: Scene, heal: Callable[[], None], at: int, *, stride: int) -> None:
    second = 1 + at % stride
    while True:
        scene.prepare()
        crash.fork(scene.work, at=at)
        if not crash.fork(heal, at=second).was_killed:
            return
        crash.fork(heal, at=second // 2 + 1)
        ending = crash.fork(heal)
        assert not ending.code, f"{ending.text} at {at}, {second}"
        assert scene.now() in (scene.before, scene.after), f"neither at {at}, {second}"
        second += stride


@disks(usual_stride=5)
@pytest.mark.parametrize(
    ("fault", "code"), [("enospc", "disk_full"), ("eacces", "file_not_writable")]
)
def test_a_refusing_disk_leaves_the_old_state_and_is_named(
    scene: Scene, around: Callable[[], None], stride: int, fault: str, code: str
) -> None:
    scene.around = around
    for at in crash.points(scene.work, scene.prepare, stride):
        scene.prepare()

        ending = crash.fork(scene.work, at=at, fault=fault)

        now = scene.now()
        if ending.code:
            crash.fork(scene.heal)  # where the fault hit the undoing, the rest is done now
            assert ending.code in (code, "recovery_needed"), ending.text
            assert scene.now() == scene.before, f"not the old state at change {at}"
            assert ending.code == "recovery_needed" or _same_but_empty_journal(now, scene.before)
        else:
            crash.fork(scene.heal)
            assert scene.now() == scene.after, f"said yes but did not at change {at}"


def test_enough_room_lost_before_the_commit_is_always_undone_at_once(scene: Scene) -> None:
    for at in crash.points(scene.work, scene.prepare):
        scene.prepare()

        ending = crash.fork(scene.work, at=at, fault="enospc")

        assert ending.code in ("", "disk_full"), (at, ending.text)
        assert _same_but_empty_journal(scene.now(), scene.before if ending.code else scene.after)


def test_ctrl_c_anywhere_leaves_old_or_new(scene: Scene) -> None:
    for at in crash.points(scene.work, scene.prepare):
        scene.prepare()

        crash.fork(scene.work, at=at, fault="interrupt")
        crash.fork(scene.heal)

        assert scene.now() in (scene.before, scene.after), at


def test_a_disk_that_turns_read_only_keeps_the_journal_for_later(scene: Scene) -> None:
    codes = set()
    for at in crash.points(scene.work, scene.prepare):
        scene.prepare()

        codes.add(crash.fork(scene.work, at=at, fault="erofs").code)
        crash.fork(scene.heal)

        assert scene.now() in (scene.before, scene.after), at
    assert "recovery_needed" in codes


def test_recovery_on_a_read_only_disk_is_refused_and_names_the_folder(scene: Scene) -> None:
    scene.prepare()
    crash.fork(scene.work, at=40)
    assert (scene.root / ".journal").exists()

    ending = crash.fork(scene.heal, at=1, fault="erofs")

    assert ending.code == "recovery_needed"
    assert str(scene.root / ".journal") in ending.text


def test_a_source_that_cannot_even_be_renamed_is_removed_last(scene: Scene) -> None:
    """As on a system where another program holds a folder open."""

    def forbid() -> None:
        setattr(fsio, "rename", _but(scene.root / "changes/x", fsio.rename))  # noqa: B010

    def work() -> None:
        forbid()
        batch = Batch(scene.root / ".journal", purpose="move")
        batch.move(scene.root / "changes/x", scene.root / "archive/x")
        batch.write(scene.root / "archive/x/proposal.md", b"done", expect=digest(b"why"))
        batch.commit()

    scene.prepare()
    assert not crash.fork(work).code
    after = scene.now()
    assert "changes/x" not in after
    assert after["archive/x/proposal.md"][2] == b"done"
    for at in crash.points(work, scene.prepare):
        scene.prepare()
        crash.fork(work, at=at)
        crash.fork(_with(forbid, scene.heal))
        assert scene.now() in (scene.before, after), at


def _but(fixed: Path, rename: Callable[[Path, Path], None]) -> Callable[[Path, Path], None]:
    def renaming(source: Path, target: Path) -> None:
        if source == fixed:
            raise OSError(errno.EPERM, os.strerror(errno.EPERM))
        rename(source, target)

    return renaming


def _with(around: Callable[[], None], work: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        around()
        work()

    return both


def _same_but_empty_journal(now: Snapshot, wanted: Snapshot) -> bool:
    return {key: value for key, value in now.items() if not key.startswith(".journal")} == wanted
