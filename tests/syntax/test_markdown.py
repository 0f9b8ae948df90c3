"""Lines, endings, fences, headings and sections of Markdown text."""

from __future__ import annotations

import time

import pyromark
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rasen.syntax.markdown import Markdown, find_section, sections

NASTY = st.text(
    alphabet=st.sampled_from(list("ab #`~>-<!\t \n\r\f\v\x00\x1c\x85\u2028\u2029\ufeff")),
    max_size=80,
)


@given(st.one_of(st.text(), NASTY))
@example("")
@example("\n")
@example("\r")
@example("\r\n")
@example("\ufeff")
@example("\ufeff\ufeff# a")
@example("a\rb\r\nc\nd")
@example("a\n\rb")
@example("a" * 200_000 + "\n" + " " * 200_000)
def test_text_is_given_back_exactly(text: str) -> None:
    document = Markdown(text)

    assert document.text() == text


@given(NASTY)
def test_every_line_has_an_ending_and_only_the_last_may_have_none(text: str) -> None:
    document = Markdown(text)
    count = len(document.lines)

    endings = [document.ending(number) for number in range(count)]

    assert all(endings[:-1])
    assert "".join(map(str.__add__, document.lines, endings)) == text.removeprefix("\ufeff")
    assert not any("\n" in line or "\r" in line for line in document.lines)


@given(NASTY)
def test_headings_and_fences_do_not_overlap(text: str) -> None:
    document = Markdown(text)

    for heading in document.headings:
        assert not document.is_fenced(heading.line)
        assert document.lines[heading.line].startswith("#" * heading.level)
    spans = [end for span in document.fences for end in span]
    assert spans == sorted(spans)
    assert all(0 <= start < end <= len(document.lines) for start, end in document.fences)


@given(NASTY)
def test_line_endings_do_not_change_the_structure(text: str) -> None:
    plain = text.replace("\r", "")

    other = Markdown(plain.replace("\n", "\r\n"))

    document = Markdown(plain)
    assert other.headings == document.headings
    assert other.fences == document.fences
    assert other.lines == document.lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\n", ["a", "b", "c"]),
        ("a\fb\u2028c\x85d\n", ["a\fb\u2028c\x85d"]),
        ("\ufeffa\n", ["a"]),
    ],
    ids=["empty", "no ending", "one", "blank", "mixed", "not line ends", "bom"],
)
def test_lines(text: str, lines: list[str]) -> None:
    assert Markdown(text).lines == lines


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("", "\n"),
        ("a", "\n"),
        ("a\r\nb\nc\r\n", "\r\n"),
        ("a\r\nb\n", "\n"),
        ("a\rb\rc\n", "\r"),
    ],
)
def test_dominant_ending(text: str, ending: str) -> None:
    assert Markdown(text).dominant_ending() == ending


@pytest.mark.parametrize(
    ("text", "fences", "unclosed"),
    [
        ("```\na\n```\nb\n", [(0, 3)], None),
        ("~~~ sh\na\n~~~~  \n", [(0, 3)], None),
        ("````\n```\n# no\n```\n````\n", [(0, 5)], None),
        ("```\na\n~~~\nb\n", [(0, 4)], 0),
        ("```\na\n``` sh\nb\n```\n", [(0, 5)], None),
        ("x\n   ```\n# no\n\t```\n# yes\n", [(1, 4)], None),
        ("``\n# yes\n", [], None),
        ("```\n", [(0, 1)], 0),
        ("a\n```\n```\n", [(1, 3)], None),
    ],
    ids=[
        "back-quotes",
        "tildes, longer closer",
        "nested",
        "other mark does not close",
        "closer takes no words",
        "indented",
        "two are none",
        "unclosed at the end",
        "empty",
    ],
)
def test_fences(text: str, fences: list[tuple[int, int]], unclosed: int | None) -> None:
    document = Markdown(text)

    assert list(document.fences) == fences
    assert document.unclosed_fence == unclosed


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# a", (1, "a", True)),
        ("###### a  ", (6, "a", True)),
        ("## a ##", (2, "a ##", True)),
        ("###a", (3, "a", False)),
        ("##\u00a0a", (2, "a", True)),
        ("##", (2, "", False)),
        ("## ", (2, "", False)),
        ("####### a", None),
        (" # a", None),
        ("\\# a", None),
    ],
)
def test_headings(line: str, expected: tuple[int, str, bool] | None) -> None:
    found = [(one.level, one.title, one.is_spaced) for one in Markdown(line).headings]

    assert found == ([] if expected is None else [expected])


def test_headings_between_takes_the_start_and_leaves_the_end() -> None:
    document = Markdown("# a\n# b\n# c\n")

    assert [one.title for one in document.headings_between(1, 2)] == ["b"]
    assert [one.title for one in document.headings_between(0, 3)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a <!-- b --> c\nd\n", {0}),
        ("<!--\na\n-->\nb\n<!-- c -->\n", {0, 1, 2, 4}),
        ("a\n<!-- b\nc\n", {1, 2}),
        ("```\n<!--\n```\nb\n", set()),
        ("<!-- a\n```\n-->\n```\nb -->\n", {0, 1, 2, 3, 4}),
        ("no comment\n", set()),
    ],
    ids=["in a line", "over lines", "unclosed", "in a fence", "fence inside", "none"],
)
def test_commented_lines(text: str, lines: set[int]) -> None:
    assert Markdown(text).commented_lines() == lines


def test_sections_nest_and_end_before_the_next_of_their_level() -> None:
    document = Markdown("# A\n## B\n#### C\nx\n## D\n##tight\n# E\n")

    tree = sections(document)

    a, e = tree
    assert [(a.title, a.line, a.end), (e.title, e.line, e.end)] == [("A", 0, 6), ("E", 6, 7)]
    assert [(one.title, one.line, one.end) for one in a.children] == [("B", 1, 4), ("D", 4, 6)]
    assert a.children[0].children[0].end == 4


def test_section_is_found_in_any_case_and_depth_first() -> None:
    tree = sections(Markdown("# A\n### requirements\n## Requirements\n"))

    found = find_section(tree, "requirements")

    assert found is not None
    assert found.line == 1
    assert find_section(tree, "purpose") is None


def test_ten_megabytes_are_read_in_little_time() -> None:
    part = "## Section\n\n### Requirement: R\nThe system SHALL.\n\n<!-- c -->\n```\n# x\n```\n"
    text = part * (10_000_000 // len(part))
    started = time.perf_counter()

    document = Markdown(text)
    comments = document.commented_lines()

    assert time.perf_counter() - started < 20  # minutes when anything is quadratic
    assert len(document.headings) == 2 * text.count("## Section")
    assert len(comments) == text.count("<!--")


# Documents made of pieces that CommonMark and our reader see alike: no lists, quotes, HTML blocks,
# setext underlines or indented code.
WORDS = st.text(alphabet="abcxyz ", min_size=1, max_size=12).map(lambda text: "w" + text.strip())
HEADING = st.builds(lambda level, words: f"{'#' * level} {words}", st.integers(1, 6), WORDS)
FENCE = st.builds(
    lambda indent, mark, length, info, body, closed: "\n".join(
        [f"{indent}{mark * length}{info}", *body, *([f"{indent}{mark * length}"] if closed else [])]
    ),
    st.sampled_from(["", " ", "   "]),
    st.sampled_from("`~"),
    st.integers(3, 6),
    st.sampled_from(["", "sh", " text"]),
    st.lists(st.one_of(WORDS, HEADING, st.sampled_from(["```", "~~~~", "", "``` sh"])), max_size=4),
    st.booleans(),
)
TIGHT = WORDS.map(lambda words: f"##{words}")
DOCUMENT = st.lists(st.one_of(WORDS, HEADING, FENCE, TIGHT, st.just("")), max_size=12).map(
    "\n".join
)


@given(DOCUMENT)
def test_agrees_with_commonmark(text: str) -> None:
    document = Markdown(text)
    starts = [0]
    for line in document.lines:
        starts.append(starts[-1] + len(line) + 1)
    headings: list[tuple[int, int]] = []
    fenced: set[int] = set()
    for event, span in pyromark.Markdown().events_with_range(text):
        if not isinstance(event, dict) or not isinstance(event.get("Start"), dict):
            continue
        start = event["Start"]
        first = _line_of(starts, span["start"])
        if "Heading" in start:
            headings.append((first, int(start["Heading"]["level"][1:])))
        elif "CodeBlock" in start:
            fenced.update(range(first, _line_of(starts, span["end"] - 1) + 1))

    assert [(one.line, one.level) for one in document.headings if one.is_spaced] == headings
    ours = {at for at in range(len(document.lines)) if document.is_fenced(at)}
    assert ours - _blank(document) == fenced - _blank(document)


def _line_of(starts: list[int], offset: int) -> int:
    return max(at for at, start in enumerate(starts) if start <= offset)


def _blank(document: Markdown) -> set[int]:
    return {at for at, line in enumerate(document.lines) if not line.strip()}


def test_every_white_space_may_begin_a_fence() -> None:
    spaces = [
        chr(code) for code in range(0x110000) if chr(code).isspace() and chr(code) not in "\r\n"
    ]

    assert all(Markdown(f"{space}```\n# x\n").fences == ((0, 2),) for space in spaces)
