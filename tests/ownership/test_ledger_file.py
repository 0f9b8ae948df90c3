"""The ledger of generated files: what it says, in one form, whoever wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.files.atomic import digest
from rasen.ownership.ledger_file import FilesLedgerInvalid, parse, render
from rasen.ownership.model import Kind, Ledger, Owner, Row

FROZEN = sorted((Path(__file__).parents[1] / "frozen" / "files-ledger").rglob("*.json"))
ROW: dict[str, Any] = {
    "path": "a/x", "digest": "sha256:1", "version": "1", "owners": [{"tool": "t", "source": "s"}],
}  # fmt: skip


def text(**changes: object) -> str:
    return json.dumps({"version": 1, "files": [], "folders": [], **changes})


@pytest.mark.parametrize("path", FROZEN, ids=lambda one: f"{one.parent.name}-{one.stem}")
def test_what_was_ever_written_is_read_and_written_as_it_was(path: Path) -> None:
    written = path.read_text("utf-8")

    ledger = parse(written, file="x")

    assert ledger.rows
    assert render(ledger) == written


NAMES = st.text("abcäß漢-.", min_size=1, max_size=6).filter(lambda one: one.strip("."))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
WORDS = st.text(min_size=1, max_size=8)
OWNERS = st.builds(Owner, WORDS, WORDS, st.none() | WORDS)
ROWS = st.builds(
    Row,
    PATHS,
    st.binary(max_size=3).map(digest),
    st.lists(OWNERS, min_size=1, max_size=3, unique=True).map(tuple),
    WORDS,
    extra=st.dictionaries(st.just("later"), st.integers(), max_size=1),
) | st.builds(
    Row,
    PATHS,
    st.binary(max_size=3).map(digest),
    st.lists(OWNERS, min_size=1, max_size=2, unique=True).map(tuple),
    WORDS,
    st.just(Kind.MEMBER),
    WORDS,
    st.none() | WORDS,
)
LEDGERS = st.builds(
    lambda rows, folders, extra: Ledger({one.key: one for one in rows}, folders, extra),
    st.lists(ROWS, max_size=5),
    st.lists(PATHS, max_size=3, unique=True).map(lambda found: tuple(sorted(found))),
    st.dictionaries(st.just("later"), st.lists(st.booleans(), max_size=2), max_size=1),
)


@given(LEDGERS)
def test_what_is_written_is_what_is_read(ledger: Ledger) -> None:
    written = render(ledger)

    assert parse(written, file="x") == ledger
    assert render(parse(written, file="x")) == written


def test_the_order_of_rows_is_the_order_of_paths_and_each_is_one_line() -> None:
    rows = [{**ROW, "path": path} for path in ("b", "a/y", "a/x")]

    written = render(parse(text(files=rows), file="x"))

    lines = [line for line in written.splitlines() if '"path"' in line]
    assert [json.loads(line.rstrip(","))["path"] for line in lines] == ["a/x", "a/y", "b"]


def test_two_branches_that_add_files_apart_merge(tmp_path: Path) -> None:
    import subprocess

    def written(*paths: str) -> bytes:
        rows = [{**ROW, "path": path} for path in paths]
        return render(parse(text(files=rows), file="x")).encode()

    common = ("b/1", "b/2", "b/3", "y/1", "y/2", "y/3")
    sides = {"ours": ("a", *common), "base": common, "theirs": (*common[:3], "c", *common[3:])}
    for name, paths in sides.items():
        (tmp_path / name).write_bytes(written(*paths))
    done = subprocess.run(
        ["git", "merge-file", "-p", "ours", "base", "theirs"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert done.stdout == written("a", *common, "c")


def test_a_row_that_a_merge_doubled_is_one_with_all_who_want_the_file() -> None:
    twice = [ROW, {**ROW, "owners": [{"tool": "u", "source": "s"}]}]

    ledger = parse(text(files=twice), file="x")

    assert ledger.rows["a/x", ""].owners == (Owner("t", "s"), Owner("u", "s"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "line 1"),
        ("<<<<<<< ours\n{}\n", "line 1"),
        ('{"version": 1,\n "version": 1}', "line 2"),
        ("[]", "map"),
        (text(version=2), "version"),
        (text(version=True), "version"),
        (text(version="1"), "version"),
        (json.dumps({"version": 1}), "files"),
        (text(files=[{**ROW, "path": "../x"}]), "../x"),
        (text(files=[{**ROW, "path": "/x"}]), "/x"),
        (text(files=[{**ROW, "path": "a//x"}]), "a//x"),
        (text(files=[{**ROW, "path": "a\\x"}]), "path"),
        (text(files=[{**ROW, "path": "a\0"}]), "path"),
        (text(files=[{**ROW, "path": 1}]), "path"),
        (text(files=[{**ROW, "owners": []}]), "owners"),
        (text(files=[{**ROW, "owners": [{"tool": "t"}]}]), "source"),
        (text(files=[{**ROW, "owners": [{"tool": "t", "source": "s", "project": 1}]}]), "project"),
        (text(files=[{**ROW, "owners": ["x"]}]), "rows"),
        (text(files=[{**ROW, "owners": {"tool": "t"}}]), "owners"),
        (text(files=[{**ROW, "kind": "member"}]), "part"),
        (text(files=[{**ROW, "digest": ""}]), "digest"),
        (text(files=[{**ROW, "kind": "folder"}]), "folder"),
        (text(files=[{**ROW, "kind": "member", "part": 1}]), "part"),
        (text(files=[{**ROW, "made": 1}]), "made"),
        (text(files=[ROW, {**ROW, "digest": "sha256:2"}]), "a/x"),
        (text(files={"a": 1}), "files"),
        (text(files=[1]), "rows"),
        (text(folders=[".."]), ".."),
        (text(folders="abc"), "folders"),
    ],
)
def test_a_damaged_one_is_refused_and_says_where(written: str, said: str) -> None:
    with pytest.raises(FilesLedgerInvalid) as caught:
        parse(written, file="the/ledger.json")

    assert caught.value.code == "files_ledger_invalid"
    assert "the/ledger.json" in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(("version", "said"), [(2, "that program"), (0, "delete it")])
def test_one_of_a_newer_program_is_not_to_be_deleted(version: int, said: str) -> None:
    with pytest.raises(FilesLedgerInvalid) as caught:
        parse(text(version=version), file="the/ledger.json")

    assert said in caught.value.fix_text
