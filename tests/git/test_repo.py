"""Questions to git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.support.snapshot import snapshot
from tests.support.world import World

from rasen.git import repo


@pytest.fixture
def git(world: World) -> World:
    """A repository with two commits in the project folder."""
    world.git("init", "-q")
    world.write("specs/a.md", "one")
    world.git("add", ".")
    world.git("commit", "-qm", "first")
    world.write("specs/登录.md", "x")
    world.write("specs/a.md", "two")
    world.git("add", ".")
    world.git("commit", "-qm", "second")
    return world


def test_a_root_is_only_where_dot_git_lies(git: World) -> None:
    assert repo.is_root(git.root)
    assert not repo.is_root(git.root / "specs")


def test_the_root_is_found_from_below_and_none_from_outside(git: World) -> None:
    assert repo.root_of(git.root / "specs") == git.root
    assert repo.root_of(git.root / "specs" / "a.md") == git.root
    assert repo.root_of(git.home) is None


def test_the_head_is_a_full_id_and_absent_before_the_first_commit(git: World) -> None:
    assert repo.head(git.root) == git.git("rev-parse", "HEAD").strip()
    git.git("init", "-q", "empty")
    assert repo.head(git.root / "empty") is None


def test_a_nested_folder_does_not_report_its_parents_repository(git: World) -> None:
    git.git("remote", "add", "origin", "https://example.invalid/x.git")

    assert repo.origin(git.root) == "https://example.invalid/x.git"
    assert repo.origin(git.root / "specs") is None
    assert repo.head(git.root / "specs") is None


def test_a_repository_without_origin_has_none(git: World) -> None:
    assert repo.origin(git.root) is None


def test_a_committed_folder_is_clean_and_tracked(git: World) -> None:
    status = repo.status(git.root, git.root / "specs")

    assert status.is_clean_and_tracked
    assert status == repo.Status(is_known=True, has_tracked=True)


def test_every_kind_of_loose_file_is_named(git: World) -> None:
    git.write(".gitignore", "*.log\n")
    git.write("specs/a.md", "three")
    git.write("specs/新 b.md", "")
    git.write("specs/x.log", "")
    git.write("specs/staged.md", "")
    git.git("add", "specs/staged.md")
    git.git("rm", "-q", "--cached", "specs/登录.md")

    status = repo.status(git.root, git.root / "specs")

    assert not status.is_clean_and_tracked
    assert status.dirty == ("specs/a.md", "specs/staged.md", "specs/登录.md")
    assert status.untracked == ("specs/新 b.md", "specs/登录.md")
    assert status.ignored == ("specs/x.log",)


@pytest.mark.parametrize("name", ["loose", ":(glob)*", "*"])
def test_an_untracked_or_odd_path_is_not_clean(git: World, name: str) -> None:
    git.write(f"{name}/f", "")

    status = repo.status(git.root, git.root / name)

    assert not status.is_clean_and_tracked
    assert status.untracked == (f"{name}/f",)
    assert not status.has_tracked


def test_a_file_is_shown_as_of_a_revision(git: World) -> None:
    assert repo.show(git.root, "HEAD", "specs/a.md") == b"two"
    assert repo.show(git.root, "HEAD~1", "specs/a.md") == b"one"
    assert repo.show(git.root, "HEAD~1", "specs/登录.md") is None
    assert repo.show(git.root, "no-such-revision", "specs/a.md") is None
    assert repo.show(git.root, "--batch", "x") is None


def test_the_commits_that_brought_a_file_are_listed_newest_first(git: World) -> None:
    first, second = (git.git("rev-parse", name).strip() for name in ("HEAD~1", "HEAD"))
    assert repo.introductions(git.root, "specs/a.md") == (first,)
    assert repo.introductions(git.root, "specs/登录.md") == (second,)
    assert repo.introductions(git.root, "specs/none.md") == ()

    git.git("rm", "-q", "specs/a.md")
    git.git("commit", "-qm", "drop")
    git.write("specs/a.md", "again")
    git.git("add", ".")
    git.git("commit", "-qm", "again")
    again = git.git("rev-parse", "HEAD").strip()
    assert repo.introductions(git.root, "specs/a.md") == (again, first)


def test_work_trees_share_the_common_folder(git: World) -> None:
    git.git("worktree", "add", "-q", str(git.base / "other"))
    other = git.base / "other"

    assert repo.is_root(other)
    assert repo.root_of(other) == other
    assert repo.common_dir(other) == repo.common_dir(git.root) == git.root / ".git"
    assert repo.git_dir(other) == git.root / ".git" / "worktrees" / "other"
    assert repo.git_dir(git.root) == git.root / ".git"


def test_asking_changes_nothing(git: World) -> None:
    os.utime(git.root / "specs" / "a.md", (1, 1))  # would tempt git to refresh its index
    before = snapshot(git.root)

    repo.status(git.root, git.root)
    repo.introductions(git.root, "specs/a.md")
    repo.show(git.root, "HEAD", "specs/a.md")
    repo.head(git.root)

    assert snapshot(git.root) == before


def test_settings_of_a_hook_do_not_mislead(git: World) -> None:
    code = (
        "from pathlib import Path; from rasen.git import repo;"
        f"print(repo.root_of(Path({str(git.root)!r})) == Path({str(git.root)!r}))"
    )
    misleading = {"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/", "GIT_INDEX_FILE": "/nowhere"}

    assert git.python("-c", code, env={**misleading, "LC_ALL": "de_DE.UTF-8"}).out == "True\n"


def test_without_git_answers_are_none_and_nothing_breaks(git: World) -> None:
    code = (
        "from pathlib import Path; from rasen.git import repo;"
        f"root = Path({str(git.root)!r});"
        "print(repo.is_available(), repo.root_of(root), repo.head(root), repo.origin(root),"
        " repo.show(root, 'HEAD', 'specs/a.md'), repo.git_dir(root),"
        " repo.introductions(root, 'specs/a.md'), repo.status(root, root).is_known)"
    )

    result = git.python("-c", code, env={"PATH": str(git.home)})

    assert result.out == "False None None None None None () False\n", result.err


def test_git_is_available_here() -> None:
    assert repo.is_available()
    assert repo.root_of(Path("/")) is None
