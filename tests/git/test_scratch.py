"""Landing a commit, and going back where a landing was killed half way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.world import World

from rasen.git.landing import IndexLocked
from rasen.git.scratch import scratch, settle


class Place:
    """A repository whose branch is at `old`; `new` changes, adds and removes a file."""

    def __init__(self, world: World) -> None:
        self.world, self.root = world, world.root
        world.git("init", "-q")
        world.write("changed.md", "old\n")
        world.write("removed.md", "old\n")
        world.write("other.md", "other\n")
        self.old = self._commit()
        world.write("changed.md", "new\n")
        world.write("added/in/folder.md", "new\n")
        world.path("removed.md").unlink()
        self.new = self._commit()
        world.git("reset", "-q", "--hard", self.old)

    def _commit(self) -> str:
        self.world.git("add", "-A")
        self.world.git("commit", "-qm", "x")
        return self.head

    @property
    def head(self) -> str:
        return self.world.git("rev-parse", "HEAD").strip()

    @property
    def status(self) -> str:
        return self.world.git("status", "--porcelain")

    def was_killed(self) -> None:
        """Leave the note that a landing began."""
        folder = self.root / ".git/rasen-sync"
        folder.mkdir()
        (folder / "landing").write_text(f"{self.old} {self.new}\n")


@pytest.fixture
def place(world: World) -> Place:
    return Place(world)


def test_landing_moves_all_three(place: Place) -> None:
    with scratch(place.root, is_trial=False) as bench:
        assert bench.land(place.old, place.new)

    assert place.head == place.new
    assert place.status == ""
    assert place.world.read("added/in/folder.md") == "new\n"
    assert not (place.root / ".git/rasen-sync").exists()


@pytest.mark.parametrize(
    ("rel", "text"), [("changed.md", "edited\n"), ("added/in/folder.md", "mine\n")]
)
def test_landing_over_an_edit_changes_nothing(place: Place, rel: str, text: str) -> None:
    place.world.write(rel, text)
    status = place.status

    with scratch(place.root, is_trial=False) as bench:
        assert not bench.land(place.old, place.new)

    assert (place.head, place.status) == (place.old, status)
    assert place.world.read(rel) == text


def test_landing_on_a_branch_that_moved_goes_back(place: Place) -> None:
    place.world.write("more.md", "more\n")
    place.world.git("add", "more.md")
    place.world.git("commit", "-qm", "meanwhile")
    head = place.head

    with scratch(place.root, is_trial=False) as bench:
        assert not bench.land(place.old, place.new)

    assert place.head == head
    assert place.world.read("more.md") == "more\n"


def complete(place: Place) -> None:
    place.world.git("read-tree", "-m", "-u", place.old, place.new)


def only_files(place: Place) -> None:
    place.world.write("changed.md", "new\n")
    place.world.write("added/in/folder.md", "new\n")


def only_removed(place: Place) -> None:
    place.world.path("removed.md").unlink()


def nothing(place: Place) -> None:
    assert place.status == ""


@pytest.mark.parametrize("state", [complete, only_files, only_removed, nothing])
def test_a_killed_landing_is_undone(place: Place, state: object) -> None:
    assert callable(state)
    state(place)
    place.was_killed()

    assert settle(place.root)

    assert (place.head, place.status) == (place.old, "")
    assert not (place.root / "added").exists()
    assert not (place.root / ".git/rasen-sync").exists()


def test_what_was_edited_after_the_kill_stays(place: Place) -> None:
    complete(place)
    place.was_killed()
    place.world.write("changed.md", "edited\n")
    place.world.write("other.md", "edited\n")

    settle(place.root)

    assert place.world.read("changed.md") == "edited\n"
    assert place.world.read("other.md") == "edited\n"
    assert place.status == " M changed.md\n M other.md\n"


def test_a_lock_of_git_is_not_taken_away(place: Place) -> None:
    only_files(place)
    place.was_killed()
    lock = place.root / ".git/index.lock"
    lock.write_text("")

    with pytest.raises(IndexLocked) as refusal:
        settle(place.root)

    assert refusal.value.params["lock"] == lock
    lock.unlink()
    assert settle(place.root)
    assert place.status == ""


def test_nothing_to_settle(place: Place) -> None:
    assert not settle(place.root)


def test_a_trial_keeps_its_objects_apart(place: Place) -> None:
    before = sorted((place.root / ".git/objects").rglob("*"))

    with scratch(place.root, is_trial=True) as bench:
        oid = bench.keep(b"only here\n")
        assert bench.content(oid) == b"only here\n"
        assert bench.content(bench.entries("HEAD")["other.md"].oid) == b"other\n"

    assert sorted((place.root / ".git/objects").rglob("*")) == before


def test_the_folder_of_a_linked_work_tree_is_its_own(place: Place, world: World) -> None:
    linked = world.base / "linked"
    world.git("worktree", "add", "-q", "-b", "side", str(linked))

    with scratch(linked, is_trial=False) as bench:
        assert Path(".git") / "worktrees" in [Path(*bench.folder.relative_to(place.root).parts[:2])]
        assert bench.land(place.old, place.new)

    assert world.git("rev-parse", "side").strip() == place.new
    assert place.head == place.old
    assert place.status == ""
