"""The SKILL.md of a workflow: its strict front matter, its body, and what the body refers to."""

from __future__ import annotations

import pytest

from rasen.workflows.model import Diagnostic
from rasen.workflows.references import sidecars
from rasen.workflows.skill_text_file import parse, unresolved

HEAD = "---\nname: flow\ndescription: Does it.\n"


def only(text: str) -> Diagnostic:
    (found,) = parse(text).found
    return found


@pytest.mark.requirement("WF-051", "WF-052")
def test_every_field_is_read_and_the_body_is_what_follows() -> None:
    text = HEAD + 'license: MIT\ncompatibility: any\nmetadata:\n  a: "1"\n---\n\nDo *this*.\r\nEnd'

    parsed = parse(text)

    assert parsed.found == ()
    assert parsed.skill is not None
    assert parsed.skill[:6] == (
        "flow", "Does it.", "Do *this*.\r\nEnd", "MIT", "any", {"a": "1"},
    )  # fmt: skip


@pytest.mark.requirement("WF-050")
def test_front_matter_may_have_the_line_endings_of_windows() -> None:
    assert parse((HEAD + "---\nDo it.\n").replace("\n", "\r\n")).found == ()


@pytest.mark.requirement("WF-050")
@pytest.mark.parametrize(
    "text", ["Do it.\n", "\n" + HEAD + "---\nx\n", HEAD + "Do it.\n", "--- x\n---\n", ""]
)
def test_without_a_whole_block_there_is_no_front_matter(text: str) -> None:
    assert only(text).code == "skill_frontmatter_missing"


@pytest.mark.requirement("WF-051", "SP-050")
@pytest.mark.parametrize(
    ("lines", "where", "line"),
    [
        ("colour: red\n", "colour", 4),
        ("disable-model-invocation: true\n", "disable-model-invocation", 4),
        ("license: 3\n", "license", 4),
        ('license: ""\n', "license", 4),
        ('compatibility: "a\\nb"\n', "compatibility", 4),
        ("metadata: [a]\n", "metadata", 4),
        ("metadata: {a: 1}\n", "metadata.a", 4),
    ],
)
def test_what_front_matter_may_not_have(lines: str, where: str, line: int) -> None:
    found = only(HEAD + lines + "---\nDo it.\n")

    assert (found.code, found.params["field"], found.line) == (
        "skill_frontmatter_invalid", where, line,
    )  # fmt: skip


@pytest.mark.requirement("WF-051")
def test_name_and_description_are_needed() -> None:
    found = parse("---\nlicense: MIT\n---\nDo it.\n").found

    assert [one.params["field"] for one in found] == ["name", "description"]


@pytest.mark.requirement("WF-053", "SP-020")
@pytest.mark.parametrize("name", ["Flow", "a b", "a_b", "-a", "x" * 65])
def test_a_name_is_portable(name: str) -> None:
    text = f"---\nname: {name}\ndescription: Does it.\n---\nDo it.\n"

    assert only(text).code == "skill_name_invalid"


@pytest.mark.requirement("WF-052")
@pytest.mark.parametrize("body", ["", "\n", " \t\r\n\n"])
def test_a_skill_has_instructions(body: str) -> None:
    assert only(HEAD + "---\n" + body).code == "skill_instructions_empty"


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("description: Use when: a loan is overdue", '"Use when: a loan is overdue"'),
        ("description: [urgent] call back", '"[urgent] call back"'),
        ("description: @ask the owner", '"@ask the owner"'),
        ("description: 42", '"42"'),
        ("description: true", '"true"'),
    ],
)
def test_a_value_that_lacks_its_quotes_is_shown_with_them(line: str, mended: str) -> None:
    found = only(f"---\nname: flow\n{line}\n---\nDo it.\n")

    assert found.code in ("yaml_invalid", "skill_frontmatter_invalid")
    assert found.line == 3
    assert found.fix == f"write line 3 so: description: {mended}"


@pytest.mark.requirement("SP-051")
def test_an_alias_in_front_matter_is_refused() -> None:
    text = "---\nname: &n flow\ndescription: *n\n---\nDo it.\n"

    assert (only(text).code, only(text).line) == ("yaml_alias_forbidden", 3)


@pytest.mark.requirement("WF-056")
@pytest.mark.parametrize("body", ["Fill __NAME__ in.", "__A__", "x__TWO_WORDS2__y"])
def test_a_placeholder_that_was_never_filled_is_an_error(body: str) -> None:
    found = only(HEAD + "---\n\n" + body)

    assert (found.code, found.level.value, found.line) == ("placeholder_forbidden", "ERROR", 6)


@pytest.mark.requirement("WF-056")
@pytest.mark.parametrize("body", ["__init__", "__bold text__", "_A_", "__Name__"])
def test_other_underscores_are_text(body: str) -> None:
    assert parse(HEAD + "---\n" + body).found == ()


@pytest.mark.requirement("WF-057")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("Run openspec-apply now.", "legacy_namespace_reference"),
        ("Run OpenSpec:apply now.", "legacy_namespace_reference"),
        ("See /" + "Users/ann/x.", "absolute_machine_path"),
        ("See `/" + "home/ann/x`.", "absolute_machine_path"),
        ("See C:" + r"\Users\ann\x.", "absolute_machine_path"),
    ],
)
def test_words_of_another_time_or_machine_are_warned_of(body: str, code: str) -> None:
    parsed = parse(HEAD + "---\n" + body)

    assert [(one.code, one.level.value) for one in parsed.found] == [(code, "WARNING")]
    assert parsed.skill is not None


@pytest.mark.requirement("WF-057")
@pytest.mark.parametrize(
    "body", ["See my-openspec-notes.", "The openspec tool.", "See app/" + "home/x.", "home/x"]
)
def test_what_only_looks_like_it_is_text(body: str) -> None:
    assert parse(HEAD + "---\n" + body).found == ()


@pytest.mark.requirement("WF-054", "WF-055")
@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ("[a](references/a.md)", ["references/a.md"]),
        ("[a](./references/a.md#part)", ["references/a.md"]),
        ("![a]( templates/a.md 'A title')", ["templates/a.md"]),
        ("[a](<references/a b.md>)", ["references/a b.md"]),
        (r"[a](<references/a\>b.md>)", ["references/a>b.md"]),
        ("[a](references/a(b(c)).md) rest)", ["references/a(b(c)).md"]),
        (r"[a](references/a\)b.md)", ["references/a)b.md"]),
        ("[a](\n  bin/run)", ["bin/run"]),
        ("Run `scripts/run.sh`, see `./references/a.md#x`.", ["scripts/run.sh", "references/a.md"]),
        ("Run `scripts/run.sh --all`.", ["scripts/run.sh --all"]),
        ("`see references/a.md`", []),
        ("``scripts/run.sh``", []),
        ("[a](https://example.com/references/a.md) [b](other/a.md) [c](../references/a.md)", []),
        ("references/a.md", []),
        ("[a]()", []),
        ("[a](references/", ["references/"]),
    ],
)
def test_links_and_whole_code_spans_are_references(body: str, paths: list[str]) -> None:
    assert [one.text for one in sidecars(body)] == paths


@pytest.mark.requirement("WF-054")
def test_a_reference_to_no_file_is_told_once_with_its_line() -> None:
    text = HEAD + "---\n\nSee `references/a.md`.\nSee [b](references/b.md) and `references/b.md`.\n"

    (found,) = unresolved(text, {"references/a.md"})

    assert (found.code, found.line, found.params) == (
        "sidecar_reference_unresolved", 7, {"reference": "references/b.md"},
    )  # fmt: skip
