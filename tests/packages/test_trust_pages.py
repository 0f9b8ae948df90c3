"""What the documentation has to say about trust."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rasen.packages import limits
from rasen.packages.model import MEDIA_TYPE
from rasen.syntax.portable_path import MAX_BYTES

_ROOT = Path(__file__).resolve().parents[2]
_PAGE = " ".join((_ROOT / "docs" / "packages.md").read_text("utf-8").split())


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("instructions, not data", marks=pytest.mark.requirement("PK-100")),
        pytest.param("There is no sandbox", marks=pytest.mark.requirement("PK-100")),
        pytest.param("An import runs nothing", marks=pytest.mark.requirement("PK-101")),
        pytest.param("done at import, and again", marks=pytest.mark.requirement("PK-102")),
        pytest.param("There is no marketplace", marks=pytest.mark.requirement("PK-103")),
        pytest.param(
            "nothing in format version 1 for signatures, compression, files that are not text",
            marks=pytest.mark.requirement("PK-103", "PK-106"),
        ),
        pytest.param(
            "It says nothing about who made them", marks=pytest.mark.requirement("PK-104", "PK-034")
        ),
        pytest.param(
            "It does not understand what a skill tells an agent",
            marks=pytest.mark.requirement("PK-104"),
        ),
        pytest.param("is no guarantee", marks=pytest.mark.requirement("PK-104")),
        pytest.param("Anybody can make packages", marks=pytest.mark.requirement("PK-104")),
        pytest.param(
            "like a pull request that nobody has reviewed", marks=pytest.mark.requirement("PK-105")
        ),
        pytest.param(
            "only for this machine and the project at hand",
            marks=pytest.mark.requirement("PK-107"),
        ),
        "A signature** says that whoever holds a key signed exactly these bytes",
        "It does not say who that is in life",
        MEDIA_TYPE,
    ],
)
def test_the_page_says(said: str) -> None:
    assert said in _PAGE


@pytest.mark.requirement("PK-103")
def test_the_page_names_the_limits_that_count() -> None:
    rows = dict(re.findall(r"\| ([^|]+) \| ([^|]+) \| `[a-z_]+` \|", _PAGE))

    assert rows == {
        "the file": f"{limits.PACKAGE_BYTES // 1024**2} MiB",
        "all content together": f"{limits.CONTENT_BYTES // 1024**2} MiB",
        "one file of it": f"{limits.FILE_BYTES // 1024**2} MiB",
        "files": str(limits.FILES),
        "workflows": str(limits.WORKFLOWS),
        "a path": f"{MAX_BYTES} bytes",
        "nesting of the JSON": str(limits.DEPTH),
        "properties of all its objects": f"{limits.PROPERTIES:,}",
        "values of the JSON (ours; no package can have as many)": f"{limits.VALUES:,}",
    }
