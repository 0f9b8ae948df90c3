"""One file at a time."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.support import crash
from tests.support.snapshot import snapshot
from tests.support.unprivileged import as_nobody

from rasen.base.errors import ToolError
from rasen.files.atomic import (
    ABSENT,
    digest,
    make_dirs,
    read_bytes,
    read_optional,
    read_text,
    remove_file,
    replace_file,
)


def code_of(caught: pytest.ExceptionInfo[ToolError]) -> str:
    return caught.value.code


def test_the_digest_names_its_algorithm() -> None:
    assert digest(b"abc") == (
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_a_text_is_read_with_its_mark_and_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffä\r\nb\r".encode())

    assert read_text(tmp_path / "a") == "\ufeffä\r\nb\r"


def test_text_that_is_not_utf8_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"fine\nalso\nbad \xff here\n")

    with pytest.raises(ToolError) as caught:
        read_text(tmp_path / "a")

    assert code_of(caught) == "file_not_utf8"
    assert caught.value.params["line"] == 3
    assert str(tmp_path / "a") in str(caught.value)


def test_reading_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("x")
    cases = {
        "nothing": "file_missing",
        "file/below": "file_missing",
        ".": "not_a_file",
        "pipe": "not_a_file",
    }

    for name, code in cases.items():
        with pytest.raises(ToolError) as caught:
            read_bytes(tmp_path / name)
        assert code_of(caught) == code, name


@pytest.mark.parametrize(("size", "is_fine"), [(0, True), (9, True), (10, True), (11, False)])
def test_a_read_never_exceeds_its_limit(tmp_path: Path, size: int, is_fine: bool) -> None:
    (tmp_path / "a").write_bytes(b"x" * size)

    if is_fine:
        assert read_bytes(tmp_path / "a", limit_bytes=10) == b"x" * size
        return
    with pytest.raises(ToolError) as caught:
        read_bytes(tmp_path / "a", limit_bytes=10)
    assert code_of(caught) == "file_too_large"


def test_a_file_that_we_may_not_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "a").chmod(0)

    ending = as_nobody(lambda: read_bytes(tmp_path / "a"), tmp_path)

    assert ending.code == "file_unreadable"


def test_an_optional_file_may_be_absent(tmp_path: Path) -> None:
    assert read_optional(tmp_path / "a") is None


def test_replacing_keeps_the_permission_bits(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)

    replace_file(path, b"new", expect=digest(b"old"))

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]


def test_a_new_file_gets_the_users_default_bits_unless_told(tmp_path: Path) -> None:
    former = os.umask(0o027)
    try:
        replace_file(tmp_path / "sub" / "a", b"x", expect=ABSENT)
        replace_file(tmp_path / "b", b"x", mode=0o755)
    finally:
        os.umask(former)

    assert stat.S_IMODE((tmp_path / "sub" / "a").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o755


@pytest.mark.parametrize("expect", [ABSENT, digest(b"other")])
def test_a_file_that_changed_is_neither_replaced_nor_removed(tmp_path: Path, expect: str) -> None:
    path = tmp_path / "a"
    path.write_text("theirs")

    changes: tuple[Callable[[], None], ...] = (
        partial(replace_file, path, b"x", expect=expect),
        partial(remove_file, path, expect=expect),
    )
    for change in changes:
        with pytest.raises(ToolError) as caught:
            change()
        assert code_of(caught) == "file_changed"

    assert snapshot(tmp_path) == {"a": ("file", 0o644, b"theirs")}


def test_a_file_that_vanished_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        replace_file(tmp_path / "sub" / "a", b"x", expect=digest(b"was"))

    assert code_of(caught) == "file_changed"
    assert snapshot(tmp_path) == {}


def test_a_link_to_a_file_in_the_same_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("old")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")

    replace_file(tmp_path / "CLAUDE.md", b"new", expect=digest(b"old"))

    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "AGENTS.md").read_bytes() == b"new"


def test_a_link_out_of_its_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "target").write_text("old")
    (tmp_path / "sub" / "a").symlink_to("../target")

    with pytest.raises(ToolError) as caught:
        replace_file(tmp_path / "sub" / "a", b"new")

    assert code_of(caught) == "path_traversal"
    assert (tmp_path / "target").read_text() == "old"


def test_removing_a_link_leaves_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "a").symlink_to("target")

    remove_file(tmp_path / "a", expect=digest(b"old"))

    assert snapshot(tmp_path) == {"target": ("file", 0o644, b"old")}


def test_removing_what_is_not_there_is_fine(tmp_path: Path) -> None:
    remove_file(tmp_path / "a")
    remove_file(tmp_path / "a", expect=ABSENT)


def test_a_folder_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()

    changes: tuple[Callable[[Path], None], ...] = (partial(replace_file, data=b"x"), remove_file)
    for change in changes:
        with pytest.raises(ToolError) as caught:
            change(tmp_path / "a")
        assert code_of(caught) == "not_a_file"


def test_folders_are_made_outermost_first_and_named(tmp_path: Path) -> None:
    assert make_dirs(tmp_path / "a" / "b") == [tmp_path / "a", tmp_path / "a" / "b"]
    assert make_dirs(tmp_path / "a" / "b") == []


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")

    with pytest.raises(ToolError) as caught:
        make_dirs(tmp_path / "a" / "b")

    assert code_of(caught) == "not_a_folder"
    assert caught.value.params["file"] == str(tmp_path / "a")


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("enospc", "disk_full"),
        ("eacces", "file_not_writable"),
        ("erofs", "file_not_writable"),
        ("interrupt", "interrupted"),
    ],
)
def test_a_failed_replacement_leaves_the_folder_as_it_was(
    tmp_path: Path, fault: str, code: str
) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    before = snapshot(tmp_path)
    for at in range(1, crash.fork(lambda: replace_file(path, b"old")).calls + 1):
        ending = crash.fork(lambda: replace_file(path, b"new"), at=at, fault=fault)

        assert ending.code in (code, ""), at
        assert path.read_bytes() in (b"old", b"new")
        if fault != "erofs":  # a disk that turned read-only keeps its temporary file
            assert len(list(tmp_path.iterdir())) == 1, at
        path.write_text("old")
        for extra in tmp_path.glob(".*"):
            extra.unlink()
        assert snapshot(tmp_path) == before


@pytest.mark.requirement("SP-043")
@pytest.mark.parametrize("fault", ["kill", "torn"])
def test_a_killed_replacement_leaves_old_or_new(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a"
    path.write_text("old")
    seen = set()
    for at in range(1, crash.fork(lambda: replace_file(path, b"old")).calls + 1):
        path.write_text("old")
        assert crash.fork(lambda: replace_file(path, b"new"), at=at, fault=fault).was_killed
        seen.add(path.read_bytes())

    assert seen == {b"old", b"new"}


def test_a_folder_we_may_not_write_is_named_and_untouched(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_text("old")
    before = snapshot(tmp_path)

    for path in (tmp_path / "sub" / "a", tmp_path / "sub" / "new", tmp_path / "sub" / "n" / "new"):
        ending = as_nobody(partial(replace_file, path, b"x"), tmp_path)
        assert ending.code == "file_not_writable"
        assert str(path.name) in ending.text or str(path.parent) in ending.text
    assert as_nobody(lambda: remove_file(tmp_path / "sub" / "a"), tmp_path).code == (
        "file_not_writable"
    )
    assert snapshot(tmp_path) == before
