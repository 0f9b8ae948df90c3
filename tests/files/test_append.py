"""Files of JSON lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import crash

from rasen.base.errors import ToolError
from rasen.files.append import append, read_records


def test_records_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "trace.jsonl"
    append(path, {"n": 1, "text": "ä\nb"})
    append(path, {"n": 2})

    assert list(read_records(path)) == [{"n": 1, "text": "ä\nb"}, {"n": 2}]
    assert path.read_bytes() == '{"n":1,"text":"ä\\nb"}\n{"n":2}\n'.encode()


def test_no_file_means_no_records(tmp_path: Path) -> None:
    assert list(read_records(tmp_path / "none")) == []


@pytest.mark.parametrize("torn", ['{"n":2,"te', "{", "\xff"])
def test_a_torn_last_line_is_forgiven_and_removed_by_the_next_record(
    tmp_path: Path, torn: str
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"n":1}\n' + torn.encode("latin-1"))
    assert list(read_records(path)) == [{"n": 1}]

    append(path, {"n": 3})

    assert path.read_bytes() == b'{"n":1}\n{"n":3}\n'


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"n":1}\n{"n":2}')
    assert list(read_records(path)) == [{"n": 1}, {"n": 2}]

    append(path, {"n": 3})

    assert list(read_records(path)) == [{"n": 1}, {"n": 2}, {"n": 3}]


@pytest.mark.parametrize("bad", [b"nonsense\n", b"[1]\n", b"\n"])
def test_a_bad_line_elsewhere_is_named(tmp_path: Path, bad: bytes) -> None:
    (tmp_path / "a").write_bytes(b'{"n":1}\n' + bad + b'{"n":3}\n')

    with pytest.raises(ToolError) as caught:
        list(read_records(tmp_path / "a"))

    assert caught.value.code == "line_invalid"
    assert caught.value.params["line"] == 2


def test_a_long_torn_line_is_found_to_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b'{"n":1}\n{"n":"' + b"x" * 20_000)

    append(path, {"n": 2})

    assert list(read_records(path)) == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize("limits", [{"line_limit_bytes": 10}, {"file_limit_bytes": 40}])
def test_neither_a_line_nor_the_file_grows_without_bound(
    tmp_path: Path, limits: dict[str, int]
) -> None:
    path = tmp_path / "a"
    append(path, {"n": "x" * 10})
    before = path.read_bytes()

    with pytest.raises(ToolError) as caught:
        append(path, {"n": "x" * 20}, **limits)

    assert caught.value.code == "file_too_large"
    assert path.read_bytes() == before


@pytest.mark.parametrize("fault", ["kill", "torn"])
def test_dying_while_appending_loses_at_most_that_record(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a"
    append(path, {"n": 1})
    for at in range(1, 5):
        crash.fork(lambda: append(path, {"n": 2}), at=at, fault=fault)

        assert next(iter(read_records(path))) == {"n": 1}
        append(path, {"n": 9})
        assert list(read_records(path))[-1] == {"n": 9}
