"""SKILL.md: whatever an author writes, every reader finds it again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import other_yaml

from rasen import __version__
from rasen.base.errors import ToolError
from rasen.hosts.model import Sidecar, Skill
from rasen.hosts.ops import HOSTS, host, render
from rasen.hosts.skill_file import front_matter, is_script

CLAUDE = host("claude")
AWKWARD = {
    "colon": "Use when: a loan is overdue",
    "bracket": "[draft] a list",
    "at": "@someone asks",
    "hash": "a # b",
    "quote": "she said \"no\" and 'yes'",
    "star": "*starred*",
    "ampersand": "&anchor",
    "bang": "!tag",
    "pipe": "| block",
    "dash": "- item",
    "braces": "{a: b}",
    "percent": "%directive",
    "backtick": "`code`",
    "word": "yes",
    "null": "null",
    "number": "12",
    "date": "2026-01-31",
    "colon at the end": "name:",
    "backslash": "C:\\new\\table",
    "line break": "one\ntwo",
    "tab": "a\tb",
    "spaces": "  around  ",
    "separator": "a\u2028b\u0085c\ufeffd",
    "not a character": "a\uffffb\ufffe",
    "wide": "説明: 予約の手順 🚲",
    "fence": "---",
}


def skill(**changes: object) -> Skill:
    fields: dict[str, object] = {
        "name": "a-skill",
        "description": "Does it",
        "body": "# A\n\nDo.\n",
    }
    return Skill(**{**fields, **changes})  # type: ignore[arg-type]


def text_of(one: Skill, id: str = "claude") -> str:
    return render(host(id), one)[0].data.decode()


@pytest.mark.parametrize("authored", [True, False], ids=["user's", "ours"])
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
@pytest.mark.requirement("GN-011")
def test_an_awkward_description_is_read_back_by_both_readers(text: str, authored: bool) -> None:
    written = text_of(skill(description=text, is_authored=authored))

    head = written.split("---\n")[1]
    assert front_matter(written)[0]["description"] == text
    assert other_yaml.read(head)["description"] == text


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans())
def test_any_description_is_read_back_by_both_readers(text: str, authored: bool) -> None:
    written = text_of(skill(description=text, is_authored=authored))

    assert front_matter(written)[0]["description"] == text
    head = written[4 : written.index("\n---\n", 4) + 1]
    assert other_yaml.read(head)["description"] == text


@pytest.mark.requirement("GN-011")
def test_the_fields_stand_in_their_order_and_the_body_after_a_blank_line() -> None:
    one = skill(
        license="Apache-2.0",
        compatibility="Needs git",
        metadata={"zeta": "1", "version": "3", "author": "me", "alpha": "2", "generatedBy": "me"},
        is_user_invoked=True,
        is_authored=True,
    )

    assert text_of(one) == (
        "---\n"
        "name: a-skill\n"
        'description: "Does it"\n'
        "disable-model-invocation: true\n"
        'license: "Apache-2.0"\n'
        'compatibility: "Needs git"\n'
        "metadata:\n"
        '  author: "me"\n'
        '  version: "3"\n'
        '  alpha: "2"\n'
        '  zeta: "1"\n'
        f'  generatedBy: "{__version__}"\n'
        "---\n"
        "\n"
        "# A\n\nDo.\n"
    )


def test_a_skill_of_ours_names_us_and_leaves_plain_words_plain() -> None:
    assert text_of(skill()) == (
        "---\n"
        "name: a-skill\n"
        "description: Does it\n"
        "license: MIT\n"
        "compatibility: Needs the rasen command line.\n"
        "metadata:\n"
        '  author: "rasen"\n'
        '  version: "1.0"\n'
        f'  generatedBy: "{__version__}"\n'
        "---\n"
        "\n"
        "# A\n\nDo.\n"
    )


@pytest.mark.parametrize("id", [one.id for one in HOSTS])
def test_calls_are_written_as_the_agent_takes_them(id: str) -> None:
    body = "Say /rasen:apply, not path/rasen:apply or https://x/rasen:y.\n"

    text = text_of(skill(body=body), id)

    hyphens = id in ("bob", "opencode", "pi")
    assert ("Say /rasen-apply," in text) is hyphens
    assert "not path/rasen:apply or https://x/rasen:y." in text


def test_the_calls_of_an_author_stay_as_they_are() -> None:
    assert "/rasen:apply" in text_of(skill(body="/rasen:apply\n", is_authored=True), "pi")


@pytest.mark.requirement("GN-002", "GN-012")
def test_sidecars_lie_beside_and_scripts_can_be_run() -> None:
    sidecars = tuple(
        Sidecar(path, path.encode())
        for path in ("bin/ask", "guide.md", "references/run.sh", "scripts/x/y.txt", "z.mjs")
    )

    files = render(CLAUDE, skill(sidecars=sidecars))

    assert [(one.path, one.data, one.is_executable) for one in files[1:]] == [
        ("a-skill/bin/ask", b"bin/ask", True),
        ("a-skill/guide.md", b"guide.md", False),
        ("a-skill/references/run.sh", b"references/run.sh", True),
        ("a-skill/scripts/x/y.txt", b"scripts/x/y.txt", True),
        ("a-skill/z.mjs", b"z.mjs", True),
    ]


@pytest.mark.parametrize("path", ["scripts", "my/scripts/x", "run.shx", "binary/x"])
def test_other_files_are_no_scripts(path: str) -> None:
    assert is_script(path) is (path == "scripts")


@pytest.mark.parametrize(
    "text", ["no fence\n", "---\nname: x\n", "---\n- a\n---\n", "---\na: b: c\n---\nx\n"]
)
def test_front_matter_that_cannot_be_read_is_an_error(text: str) -> None:
    with pytest.raises(ToolError) as caught:
        front_matter(text)

    assert caught.value.code in ("skill_file_invalid", "yaml_invalid")


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_front_matter_is_read_with_either_line_end(line_end: str) -> None:
    text = line_end.join(["---", "name: x", "---", "", "body", ""])

    assert front_matter(text) == ({"name": "x"}, f"{line_end}body{line_end}")
