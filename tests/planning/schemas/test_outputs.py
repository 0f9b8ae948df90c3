"""Which files an artifact's pattern names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.planning.schemas.outputs import matches, outputs


@pytest.fixture
def change(tmp_path: Path) -> Path:
    folder = tmp_path / "change"
    for name in (
        "proposal.md",
        "empty.md",
        "specs/top.md",
        "specs/auth/spec.md",
        "specs/auth/login/spec.md",
        "specs/.hidden.md",
        "specs/.dir/spec.md",
        "specs/note.txt",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (folder / "folder.md").mkdir()
    return folder.resolve()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("proposal.md", ["proposal.md"]),
        ("./proposal.md", ["proposal.md"]),
        ("empty.md", ["empty.md"]),
        ("folder.md", []),
        ("missing.md", []),
        ("../change/proposal.md", []),
        ("*.md", ["empty.md", "proposal.md"]),
        ("specs/*.md", ["specs/top.md"]),
        ("specs/*/spec.md", ["specs/auth/spec.md"]),
        (
            "specs/**/*.md",
            ["specs/auth/login/spec.md", "specs/auth/spec.md", "specs/top.md"],
        ),
        ("**/spec.md", ["specs/auth/login/spec.md", "specs/auth/spec.md"]),
        ("specs/**/**/spec.md", ["specs/auth/login/spec.md", "specs/auth/spec.md"]),
        (
            "specs/**",
            ["specs/auth/login/spec.md", "specs/auth/spec.md", "specs/note.txt", "specs/top.md"],
        ),
        ("specs/.*.md", ["specs/.hidden.md"]),
        ("specs/.dir/*.md", ["specs/.dir/spec.md"]),
        ("specs/to?.md", ["specs/top.md"]),
        ("specs/[s-u]op.md", ["specs/top.md"]),
        ("specs/[!s-u]op.md", []),
        ("", []),
        ("**", None),
    ],
)
def test_pattern(change: Path, pattern: str, expected: list[str] | None) -> None:
    found = [path.relative_to(change).as_posix() for path in outputs(change, pattern)]

    assert found == expected if expected is not None else "proposal.md" in found


def test_links_inside_the_change_are_followed_once(change: Path) -> None:
    (change / "alias").symlink_to(change / "specs")
    (change / "specs" / "loop").symlink_to(change / "specs")
    (change / "again.md").symlink_to(change / "proposal.md")

    assert outputs(change, "again.md") == [change / "proposal.md"]
    assert outputs(change, "**/top.md") == [change / "specs" / "top.md"]


def test_links_that_leave_the_change_do_not_count(change: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("")
    (change / "leak.md").symlink_to(tmp_path / "secret.md")
    (change / "up").symlink_to(tmp_path)

    assert outputs(change, "leak.md") == []
    assert outputs(change, "l*.md") == []
    assert outputs(change, "up/*.md") == []


def test_a_change_behind_a_link_has_real_paths(change: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(change)

    assert outputs(tmp_path / "link", "proposal.md") == [change / "proposal.md"]


def test_dangling_links_and_missing_folders_have_no_files(change: Path, tmp_path: Path) -> None:
    (change / "gone.md").symlink_to(tmp_path / "nowhere")

    assert outputs(change, "gone.md") == []
    assert outputs(tmp_path / "no-change", "**/*.md") == []


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("specs/**/*.md", "specs/a.md", True),
        ("specs/**/*.md", "specs/a/b/c.md", True),
        ("specs/**/*.md", "tasks.md", False),
        ("*.md", "a/b.md", False),
    ],
)
def test_matching_without_looking(pattern: str, name: str, fits: bool) -> None:
    assert matches(pattern, name) is fits
