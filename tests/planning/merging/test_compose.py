"""A spec in pieces: what changes, and every byte that stays."""

from __future__ import annotations

import pytest
from tests.support.planning_texts import requirement, spec_of

from rasen.planning.merging.compose import Composition
from rasen.planning.specs.spec_file import SpecDocument

A, B, C, N = (requirement(name) for name in "ABCN")
NEW = N.splitlines()
ENDINGS = pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])


def composition(text: str) -> Composition:
    return Composition(SpecDocument(text))


def without(text: str, name: str) -> str:
    parts = composition(text)
    piece = parts.find(name)
    assert piece is not None
    parts.remove(piece)
    return parts.text()


def with_new(text: str) -> str:
    parts = composition(text)
    parts.append("N", NEW)
    return parts.text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no section",
        "\ufeff" + spec_of(A, B),
        spec_of(A, B).replace("\n", "\r\n"),
        spec_of(A, B).rstrip("\n"),
        spec_of(A, B, tail="\n\n\n## Notes\n\n\nx"),
        spec_of("preamble\n", A).replace("\n\n### Req", "\n### Req"),
        "## Requirements",
        "a\rb\r\n## Requirements\r### Requirement: A\nx\r\n\r### Requirement: B",
    ],
)
def test_without_a_change_the_text_stays(text: str) -> None:
    assert composition(text).text() == text


@ENDINGS
@pytest.mark.parametrize("tail", ["", "\n## Notes\nx\n"], ids=["no tail", "tail"])
def test_removal(ending: str, tail: str) -> None:
    def text(*blocks: str) -> str:
        return spec_of(*blocks, tail=tail).replace("\n", ending)

    whole = text(A, B, C)

    assert without(whole, "A") == text(B, C)
    assert without(whole, "B") == text(A, C)
    assert without(whole, "C") == text(A, B)


def test_removal_of_the_last_block_of_a_file_without_a_final_line_feed() -> None:
    assert without(spec_of(A, B).rstrip("\n"), "B") == spec_of(A)
    assert without(spec_of(A, B).rstrip("\n"), "A") == spec_of(B).rstrip("\n")


def test_removal_keeps_odd_gaps_elsewhere() -> None:
    text = spec_of(A, "\n\n" + B, C, tail="\n\n\n## Notes\n")

    assert without(text, "B") == spec_of(A, "\n\n" + C, tail="\n\n\n## Notes\n")
    assert without(text, "C") == spec_of(A, "\n\n" + B, tail="\n\n\n## Notes\n")


@ENDINGS
@pytest.mark.parametrize("tail", ["", "\n## Notes\nx\n"], ids=["no tail", "tail"])
def test_new_requirement_comes_last(ending: str, tail: str) -> None:
    text = spec_of(A, B, tail=tail).replace("\n", ending)

    assert with_new(text) == spec_of(A, B, N, tail=tail).replace("\n", ending)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (spec_of(A).rstrip("\n"), spec_of(A, N)),
        (spec_of(A) + "\n\n\n", spec_of(A, N)),
        (spec_of(A, tail="\n\n\n## Notes\n\n\nx"), spec_of(A, N, tail="\n## Notes\n\n\nx")),
        (spec_of(A, tail="## Notes\nx"), spec_of(A, N, tail="\n## Notes\nx")),
        (spec_of(), spec_of(N)),
        ("## Requirements", f"## Requirements\n\n{N}"),
        ("## Requirements\n\n\n\n", f"## Requirements\n\n{N}"),
        ("## Requirements\n\n## Notes\nx\n", f"## Requirements\n\n{N}\n## Notes\nx\n"),
        ("## Requirements\n## Notes\nx\n", f"## Requirements\n\n{N}\n## Notes\nx\n"),
        ("## Requirements\n\npre  \n\n\n", f"## Requirements\n\npre  \n\n{N}"),
        ("## Requirements\n\n\n\npre", f"## Requirements\n\n\n\npre\n\n{N}"),
        ("# T\n\n## Purpose\nx\n", f"# T\n\n## Purpose\nx\n\n## Requirements\n\n{N}"),
        ("# T\n\n## Purpose\nx\n\n\n", f"# T\n\n## Purpose\nx\n\n## Requirements\n\n{N}"),
        ("# T\r\nx", f"# T\nx\n\n## Requirements\n\n{N}".replace("\n", "\r\n")),
        ("", f"## Requirements\n\n{N}"),
    ],
    ids=[
        "no final line feed", "blank lines at the end", "gap before a tail", "no gap before a tail",
        "empty section", "section at the end", "blank section", "blank section, tail",
        "no line between section and tail", "preamble", "preamble without line feed",
        "no section", "no section, blank end", "no section, windows", "empty file",
    ],
)  # fmt: skip
def test_seams_of_a_new_requirement(text: str, expected: str) -> None:
    assert with_new(text) == expected


def test_two_new_requirements_and_the_mark_of_a_windows_file() -> None:
    parts = composition("\ufeff" + spec_of(A).replace("\n", "\r\n"))

    parts.append("B", B.splitlines())
    parts.append("C", C.splitlines())

    assert parts.text() == "\ufeff" + spec_of(A, B, C).replace("\n", "\r\n")


def test_new_requirement_after_all_old_ones_went() -> None:
    parts = composition(spec_of("pre\n", A, B, tail="\n## Notes\n"))
    for piece in list(parts.pieces):
        parts.remove(piece)

    parts.append("N", NEW)

    assert parts.text() == spec_of("pre\n", N, tail="\n## Notes\n")


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("### Requirement: A\nx\n", "### Requirement: Z\nx\n"),
        ("###requirement:A\r\nx\r\n", "### Requirement: Z\r\nx\r\n"),
        ("### Requirement: A\rx\ny\n", "### Requirement: Z\rx\ny\n"),
        ("### Requirement: A  ", "### Requirement: Z"),
        ("### Requirement: A\n\fx\u2028\n", "### Requirement: Z\n\fx\u2028\n"),
    ],
    ids=["lf", "crlf", "mixed", "no ending", "odd characters"],
)
def test_rename_changes_the_heading_only(block: str, expected: str) -> None:
    parts = composition(f"## Requirements\n{block}")
    piece = parts.find("A")
    assert piece is not None

    parts.rename(piece, "Z")

    assert parts.text() == f"## Requirements\n{expected}"
    assert parts.find("A") is None
    assert parts.find("Z") is piece


def test_replacement_takes_the_endings_of_the_file_and_keeps_those_of_kept_lines() -> None:
    text = "## Requirements\r\n\r\n### Requirement: A\r\nold\r\nkept\nlast"
    parts = composition(text)
    piece = parts.find("A")
    assert piece is not None

    parts.replace(piece, ["### Requirement: A", "new", "kept", "last"])

    assert parts.text() == ("## Requirements\r\n\r\n### Requirement: A\r\nnew\r\nkept\nlast\r\n")
