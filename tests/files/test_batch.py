"""Many files as one transaction."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.unprivileged import as_nobody

from rasen.base.context import Note
from rasen.base.errors import ToolError
from rasen.files import journal_file
from rasen.files.atomic import ABSENT, digest
from rasen.files.batch import Batch, recover
from rasen.files.lock import hold


class Told(list[str]):
    """Collects notes as text."""

    def __call__(self, note: Note) -> None:
        self.append(note.text.format(**note.params))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def journal(root: Path) -> Path:
    return root / ".journal"


def put(root: Path, files: dict[str, str]) -> None:
    for rel, text in files.items():
        (root / rel).parent.mkdir(parents=True, exist_ok=True)
        (root / rel).write_text(text)


def texts(root: Path) -> dict[str, str]:
    """The files below `root` and what they hold."""
    return {
        rel: content.decode()
        for rel, (kind, _, content) in snapshot(root).items()
        if kind == "file"
    }


def refusal(work: Callable[[], object]) -> ToolError:
    with pytest.raises(ToolError) as caught:
        work()
    return caught.value


def interrupted(
    root: Path, batch: Batch, *, before: str = "", after: str = "", nth: int = 1
) -> None:
    """Let a child commit the batch and be killed before, or after, its `nth` call of a name."""
    trial = root.with_name("trial")
    shutil.copytree(root, trial, symlinks=True)
    names = crash.fork(batch.commit).names
    shutil.rmtree(root)
    trial.rename(root)
    at = [number for number, name in enumerate(names, 1) if name == (before or after)][nth - 1]
    at += bool(after)
    assert crash.fork(batch.commit, at=at).was_killed


def test_every_kind_of_step_happens_in_order_and_nothing_else_remains(
    root: Path, journal: Path
) -> None:
    put(root, {"a": "A", "gone/b": "B", "x/f": "F", "tree/deep/c": "C"})
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.write(root / "new/deep/d", b"D", expect=ABSENT)
    batch.remove(root / "gone/b", expect=digest(b"B"))
    batch.remove_empty_dir(root / "gone")
    batch.move(root / "x", root / "archive/x")
    batch.write(root / "archive/x/f", b"F2", expect=digest(b"F"))
    batch.remove_tree(root / "tree")
    batch.remove_tree(root / "never-there")
    batch.make_dir(root / "empty/inside")
    batch.commit()

    assert texts(root) == {"a": "A2", "new/deep/d": "D", "archive/x/f": "F2"}
    assert (root / "empty/inside").is_dir()
    assert not (root / "gone").exists()
    assert not journal.exists()


def test_a_batch_without_steps_touches_nothing(root: Path, journal: Path) -> None:
    Batch(journal, purpose="nothing").commit()

    assert snapshot(root) == {}


def test_the_workspace_may_be_new(root: Path) -> None:
    batch = Batch(root / "rasen/.journal", purpose="init")
    batch.write(root / "rasen/config.yaml", b"x", expect=ABSENT)
    batch.commit()

    assert texts(root) == {"rasen/config.yaml": "x"}


def test_bits_of_a_written_file_stay(root: Path, journal: Path) -> None:
    put(root, {"a": "A"})
    (root / "a").chmod(0o750)
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"B", expect=digest(b"A"))
    batch.commit()

    assert snapshot(root) == {"a": ("file", 0o750, b"B")}


def test_a_replaced_folder_holds_only_the_new_files(root: Path, journal: Path) -> None:
    put(root, {"out/old": "1", "out/same": "2"})
    batch = Batch(journal, purpose="generate")
    batch.remove_tree(root / "out")
    batch.write(root / "out/same", b"2", expect=ABSENT)
    batch.commit()

    assert texts(root) == {"out/same": "2"}


def test_an_unwritten_change_of_a_file_is_refused_before_anything_is_done(
    root: Path, journal: Path
) -> None:
    put(root, {"a": "A", "b": "theirs"})
    before = snapshot(root)
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.write(root / "b", b"B2", expect=digest(b"B"))

    error = refusal(batch.commit)

    assert error.code == "file_changed"
    assert error.params["file"] == str(root / "b")
    assert snapshot(root) == before


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        pytest.param(lambda root: put(root, {"t": "T"}), "target_exists", id="target-there"),
        pytest.param(lambda root: shutil.rmtree(root / "x"), "file_missing", id="source-gone"),
        pytest.param(lambda root: os.mkfifo(root / "x/pipe"), "special_file", id="a-pipe"),
        pytest.param(lambda root: _socket(root / "x/socket"), "special_file", id="a-socket"),
        pytest.param(lambda root: (root / "a").mkdir(), "not_a_file", id="folder-for-file"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_done(
    root: Path, journal: Path, prepare: Callable[[Path], object], code: str
) -> None:
    put(root, {"x/f": "F"})
    prepare(root)
    before = snapshot(root)
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A", expect=ABSENT)
    batch.move(root / "x", root / "t")

    assert refusal(batch.commit).code == code
    assert snapshot(root) == before


def test_a_refusal_in_the_middle_undoes_what_was_done(root: Path, journal: Path) -> None:
    put(root, {"a": "A", "x/f": "F", "y/g": "G"})
    (root / "a").chmod(0o600)
    before = snapshot(root)
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.move(root / "x", root / "deep/new/x")
    batch.write(root / "deep/new/x/f", b"F2", expect=digest(b"not F"))

    assert refusal(batch.commit).code == "file_changed"
    assert snapshot(root) == before


def test_times_of_change_come_back_with_the_bytes(root: Path, journal: Path) -> None:
    put(root, {"a": "A", "x/f": "F"})
    os.utime(root / "a", (1, 1))
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.move(root / "x", root / "y")
    batch.move(root / "x", root / "z")

    assert refusal(batch.commit).code == "file_missing"
    assert (root / "a").stat().st_mtime == 1


def test_links_move_as_links_and_are_not_followed_when_removed(root: Path, journal: Path) -> None:
    put(root, {"keep/f": "F", "x/g": "G", "tree/h": "H"})
    (root / "x/link").symlink_to("../keep")
    (root / "tree/link").symlink_to("../keep")
    batch = Batch(journal, purpose="test")
    batch.move(root / "x", root / "y")
    batch.remove_tree(root / "tree")
    batch.commit()

    assert (root / "y/link").readlink() == Path("../keep")
    assert texts(root) == {"keep/f": "F", "y/g": "G"}


def test_a_link_out_of_its_folder_is_not_written_through(root: Path, journal: Path) -> None:
    put(root, {"secret": "S", "sub/x": ""})
    (root / "sub/link").symlink_to("../secret")

    error = refusal(
        lambda: Batch(journal, purpose="t").write(root / "sub/link", b"", expect=digest(b"S"))
    )

    assert error.code == "path_traversal"


@pytest.mark.usefixtures("impatient")
def test_a_live_writer_is_waited_for_and_then_named(root: Path, journal: Path) -> None:
    journal.mkdir()
    batch = Batch(journal, purpose="second")
    batch.write(root / "a", b"", expect=ABSENT)

    with hold(journal / "lock"), ThreadPoolExecutor() as threads:
        writer = threads.submit(refusal, batch.commit)
        reader = threads.submit(refusal, lambda: recover(journal, tell=Told()))

    assert [writer.result().code, reader.result().code] == ["busy", "busy"]
    assert f"process {os.getpid()}" in str(writer.result())
    assert not (root / "a").exists()


def test_without_a_journal_recovery_does_nothing(root: Path, journal: Path) -> None:
    assert recover(journal, tell=Told()) == []
    assert recover(root / "no" / "such" / ".journal", tell=Told()) == []
    assert snapshot(root) == {}


def test_recovery_undoes_an_unfinished_batch_and_says_so(root: Path, journal: Path) -> None:
    put(root, {"a": "A"})
    batch = Batch(journal, purpose="archive add-login")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.write(root / "b", b"B", expect=ABSENT)
    interrupted(root, batch, before="fsync_dir", nth=5)
    assert texts(root)["a"] == "A2"
    told = Told()

    assert recover(journal, tell=told) == ["archive add-login"]

    assert told == ["an interrupted write was undone: archive add-login"]
    assert texts(root) == {"a": "A"}


def test_recovery_completes_a_committed_batch_and_says_so(root: Path, journal: Path) -> None:
    put(root, {"tree/a": "A"})
    batch = Batch(journal, purpose="remove")
    batch.remove_tree(root / "tree")
    interrupted(root, batch, after="replace", nth=2)
    told = Told()

    assert recover(journal, tell=told) == ["remove"]

    assert told == ["an interrupted write was completed: remove"]
    assert snapshot(root) == {}


def test_the_next_batch_settles_an_interrupted_one_first(root: Path, journal: Path) -> None:
    put(root, {"a": "A"})
    first = Batch(journal, purpose="first")
    first.write(root / "a", b"A2", expect=digest(b"A"))
    first.write(root / "b", b"B", expect=ABSENT)
    interrupted(root, first, before="fsync_dir", nth=5)
    told = Told()
    second = Batch(journal, purpose="second", tell=told)
    second.write(root / "a", b"A3", expect=digest(b"A"))
    second.commit()

    assert told == ["an interrupted write was undone: first"]
    assert texts(root) == {"a": "A3"}


def test_undoing_never_overwrites_what_someone_wrote_since(root: Path, journal: Path) -> None:
    put(root, {"a": "A", "gone": "G"})
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.remove(root / "gone", expect=digest(b"G"))
    batch.write(root / "new", b"N", expect=ABSENT)
    batch.make_dir(root / "last")
    interrupted(root, batch, before="mkdir", nth=2)
    put(root, {"a": "edited since", "gone": "made again", "new": "edited too"})

    error = refusal(lambda: recover(journal, tell=Told()))

    assert error.code == "recovery_needed"
    assert set(error.params["paths"]) == {str(root / name) for name in ("a", "gone", "new")}  # type: ignore[call-overload]
    now = texts(root)
    kept = {name.partition(".kept-")[0]: text for name, text in now.items() if ".kept-" in name}
    assert kept == {"a": "A", "gone": "G"}
    assert (now["a"], now["gone"], now["new"]) == ("edited since", "made again", "edited too")
    assert recover(journal, tell=Told()) == []


def test_a_moved_folder_whose_place_was_taken_since_stays_where_it_is(
    root: Path, journal: Path
) -> None:
    put(root, {"x/f": "F"})
    batch = Batch(journal, purpose="test")
    batch.move(root / "x", root / "y")
    batch.make_dir(root / "last")
    interrupted(root, batch, before="mkdir", nth=2)
    put(root, {"x/f": "another"})

    error = refusal(lambda: recover(journal, tell=Told()))

    assert error.code == "recovery_needed"
    assert texts(root) == {"x/f": "another", "y/f": "F"}


def test_a_journal_from_elsewhere_is_refused_and_nothing_it_says_is_done(
    root: Path, journal: Path
) -> None:
    """Say, one that came with a cloned repository: a copy has another time of last change."""
    put(root, {"a": "A"})
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    batch.make_dir(root / "last")
    interrupted(root, batch, before="mkdir", nth=2)
    os.utime(journal / journal_file.NAME)
    before = snapshot(root, without=(".journal",))

    error = refusal(lambda: recover(journal, tell=Told()))

    assert error.code == "recovery_needed"
    assert "not written here" in str(error)
    assert snapshot(root, without=(".journal",)) == before
    assert (journal / journal_file.NAME).exists()


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"version": 2}', b'{"version": 1}', b"\xff"])
def test_a_damaged_or_newer_journal_is_refused_and_kept(journal: Path, text: bytes) -> None:
    journal.mkdir()
    (journal / journal_file.NAME).write_bytes(text)
    seal = journal_file._seal(text)
    os.utime(journal / journal_file.NAME, (seal, seal))

    assert refusal(lambda: recover(journal, tell=Told())).code == "recovery_needed"
    assert (journal / journal_file.NAME).read_bytes() == text


def test_something_else_in_the_journals_place_is_refused(root: Path, journal: Path) -> None:
    journal.symlink_to(root)

    assert refusal(lambda: recover(journal, tell=Told())).code == "recovery_needed"
    batch = Batch(journal, purpose="t")
    batch.make_dir(root / "x")
    assert refusal(batch.commit).code == "recovery_needed"


def test_a_reader_without_the_right_to_write_is_told_that_recovery_is_needed(
    root: Path, journal: Path
) -> None:
    put(root, {"a": "A"})
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))
    interrupted(root, batch, before="replace", nth=2)
    before = snapshot(root)

    ending = as_nobody(lambda: recover(journal, tell=Told()), root)

    assert ending.code == "recovery_needed"
    assert str(journal) in ending.text
    assert snapshot(root) == before


def test_a_workspace_we_may_not_write_is_named_and_untouched(root: Path, journal: Path) -> None:
    put(root, {"a": "A"})
    before = snapshot(root)
    batch = Batch(journal, purpose="test")
    batch.write(root / "a", b"A2", expect=digest(b"A"))

    ending = as_nobody(batch.commit, root)

    assert ending.code == "file_not_writable"
    assert snapshot(root) == before


def test_another_file_system_is_really_crossed(root: Path, journal: Path) -> None:
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == root.stat().st_dev:
        pytest.skip("no second file system here")
    target = other / f"rasen-test-{os.getpid()}"
    put(root, {"x/f": "F", "x/deep/g": "G"})
    (root / "x/link").symlink_to("f")
    (root / "x/f").chmod(0o750)
    before = snapshot(root / "x")
    try:
        batch = Batch(journal, purpose="archive outside")
        batch.move(root / "x", target / "archive/x")
        batch.write(target / "archive/new", b"N", expect=ABSENT)
        batch.commit()

        assert snapshot(target / "archive/x") == before
        assert snapshot(root) == {}
        assert texts(target)["archive/new"] == "N"
    finally:
        shutil.rmtree(target, ignore_errors=True)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path) if len(str(path)) > 100 else str(path))


@pytest.mark.parametrize(
    ("fault", "code"), [("enospc", "disk_full"), ("eacces", "file_not_writable")]
)
def test_a_lock_that_cannot_be_made_is_not_called_busy(
    root: Path, journal: Path, fault: str, code: str
) -> None:
    batch = Batch(journal, purpose="t")
    batch.make_dir(root / "x")

    ending = crash.fork(batch.commit, at=2, fault=fault)

    assert ending.code == code
    assert snapshot(root) == {}


def test_an_empty_journal_folder_does_not_stop_those_who_may_only_read(
    root: Path, journal: Path
) -> None:
    journal.mkdir()

    ending = as_nobody(lambda: recover(journal, tell=Told()), root)

    assert ending.code == ""
    assert recover(journal, tell=Told()) == []
    assert not journal.exists()
