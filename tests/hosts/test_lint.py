"""What would make an agent leave a skill out."""

from __future__ import annotations

import pytest

from rasen.hosts.lint import check, check_listing, check_written
from rasen.hosts.model import Skill
from rasen.hosts.ops import HOSTS, host, render

CLAUDE = host("claude")


def skill(**changes: object) -> Skill:
    fields: dict[str, object] = {"name": "a-skill", "description": "Does it", "body": "Do.\n"}
    return Skill(**{**fields, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({}, []),
        ({"name": "a" * 64, "description": "d" * 1024}, []),
        ({"name": "a" * 65}, ["skill_too_long"]),
        ({"description": "d" * 1025}, ["skill_too_long"]),
        ({"compatibility": "c" * 501}, ["skill_too_long"]),
        ({"name": "A-skill"}, ["skill_name_unfit"]),
        ({"name": "a--skill"}, ["skill_name_unfit"]),
        ({"name": "-a"}, ["skill_name_unfit"]),
        ({"name": "a_b"}, ["skill_name_unfit"]),
        ({"name": "a\n"}, ["skill_name_unfit"]),
        ({"name": ""}, ["skill_part_empty"]),
        ({"description": "  "}, ["skill_part_empty"]),
        ({"body": "\n"}, ["skill_part_empty"]),
    ],
)
def test_each_limit_is_told(changes: dict[str, object], codes: list[str]) -> None:
    assert [one.code for one in check(CLAUDE, skill(**changes))] == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("---\nname: x\ndescription: d\n---\nb\n", []),
        ("---\nname: y\ndescription: d\n---\nb\n", ["skill_folder_differs"]),
        ("---\nname: x\ndescription: Use when: late\n---\nb\n", ["skill_left_out"]),
        ("---\nname: x\ndescription: [a\n---\nb\n", ["skill_left_out"]),
        ("---\nname: x\ndescription: @a\n---\nb\n", ["skill_left_out"]),
        ("---\nname: x\ndescription: [a]\n---\nb\n", ["skill_left_out"]),
        ("---\nname: x\ndescription: {a: b}\n---\nb\n", ["skill_left_out"]),
        ("---\nname: x\ndescription: 7\n---\nb\n", ["skill_left_out"]),
        ("# no front matter\n", ["skill_left_out"]),
        ("---\nname: x\n---\nb\n", ["skill_part_empty"]),
        ("---\ndescription: d\n---\nb\n", ["skill_part_empty"]),
        (f"---\nname: x\ndescription: {'d' * 1025}\n---\nb\n", ["skill_too_long"]),
    ],
)
def test_a_file_that_an_agent_would_drop_is_told(text: str, codes: list[str]) -> None:
    found = check_written(CLAUDE, "x", text)

    assert [one.code for one in found] == codes
    assert all(one.message and CLAUDE.name in str(one.params["host"]) for one in found)


@pytest.mark.parametrize("host", HOSTS, ids=lambda one: one.id)
def test_what_we_write_passes_for_every_agent(host) -> None:  # type: ignore[no-untyped-def]
    one = skill(description="Use when: a loan is #1 [late]")

    assert check_written(host, "a-skill", render(host, one)[0].data.decode()) == []


def test_too_many_descriptions_for_the_list_of_an_agent_are_told_once() -> None:
    many = [skill(description="d" * 1000)] * 20

    assert [one.code for one in check_listing(CLAUDE, many)] == ["skill_listing_long"]
    assert check_listing(CLAUDE, many[:5]) == []
    assert check_listing(host("kimi"), many) == []


def test_skills_that_people_call_by_name_are_no_part_of_the_list() -> None:
    assert check_listing(CLAUDE, [skill(description="d" * 1000, is_user_invoked=True)] * 20) == []


def test_an_agent_that_loads_all_skills_lists_those_that_people_call_too() -> None:
    many = [skill(description="d" * 1000, is_user_invoked=True)] * 20

    assert [one.code for one in check_listing(host("codex"), many)] == ["skill_listing_long"]


@pytest.mark.parametrize(
    ("line", "cured"),
    [
        ("description: Use when: a loan is overdue", 'description: "Use when: a loan is overdue"'),
        ("description: [late] loans", 'description: "[late] loans"'),
        ("description: @lend", 'description: "@lend"'),
    ],
)
def test_a_line_that_lacks_its_quotes_is_shown_with_them(line: str, cured: str) -> None:
    [found] = check_written(CLAUDE, "x", f"---\nname: x\n{line}\n---\nb\n")

    assert (found.code, found.line) == ("skill_left_out", 3)
    assert "SKILL.md:3:" in found.message
    assert found.fix == f"write line 3 so: {cured}"


def test_a_file_without_front_matter_is_told_to_begin_with_it() -> None:
    [found] = check_written(CLAUDE, "x", "# x\n")

    assert "begin the file with front matter" in found.fix
