"""What a repository remembers of files."""

from __future__ import annotations

import pytest
from tests.support.world import World

from rasen.git.history import (
    Event,
    Missing,
    Objects,
    comings_and_goings,
    has_history,
    head,
    prefix,
)


@pytest.fixture
def git(world: World) -> World:
    """A repository whose second commit changes, adds and removes files."""
    world.git("init", "-q")
    world.write("a/one.md", "1")
    world.write("a/gone.md", "g")
    commit(world)
    world.write("a/one.md", "2")
    world.write('a/新 "b"\t.md', "n")
    world.path("a/gone.md").unlink()
    commit(world)
    return world


def commit(world: World) -> str:
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "A\tmessage\n\nA\tof many lines")
    return world.git("rev-parse", "HEAD").strip()


def commits(world: World) -> list[str]:
    return world.git("rev-list", "HEAD").split()


def test_commits_that_add_or_remove_are_told_newest_first(git: World) -> None:
    second, first = commits(git)

    assert comings_and_goings(git.root, "a") == (
        Event(second, frozenset({'a/新 "b"\t.md'}), frozenset({"a/gone.md"})),
        Event(first, frozenset({"a/one.md", "a/gone.md"}), frozenset()),
    )


def test_names_are_relative_to_the_folder_asked_about(git: World) -> None:
    events = comings_and_goings(git.root / "a", ".")

    assert events is not None
    assert events[-1].added == {"one.md", "gone.md"}


def test_a_rename_is_a_removal_and_an_addition(git: World) -> None:
    git.git("mv", "a/one.md", "a/two.md")
    moved = commit(git)

    events = comings_and_goings(git.root, "a")

    assert events is not None
    assert events[0] == Event(moved, frozenset({"a/two.md"}), frozenset({"a/one.md"}))


def test_there_is_no_history_without_a_repository_or_a_commit(world: World) -> None:
    assert not has_history(world.root)
    assert comings_and_goings(world.root, "a") is None

    world.git("init", "-q")

    assert has_history(world.root)
    assert head(world.root) is None
    assert comings_and_goings(world.root, "a") is None


def test_the_head_is_known_below_the_top(git: World) -> None:
    assert head(git.root / "a") == commits(git)[0]
    assert head(git.home) is None


def test_a_folder_knows_its_place_in_the_repository(git: World) -> None:
    assert prefix(git.root) == ""
    assert prefix(git.root / "a" / "b") == "a/b/"
    assert prefix(git.home) == ""


def test_files_are_read_at_any_commit(git: World) -> None:
    second, first = commits(git)

    with Objects(git.root) as objects:
        read = [objects.read(commit, "a/one.md") for commit in (first, second, first)]

    assert read == [b"1", b"2", b"1"]


def test_paths_are_relative_to_the_folder(git: World) -> None:
    with Objects(git.root / "a") as objects:
        assert objects.read(commits(git)[1], "one.md") == b"1"


def test_a_file_is_absent_also_where_the_folder_itself_was_not_there_yet(git: World) -> None:
    git.write("new/deep/x.md", "x")
    now = commit(git)

    with Objects(git.root / "new/deep") as objects:
        assert objects.read(commits(git)[1], "x.md") is Missing.ABSENT
        assert objects.read(now, "x.md") == b"x"


def test_a_large_and_an_empty_file_come_whole(git: World) -> None:
    content = bytes(range(256)) * 4096
    git.write("a/large", content)
    git.write("a/empty", b"")
    now = commit(git)

    with Objects(git.root) as objects:
        assert objects.read(now, "a/large") == content
        assert objects.read(now, "a/empty") == b""
        assert objects.read(now, "a/one.md") == b"2"


@pytest.mark.parametrize("path", ["a/none.md", "none/one.md", "a/deep/er/x.md", "a/x\ny.md"])
def test_a_file_that_was_not_there_is_absent(git: World, path: str) -> None:
    with Objects(git.root) as objects:
        assert objects.read(commits(git)[0], path) is Missing.ABSENT


@pytest.mark.parametrize("path", ["a", "a/one.md/x"])
def test_what_is_no_file_is_not_called_absent(git: World, path: str) -> None:
    with Objects(git.root) as objects:
        found = objects.read(commits(git)[0], path)

    assert found is Missing.UNREACHABLE


@pytest.mark.parametrize("revision", ["d" * 40, "--help", "main~99", ""])
def test_a_commit_that_is_not_here(git: World, revision: str) -> None:
    with Objects(git.root) as objects:
        assert not objects.has_commit(revision)
        assert objects.read(revision, "a/one.md") is Missing.UNREACHABLE
        assert objects.has_commit(commits(git)[0])


def test_folders_are_told_from_files(git: World) -> None:
    now = commits(git)[0]
    with Objects(git.root) as objects:
        told = [objects.has_folder(now, path) for path in ("a", ".", "a/one.md", "none")]

    assert told == [True, True, False, False]


def test_the_end_of_a_shallow_clone_is_a_boundary(git: World) -> None:
    clone = git.base / "clone"
    git.git("clone", "-q", "--depth", "1", f"file://{git.root}", str(clone))
    second, first = commits(git)

    with Objects(clone) as objects:
        assert objects.is_boundary(second)
        assert objects.parent(second) == first
        assert not objects.has_commit(first)
    with Objects(git.root) as objects:
        assert not objects.is_boundary(second)
        assert not objects.is_boundary(first)
        assert objects.parent(first) is None


def test_repositories_with_long_ids_are_read(world: World) -> None:
    world.git("init", "-q", "--object-format=sha256")
    world.write("a/one.md", "1")
    now = commit(world)

    with Objects(world.root) as objects:
        assert objects.full_id("HEAD") == now
        assert objects.read(now, "a/none.md") is Missing.ABSENT


def test_a_missing_git_answers_nothing(git: World, monkeypatch: pytest.MonkeyPatch) -> None:
    now = commits(git)[0]
    monkeypatch.setenv("PATH", str(git.home))

    with Objects(git.root) as objects:
        assert not objects.has_commit(now)
        assert objects.read(now, "a/one.md") is Missing.UNREACHABLE
    assert comings_and_goings(git.root, "a") is None
    assert head(git.root) is None
