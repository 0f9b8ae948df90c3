"""Paths that stay inside their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rasen.files.errors import PathTraversal
from rasen.files.paths import canonical, inside, is_plain_name, resolve_link

_SEGMENTS = st.one_of(
    st.sampled_from(["..", ".", "", "a", "spec.md", "C:", "con", "NUL.txt", "out", "in", "loop"]),
    st.text(max_size=6),
)


@pytest.mark.parametrize(
    "relative", ["a", "a/b.md", "规格/登录.md", "a b/c", ".rasen/x", "console"]
)
def test_a_plain_path_is_joined(tmp_path: Path, relative: str) -> None:
    assert inside(tmp_path, relative) == tmp_path / relative


@pytest.mark.parametrize(
    "relative",
    [
        "",
        ".",
        "..",
        "a/../b",
        "../a",
        "/etc/passwd",
        "a//b",
        "a/",
        "./a",
        "C:/x",
        "C:x",
        "a\\b",
        "\\\\host\\share",
        "file.md:stream",
        "con",
        "Con.txt",
        "a/LPT1",
        "nul.tar.gz",
        "com¹",
        "a.",
        "a /b",
        "a\0b",
        "a\nb",
    ],
)
def test_anything_else_is_refused_on_every_system(tmp_path: Path, relative: str) -> None:
    with pytest.raises(PathTraversal) as caught:
        inside(tmp_path, relative)

    assert caught.value.code == "path_traversal"


def test_a_link_that_leaves_the_root_is_refused_wherever_it_is(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "real").mkdir(parents=True)
    (root / "out").symlink_to(tmp_path)
    (root / "stays").symlink_to("real")
    (root / "dangling").symlink_to(tmp_path / "not-there")

    for relative in ("out", "out/x", "stays/../../x", "dangling"):
        with pytest.raises(PathTraversal):
            inside(root, relative)
    assert inside(root, "stays/x") == root / "stays" / "x"


def test_a_link_to_the_root_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "self").symlink_to(tmp_path)

    with pytest.raises(PathTraversal):
        inside(tmp_path, "self")


def test_a_root_behind_a_link_is_fine(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    assert inside(tmp_path / "link", "a") == tmp_path / "link" / "a"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(segments=st.lists(_SEGMENTS, max_size=5), separator=st.sampled_from(["/", "\\", "//"]))
def test_whatever_is_accepted_lies_inside(
    tmp_path: Path, segments: list[str], separator: str
) -> None:
    root = tmp_path / "root"
    if not root.exists():
        (root / "in").mkdir(parents=True)
        (root / "out").symlink_to("/")
        (root / "loop").symlink_to("loop")

    try:
        joined = inside(root, separator.join(segments))
    except PathTraversal:
        return

    assert canonical(joined).is_relative_to(canonical(root))
    assert canonical(joined) != canonical(root)
    assert joined.is_relative_to(root)


@pytest.mark.parametrize("name", ["a", "spec.md", "登录", ".hidden"])
def test_a_plain_name_is_recognised(name: str) -> None:
    assert is_plain_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "a\0", "aux", "a."])
def test_other_names_are_not_plain(name: str) -> None:
    assert not is_plain_name(name)


def test_the_canonical_path_resolves_what_exists_and_keeps_the_rest(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    assert canonical(tmp_path / "link" / "x" / "y") == tmp_path.resolve() / "real" / "x" / "y"


def test_a_link_within_its_folder_is_followed_and_any_other_refused(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "AGENTS.md").write_text("x")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "deep" / "up.md").symlink_to("../AGENTS.md")

    assert resolve_link(tmp_path / "CLAUDE.md") == tmp_path.resolve() / "AGENTS.md"
    with pytest.raises(PathTraversal):
        resolve_link(tmp_path / "deep" / "up.md")
