"""What lies in a workspace, and what lies where nothing reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rasen.planning import disk


def tree(root: Path, *files: str) -> Path:
    """Make empty files; a name that ends in `/` is a folder."""
    for name in files:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return root


def found(change: Path) -> tuple[list[str], list[tuple[str, str, str]]]:
    discovery = disk.delta_files(change)
    return (
        [file.capability for file in discovery.files],
        [(one.code, one.level.value, one.path) for one in discovery.misplaced],
    )


def test_specs_are_found_at_any_depth_and_sorted_by_code_point(tmp_path: Path) -> None:
    tree(tmp_path, "b/spec.md", "a/x/spec.md", "B/spec.md", "a-b/spec.md", "é/spec.md")

    ids = [entry.id for entry in disk.spec_entries(tmp_path)]

    assert ids == ["B", "a-b", "a/x", "b", "é"]


@pytest.mark.parametrize(
    ("files", "ids"),
    [
        (["empty/"], ["empty"]),
        (["area/login/spec.md", "area/notes.md"], ["area/login"]),
        (["area/spec.md", "area/login/spec.md"], ["area", "area/login"]),
        (["area/spec.md", "area/assets/logo.png"], ["area"]),
        (["area/login/spec.md", "area/empty/"], ["area/empty", "area/login"]),
        (["README.md", ".git/spec.md", ".hidden/a/spec.md"], []),
    ],
    ids=[
        "folder without a spec",
        "area",
        "nested in one",
        "assets",
        "empty beside one",
        "dot names",
    ],
)
def test_which_folders_are_capabilities(tmp_path: Path, files: list[str], ids: list[str]) -> None:
    tree(tmp_path, *files)

    assert [entry.id for entry in disk.spec_entries(tmp_path)] == ids


@pytest.mark.parametrize("name", ["a", "b"])
def test_whatever_is_called_spec_md_stands_for_a_spec_in_both_ways_to_ask(
    tmp_path: Path, name: str
) -> None:
    tree(tmp_path, "a/spec.md/", "b/notes.md", "b/spec.md")

    listed = {entry.id: entry.has_spec for entry in disk.spec_entries(tmp_path)}

    assert listed[name]
    assert disk.has_spec(tmp_path, name)


def test_linked_capability_folders_are_not_followed(tmp_path: Path) -> None:
    tree(tmp_path, "elsewhere/spec.md", "specs/real/spec.md")
    (tmp_path / "specs/linked").symlink_to(tmp_path / "elsewhere")

    assert [entry.id for entry in disk.spec_entries(tmp_path / "specs")] == ["real"]


def test_missing_folders_hold_nothing(tmp_path: Path) -> None:
    missing = tmp_path / "missing"

    assert disk.spec_entries(missing) == []
    assert disk.change_names(missing) == []
    assert disk.grouping_folders(missing) == []
    assert disk.archived_names(missing) == []
    assert disk.delta_files(missing).is_empty


def test_changes_are_folders_with_anything_in_them(tmp_path: Path) -> None:
    tree(
        tmp_path,
        "b/proposal.md",
        "a/",
        "archive/2026-01-01-x/proposal.md",
        ".tmp/tasks.md",
        "note.md",
    )

    assert disk.change_names(tmp_path) == ["a", "b"]
    assert disk.archived_names(tmp_path / "archive") == ["2026-01-01-x"]


@pytest.mark.parametrize("mark", ["proposal.md", "tasks.md", ".openspec.yaml", "specs/x/spec.md"])
def test_folder_with_changes_below_it_is_a_group(tmp_path: Path, mark: str) -> None:
    tree(tmp_path, f"mobile/refresh/{mark}", "mobile/notes/x.md", "plain/design.md")

    assert disk.change_names(tmp_path) == ["plain"]
    assert disk.grouping_folders(tmp_path) == ["mobile"]
    assert disk.is_grouping(tmp_path / "mobile")
    assert disk.nested_changes(tmp_path / "mobile") == ["refresh"]


@pytest.mark.parametrize("mark", ["proposal.md", "tasks.md", ".openspec.yaml", "specs/"])
def test_folder_with_a_mark_of_its_own_is_a_change(tmp_path: Path, mark: str) -> None:
    tree(tmp_path, f"mobile/{mark}", "mobile/old/tasks.md")

    assert disk.change_names(tmp_path) == ["mobile"]
    assert disk.grouping_folders(tmp_path) == []


def test_deltas_are_found_at_any_depth(tmp_path: Path) -> None:
    tree(tmp_path, "specs/b/spec.md", "specs/area/a/spec.md", "specs/.x/spec.md", "specs/b/img.png")

    assert found(tmp_path) == (["area/a", "b"], [])
    assert [file.relative for file in disk.delta_files(tmp_path).files] == [
        "area/a/spec.md", "b/spec.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        ("spec.md", "delta_file_at_root", "specs/<capability>/spec.md"),
        ("lending.md", "delta_file_misplaced", "specs/lending/spec.md"),
        ("lending/extra.md", "delta_file_misplaced", "specs/lending/spec.md"),
        ("lending/SPEC.MD", "delta_file_misplaced", "specs/lending/spec.md"),
        ("lending/Spec.md", "delta_file_misplaced", "specs/lending/spec.md"),
        ("area/desk/notes.md", "delta_file_misplaced", "specs/area/desk/spec.md"),
    ],
)
def test_misplaced_delta_is_told_with_the_expected_path(
    tmp_path: Path, name: str, code: str, expected: str
) -> None:
    tree(tmp_path, f"specs/{name}")

    (finding,) = disk.delta_files(tmp_path).misplaced

    assert (finding.code, finding.level.value, finding.path) == (code, "ERROR", name)
    assert expected in finding.fix


def test_links(tmp_path: Path) -> None:
    tree(tmp_path, "out.md", "far/spec.md", "c/specs/a/real.txt", "c/specs/b/", "c/specs/d/")
    specs = tmp_path / "c/specs"
    (specs / "a/spec.md").symlink_to("real.txt")
    (specs / "b/spec.md").symlink_to(tmp_path / "out.md")
    (specs / "d/spec.md").symlink_to("nowhere")
    (specs / "linked").symlink_to(tmp_path / "far")

    assert found(tmp_path / "c") == (
        ["a", "d"],
        [
            ("delta_link_outside", "ERROR", "b/spec.md"),
            ("delta_link_skipped", "ERROR", "linked"),
        ],
    )


def test_reading_changes_nothing(tmp_path: Path) -> None:
    tree(tmp_path, "specs/a/spec.md", "changes/c/specs/a/spec.md")
    before = sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*"))

    disk.spec_entries(tmp_path / "specs")
    disk.change_names(tmp_path / "changes")
    disk.delta_files(tmp_path / "changes/c")

    assert sorted((path, path.stat().st_mtime_ns) for path in tmp_path.rglob("*")) == before
