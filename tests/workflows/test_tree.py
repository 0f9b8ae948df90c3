"""Reading the folder of a workflow: all of it, only files, within limits, and nothing that moves."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from tests.support.workflow_makers import lay

from rasen.files import transfer
from rasen.workflows import tree
from rasen.workflows.tree import CONTENT_BYTES, FILE_BYTES, MAX_FILES, Reader, read


def codes(found: tree.Tree) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in found.found]


@pytest.mark.requirement("WF-065", "SP-008")
def test_files_come_in_the_order_of_code_units_and_junk_is_passed_over(tmp_path: Path) -> None:
    names = ["workflow.yaml", "SKILL.md", "references/ａ.md", "references/😀.md", "references/b.md"]
    lay(tmp_path, dict.fromkeys([*names, ".DS_Store", "references/Thumbs.db"], b"x"))
    (tmp_path / "empty/inner").mkdir(parents=True)

    found = read(tmp_path)

    assert found.found == ()
    assert list(found.files) == [
        "SKILL.md", "references/b.md", "references/😀.md", "references/ａ.md", "workflow.yaml",
    ]  # fmt: skip


@pytest.mark.requirement("WF-060")
def test_the_root_is_a_folder_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")

    for name in ("file", "link", "nothing", "file/below"):
        assert codes(read(tmp_path / name)) == [("source_not_directory", "")]


@pytest.mark.requirement("WF-060", "WF-064")
def test_what_cannot_be_read_has_a_code_of_its_own(tmp_path: Path) -> None:
    lay(tmp_path, {"inner/file": b"x", "good": b"y"})

    class Denied(Reader):
        def names(self, folder: Path) -> list[str]:
            if folder in denied:
                raise PermissionError(13, "Permission denied")
            return super().names(folder)

        def bytes(self, path: Path, seen: os.stat_result) -> bytes:
            if path in denied:
                raise PermissionError(13, "Permission denied")
            return super().bytes(path, seen)

    denied = {tmp_path}
    assert codes(Denied(tmp_path).tree()) == [("source_unreadable", "")]
    denied = {tmp_path / "inner"}
    assert codes(Denied(tmp_path).tree()) == [("directory_unreadable", "inner")]
    denied = {tmp_path / "good"}
    assert codes(Denied(tmp_path).tree()) == [("file_unreadable", "good")]


@pytest.mark.requirement("WF-061")
def test_links_and_special_files_are_refused_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("secret")
    root = lay(tmp_path / "root", {"file": b"x"})
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "dangling").symlink_to("nowhere")
    (root / "folder").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as plug:
        plug.bind(str(root / "plug"))
        found = read(root)

    assert codes(found) == [
        ("symlink_forbidden", "dangling"),
        ("symlink_forbidden", "folder"),
        ("symlink_forbidden", "link"),
        ("special_file_forbidden", "pipe"),
        ("special_file_forbidden", "plug"),
    ]
    assert list(found.files) == ["file"]


@pytest.mark.requirement("WF-062", "WF-072")
def test_one_file_has_its_limit(tmp_path: Path) -> None:
    lay(tmp_path, {"most": b"x" * FILE_BYTES, "more": b"x" * (FILE_BYTES + 1)})

    found = read(tmp_path)

    assert codes(found) == [("file_too_large", "more")]
    assert found.found[0].to_json()["details"] == {
        "file": "more", "actual": FILE_BYTES + 1, "limit": FILE_BYTES,
    }  # fmt: skip
    assert list(found.files) == ["most"]


@pytest.mark.requirement("WF-062")
def test_so_many_files_and_no_more(tmp_path: Path) -> None:
    lay(tmp_path, {f"{number:03}": b"" for number in range(MAX_FILES)})
    assert read(tmp_path).found == ()

    (tmp_path / "more").write_text("")

    found = read(tmp_path)
    assert codes(found) == [("entry_limit_exceeded", "more")]
    assert found.found[0].params["limit"] == MAX_FILES


@pytest.mark.requirement("WF-062")
def test_all_files_together_have_their_limit(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {f"{number:02}": b"x" * FILE_BYTES for number in range(CONTENT_BYTES // FILE_BYTES)},
    )
    assert read(tmp_path).found == ()

    (tmp_path / "one").write_text("x")

    assert codes(read(tmp_path)) == [("content_limit_exceeded", "one")]


class Meddling(Reader):
    """Something else works in the folder while it is read."""

    def bytes(self, path: Path, seen: os.stat_result) -> bytes:
        if path.name == "replaced":
            path.unlink()
            path.write_text("another")
        if path.name == "longer":
            path.write_text("much longer than it was")
        if path.name == "adds":
            (path.parent / "new").write_text("x")
        return super().bytes(path, seen)


@pytest.mark.requirement("WF-064")
@pytest.mark.parametrize(
    ("name", "code"),
    [("replaced", "entry_changed"), ("longer", "entry_changed"), ("adds", "directory_changed")],
)
def test_what_changes_meanwhile_is_noticed(tmp_path: Path, name: str, code: str) -> None:
    lay(tmp_path, {f"inner/{name}": b"x"})

    assert code in {one.code for one in Meddling(tmp_path).tree().found}


@pytest.mark.requirement("WF-064")
def test_what_goes_meanwhile_is_noticed(tmp_path: Path) -> None:
    class Removing(Reader):
        def names(self, folder: Path) -> list[str]:
            names = super().names(folder)
            (folder / "goes").unlink()
            return names

    lay(tmp_path, {"goes": b"x", "stays": b"y"})

    assert ("entry_changed", "goes") in codes(Removing(tmp_path).tree())


@pytest.mark.requirement("WF-016")
def test_folders_in_folders_end_where_a_path_may_be_no_longer(tmp_path: Path) -> None:
    lay(tmp_path, {"SKILL.md": b"x"})
    place = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1200):
        os.mkdir("in", dir_fd=place)
        below = os.open("in", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = below
    os.close(place)

    try:
        found = read(tmp_path)
    finally:
        transfer.delete(tmp_path / "in")

    assert codes(found) == [("path_too_long", "/".join(["in"] * 81))]
    assert "longer than 240 bytes" in found.found[0].message


@pytest.mark.requirement("WF-063")
def test_a_name_that_is_no_text_is_told_and_not_followed(tmp_path: Path) -> None:
    lay(tmp_path, {"SKILL.md": b"x"})
    (tmp_path / "caf\udce9/inner").mkdir(parents=True)

    found = read(tmp_path)

    assert codes(found) == [("utf8_invalid", "caf\udce9")]
    assert found.found[0].params["offset"] == 3
    assert found.found[0].fix == "give it a name in UTF-8"
