"""Giving a configuration its identity without touching any other byte of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rasen.base.errors import ToolError
from rasen.projects import identity
from rasen.syntax import yaml

ID = "00000000-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"schema: a\n", b"schema: a\nprojectId: %s\n", id="plain"),
        pytest.param(b"schema: a", b"schema: a\nprojectId: %s\n", id="no final newline"),
        pytest.param(
            b"schema: a\r\nx: 1\r\n", b"schema: a\r\nx: 1\r\nprojectId: %s\r\n", id="CRLF"
        ),
        pytest.param(b"", b"projectId: %s\n", id="empty"),
        pytest.param(b"# only a note\n", b"# only a note\nprojectId: %s\n", id="comments"),
        pytest.param(
            b"context: |\n  text\n\n\n", b"context: |\n  text\n\n\nprojectId: %s\n", id="block text"
        ),
        pytest.param(
            b"\xef\xbb\xbfschema: a\n", b"\xef\xbb\xbfschema: a\nprojectId: %s\n", id="BOM"
        ),
    ],
)
def test_the_identity_is_one_line_at_the_end(tmp_path: Path, before: bytes, after: bytes) -> None:
    config = tmp_path / "config.yaml"
    config.write_bytes(before)

    assert identity.mint(config, ID) == ID

    assert config.read_bytes() == after % ID.encode()
    assert identity.read(config) == ID


def test_an_identity_is_never_replaced(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("projectId: mine\n")

    assert identity.mint(config, ID) == "mine"

    assert config.read_text() == "projectId: mine\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{schema: a}\n", id="flow map"),
        pytest.param("- a\n", id="list"),
        pytest.param("projectId: 7\n", id="identity of a wrong type"),
        pytest.param("a: 'open\n", id="broken"),
        pytest.param("a: 1\n...\n", id="ended document"),
        pytest.param("just text\n", id="plain text"),
    ],
)
def test_where_no_line_can_be_added_the_file_stays_and_the_refusal_names_it(
    tmp_path: Path, text: str
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(text)

    with pytest.raises(ToolError) as refused:
        identity.mint(config, ID)

    assert refused.value.code in ("project_identity_not_written", "yaml_invalid")
    assert str(config) in str(refused.value)
    assert config.read_text() == text
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.yaml"]


@given(
    st.dictionaries(
        st.text("abcdefgh", min_size=1, max_size=6),
        st.text("xyz #:-'\"é店", max_size=12),
        max_size=4,
    ),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_former_setting_survives(fields: dict[str, str], ending: str) -> None:
    before = (yaml.dump(fields) if fields else "").replace("\n", ending)

    after = identity.with_identity(before, ID)

    assert after.startswith(before)
    assert yaml.load(after, file="c") == {**fields, "projectId": ID}
